"""What a host can count on, whatever happens to memory."""

from pathlib import Path

import pytest

from backstory import Memory, NullMemory
from backstory.api import RunMemory, load_project_memory, load_run_memory, save_run_memory
from projects import a_project, an_opening, memory_of, say

DECIDED = "We decided to use PostgreSQL for the main database."
STORE = Path(".git/backstory/memory.db")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


@pytest.mark.promise("R7", "R112")
def test_a_damaged_store_stops_no_host_and_is_left_as_it_is(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED)
    (project / STORE).write_bytes(b"not a database" * 100)

    with pytest.warns(RuntimeWarning, match="without memory"):
        memory = Memory.open(project, opening=an_opening())
    memory.complete_turn(memory.begin_turn("hello"), "hello")

    assert isinstance(memory, NullMemory)
    assert memory.recall("which database?").hits == ()
    assert memory.status().health == "degraded"
    memory.close()
    assert (project / STORE).read_bytes() == b"not a database" * 100


@pytest.mark.promise("R26")
def test_a_run_is_saved_once_and_loaded_as_it_was(project: Path) -> None:
    run = RunMemory(
        run_id="run-1",
        task="choose a database",
        files_read=("README.md",),
        files_changed=("app/db.py",),
        failed_attempts=("SQLite locked",),
        turns=((DECIDED, "Fine."),),
    )
    with memory_of(project) as memory:
        save_run_memory(memory, run)
        save_run_memory(memory, run)

        assert load_run_memory(memory, "run-1") == run
        assert load_run_memory(memory, "run-2") == RunMemory(run_id="run-2")
        (item,) = load_project_memory(memory, "which database do we use?")
        assert "PostgreSQL" in item.revision.statement
        assert memory.status().turns["completed"] == 1


@pytest.mark.promise("R92")
def test_a_request_to_remember_is_followed_at_once(project: Path) -> None:
    with memory_of(project) as memory:
        turn = memory.begin_turn("Remember: we deploy on Tuesdays.")
        memory.complete_turn(turn, "Noted.")

        assert [item.revision.statement for item in memory.list()] == ["we deploy on Tuesdays"]


@pytest.mark.promise("R14", "R88")
def test_what_proposes_nothing_leaves_no_work(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, "What does this function do?", "Thanks, that helps.")
        report = memory.status()

    assert report.jobs == ()
    assert report.waiting_turns == 0
    assert report.items == {}
