"""What goes wrong is told in one place, with an exit code that says who can mend it."""

from pathlib import Path

import pytest

from backstory.api import Memory
from commands import remembered, run
from projects import a_project

FIXABLE, USAGE, BUG, INTERRUPTED = 1, 2, 3, 130


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


@pytest.mark.parametrize(
    ("words", "code", "slug"),
    [
        (("show", "m_none"), FIXABLE, "not-found"),
        (("show", ""), FIXABLE, "not-found"),
        (("undo",), FIXABLE, "not-found"),
        (("review", "approve", "c_none"), FIXABLE, "not-found"),
        (("clear",), FIXABLE, "not-confirmed"),
        (("import", "no/such/file"), FIXABLE, "unreadable-input"),
        (("remember", ""), USAGE, "usage"),
        (("remember", " \t\n"), USAGE, "usage"),
        (("remember", "caf\udce9"), USAGE, "usage"),
        (("recall", "--file", "a\udce9.py"), USAGE, "usage"),
        (("review", "approve"), USAGE, "usage"),
        (("purpose", "world_peace"), USAGE, "usage"),
        (("list", "--kind", "rumour"), USAGE, "usage"),
        (("search", "x", "--limit", "0"), USAGE, "usage"),
        (("list", "--no-such-option"), USAGE, "usage"),
        (("list", "too", "many"), USAGE, "usage"),
        (("shell", "fish"), USAGE, "usage"),
        (("lsit",), USAGE, "usage"),
        (("demo", "--keep", "."), USAGE, "usage"),
    ],
)
def test_what_cannot_be_done_is_told_to_people_and_programs(
    project: Path, words: tuple[str, ...], code: int, slug: str
) -> None:
    told = run(*words, at=project)
    as_json = run(*words, "--json", at=project)

    assert (told.code, told.out) == (code, "")
    assert told.err.startswith("backstory: ")
    assert "Value error" not in told.err
    assert as_json.code == code
    assert as_json.told["error"]["slug"] == slug
    assert as_json.told["error"]["message"]


def test_no_project_is_told_with_what_to_do(tmp_path: Path) -> None:
    ran = run("list", at=tmp_path)

    assert ran.code == FIXABLE
    assert f"{tmp_path} is in no project" in ran.err
    assert "backstory init" in ran.err


def test_a_directory_that_is_not_there_is_no_project(tmp_path: Path) -> None:
    assert run("list", at=tmp_path / "gone").code == USAGE
    assert not (tmp_path / "gone").exists()


def test_a_beginning_of_several_ids_lists_them(project: Path) -> None:
    first = remembered(project)
    second = remembered(project, "以后提交信息一律用中文写。")

    ran = run("forget", "m_", at=project)

    assert ran.code == FIXABLE
    assert first in ran.err
    assert second in ran.err
    assert len(run("list", "--json", at=project).told) == 2


def test_a_misspelt_command_is_guessed(project: Path) -> None:
    assert "Did you mean 'remember'?" in run("rember", "x", at=project).err


def test_a_word_after_two_dashes_is_text_and_not_an_option(project: Path) -> None:
    ran = run("search", "--", "--json", at=project)

    assert ran.code == 0
    assert ran.out == "No turn holds these words.\n"


def test_a_value_that_is_called_like_a_command_is_a_value(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_project = a_project(project.parent / "list")
    monkeypatch.chdir(list_project.parent)

    ran = run("status", at=Path("list"))

    assert ran.code == 0
    assert f"project  {list_project}" in ran.out


@pytest.mark.promise("R169", "R170")
def test_a_damaged_store_stops_reading_but_not_looking(project: Path) -> None:
    item = remembered(project)
    store = project / ".git/backstory/memory.db"
    store.write_bytes(b"not a database" * 100)

    assert run("list", at=project).code == FIXABLE
    assert run("list", "--json", at=project).told["error"]["slug"] == "store-degraded"
    status = run("status", at=project)
    doctor = run("doctor", "--json", at=project)

    assert status.code == 0
    assert "memory   degraded" in status.out
    assert "empty" not in status.out
    assert doctor.code == FIXABLE
    assert "degraded" in [finding["slug"] for finding in doctor.told["findings"]]
    assert run("show", item, at=project).code == FIXABLE
    assert store.read_bytes() == b"not a database" * 100
    assert "kept as" in run("clear", "--confirm", at=project).out
    assert run("status", at=project).out.startswith("memory   empty")


def test_a_bug_is_told_as_one_and_kept_in_a_file(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_arguments: object, **_named: object) -> None:
        raise ZeroDivisionError("a canary")

    monkeypatch.setattr(Memory, "list", fails)

    ran = run("list", "--json", at=project)

    assert ran.code == BUG
    assert ran.told["error"]["slug"] == "bug"
    log = Path(ran.err.rsplit(" ", 1)[1].strip())
    assert "ZeroDivisionError: a canary" in log.read_text()


def test_an_interruption_is_told_and_has_its_own_code(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "status", is_interrupted)

    ran = run("status", at=project)

    assert ran.code == INTERRUPTED
    assert "interrupted" in ran.err


def test_a_file_system_that_says_no_is_not_called_a_bug(project: Path) -> None:
    (project / "file").write_text("")

    ran = run("export", str(project / "file" / "copy.json"), at=project)

    assert ran.code == FIXABLE
    assert "bug" not in ran.err
