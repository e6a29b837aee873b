"""What is forgotten, erased or cleared is gone from everything beside the tables as well."""

import json
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import RunMemory, load_run_memory, save_run_memory
from commands import DECIDED
from projects import a_project, memory_of

WORDS = DECIDED.removeprefix("We decided to ").rstrip(".").encode()
RUN = RunMemory(run_id="1", task=DECIDED, turns=((DECIDED, "ok"),))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in which a host has saved a run."""
    folder = a_project(tmp_path / "shop")
    with memory_of(folder) as memory:
        save_run_memory(memory, RUN)
        assert len(memory.list()) == 1
    return folder


def holding(project: Path) -> list[str]:
    """Return the files of a project's memory that hold the words of the decision."""
    state = project / ".git/backstory"
    files = [path for path in state.rglob("*") if path.is_file() and WORDS in path.read_bytes()]
    return sorted(str(path.relative_to(state)) for path in files)


def spooled(project: Path) -> None:
    """Let a hook and a shell have left something to be recorded."""
    spool = project / ".git/backstory/spool"
    spool.mkdir(exist_ok=True)
    (spool / "000000000000001-0.json").write_text(json.dumps({"prompt": DECIDED}))
    (spool / "000000000000002-0.bad").write_text(DECIDED)
    (spool / "shell.lines").write_text(f"echo {DECIDED}\n")
    (spool / "no-shell").touch()


def first_item(memory: Memory) -> str:
    (item,) = memory.list()
    return item.id


def test_what_is_forgotten_leaves_the_view_of_other_programs(project: Path) -> None:
    with memory_of(project) as memory:
        memory.forget(first_item(memory))

    view = json.loads((project / ".git/backstory/view/project.json").read_text())
    assert view["items"] == []


def test_what_is_erased_leaves_the_runs_of_hosts_and_their_views(project: Path) -> None:
    assert "view/sessions/1.json" in holding(project)
    with memory_of(project) as memory:
        erased = memory.erase(first_item(memory))
        saved = load_run_memory(memory, "1")

    assert (holding(project), erased.copies) == ([], ())
    assert saved.run_id == "1"
    assert "ERASED" in saved.task


def test_what_is_cleared_leaves_nothing_that_would_come_back(project: Path) -> None:
    spooled(project)
    with memory_of(project) as memory:
        memory.clear(confirm=True)
        saved = load_run_memory(memory, "1")
        memory.take_in_shell()
        assert memory.status().events == 0

    assert holding(project) == []
    assert saved == RunMemory(run_id="1")
    assert [path.name for path in (project / ".git/backstory/spool").iterdir()] == []


def test_how_far_turns_were_read_is_cleared_and_comes_back_with_an_export(project: Path) -> None:
    with memory_of(project) as memory:
        memory.keep("learnt_turns", "1")
        export = memory.export()
        memory.keep("learnt_turns", "1000")
        memory.clear(confirm=True)
        cleared = memory.kept("learnt_turns")
        memory.import_(export)

        assert (cleared, memory.kept("learnt_turns")) == (None, "1")
