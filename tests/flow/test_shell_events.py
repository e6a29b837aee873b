"""What was typed in a shell becomes events: only what tells something, only of this project."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.sources.shell_lines import take, typed_in
from backstory.api import Opening
from backstory.model.event import Event
from commands import run
from hosting import a_repository

NOW_MS = 1_800_000_000_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a memory."""
    folder = a_repository(tmp_path / "shop")
    (folder / "web").mkdir()
    opened(folder).close()
    return folder


def opened(folder: Path, **env: str) -> Memory:
    memory = Memory.open(folder, opening=Opening(env=env))
    assert isinstance(memory, Memory)
    return memory


def spool_of(project: Path) -> Path:
    return project / ".git/backstory/spool"


def wrote(project: Path, *commands: str, folder: Path | None = None, code: int = 0) -> None:
    """Let a shell have written commands down."""
    spool_of(project).mkdir(exist_ok=True)
    with (spool_of(project) / "shell.lines").open("a") as file:
        for number, command in enumerate(commands):
            head = (
                f"1\x1f{NOW_MS + number * 1000}\x1f{NOW_MS + number * 1000 + 250}\x1f{code}\x1f7"
            )
            file.write(f"{head}\x1fref: refs/heads/main\x1f{folder or project}\x1f{command}\n")


def events(project: Path) -> list[Event]:
    """Return all events of a project."""
    with opened(project) as memory, memory._desk.store.reading() as tables:
        return list(tables.events.page(after_seq=0, limit=100))


@pytest.mark.promise("R66")
def test_a_command_is_kept_with_its_place_duration_and_branch(project: Path) -> None:
    wrote(project, "docker compose up -d", folder=project / "web", code=1)
    with opened(project) as memory:
        assert memory.take_in_shell() == 1
    (event,) = events(project)

    assert (event.kind, event.origin, event.branch) == ("command", "shell", "main")
    assert event.at_ms == NOW_MS
    assert event.payload == {
        "command": "docker compose up -d",
        "exit_code": 1,
        "folder": "web",
        "duration_ms": 250,
    }


@pytest.mark.promise("R65")
def test_what_only_looks_around_is_not_kept(project: Path) -> None:
    wrote(
        project, "ls -la", "cd web && git status", "cat a | grep b", "vim a.py", "git commit -m x"
    )
    with opened(project) as memory:
        memory.take_in_shell()

    assert [event.payload["command"] for event in events(project)] == ["git commit -m x"]


def test_secrets_are_replaced_and_patterns_are_respected(project: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    wrote(project, f"deploy --token {key}", "ssh me@host", "vault read x")
    (project / ".git/backstory/config.toml").write_text('[capture]\nignore = ["ssh *"]\n')
    with opened(project, BACKSTORY_CAPTURE_IGNORE="vault *") as memory:
        memory.take_in_shell()
    (event,) = events(project)

    assert key not in event.text + str(event.payload)
    assert event.text.startswith("$ deploy")


def test_commands_in_another_project_are_left_out(project: Path, tmp_path: Path) -> None:
    other = a_repository(tmp_path / "other")
    wrote(project, "make", folder=other)
    wrote(project, "make", folder=tmp_path)

    with opened(project) as memory:
        assert memory.take_in_shell() == 0


def test_taking_in_twice_what_was_cut_short_adds_nothing(project: Path) -> None:
    wrote(project, "make", "make")
    line = (spool_of(project) / "shell.lines").read_text()
    with opened(project) as memory:
        assert memory.take_in_shell() == 2
        (spool_of(project) / "shell-1-1.taken").write_text(line)
        assert memory.take_in_shell() == 0

    assert len(events(project)) == 2


@pytest.mark.promise("R153")
def test_a_source_that_is_off_throws_away_what_waits_and_tells_shells_to_stop(
    project: Path,
) -> None:
    wrote(project, "make")
    with opened(project, BACKSTORY_CAPTURE_SHELL="false") as memory:
        assert memory.take_in_shell() == 0
    with opened(project) as memory:
        assert (spool_of(project) / "no-shell").exists()
        assert memory.take_in_shell() == 0
        assert not (spool_of(project) / "no-shell").exists()

    assert events(project) == []


def test_a_project_set_to_an_isolated_purpose_lets_shells_write_nothing(project: Path) -> None:
    run("purpose", "code_audit", at=project)
    stopped = (spool_of(project) / "no-shell").exists()
    run("purpose", "coding", at=project)

    assert stopped
    assert not (spool_of(project) / "no-shell").exists()


def test_what_runs_on_while_an_isolated_purpose_is_set_leaves_shells_alone(project: Path) -> None:
    with opened(project) as memory:
        run("purpose", "code_audit", at=project)
        wrote(project, "make")

        assert memory.take_in_shell() == 0

    assert (spool_of(project) / "no-shell").exists()
    assert (spool_of(project) / "shell.lines").exists()


@pytest.mark.case("C07")
def test_two_readers_of_one_file_keep_everything_once(project: Path) -> None:
    wrote(project, "make")
    listed = take(spool_of(project), now_ms=1)  # by one that is slower
    with opened(project) as memory:
        assert memory.take_in_shell() == 1

    assert [*typed_in(listed[0])] == []
    assert len(events(project)) == 1


@pytest.mark.parametrize("folder", ["/a\0b", "/" + "x" * 5_000, "relative", ""])
def test_a_line_whose_directory_is_none_is_passed_over(project: Path, folder: str) -> None:
    wrote(project, "make", folder=Path(folder))
    wrote(project, "make all")

    with opened(project) as memory:
        assert memory.take_in_shell() == 1


def test_work_takes_in_what_was_typed(project: Path) -> None:
    wrote(project, "make")

    assert run("work", at=project).code == 0
    assert len(events(project)) == 1
