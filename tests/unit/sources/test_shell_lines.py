"""What shells wrote is read line by line; what is no line is passed over, and nothing is lost."""

import re
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.sources.shell_lines import TypedCommand, count, take, typed_in
from backstory.adapters.sources.snippets import snippet

LINE = "1\x1f{at}\x1f2000\x1f3\x1f77\x1fref: refs/heads/fix/中\x1f/home/a\x1e b\x1fecho 'a\x1eb'\n"


def test_a_line_is_read_with_all_its_parts(tmp_path: Path) -> None:
    (tmp_path / "shell.lines").write_text(LINE.format(at=1000))
    (path,) = take(tmp_path, now_ms=5)

    assert list(typed_in(path)) == [
        TypedCommand(
            begun_at_ms=1000,
            ended_at_ms=2000,
            exit_code=3,
            shell="77",
            branch="fix/中",
            folder="/home/a\n b",
            command="echo 'a\nb'",
        )
    ]


def test_what_was_taken_and_not_finished_is_taken_again_with_what_came_since(
    tmp_path: Path,
) -> None:
    (tmp_path / "shell.lines").write_text(LINE.format(at=1))
    take(tmp_path, now_ms=5)
    (tmp_path / "shell.lines").write_text(LINE.format(at=2) * 2)

    assert count(tmp_path) == 3
    assert len(take(tmp_path, now_ms=6)) == 2
    assert count(tmp_path / "nowhere") == 0
    assert take(tmp_path / "nowhere", now_ms=7) == ()


@pytest.mark.case("C07")
def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    good = LINE.format(at=1).encode()
    bad = [b"\n", b"1\x1f2\n", good.replace(b"1\x1f", b"9\x1f", 1), good[:-1]]
    file = tmp_path / "shell.lines"
    file.write_bytes(good + b"".join(bad[:3]) + b"\xff\xfe\x00\n" + good + bad[3])

    found = list(typed_in(file))

    assert [one is not None for one in found] == [True, False, False, False, False, True, False]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(raw: bytes) -> None:
    with NamedTemporaryFile() as file:
        Path(file.name).write_bytes(raw)

        assert len(list(typed_in(Path(file.name)))) == len(raw.split(b"\n")) - raw.endswith(
            b"\n"
        ) - (raw == b"")


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_no_pattern_breaks_out_of_the_snippet(patterns: list[str]) -> None:
    (line,) = [
        one
        for one in snippet("bash", ignored=patterns, switch=Path("/o f'f")).split("\n")
        if one.startswith("  case $text in ''") and "[[:space:]]" not in one
    ]
    inner = line.removeprefix("  case $text in ").removesuffix(") return ;; esac")
    unquoted = re.sub(r"\\.", "", inner)

    assert not set(unquoted) & set('`$();&<>"\\#~{}')
