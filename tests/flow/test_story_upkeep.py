"""The story keeps itself up to date: a worker tells it while nobody waits for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.git import catching_up
from backstory.api import Note, Opening
from backstory.api.working import Worker
from backstory.model.limits import HOUR_MS, MINUTE_MS, SECOND_MS
from backstory.model.words import JobKind, JobState, Kind, Status
from backstory.wiring.story import upkeep
from commands import run
from git_repositories import FIRST_SECOND, Built, a_repository
from recorded import SettableClock


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop")
    built.commit("before there was a memory", src__old="1\n")
    return built


@pytest.fixture
def clock(repository: Built) -> SettableClock:
    return SettableClock((FIRST_SECOND + 60 * repository.minutes + 1) * SECOND_MS)


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opening = Opening(env=repository.environ, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def work(memory: Memory) -> None:
    Worker(memory._desk).run(seconds=1)


def waiting(memory: Memory, clock: SettableClock) -> list[tuple[JobKind, int]]:
    """The jobs that wait, and in how many minutes each is due."""
    jobs = memory.status().jobs
    assert all(job.state is JobState.OPEN for job in jobs)
    return [(job.kind, (job.due_at_ms - clock()) // MINUTE_MS) for job in jobs]


def test_commit_that_a_hook_told_of_brings_in_all_that_are_new(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    clock.advance(HOUR_MS)
    repository.commit("cart: keep the order", src__cart="1\n")
    sha = repository.commit("cart: count the lines", src__cart="2\n")
    memory.record_event("commit", {"sha": sha, "subject": "cart: count the lines"})

    work(memory)

    assert [one.summary.objective for one in memory.story("src/cart")] == [
        "cart: keep the order",
        "cart: count the lines",
    ]
    assert memory.story("src/old") == ()
    assert waiting(memory, clock) == []


@pytest.mark.promise("R95")
def test_session_is_told_an_hour_after_its_last_event_and_not_before(
    memory: Memory, clock: SettableClock
) -> None:
    for _ in range(3):
        memory.record_event("command", {"command": "make", "exit_code": 0})
        clock.advance(10 * MINUTE_MS)
    work(memory)
    early = (memory.story(), waiting(memory, clock))
    clock.advance(30 * MINUTE_MS)
    work(memory)
    still_on = (memory.story(), waiting(memory, clock))
    clock.advance(20 * MINUTE_MS)

    work(memory)

    assert early == ((), [(JobKind.PROJECT, 30)])
    assert still_on == ((), [(JobKind.PROJECT, 20)])
    assert [one.summary.objective for one in memory.story()] == ["3 commands"]
    assert waiting(memory, clock) == []


def test_turns_are_read_before_their_session_is_told(memory: Memory, clock: SettableClock) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Done.")
    clock.advance(HOUR_MS)
    memory.record_event("ticket_closed", {"ticket": "SHM-1"})
    clock.advance(HOUR_MS)

    upkeep_is_early = upkeep._is_early(memory._desk)
    work(memory)
    clock.advance(MINUTE_MS)
    work(memory)

    assert upkeep_is_early
    assert len(memory.story()[0].summary.decisions) == 1


def test_repository_that_cannot_be_read_costs_only_its_part(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    for _ in range(3):
        memory.record_event("command", {"command": "make", "exit_code": 0})
    clock.advance(HOUR_MS)
    (repository.root / ".git" / "HEAD").write_text("nothing that git knows\n")

    work(memory)

    assert [one.summary.objective for one in memory.story()] == ["3 commands"]
    assert waiting(memory, clock) == []


def test_item_becomes_stale_while_nobody_waits(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    repository.commit("start", src__auth="1\n")
    note = Note(
        kind=Kind.PROJECT_FACT, title="Auth", statement="Tokens live here", paths=("src/auth",)
    )
    cited = memory.add_item(note)
    memory.backfill()
    repository.git("rm", "--quiet", "src/auth")
    sha = repository.commit("gone")
    memory.record_event("commit", {"sha": sha, "subject": "gone"})

    work(memory)

    assert memory.show(cited).item.status is Status.STALE


@pytest.mark.case("C115")
def test_idle_worker_writes_nothing(memory: Memory, repository: Built) -> None:
    memory.record_event("ticket_closed", {"ticket": "SHM-1"})
    work(memory)
    files = sorted((repository.root / ".git" / "backstory").glob("memory.db*"))
    before = [path.read_bytes() for path in files]

    work(memory)

    assert [path.read_bytes() for path in files] == before


def test_status_says_how_far_back_commits_are_read(
    repository: Built, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = run("status", at=repository.root).out
    monkeypatch.setattr(catching_up, "CAUGHT_UP_MAX", 0)
    memory.backfill()
    memory.record_event("commit", {"sha": repository.commit("more"), "subject": "more"})
    work(memory)

    told = run("status", at=repository.root).out

    assert "0 commits, read since 20" in " ".join(began.split())
    assert "1 commit very many are new: `backstory backfill` reads them" in " ".join(told.split())
    assert memory.status().commits_left == 1
