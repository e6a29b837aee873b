"""The library's surface: its twin is exactly alike, threads may share it, and bounds hold."""

import inspect
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from backstory import Memory, NullMemory
from backstory.api import (
    Opening,
    RunMemory,
    load_project_memory,
    load_run_memory,
    save_run_memory,
)
from backstory.model.errors import NotFoundError, StoreUnavailableError
from backstory.model.words import Purpose
from backstory.store import SqliteStore
from commands import DECIDED
from projects import a_project, an_opening, memory_of, say
from source_tree import ROOT

OWN = {"open", "init"}  # how one is made
HISTORY_TURNS, HISTORY_CHARS = 8, 12_000
THREADS, TURNS_EACH = 8, 5


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


def surface(kind: type) -> dict[str, Callable[..., object]]:
    """Return the public methods of a class, and how `with` is entered and left."""
    members = inspect.getmembers(kind, inspect.isroutine)
    wanted = {"__enter__", "__exit__"}
    return {
        name: member
        for name, member in members
        if (not name.startswith("_") or name in wanted) and name not in OWN
    }


@pytest.mark.promise("R25")
def test_the_twin_has_exactly_the_surface_of_memory() -> None:
    assert surface(NullMemory).keys() == surface(Memory).keys()


@pytest.mark.promise("R25")
@pytest.mark.parametrize("name", sorted(surface(Memory)))
def test_a_method_of_the_twin_is_called_like_the_real_one(name: str) -> None:
    real = inspect.signature(surface(Memory)[name], eval_str=True)
    twin = inspect.signature(surface(NullMemory)[name], eval_str=True)

    assert [(p.name, p.kind) for p in twin.parameters.values()] == [
        (p.name, p.kind) for p in real.parameters.values()
    ]
    assert twin.return_annotation == real.return_annotation
    for one, other in zip(real.parameters.values(), twin.parameters.values(), strict=True):
        assert (one.default is one.empty) == (other.default is other.empty)


@pytest.mark.promise("R2")
@pytest.mark.case("C90")
@pytest.mark.parametrize("purpose", [purpose for purpose in Purpose if purpose.is_isolated])
def test_what_an_audit_is_given_does_not_depend_on_what_is_stored(
    project: Path, tmp_path: Path, purpose: Purpose
) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED, "The verdict on issue 12 is: not a bug.")
        assert memory.context("what is the verdict on issue 12?").text
    empty = a_project(tmp_path / "empty")

    prompts = {
        json.dumps([audit.context(prompt, files=("a.py",)).text, audit.routing()]).encode()
        for folder in (project, empty)
        for prompt in ("what is the verdict on issue 12?", "")
        for audit in [Memory.open(folder, purpose=purpose, opening=Opening(env={}))]
    }

    assert prompts == {b'["", ""]'}


def test_eight_threads_share_one_memory_and_lose_nothing(project: Path) -> None:
    memory = Memory.open(project, opening=Opening(env={}))

    def talk(number: int) -> list[str]:
        thread = memory.thread_for("test", f"session {number}")
        turns = []
        for count in range(TURNS_EACH):
            turn = memory.begin_turn(f"in session {number} say {count}", thread=thread)
            memory.complete_turn(turn, "done")
            turns.append(turn.id)
            memory.recall("session")
        return [turn.id for turn in memory.history(thread)] if turns else []

    with memory, ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(talk, range(THREADS)))
        assert memory.status().turns == {"completed": THREADS * TURNS_EACH}

    assert all(len(turns) == TURNS_EACH for turns in told)
    assert len({turn for turns in told for turn in turns}) == THREADS * TURNS_EACH


@pytest.mark.promise("R127")
def test_history_is_the_last_turns_within_both_bounds(project: Path) -> None:
    with memory_of(project) as memory:
        for number in range(HISTORY_TURNS + 3):
            memory.complete_turn(memory.begin_turn(f"turn {number}"), "ok")
        short = [turn.user_text for turn in memory.history()]

        memory.complete_turn(memory.begin_turn("x" * 7_000), "y" * 4_000)
        memory.complete_turn(memory.begin_turn("one more"), "z" * 900)
        long = memory.history()

    assert short == [f"turn {number}" for number in range(3, HISTORY_TURNS + 3)]
    assert sum(len(turn.user_text) + len(turn.answer_text) for turn in long) <= HISTORY_CHARS
    assert long[-1].user_text == "one more"


def test_a_failed_turn_is_no_history_and_its_words_still_count(project: Path) -> None:
    with memory_of(project) as memory:
        memory.fail_turn(memory.begin_turn(DECIDED), "no connection")
        memory.settle()

        assert memory.history() == ()
        assert len(memory.list()) == 1


@pytest.mark.promise("R26", "R55", "R179")
def test_a_run_of_a_host_is_kept_apart_from_other_runs(project: Path) -> None:
    one = RunMemory(run_id="1", task="a", turns=((DECIDED, "ok"),))
    other = RunMemory(run_id="2/../../x", task="b", failed_attempts=("it broke",))
    with memory_of(project) as memory:
        save_run_memory(memory, one)
        save_run_memory(memory, other)

        assert load_run_memory(memory, "1") == one
        assert load_run_memory(memory, "2/../../x") == other
        views = memory.view_folder()
    assert views is not None
    assert len(list((views / "sessions").iterdir())) == 2
    held = json.loads((views / "project.json").read_text(encoding="utf-8"))
    assert [item["kind"] for item in held["items"]] == ["project_decision"]
    assert set(held["items"][0]) >= {"scope", "source", "confidence", "tags", "status"}


@pytest.mark.promise("R179")
def test_a_run_loads_what_matters_and_not_everything(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED, "Always use tabs in Go files.", "以后提交信息一律用中文写。")

        (item,) = load_project_memory(memory, "which database do we use?")

        assert "PostgreSQL" in item.revision.statement
        assert len(load_project_memory(memory)) == 3
        assert load_project_memory(memory, "who won the football match?") == ()


def test_the_boundary_of_runs_is_closed_to_an_audit(project: Path) -> None:
    with memory_of(project) as memory:
        save_run_memory(memory, RunMemory(run_id="1", task="a", turns=((DECIDED, "ok"),)))

    audit = Memory.open(project, purpose="code_audit", opening=Opening(env={}))
    save_run_memory(audit, RunMemory(run_id="9", task="audit"))

    assert load_run_memory(audit, "1") == RunMemory(run_id="1")
    assert load_project_memory(audit, "which database?") == ()
    with memory_of(project) as memory:
        assert load_run_memory(memory, "9") == RunMemory(run_id="9")


def test_work_that_was_given_up_can_be_tried_again(project: Path) -> None:
    with memory_of(project) as memory:
        assert memory.revive() == 0
        say(memory, DECIDED)
        assert memory.revive() == 0


def test_scrubbing_leaves_memory_as_it_is(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED)
        before = memory.list()

        assert memory.scrub()
        assert memory.list() == before


def test_a_sound_memory_has_no_findings(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED, "以后提交信息一律用中文写。")

        assert memory.check() == ()


def test_an_interruption_leaves_waiting_work_for_later(project: Path) -> None:
    def is_interrupted() -> None:
        with Memory.open(project, opening=an_opening()) as memory:
            memory.complete_turn(memory.begin_turn(DECIDED), "ok")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        is_interrupted()

    with memory_of(project) as later:
        assert later.status().waiting_turns == 1
        later.settle()
        assert later.status().waiting_turns == 0
        assert len(later.list()) == 1


def test_an_unknown_or_ambiguous_name_is_told(project: Path) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED, "Always use tabs in Go files.")

        with pytest.raises(NotFoundError, match="it could be m_"):
            memory.show("m_")
        for name in ("", " ", "m_none", "'; DROP TABLE item; --", "%"):
            with pytest.raises(NotFoundError):
                memory.show(name)


def test_the_page_about_the_library_has_five_examples_that_run() -> None:
    page = (ROOT / "docs/how-to/use-the-library.md").read_text(encoding="utf-8")

    assert len(re.findall(r"^```python$", page, re.MULTILINE)) == 5


def test_a_full_disk_hides_nothing_that_was_said_before_and_what_waits_goes_on_waiting(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memory_of(project) as memory:
        say(memory, DECIDED)
        assert memory.search("PostgreSQL")

    def full(_: SqliteStore) -> NoReturn:
        raise StoreUnavailableError("the disk is full")

    opened = Memory.open(project, opening=replace(an_opening(), works_inline=False))
    opened.complete_turn(opened.begin_turn("We decided to use Redis for the queue."), "Fine.")
    opened.close()
    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "writing", full)
        with Memory.open(project, opening=an_opening()) as memory:
            found = memory.search("PostgreSQL"), memory.recall("PostgreSQL").hits
    with memory_of(project) as memory:
        memory.settle()
        kept = memory.list()

    assert all(found)
    assert len(kept) == 2
