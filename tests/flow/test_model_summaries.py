"""A model adds to a session's summary what the recorded texts prove, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory
from backstory.adapters.models.scripted import ScriptedClient, playing
from backstory.api import Opening
from backstory.model.episode import Episode
from backstory.model.job import CallPurpose, FailureCause
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.words import Author, JobKind, JobState
from backstory.ports.model_client import ModelRequest
from commands import run
from git_repositories import FIRST_SECOND, Built, a_repository
from modelled import ENV, by_purpose, worked
from recorded import SettableClock

SECRET = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
SAID = "Let us keep the receipts in SQLite, because schools have no server."


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop")
    built.commit("start", src__shop="1\n")
    return built


@pytest.fixture
def clock(repository: Built) -> SettableClock:
    return SettableClock((FIRST_SECOND + 60 * (repository.minutes + 1)) * 1000)


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opening = Opening(env={**repository.environ, **ENV}, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def a_summary(**fields: Any) -> str:
    given: dict[str, Any] = {
        "objective": "Keep the receipts of schools",
        "decisions": [],
        "changes": [],
        "problems": [],
        "todos": [],
        "keywords": [],
    }
    return json.dumps(given | fields, ensure_ascii=False)


def a_session(memory: Memory, repository: Built, clock: SettableClock) -> None:
    """Talk, a failing test, a commit that mends it, and an hour of silence."""
    memory.complete_turn(memory.begin_turn(f"{SAID} The key is {SECRET}."), "I use SQLite.")
    memory.complete_turn(memory.begin_turn("thanks!"), "You are welcome.")
    for command, code in (("make test", 2), ("ls", 0), ("make test", 0)):
        clock.advance(MINUTE_MS)
        memory.record_event("command", {"command": command, "exit_code": code})
    repository.minutes = (clock() // 1000 - FIRST_SECOND) // 60
    sha = repository.commit("fix: keep receipts in order", src__receipts="def keep():\n    1\n")
    clock.advance(2 * MINUTE_MS)
    memory.record_event("commit", {"sha": sha, "subject": "fix: keep receipts in order"})


def summed(memory: Memory, clock: SettableClock, *steps: Any) -> tuple[Episode, ScriptedClient]:
    """Let the rules tell the session and a model sum it up."""
    empty = '{"summary": "", "candidates": []}'

    def step(request: ModelRequest) -> Any:
        if request.purpose is not CallPurpose.SUMMARIZE:
            return by_purpose(empty)(request)
        place = sum(one.purpose is CallPurpose.SUMMARIZE for one in client.requests)
        said = steps[min(place, len(steps)) - 1]
        return said(request) if callable(said) else said

    client = playing([step])
    clock.advance(MINUTE_MS)
    worked(memory, client)
    clock.advance(MINUTE_MS)
    worked(memory, client)
    (episode,) = [one for one in memory.story() if one.origin == "session"]
    return episode, client


def asked(client: ScriptedClient) -> list[ModelRequest]:
    return [one for one in client.requests if one.purpose is CallPurpose.SUMMARIZE]


def a_decision(quote: str, source: str = "T1 user", **fields: Any) -> dict[str, Any]:
    given = {"decision": "Keep the receipts in SQLite", "reason": "schools have no server"}
    return {**given, "quotes": [{"source": source, "text": quote}], **fields}


@pytest.mark.promise("R93")
@pytest.mark.promise("R94")
def test_model_is_shown_what_matters_in_order_within_bounds(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    a_session(memory, repository, clock)

    _, client = summed(memory, clock, a_summary())

    (request,) = asked(client)
    assert SAID in request.user
    assert "fix: keep receipts in order" in request.user
    assert "+def keep():" in request.user
    assert "src/receipts" in request.user
    assert request.user.index("exit code 2") < request.user.index("exit code 0")
    assert "thanks" not in request.user
    assert "$ ls" not in request.user


@pytest.mark.promise("R150")
def test_no_secret_reaches_the_model_that_sums_up(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    a_session(memory, repository, clock)

    _, client = summed(memory, clock, a_summary(objective=f"Keep {SECRET} of receipts"))

    assert SECRET not in asked(client)[0].user
    assert all(SECRET not in one.summary.objective for one in memory.story())


@pytest.mark.promise("R96")
@pytest.mark.case("C51")
@pytest.mark.case("C54")
def test_what_a_model_says_is_kept_where_the_texts_prove_it(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    a_session(memory, repository, clock)
    reply = a_summary(
        decisions=[
            a_decision("keep the receipts in SQLite"),
            a_decision("keep the receipts in Postgres", decision="Keep receipts in Postgres"),
            a_decision("I use SQLite.", source="T1 assistant", decision="Use SQLite"),
        ],
        changes=["src/receipts", "src/invented.py"],
        problems=[
            {
                "problem": "make test exits with code 2",
                "solution": "keep receipts in order",
                "quotes": [{"source": "E1", "text": "exit code 2"}],
            },
            {
                "problem": "the receipts of 1a2b3c4d5e were lost",
                "solution": "",
                "quotes": [{"source": "M1", "text": "receipts"}],
            },
        ],
        keywords=["SQLite", "Kubernetes"],
    )

    episode, _ = summed(memory, clock, reply)

    summary = episode.summary
    assert summary.author is Author.MODEL
    assert summary.objective == "Keep the receipts of schools"
    (decision,) = [one for one in summary.decisions if one.item_id is None]
    assert decision.decision == "Keep the receipts in SQLite"
    assert decision.reason == "schools have no server"
    assert summary.changes == ("src/receipts",)
    assert summary.problems[0] == "make test exits with code 2 → keep receipts in order"
    assert not any("1a2b3c4d5e" in problem for problem in summary.problems)
    assert "SQLite" in summary.keywords
    assert "Kubernetes" not in summary.keywords
    assert dict(memory.episode(episode.id).dropped) == {
        "no-quote": 2,
        "unknown-file": 1,
        "unknown-commit": 1,
        "not-in-the-texts": 1,
    }


@pytest.mark.promise("R96")
@pytest.mark.case("C51")
@pytest.mark.parametrize(
    ("claim", "codes", "is_kept"),
    [
        ("The receipts tests pass", (2, 0), True),
        ("The receipts tests pass", (0, 2), False),
        ("The receipts tests pass", (), False),
        ("The receipts tests fail", (0, 2), True),
        ("The receipts tests fail", (0, 0), False),
        ("9 receipts tests passed", (2, 0), False),
        ("receipts 测试全部通过", (0, 2), False),
    ],
)
def test_what_tests_did_is_told_by_events_alone(
    memory: Memory, clock: SettableClock, claim: str, codes: tuple[int, ...], is_kept: bool
) -> None:
    memory.complete_turn(memory.begin_turn(f"{SAID} {claim}."), "Fine.")
    memory.complete_turn(memory.begin_turn("We use SQLite for the receipts."), "Fine.")
    for code in codes:
        clock.advance(MINUTE_MS)
        memory.record_event("command", {"command": f"make test-{code}", "exit_code": code})
    memory.record_event("ticket_closed", {"ticket": "SHM-1", "title": "receipts"})

    episode, _ = summed(memory, clock, a_summary(objective=claim))

    assert (episode.summary.objective == claim) is is_kept
    assert ("tests-not-shown" in memory.episode(episode.id).dropped) is not is_kept


@pytest.mark.promise("R97")
@pytest.mark.parametrize(
    ("step", "waits"),
    [
        (FailureCause.TRANSIENT, True),
        (FailureCause.QUOTA, True),
        (FailureCause.REFUSED, False),
        ("no JSON at all", False),
    ],
)
def test_what_the_rules_found_stands_where_the_model_fails(
    memory: Memory, repository: Built, clock: SettableClock, step: Any, waits: bool
) -> None:
    a_session(memory, repository, clock)

    episode, _ = summed(memory, clock, step)

    assert episode.summary.author is Author.RULE
    assert episode.summary.objective == "fix: keep receipts in order"
    jobs = [job for job in memory.status().jobs if job.kind is JobKind.SUMMARIZE]
    assert [job.state for job in jobs] == ([JobState.OPEN] if waits else [])


@pytest.mark.promise("R98")
def test_what_a_person_wrote_is_not_summed_up_again(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    a_session(memory, repository, clock)
    episode, _ = summed(memory, clock, FailureCause.TRANSIENT)
    memory.edit_episode(episode.id, "What it really was")
    clock.advance(HOUR_MS)

    worked(memory, playing([a_summary()]))

    assert memory.episode(episode.id).episode.summary.objective == "What it really was"
    assert memory.status().jobs == ()


def test_todo_of_a_model_is_a_row_with_its_proof(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("Later we must rotate the receipt keys."), "Yes.")
    a_session(memory, repository, clock)
    quotes = [{"source": "T1 user", "text": "rotate the receipt keys"}]

    summed(
        memory,
        clock,
        a_summary(
            todos=[
                {"text": "rotate the receipt keys", "quotes": quotes},
                {"text": "rewrite all of it in Rust", "quotes": quotes},
            ]
        ),
    )

    assert [one.todo.text for one in memory.todos()] == ["rotate the receipt keys"]


@pytest.mark.promise("R107")
def test_forgetting_takes_back_what_a_model_made_of_the_same_words(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Fine.")
    a_session(memory, repository, clock)
    episode, _ = summed(memory, clock, a_summary(objective="Keep the shop in SQLite"))
    item = next(one for one in memory.list() if "SQLite for the shop" in one.revision.statement)

    memory.forget(item.id)

    after = memory.episode(episode.id).episode.summary
    assert episode.summary.objective == "Keep the shop in SQLite"
    assert after.author is Author.RULE
    assert all("SQLite for the shop" not in one.decision for one in after.decisions)


@pytest.mark.promise("R107")
def test_what_is_forgotten_while_a_model_is_asked_is_kept_in_no_summary(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Fine.")
    a_session(memory, repository, clock)

    def forgetting(request: ModelRequest) -> str:
        assert "SQLite for the shop" in request.user
        for item in memory.list():
            memory.forget(item.id)
        return a_summary(objective="Keep the shop in SQLite")

    episode, client = summed(memory, clock, forgetting, a_summary())

    _, again = asked(client)
    assert "SQLite for the shop" not in again.user
    assert episode.summary.objective == "Keep the receipts of schools"


@pytest.mark.promise("R107")
def test_forgetting_takes_a_models_words_out_of_what_a_person_edited_and_tells_of_theirs(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Fine.")
    a_session(memory, repository, clock)
    reply = a_summary(
        objective="Keep the shop in SQLite",
        decisions=[a_decision("use SQLite for the shop", decision="Keep the shop in SQLite")],
    )
    episode, _ = summed(memory, clock, reply)
    memory.edit_episode(episode.id, "As I said: we use SQLite for the shop")
    item = next(one for one in memory.list() if "SQLite for the shop" in one.revision.statement)

    ran = run("forget", item.id, at=repository.root)

    after = memory.episode(episode.id).episode.summary
    assert after.author is Author.HUMAN
    assert after.objective == "As I said: we use SQLite for the shop"
    assert all("shop" not in one.decision for one in after.decisions)
    assert f"Still in your own words in the episode {episode.id}" in ran.err


@pytest.mark.promise("R107")
def test_what_is_taken_back_in_conversation_takes_back_what_a_model_made_of_it(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Fine.")
    a_session(memory, repository, clock)
    episode, _ = summed(memory, clock, a_summary(objective="Keep the shop in SQLite"))

    clock.advance(HOUR_MS)
    memory.complete_turn(
        memory.begin_turn("Please forget what I told you about SQLite for the shop."), "Fine."
    )
    clock.advance(MINUTE_MS)
    worked(memory, playing([by_purpose('{"summary": "", "candidates": []}')]))
    after = memory.episode(episode.id).episode.summary
    assert episode.summary.objective == "Keep the shop in SQLite"
    assert after.author is Author.RULE


@pytest.mark.promise("R107")
def test_what_is_taken_back_with_approval_takes_back_what_a_model_made_of_it(
    memory: Memory, repository: Built, clock: SettableClock
) -> None:
    memory.complete_turn(memory.begin_turn("We use SQLite for the shop."), "Fine.")
    a_session(memory, repository, clock)
    episode, _ = summed(memory, clock, a_summary(objective="Keep the shop in SQLite"))
    memory.set_review(on=True)
    memory.complete_turn(
        memory.begin_turn("Please forget what I told you about SQLite for the shop."), "Fine."
    )
    clock.advance(MINUTE_MS)
    worked(memory, playing([by_purpose('{"summary": "", "candidates": []}')]))
    (waiting,) = memory.waiting()
    before = memory.episode(episode.id).episode.summary

    memory.approve(waiting.id)

    assert before.objective == "Keep the shop in SQLite"
    assert memory.episode(episode.id).episode.summary.author is Author.RULE
