"""With a model memory finds more, and whatever the model does costs no more than its proposals."""

import json
from pathlib import Path

import pytest

from backstory.adapters.models.scripted import ScriptedClient, playing, scripted_failure
from backstory.adapters.spending import Caps
from backstory.model.job import CallPurpose, FailureCause
from backstory.model.limits import DAY_MS, MINUTE_MS, SECOND_MS
from backstory.model.words import CandidateState, Intent, JobKind, JobState, Kind, Status
from backstory.ports.model_client import ModelRequest
from modelled import (
    NOW_MS,
    a_memory,
    a_proposal,
    a_reply,
    by_purpose,
    say,
    statements,
    worked,
)
from recorded import SettableClock

# Two turns that hold nothing that a rule takes, and one thing that a model finds in them.
QUIET = (
    ("Where do receipts go?", "Into the archive."),
    ("Our customers are schools in Bavaria.", "I see."),
)
CUSTOMERS = "Our customers are schools in Bavaria"
FOUND = a_proposal(CUSTOMERS, kind=Kind.PROJECT_FACT, turn="T2")


@pytest.fixture
def silent_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules find nothing, whatever they learn, so that what is found is the model's."""
    monkeypatch.setattr("backstory.pipeline.extract", lambda _: ())


@pytest.mark.usefixtures("silent_rules")
def test_a_model_finds_what_no_rule_finds_and_its_words_are_proved(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)
    before = statements(memory)

    shift = worked(memory, playing([a_reply(FOUND)]))

    assert before == []
    assert shift.ran.done >= 1
    [item] = memory.list()
    assert item.revision.author.value == "model"
    [proof] = memory.show(item.id).evidence
    assert proof.quote.text == CUSTOMERS


def test_a_turn_is_read_by_the_model_once(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)
    client = playing([a_reply(FOUND), a_reply()])

    worked(memory, client)
    say(memory, ("And now something else about the tills?", "Yes."), ("Fine so.", "Good."))
    worked(memory, client)
    worked(memory, client)

    asked = [r.user for r in client.requests if r.purpose is CallPurpose.EXTRACT]
    assert len(asked) == 2
    assert "T2 user" in asked[0]
    assert "T0 user, read before" in asked[1]
    assert "Where do receipts go?" not in asked[1]


def test_what_a_rule_and_a_model_say_is_one_item_with_the_proof_of_both(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, ("数据库就用 Postgres。", "好的。"), ("Fine so.", "Good."))
    ruled = statements(memory)

    worked(memory, playing([by_purpose(a_reply(a_proposal("数据库就用 Postgres")))]))

    assert ruled == statements(memory)
    [item] = memory.list()
    assert item.revision.author.value == "rule"


@pytest.mark.promise("R174")
@pytest.mark.parametrize(
    "cause", [FailureCause.TRANSIENT, FailureCause.QUOTA, FailureCause.MISCONFIGURED]
)
def test_a_model_that_is_down_costs_nothing_but_its_proposals(
    tmp_path: Path, cause: FailureCause
) -> None:
    memory = a_memory(tmp_path)
    say(memory, ("We use SQLite for the shop.", "Done."), ("Fine so.", "Good."))

    shift = worked(memory, playing([cause]))

    assert statements(memory) == ["We use SQLite for the shop"]
    assert shift.ran.retried == 1
    [job] = memory.status().jobs
    assert (job.kind, job.state, job.attempt) == (JobKind.PROPOSE, JobState.OPEN, 1)
    assert cause.value in (job.last_error or "")


@pytest.mark.promise("R174")
def test_a_model_that_comes_back_is_asked_about_what_waited(tmp_path: Path) -> None:
    clock = SettableClock(NOW_MS)
    memory = a_memory(tmp_path, clock=clock)
    say(memory, *QUIET)
    worked(memory, playing([FailureCause.TRANSIENT]))
    soon = worked(memory, playing([a_reply(FOUND)]))
    clock.advance(6 * SECOND_MS)

    later = worked(memory, playing([a_reply(FOUND)]))

    assert (soon.ran.total, later.ran.done > 0) == (0, True)
    assert len(statements(memory)) == 1
    assert memory.status().last_error is None


@pytest.mark.case("C109")
def test_a_turn_that_always_fails_is_given_up_alone_and_can_be_tried_again(
    tmp_path: Path,
) -> None:
    memory = a_memory(tmp_path)
    say(memory, QUIET[0], ("poison", "no"), QUIET[1], ("Fine so.", "Good."))

    def refusing(request: ModelRequest) -> object:
        if "poison" in request.user:
            return FailureCause.REFUSED
        label = "T1" if "[" in request.user and "T2 user" not in request.user else "T2"
        return a_reply(a_proposal(FOUND["statement"], kind=Kind.PROJECT_FACT, turn=label))

    shift = worked(memory, playing([by_purpose(refusing)]))

    assert shift.ran.retried == 0
    [dead] = [job for job in memory.status().jobs if job.state is JobState.DEAD]
    assert "the script says refused" in (dead.last_error or "")
    assert statements(memory) == [CUSTOMERS]

    assert memory.revive() == 1
    client = playing([by_purpose(a_reply())])
    worked(memory, client)
    assert "poison" in client.requests[0].user
    assert memory.status().jobs == ()


@pytest.mark.promise("R163")
@pytest.mark.case("C110")
def test_a_failing_thread_holds_back_no_other(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    bad, good = memory.thread_for("x", "bad"), memory.thread_for("x", "good")
    for thread, text in ((bad, "poison"), (good, QUIET[1][0])):
        for words in (text, "Fine so."):
            memory.complete_turn(memory.begin_turn(words, thread=thread), "Good.")
    found = a_proposal(FOUND["statement"], kind=Kind.PROJECT_FACT)

    def step(request: ModelRequest) -> object:
        return FailureCause.TRANSIENT if "poison" in request.user else a_reply(found)

    shift = worked(memory, playing([by_purpose(step)]))

    assert shift.ran.retried == 1
    assert len(statements(memory)) == 1


def test_at_the_cap_nothing_is_sent_and_work_goes_on_the_next_day(tmp_path: Path) -> None:
    clock = SettableClock(NOW_MS)
    memory = a_memory(tmp_path, clock=clock)
    caps = Caps(day_tokens=1, session_tokens=None)
    client = playing([by_purpose(a_reply())])
    say(memory, QUIET[0], ("Fine so.", "Good."))
    worked(memory, client, caps=caps)
    say(memory, ("We use SQLite for the shop.", "Done."), ("Fine so.", "Good."))

    shift = worked(memory, client, caps=caps)
    sent = len(client.requests)
    clock.advance(DAY_MS)
    worked(memory, client, caps=caps)

    assert statements(memory) == ["We use SQLite for the shop"]
    assert (shift.ran.retried, sent) == (1, 1)
    assert len(client.requests) == 2


@pytest.mark.promise("R158")
@pytest.mark.case("C27")
def test_every_call_is_in_the_book(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)

    worked(memory, playing([FailureCause.TRANSIENT]))

    with memory._desk.store.reading() as tables:
        [call] = tables.calls.latest(limit=9)
    assert (call.purpose, call.outcome.value) == (CallPurpose.EXTRACT, "transient")
    assert call.session == memory.status().thread


@pytest.mark.promise("R114")
def test_clear_during_a_call_refuses_the_late_result(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)

    def clearing(request: ModelRequest) -> str:
        memory.clear(confirm=True)
        return a_reply(FOUND)

    shift = worked(memory, playing([clearing]))

    assert shift.ran.lost == 1
    assert (statements(memory), memory.proposals(), memory.status().jobs) == ([], (), ())


def test_what_is_forgotten_during_a_call_is_not_brought_back_by_it(tmp_path: Path) -> None:
    clock = SettableClock(NOW_MS)
    memory = a_memory(tmp_path, clock=clock)
    say(memory, ("We use SQLite for the shop.", "Done."), ("Fine so.", "Good."))
    [item] = memory.list()

    def forgetting(request: ModelRequest) -> str:
        memory.forget(item.id)
        return a_reply(a_proposal("We use SQLite for the shop"), summary="They use SQLite.")

    worked(memory, playing([by_purpose(forgetting)]))
    clock.advance(MINUTE_MS)
    client = playing([by_purpose(a_reply())])
    worked(memory, client)

    assert statements(memory) == []
    assert client.requests
    assert all("SQLite" not in request.user for request in client.requests)
    with memory._desk.store.reading() as tables:
        assert all("SQLite" not in thread.summary for thread in tables.threads.listed())


@pytest.mark.promise("R82")
def test_the_summary_grows_and_is_shown_to_the_next_call_as_context(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)
    client = playing([by_purpose(a_reply(summary="收据放在归档桶里。"))])
    worked(memory, client)
    say(memory, ("And now the tills?", "Yes."), ("Fine so.", "Good."))

    worked(memory, client)

    assert "收据放在归档桶里。" in client.requests[-1].user


@pytest.mark.promise("R150")
@pytest.mark.case("C79")
def test_a_secret_never_reaches_the_model_or_what_is_derived(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    token = "ghp_" + "a1B2" * 9
    said = f"{CUSTOMERS}, the token of their till is {token}."
    say(memory, (said, "I see."), ("<private>4711 is the safe's code</private> Fine.", "Good."))
    client = playing([by_purpose(a_reply(a_proposal(CUSTOMERS, kind=Kind.PROJECT_FACT)))])

    worked(memory, client)

    asked = "".join(request.user + request.system for request in client.requests)
    assert token not in asked
    assert "4711" not in asked
    # The rules may find the sentence as well, with the placeholder in it.
    derived = statements(memory)
    assert CUSTOMERS in derived
    assert not [one for one in derived if token in one or "4711" in one]


@pytest.mark.usefixtures("silent_rules")
def test_advice_merges_what_the_rules_cannot_and_never_against_them(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    memory.remember("The shop is made for Bavaria's schools", kind=Kind.PROJECT_FACT)
    say(memory, *QUIET)
    merging = {
        "operations": [
            {
                "candidate": "C1",
                "operation": "revise",
                "items": ["M1"],
                "aliases": [],
                "reason": "same habit",
            }
        ]
    }
    step = by_purpose(a_reply(FOUND), json.dumps(merging))

    worked(memory, playing([step]))

    [item] = memory.list()
    assert len(memory.show(item.id).evidence) == 2


@pytest.mark.case("C63")
@pytest.mark.parametrize("operation", ["supersede", "retract", "reject", "revise"])
def test_advice_removes_nothing_that_a_person_wrote(tmp_path: Path, operation: str) -> None:
    memory = a_memory(tmp_path)
    [item] = memory.remember("The shop's customers are schools", kind=Kind.PROJECT_FACT).items
    memory.edit(item.id, "The shop's customers are schools and nurseries")
    say(memory, *QUIET)
    advice = {
        "candidate": "C1",
        "operation": operation,
        "items": [] if operation == "reject" else ["M1"],
        "aliases": [],
        "reason": "do it",
    }
    step = by_purpose(
        a_reply({**FOUND, "intent": Intent.REPLACE.value}), json.dumps({"operations": [advice]})
    )

    worked(memory, playing([step]))

    kept = memory.show(item.id).item
    assert kept.status is Status.ACTIVE
    assert kept.revision.statement == "The shop's customers are schools and nurseries"


@pytest.mark.usefixtures("silent_rules")
def test_review_lets_a_models_items_wait(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    memory.set_review(on=True)
    say(memory, *QUIET)

    worked(memory, playing([by_purpose(a_reply(FOUND))]))

    assert statements(memory) == []
    [waiting] = memory.waiting()
    assert waiting.state is CandidateState.WAITING


@pytest.mark.promise("R87")
@pytest.mark.usefixtures("silent_rules")
def test_refused_proposals_are_kept_with_their_reasons(tmp_path: Path) -> None:
    memory = a_memory(tmp_path)
    say(memory, *QUIET)
    invented = a_proposal("Receipts are burnt every night", quote="Where do receipts go?")

    worked(memory, playing([by_purpose(a_reply(invented))]))

    assert statements(memory) == []
    [refused] = memory.proposals(states=(CandidateState.REFUSED,))
    assert refused.reasons
    assert refused.proposer == "model:scripted:model"


@pytest.mark.promise("R151")
def test_without_a_model_nothing_waits_for_one(tmp_path: Path) -> None:
    memory = a_memory(tmp_path, env={})
    say(memory, *QUIET)

    assert memory.status().jobs == ()


def test_a_server_that_asks_for_time_gets_it(tmp_path: Path) -> None:
    clock = SettableClock(NOW_MS)
    memory = a_memory(tmp_path, clock=clock)
    say(memory, *QUIET)
    busy = scripted_failure(FailureCause.TRANSIENT, retry_after_ms=10 * MINUTE_MS)

    worked(memory, ScriptedClient(steps=(busy,)))

    [job] = memory.status().jobs
    assert job.due_at_ms == NOW_MS + 10 * MINUTE_MS
