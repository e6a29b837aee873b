"""Text and names arrive in many encodings: what can be read is, and what cannot is named."""

import json
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.segment.places import path_terms
from commands import DECIDED, remembered, run
from projects import a_project

MARK = b"\xef\xbb\xbf"
NAMES = ["café-müller", "결제서비스", "ドキュメント", "Ｐｏｓｔｇｒｅｓ", "数据库"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return a_project(tmp_path / "shop")


def with_mark(text: str) -> bytes:
    return MARK + text.encode()


def with_windows_lines(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def as_it_is(text: str) -> bytes:
    return text.encode()


FORMS = [as_it_is, with_mark, with_windows_lines]
WIDE = ["utf-16", "utf-16-be"]


def in_wide(text: str, encoding: str) -> bytes:
    """Return UTF-16 with its mark, in either order of bytes."""
    return text.encode(encoding) if encoding == "utf-16" else b"\xfe\xff" + text.encode(encoding)


def a_transcript(project: Path) -> str:
    record = {
        "type": "user",
        "uuid": "u" * 36,
        "sessionId": "s1",
        "cwd": str(project),
        "timestamp": "2026-01-01T08:00:00.000Z",
        "message": {"role": "user", "content": DECIDED},
    }
    return json.dumps(record) + "\n"


def an_export(project: Path) -> str:
    remembered(project)
    text = Path(run("export", "--json", at=project).told["path"]).read_text("utf-8")
    run("clear", "--confirm", at=project)
    return text


def memories(_: Path) -> str:
    found = {"type": "entity", "name": "shop", "entityType": "project"}
    return json.dumps({**found, "observations": ["The customers are schools"]}) + "\n"


SOURCES = [a_transcript, an_export, memories]


def taken(project: Path, file: Path) -> int:
    """Import a file, and return what came of it: items, or statements that wait."""
    os.utime(file, (0, 0))  # nobody writes there any more
    ran = run("import", str(file), at=project)
    assert ran.code == 0, ran.err
    status = run("status", "--json", at=project).told
    return int(status["candidates"].get("waiting", 0)) or len(run_list(project))


def run_list(project: Path) -> list[object]:
    found: list[object] = run("list", "--json", at=project).told
    return found


@pytest.mark.case("C67")
@pytest.mark.parametrize("written", FORMS)
@pytest.mark.parametrize("source", SOURCES)
def test_files_are_read_with_a_mark_before_them_and_with_lines_of_windows(
    project: Path, source: object, written: object
) -> None:
    assert callable(source)
    assert callable(written)
    file = project.parent / "given.jsonl"
    file.write_bytes(written(source(project)))

    assert taken(project, file) == 1


@pytest.mark.case("C67")
@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("source", SOURCES)
def test_a_file_in_utf_16_is_named_and_nothing_of_it_is_taken(
    project: Path, source: object, encoding: str
) -> None:
    assert callable(source)
    name = "given.log" if source is a_transcript else "given.jsonl"
    file = project.parent / name
    file.write_bytes(in_wide(source(project), encoding))
    ran = run("import", str(file), at=project)

    assert ran.code == 1
    assert "UTF-16" in ran.err
    assert run_list(project) == []


def test_sections_in_utf_16_are_no_empty_answer(project: Path) -> None:
    (project / "AGENTS.md").write_bytes("# Rules\n- Use tabs\n".encode("utf-16"))
    ran = run("import", "--sections", str(project / "AGENTS.md"), at=project)

    assert ran.code == 1
    assert "UTF-16" in ran.err


@pytest.mark.parametrize("written", FORMS)
def test_settings_are_read_in_every_such_form(project: Path, written: object) -> None:
    assert callable(written)
    remembered(project)
    (project / ".git/backstory/config.toml").write_bytes(written("review = true\n"))

    assert run("status", "--json", at=project).told["review"] is True


@pytest.mark.case("C67")
@pytest.mark.parametrize("encoding", WIDE)
def test_settings_in_utf_16_are_told(project: Path, encoding: str) -> None:
    remembered(project)
    (project / ".git/backstory/config.toml").write_bytes(in_wide("review = true\n", encoding))
    ran = run("status", at=project)

    assert ran.code == 1
    assert "not UTF-8" in ran.err


@pytest.mark.case("C66")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("said", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD", "NFKC"])
def test_composed_decomposed_and_wide_letters_find_each_other(
    project: Path, name: str, said: str, asked: str
) -> None:
    statement = f"We decided to use {unicodedata.normalize(said, name)} for the billing service."
    run("remember", statement, at=project)
    question = f"{unicodedata.normalize(asked, name)}?"

    (hit,) = run("recall", question, "--json", at=project).told["hits"]
    assert hit["statement"] == statement.rstrip(".")
    assert run("search", unicodedata.normalize(asked, name), "--json", at=project).told


@pytest.mark.case("C67")
@pytest.mark.parametrize(
    "marks", ["🚀👩‍💻", "👍🏽", "🇩🇪", "\u200b", "\u202e", "\ufeff", "e\u0301", "𠮷野家"]
)
def test_emoji_joiners_and_rare_characters_are_kept_as_they_were(
    project: Path, marks: str
) -> None:
    said = f"From now on call the release {marks} Falcon, please remember."
    run("remember", said, at=project)
    (row,) = run("list", "--json", at=project).told
    exported = Path(run("export", "--json", at=project).told["path"]).read_text("utf-8")

    assert marks in row["statement"]
    assert marks in exported
    assert run("recall", "Falcon release", "--json", at=project).told["hits"]


@pytest.mark.case("C45")
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_file_has_one_name_however_its_letters_are_composed(name: str) -> None:
    composed, apart = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))

    assert path_terms(f"src/{composed}.py") == path_terms(f"src/{apart}.py")


SAID = "悬空引用的检查在 itgc 模块；ボックス與 끝말잇기 게임, multi-agent at 20.04 GB/s."
PARTS = ["悬空", "悬空引用", "itgc", "ボックス", "끝말", "게임", "multi-agent", "GB/s", "20.04"]


@pytest.mark.case("C66")
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_what_was_said_finds_it_in_every_script(project: Path, part: str) -> None:
    run("remember", SAID, at=project)

    assert run("search", part, "--json", at=project).told
    assert run("search", "空悬 zzz", "--json", at=project).told == []


@pytest.mark.case("C67")
@pytest.mark.parametrize(
    "words", ["don't", "a:b", '"half', "NOT", "AND OR", "*", "", "(", "^x", "NEAR(", "-"]
)
def test_no_question_is_read_as_an_expression(project: Path, words: str) -> None:
    remembered(project)
    ran = [run(command, "--json", "--", words, at=project) for command in ("search", "recall")]

    assert [one.code for one in ran] == [0, 0] or words == ""
    assert all(one.code < 3 for one in ran)
