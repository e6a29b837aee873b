"""What a person counts as secret is left out of all that is derived, sent, shown or audited."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters import settings
from backstory.adapters.models.scripted import playing
from backstory.adapters.settings import settings_in, settings_of
from backstory.api import Note, Opening
from backstory.model.errors import SettingsError, UsageError
from backstory.model.words import EventKind, Kind
from modelled import ENV, a_reply, worked
from projects import a_project, say
from recorded import files_in

CODE = "ACME-482913"
DECIDED = f"We use SQLite for customer {CODE} from now on."
PATTERNS = '[privacy]\npatterns = [{name = "customer", pattern = "ACME-[0-9]{6}"}]\n'


@pytest.fixture(autouse=True)
def no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test puts in force end with it."""
    monkeypatch.setattr("backstory.capture.redact._Own.patterns", ())


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's own settings are."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = settings.user_file()
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def project(tmp_path: Path, user_file: Path) -> Path:
    """Return a git repository with a memory."""
    assert not user_file.exists()
    folder = a_project(tmp_path / "shop")
    opened(folder).close()
    return folder


def opened(folder: Path, **env: str) -> Memory:
    memory = Memory.open(folder, opening=Opening(env=env))
    assert isinstance(memory, Memory)
    return memory


def project_file(project: Path) -> Path:
    return project / ".git/backstory/config.toml"


@pytest.mark.promise("R150")
@pytest.mark.parametrize("place", ["user file", "project's file", "variable"])
def test_what_matches_is_replaced_in_all_that_is_derived(
    project: Path, user_file: Path, place: str
) -> None:
    env = {"BACKSTORY_PRIVACY_PATTERNS": "ACME-[0-9]{6}"} if place == "variable" else {}
    if place != "variable":
        (user_file if place == "user file" else project_file(project)).write_text(PATTERNS)
    name = "custom" if place == "variable" else "customer"

    with opened(project, **env) as memory:
        say(memory, DECIDED)
        memory.add_item(Note(kind=Kind.REFERENCE, title=CODE, statement=f"Files of {CODE}."))
        [decided, _] = memory.list()

        assert decided.revision.statement == DECIDED[:-1].replace(CODE, f"[REDACTED:{name}]")
        stories = [memory.show(item.id) for item in memory.list()]
        assert CODE not in str([story.revisions for story in stories])
        assert CODE not in str([evidence.quote for s in stories for evidence in s.evidence])
        assert CODE in memory.history()[0].user_text
        assert {(one.type, one.is_derived) for one in memory.audit()} == {(name, False)}


@pytest.mark.promise("R149")
def test_what_matches_is_in_no_file_where_secrets_are_left_out_at_capture(
    project: Path, user_file: Path
) -> None:
    user_file.write_text(PATTERNS + "redact_at_capture = true\n")

    with opened(project) as memory:
        say(memory, DECIDED)
        memory.record_event(
            EventKind.COMMAND, {"command": f"./bill --customer={CODE}", "exit_code": 0}
        )
        memory.export()

    held = [name for name, content in files_in(project).items() if CODE.encode() in content]
    assert held == []


@pytest.mark.promise("R150")
def test_what_matches_never_leaves_the_machine(project: Path, user_file: Path) -> None:
    user_file.write_text(PATTERNS)
    client = playing([a_reply(summary=f"They speak of {CODE}.")])

    with opened(project, **ENV) as memory:
        say(memory, DECIDED)
        say(memory, "Fine so.")
        worked(memory, client, seconds=60)
        summaries = [thread.summary for thread in _threads(memory)]

    assert client.requests
    assert all(CODE not in request.user for request in client.requests)
    assert "[REDACTED:customer]" in client.requests[0].user
    assert summaries == ["They speak of [REDACTED:customer]."]


def test_a_project_adds_patterns_and_takes_none_away(project: Path, user_file: Path) -> None:
    user_file.write_text(PATTERNS)
    project_file(project).write_text('[privacy]\npatterns = ["SHOP-[0-9]+"]\n')

    found = settings_in(user_file, project_file(project))

    assert [pattern.name for pattern in found.secret_patterns] == ["customer", "custom"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ('["(a+)+b"]', "privacy.patterns: '(a{1,256})' holds a repetition"),
        ('["ACME-["]', "'ACME-[' is no regular expression"),
        ('[{name = "Kunde", pattern = "x"}]', "the name 'Kunde' is not"),
        ('[{name = "customer"}]', "it must be regular expressions"),
        ('[{pattern = "x", wrong = "y"}]', "it must be regular expressions"),
        ("[{pattern = 1}]", "it must be regular expressions"),
        ("[7]", "it must be regular expressions"),
        ("true", "it must be regular expressions"),
        (str(["abc"] * 51), "at most 50 patterns"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_told_with_its_place(
    tmp_path: Path, value: str, told: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"[privacy]\npatterns = {value}\n")

    with pytest.raises(SettingsError) as caught:
        settings_in(file)

    assert str(file) in str(caught.value)
    assert told in str(caught.value)


def test_a_variable_holds_a_pattern_a_line() -> None:
    found = settings_of({"BACKSTORY_PRIVACY_PATTERNS": "ACME-[0-9]{6}\nSHOP-[0-9]{1,3}\n"})

    assert len(found.secret_patterns) == 2
    with pytest.raises(UsageError, match=r"BACKSTORY_PRIVACY_PATTERNS: .*may try"):
        settings_of({"BACKSTORY_PRIVACY_PATTERNS": "a+b+c+d"})


def _threads(memory: Memory) -> list:  # type: ignore[type-arg]
    with memory._desk.store.reading() as tables:
        return list(tables.threads.listed())
