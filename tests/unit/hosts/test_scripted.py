"""A script that runs Gemini CLI or Copilot CLI is known by its command line and its input."""

from pathlib import Path

import pytest

from backstory.adapters.hosts.scripted import is_scripted

TERMINAL = "/dev/pts/3"


def a_process(
    root: Path, number: int, *words: str, parent: int = 1, ends: tuple[str, str] = (TERMINAL,) * 2
) -> None:
    """Make what Linux shows of a process."""
    folder = root / str(number)
    (folder / "fd").mkdir(parents=True)
    (folder / "cmdline").write_text("".join(f"{word}\0" for word in words))
    (folder / "stat").write_text(f"{number} (a name) with) S {parent} 7 7 0")
    for name, end in zip("01", ends, strict=True):
        (folder / "fd" / name).symlink_to(end)


@pytest.mark.parametrize(
    ("words", "ends", "expected"),
    [
        (["gemini"], (TERMINAL, TERMINAL), False),
        (["gemini", "-i", "Look at this."], ("/dev/tty1", TERMINAL), False),
        (["gemini", "-p", "Look at this."], (TERMINAL, TERMINAL), True),
        (["gemini", "--prompt=Look at this."], (TERMINAL, TERMINAL), True),
        (["gemini"], ("/dev/null", TERMINAL), True),
        (["gemini"], (TERMINAL, "pipe:[1]"), True),
        (["gemini", "--acp"], ("socket:[1]", "socket:[2]"), False),
        (["/opt/copilot", "-p", "Look at this."], (TERMINAL, TERMINAL), True),
        (["copilot", "--prompt=Look at this."], (TERMINAL, TERMINAL), True),
        (["copilot"], (TERMINAL, TERMINAL), False),
        (["copilot", "--acp"], ("socket:[1]", "socket:[2]"), False),
        (["bash", "-i"], ("/dev/null", "/dev/null"), False),
    ],
)
def test_a_script_is_told_from_a_person(
    tmp_path: Path, words: list[str], ends: tuple[str, str], *, expected: bool
) -> None:
    a_process(tmp_path, 20, "/usr/bin/node", "--no-warnings", *words, ends=ends)
    a_process(tmp_path, 30, "sh", "-c", "hook --host gemini -p || true", parent=20)

    assert is_scripted(30, processes=tmp_path) is expected


def test_the_nearest_one_counts(tmp_path: Path) -> None:
    a_process(tmp_path, 10, "gemini")
    a_process(tmp_path, 20, "/opt/gemini.js", "-p", "Look at this.", parent=10)

    assert is_scripted(20, processes=tmp_path)


def test_where_processes_are_not_shown_it_is_a_person(tmp_path: Path) -> None:
    a_process(tmp_path, 30, "sh", parent=20)

    assert not is_scripted(30, processes=tmp_path)
    assert not is_scripted(30, processes=tmp_path / "none")
