"""What waits for a person is told once a day, decided on in one go, and does not wait for ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.adapters.importers.memories import Proposal
from backstory.api import Memory, Opening
from backstory.api.working import Worker
from backstory.cli.commands.reviewing import Verdict, decisions_in, listing
from backstory.hooks import inbox
from backstory.model.errors import UsageError
from backstory.model.limits import DAY_MS, PROPOSAL_DAYS_MAX
from backstory.model.words import Kind
from backstory.wiring.sources import offering
from commands import run
from hosting import Host, a_repository

TUESDAYS = "Deploy on Tuesdays only."
FRIDAYS = "周五不发布。"


@pytest.fixture
def now() -> list[int]:
    """Return the time, which the test sets."""
    return [1_700_000_000_000]


@pytest.fixture
def memory(tmp_path: Path, now: list[int]) -> Memory:
    """Return the memory of a project in which two things wait that agents said."""
    opening = Opening(works_inline=False, clock=lambda: now[0], env={})
    found = Memory.open(a_repository(tmp_path / "shop"), opening=opening)
    assert isinstance(found, Memory)
    found.entrust(TUESDAYS, agent="test")
    found.entrust(FRIDAYS, agent="test")
    return found


def held(memory: Memory) -> list[str]:
    return [item.revision.statement for item in memory.list()]


@pytest.mark.case("C88")
def test_a_person_is_told_once_a_day_that_something_waits(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path / "shop"))
    with host.memory() as memory:
        memory.entrust(TUESDAYS)
        memory.entrust(FRIDAYS)
    told = []
    for number in range(3):
        host.session = f"s{number}"
        told.append(host.fire("SessionStart", source="startup").get("systemMessage", ""))

    assert "2 proposals wait for your approval: `backstory review`" in told[0]
    assert told[1:] == ["", ""]


@pytest.mark.case("C88")
def test_the_next_day_a_person_is_told_again(memory: Memory, now: list[int]) -> None:
    with memory._desk.store.writing() as tables:
        inbox.note_told(tables, now_ms=now[0])

        assert inbox.notice(tables, now_ms=now[0] + DAY_MS - 1) == ""
        assert "2 proposals wait" in inbox.notice(tables, now_ms=now[0] + DAY_MS)


@pytest.mark.case("C88")
def test_nobody_is_told_where_nothing_waits(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path / "shop"))

    assert "systemMessage" not in host.fire("SessionStart", source="startup")


@pytest.mark.case("C88")
def test_what_nobody_approves_within_a_month_becomes_nothing(
    memory: Memory, now: list[int]
) -> None:
    now[0] += PROPOSAL_DAYS_MAX * DAY_MS
    memory.entrust("Lunch is at noon.")
    assert len(memory.waiting()) == 3

    now[0] += 1
    memory.entrust("Dinner is at six.")

    assert [one.statement for one in memory.waiting()] == [
        "Lunch is at noon.",
        "Dinner is at six.",
    ]
    assert held(memory) == []
    assert "nobody approved it within 30 days" in str(memory.why(TUESDAYS))


@pytest.mark.case("C88")
def test_a_worker_puts_away_what_waited_too_long(memory: Memory, now: list[int]) -> None:
    now[0] += (PROPOSAL_DAYS_MAX + 1) * DAY_MS
    memory.record_event("commit", {"sha": "ab" * 20, "subject": "begin"})
    Worker(memory._desk).run(seconds=1)

    assert memory.waiting() == ()


@pytest.mark.case("C88")
def test_what_went_unread_may_be_offered_again(memory: Memory, now: list[int]) -> None:
    said = Proposal(
        statement="Notes are in the wiki.", kind=Kind.REFERENCE, program="mem0", place="x.json"
    )
    memory.offer([said])
    assert memory.offer([said]).waiting == ()
    now[0] += (PROPOSAL_DAYS_MAX + 1) * DAY_MS

    assert memory.offer([said]).waiting == (said.statement,)


def test_no_more_wait_than_a_person_looks_through(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offering, "IMPORTED_WAITING_MAX", 2)
    first, *more = [
        Proposal(statement=f"Notes are in {place}.", kind=Kind.REFERENCE, program="m", place="x")
        for place in ("the wiki", "the drawer", "the shed")
    ]
    memory.offer([first])
    offered = memory.offer(more)

    assert (len(offered.waiting), offered.left) == (1, 1)


@pytest.mark.case("C88")
def test_a_listing_that_is_left_as_it_is_decides_nothing(memory: Memory) -> None:
    waiting = memory.waiting()

    assert decisions_in(listing(waiting), waiting) == []
    assert decisions_in("", waiting) == []


@pytest.mark.case("C88")
def test_each_line_of_a_listing_can_be_decided_on(memory: Memory) -> None:
    first, second = waiting = memory.waiting()
    text = listing(waiting).replace(f"wait  {first.id}", f"approve  {first.id}")
    text = text.replace(f"wait  {second.id}", f"  discard\t{second.id}")

    assert decisions_in(text, waiting) == [
        (Verdict.APPROVE, first.id),
        (Verdict.DISCARD, second.id),
    ]


@pytest.mark.parametrize("line", ["aprove {}", "approve", "approve c_nothing", "edit {}"])
def test_a_line_that_is_not_understood_is_named(memory: Memory, line: str) -> None:
    waiting = memory.waiting()
    text = f"approve {waiting[1].id}\n{line.format(waiting[0].id)}"

    with pytest.raises(UsageError, match="line 2 is not understood, and nothing was decided"):
        decisions_in(text, waiting)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals here")
def test_an_editor_decides_on_all_of_them(memory: Memory, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    script = tmp_path / "editor"
    script.write_text(
        "#!/bin/sh\nsed -i.bak '/Tuesdays/s/wait/approve/; /发布/s/wait/discard/' \"$1\"\n"
    )
    script.chmod(0o755)
    memory.close()
    leads, follows = os.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "backstory.cli.app", "--json", "review", "edit"],
        cwd=project,
        env={**os.environ, "EDITOR": str(script), "VISUAL": ""},
        stdin=follows,
        capture_output=True,
        check=True,
    )
    os.close(leads)
    os.close(follows)

    told = json.loads(ended.stdout)
    assert [item["statement"] for item in told["approved"]] == [TUESDAYS]
    assert told["waiting"] == []


def test_without_a_terminal_it_is_said_what_to_do(memory: Memory, tmp_path: Path) -> None:
    memory.close()
    ended = run("review", "edit", at=tmp_path / "shop")

    assert ended.code == 2
    assert "approve or discard, by their ids" in ended.err
