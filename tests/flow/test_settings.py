"""Settings come from three places, are read strictly, and do what they say."""

from pathlib import Path

import pytest

from backstory import Memory, NullMemory
from backstory.adapters import settings
from backstory.adapters.settings import Choices, Settings, settings_in, settings_of
from backstory.api import Note, Opening, RunMemory, load_run_memory, save_run_memory
from backstory.model.errors import SettingsError, UsageError
from backstory.model.words import EventKind, Kind, Purpose, Source
from commands import DECIDED
from projects import a_project, say
from recorded import files_in
from transcripts import Claude, written

SECRET = "hunter2secret99"
TELLS = f"Always log in to staging with the password {SECRET}."
REDACT = "[privacy]\nredact_at_capture = true\n"


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's own settings are."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = settings.user_file()
    assert file.is_relative_to(tmp_path)
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def project(tmp_path: Path, user_file: Path) -> Path:
    """Return a git repository with a memory."""
    assert not user_file.exists()
    folder = a_project(tmp_path / "shop")
    opened(folder).close()
    return folder


def opened(folder: Path, **env: str) -> Memory | NullMemory:
    return Memory.open(folder, opening=Opening(env=env))


def state_file(project: Path) -> Path:
    return project / ".git/backstory/config.toml"


def test_nothing_set_is_nothing_chosen(user_file: Path) -> None:
    assert settings_in(user_file) == settings_of({}) == Settings()


def test_a_later_file_wins_over_an_earlier_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("review = true\n[import]\nheadless = true\n")
    (tmp_path / "b").write_text("review = false\n")

    found = settings_in(tmp_path / "a", tmp_path / "b")

    assert found == Settings(review=False, headless=True)


def test_an_isolated_purpose_in_any_file_isolates(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('purpose = "code_audit"\n')
    (tmp_path / "b").write_text('purpose = "coding"\n')

    assert settings_in(tmp_path / "a", tmp_path / "b").purpose is Purpose.CODE_AUDIT
    assert settings_in(tmp_path / "b", tmp_path / "a").purpose is Purpose.CODE_AUDIT


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('review = "yes"', "review is 'yes'; it must be true or false"),
        ("review = 1", "review is 1"),
        ('purpose = "audit"', "purpose is 'audit'; it must be one of coding"),
        ("purpose = true", "purpose is True"),
        ("reviews = true", "there is no setting 'reviews'; there are review"),
        ("[privacy]\nredact = true", "there is no setting 'privacy.redact'"),
        ("privacy = true", "there is no setting 'privacy'"),
        ("review = true\nreview = false", "cannot be read"),
        ("review = ", "cannot be read"),
        ("\x00", "cannot be read"),
        ("# " + "x" * 70_000, "more than 65536 bytes"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    tmp_path: Path, content: str, told: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(content)

    with pytest.raises(SettingsError) as caught:
        settings_in(file)

    assert str(file) in str(caught.value)
    assert told in str(caught.value)


def test_a_file_that_is_no_text_or_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"review = true # \xff")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")

    for place in ("bytes", "link", "."):
        with pytest.raises(SettingsError, match="cannot be read"):
            settings_in(tmp_path / place)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("review = 1\nunknown = 2\n")

    with pytest.raises(SettingsError, match=r"(?s)review is 1.*'unknown'"):
        settings_in(file)


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("TRUE", True), (" on ", True), ("no", False), ("0", False)]
)
def test_variables_may_say_yes_and_no_in_many_ways(text: str, value: bool) -> None:
    assert settings_of({"BACKSTORY_REVIEW": text}).review is value


@pytest.mark.parametrize("name", ["BACKSTORY_REVIEW", "BACKSTORY_PRIVACY_REDACT_AT_CAPTURE"])
def test_a_variable_that_cannot_be_understood_is_a_wrong_call(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        settings_of({name: "maybe"})


@pytest.mark.promise("R153")
@pytest.mark.parametrize("source", list(Source))
def test_a_source_that_any_place_switches_off_is_off(tmp_path: Path, source: Source) -> None:
    off, on = tmp_path / "off", tmp_path / "on"
    off.write_text(f"[capture]\n{source} = false\n")
    on.write_text(f"[capture]\n{source} = true\n")
    variable = f"BACKSTORY_CAPTURE_{source.upper()}"

    assert Choices().captures(source)
    assert Choices(filed=settings_in(on)).captures(source)
    assert not Choices(filed=settings_in(off, on)).captures(source)
    assert not Choices(filed=settings_in(on, off)).captures(source)
    assert not Choices(filed=settings_in(on), stated=settings_of({variable: "0"})).captures(source)
    assert not Choices(filed=settings_in(off), stated=settings_of({variable: "1"})).captures(
        source
    )


def test_patterns_of_all_places_count(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[capture]\nignore = ["ssh *"]\nexclude = ["*.csv"]\n')
    choices = Choices(
        filed=settings_in(file), stated=settings_of({"BACKSTORY_CAPTURE_IGNORE": "a,b"})
    )

    assert choices.ignored_commands == ("a", "b", "ssh *")
    assert choices.excluded_paths == ("*.csv",)


def test_a_broken_file_stops_memory_before_anything_is_stored(project: Path) -> None:
    state_file(project).write_text("privacy = 1\n")
    before = files_in(project / ".git/backstory")

    with pytest.raises(SettingsError):
        opened(project)

    assert files_in(project / ".git/backstory") == before


def test_review_may_be_asked_for_in_each_place(project: Path, user_file: Path) -> None:
    user_file.write_text("review = true\n")
    with opened(project) as memory:
        assert memory.remember(DECIDED).waiting
        assert memory.status().review

        memory.set_review(on=False)

        assert memory.remember(DECIDED).items

    with opened(project, BACKSTORY_REVIEW="on") as memory:
        say(memory, "Always use tabs in Go files.")

        assert len(memory.list()) == 1
        assert len(memory.waiting()) == 2


def test_the_purpose_of_a_file_isolates_and_a_variable_cannot_undo_it(
    project: Path, user_file: Path
) -> None:
    user_file.write_text('purpose = "code_audit"\n')

    assert isinstance(opened(project), NullMemory)
    assert isinstance(opened(project, BACKSTORY_PURPOSE="coding"), NullMemory)


@pytest.mark.promise("R149")
def test_secrets_are_stored_as_said_unless_they_are_to_be_left_out(project: Path) -> None:
    with opened(project) as memory:
        say(memory, TELLS)

    assert any(SECRET.encode() in content for content in files_in(project).values())


@pytest.mark.promise("R149")
@pytest.mark.case("C79")
@pytest.mark.parametrize("place", ["user file", "project's file", "variable"])
def test_secrets_left_out_at_capture_are_in_no_file(
    project: Path, user_file: Path, place: str, tmp_path: Path
) -> None:
    env = {"BACKSTORY_PRIVACY_REDACT_AT_CAPTURE": "1"} if place == "variable" else {}
    if place != "variable":
        (user_file if place == "user file" else state_file(project)).write_text(REDACT)
    claude = Claude()
    ran = [claude.ran(f"login --password={SECRET}"), claude.result("welcome")]
    lines = [claude.user(TELLS), *ran, claude.said(f"The password is {SECRET}.")]
    session = written(tmp_path / "session.jsonl", lines)

    with opened(project, **env) as memory:
        turn = memory.begin_turn(TELLS)
        memory.complete_turn(turn, f"Noted, the password is {SECRET}.")
        memory.fail_turn(memory.begin_turn("and?"), f"refused: password is {SECRET}")
        memory.record_event(
            EventKind.COMMAND, {"command": f"login --password={SECRET}", "exit_code": 0}
        )
        memory.remember(TELLS)
        memory.add_item(Note(kind=Kind.REFERENCE, title="login", statement=TELLS, detail=TELLS))
        run = RunMemory(run_id="r", task=TELLS, turns=((TELLS, TELLS),), failed_attempts=(TELLS,))
        save_run_memory(memory, run)
        assert memory.import_sessions([session]).turns_new == 1
        memory.export()

        assert "[REDACTED:password]" in memory.history()[0].user_text
        assert "[REDACTED:password]" in load_run_memory(memory, "r").task

    held = [name for name, content in files_in(project).items() if SECRET.encode() in content]
    assert held == []
