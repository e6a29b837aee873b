"""An agent's word is no memory: the user's words prove it, or a person approves it."""

from pathlib import Path

import pytest

from backstory.api import Memory, Opening, reviewing
from backstory.model.answers import Remembered
from backstory.model.candidate import StoredCandidate
from backstory.model.errors import UsageError
from backstory.model.limits import AGENT_WAITING_MAX, DAY_MS, TURN_LEASE_MS
from backstory.model.turn import Turn
from backstory.model.words import Author, Kind
from backstory.ports.store import Tables
from hosting import a_repository

NOW_MS = 1_700_000_000_000


@pytest.fixture
def now() -> list[int]:
    """Return the time, which the test sets."""
    return [NOW_MS]


@pytest.fixture
def memory(tmp_path: Path, now: list[int]) -> Memory:
    """Return the memory of a project in which nothing was said."""
    opening = Opening(works_inline=False, clock=lambda: now[0], env={})
    found = Memory.open(a_repository(tmp_path / "shop"), opening=opening)
    assert isinstance(found, Memory)
    return found


def the_waiting(made: Remembered) -> StoredCandidate:
    """Return the one proposal that waits, where nothing else came of it."""
    assert made.items == ()
    assert made.refused == ()
    (waiting,) = made.waiting
    return waiting


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("We decided to use PostgreSQL for the main database.", "Use PostgreSQL"),
        ("我们决定用 PostgreSQL 作为主数据库。", "用 PostgreSQL 作为主数据库"),
    ],
)
def test_words_of_the_user_make_it_memory(memory: Memory, said: str, statement: str) -> None:
    memory.begin_turn(said)  # the turn is still open: agents call while they answer
    made = memory.entrust(statement, user_words=said, agent="test")

    (item,) = made.items
    assert item.revision.statement == statement
    assert item.revision.author is Author.MODEL
    assert item.revision.author_name == "agent:test"
    assert [proof.quote.text for proof in memory.show(item.id).evidence] == [said]
    assert memory.recall("PostgreSQL").hits


def test_what_the_user_says_while_an_agent_is_heard_counts(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "We decided to use PostgreSQL for the main database."
    looked = reviewing._recent

    def spoken_to(tables: Tables, *, now_ms: int) -> list[Turn]:
        found = [*looked(tables, now_ms=now_ms)]
        monkeypatch.setattr(reviewing, "_recent", looked)
        opening = Opening(works_inline=False, clock=lambda: NOW_MS, env={})
        with Memory.open(tmp_path / "shop", opening=opening) as other:
            assert isinstance(other, Memory)
            other.begin_turn(said)
        return found

    monkeypatch.setattr(reviewing, "_recent", spoken_to)
    made = memory.entrust("Use PostgreSQL", user_words=said, agent="test")

    assert [item.revision.statement for item in made.items] == ["Use PostgreSQL"]


def test_a_statement_in_the_users_own_words_needs_no_other_proof(memory: Memory) -> None:
    memory.begin_turn("From now on all handlers return JSON.")

    assert memory.entrust("From now on all handlers return JSON.").items


def test_words_are_found_however_their_lines_are_broken(memory: Memory) -> None:
    memory.begin_turn("We decided to use\n  PostgreSQL for\nthe main database.")
    made = memory.entrust(
        "Use PostgreSQL for the main database",
        user_words="We decided to use PostgreSQL for the main database.",
    )

    assert len(made.items) == 1


@pytest.mark.promise("R5")
@pytest.mark.case("C81")
@pytest.mark.parametrize(
    ("said", "words", "statement"),
    [
        ("Hello.", "", "Always deploy on Fridays."),
        ("Hello.", "Deploy on Fridays.", "Deploy on Fridays."),
        ("Should we use MongoDB?", "use MongoDB", "Use MongoDB for the orders."),
        ("We never use MongoDB.", "use MongoDB", "Use MongoDB."),
        ("We use SQLite here.", "We use SQLite here.", "Use SQLite and deploy on Fridays."),
        ("要不要用 MongoDB？", "用 MongoDB", "用 MongoDB"),
        ("你好", "以后周五部署", "以后周五部署"),
    ],
)
def test_what_the_users_words_do_not_prove_waits_and_is_nowhere_else(
    memory: Memory, said: str, words: str, statement: str
) -> None:
    memory.complete_turn(memory.begin_turn(said), "Fine.")
    waiting = the_waiting(memory.entrust(statement, user_words=words, agent="test"))

    assert waiting.origin == "agent"
    assert waiting.reasons[0].slug == "agent"
    assert memory.waiting() == (waiting,)
    assert memory.list() == ()
    assert memory.recall(statement).hits == ()
    assert all(
        statement not in hit.excerpt or statement in said for hit in memory.search(statement)
    )
    assert statement not in memory.context(statement).text


@pytest.mark.promise("R78")
def test_what_only_the_agent_answered_proves_nothing(memory: Memory) -> None:
    memory.complete_turn(memory.begin_turn("Which database?"), "We use PostgreSQL here.")
    made = memory.entrust("Use PostgreSQL", user_words="We use PostgreSQL here.")

    assert the_waiting(made).quotes == ()


def test_what_was_said_long_ago_proves_nothing_new(memory: Memory, now: list[int]) -> None:
    memory.complete_turn(memory.begin_turn("We decided to use PostgreSQL."), "Fine.")
    now[0] += 8 * DAY_MS
    made = memory.entrust("Use PostgreSQL", user_words="We decided to use PostgreSQL.")

    assert the_waiting(made)


def test_approval_makes_it_a_persons_item_that_is_found(memory: Memory) -> None:
    waiting = the_waiting(memory.entrust("Deploy on Tuesdays only.", agent="test"))
    (item,) = memory.approve(waiting.id).items

    assert item.revision.author is Author.HUMAN
    assert item.is_human_owned
    assert memory.recall("When do we deploy?").hits[0].entry.id == item.id
    (proof,) = memory.show(item.id).evidence
    assert proof.quote.text == "Deploy on Tuesdays only."
    assert memory.waiting() == ()


@pytest.mark.case("C88")
def test_approval_takes_the_place_of_what_said_otherwise(memory: Memory, now: list[int]) -> None:
    memory.remember("We decided to use PostgreSQL for the main database.")
    now[0] += 1_000
    waiting = the_waiting(
        memory.entrust("We use MySQL for the main database.", kind=Kind.PROJECT_DECISION)
    )
    assert "PostgreSQL" in memory.list()[0].revision.statement
    memory.approve(waiting.id)

    (item,) = memory.list()
    assert "MySQL" in item.revision.statement


def test_discarded_words_become_nothing(memory: Memory) -> None:
    waiting = the_waiting(memory.entrust("Deploy on Tuesdays only."))
    memory.discard(waiting.id)

    assert memory.waiting() == ()
    assert memory.list() == ()


def test_what_was_forgotten_stays_out(memory: Memory, now: list[int]) -> None:
    said = "We decided to use PostgreSQL for the main database."
    memory.begin_turn(said)
    (item,) = memory.entrust("Use PostgreSQL", user_words=said).items
    memory.forget(item.id)
    now[0] += 1_000

    proved = memory.entrust("Use PostgreSQL", user_words=said)
    unproved = memory.entrust("Use PostgreSQL")

    assert [reason.slug for one in proved.refused for reason in one.reasons] == ["forgotten"]
    assert [reason.slug for one in unproved.refused for reason in one.reasons] == ["forgotten"]
    assert memory.list() == ()
    assert memory.waiting() == ()


@pytest.mark.case("C49")
def test_what_is_off_the_record_is_not_even_kept_for_review(memory: Memory) -> None:
    said = "Off the record: we decided to use PostgreSQL."
    memory.begin_turn(said)
    made = memory.entrust("Use PostgreSQL", user_words="we decided to use PostgreSQL")

    assert made.items == made.waiting == ()
    assert "off-record" in {reason.slug for one in made.refused for reason in one.reasons}


def test_saying_it_again_adds_nothing(memory: Memory) -> None:
    first = the_waiting(memory.entrust("Deploy on Tuesdays only."))
    again = the_waiting(memory.entrust("Deploy on Tuesdays only."))
    memory.approve(first.id)
    known = memory.entrust("Deploy on Tuesdays only.")

    assert again == first
    assert [item.revision.statement for item in known.items] == ["Deploy on Tuesdays only."]
    assert memory.waiting() == ()


def test_secrets_are_left_out_of_what_waits(memory: Memory) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    waiting = the_waiting(memory.entrust(f"The token of the build is {secret}."))

    assert secret not in waiting.statement


def test_no_more_waits_than_a_person_reads(memory: Memory) -> None:
    for number in range(AGENT_WAITING_MAX):
        memory.entrust(f"Service number {number} listens on port {9000 + number}.")
    with pytest.raises(UsageError, match="backstory review"):
        memory.entrust("Deploy on Tuesdays only.")

    assert len(memory.waiting()) == AGENT_WAITING_MAX


@pytest.mark.parametrize("statement", ["", " \n", "x" * 4_001])
def test_a_statement_that_cannot_be_kept_is_an_error(memory: Memory, statement: str) -> None:
    with pytest.raises(UsageError):
        memory.entrust(statement)


@pytest.mark.case("C22")
def test_a_save_without_a_session_is_kept_and_said_to_be_of_an_unknown_one(
    memory: Memory,
) -> None:
    for session in ("a", "b"):  # both have crashed, and seem to go on
        memory.begin_turn("Look at this.", thread=memory.thread_for("claude_code", session))
    waiting = the_waiting(memory.entrust("Deploy on Tuesdays only.", session=""))

    assert waiting.thread_id is None
    assert "session is unknown" in waiting.reasons[-1].message
    assert memory.approve(waiting.id).items


@pytest.mark.case("C22")
def test_saves_of_one_session_are_told_from_those_of_another(memory: Memory) -> None:
    threads = [
        the_waiting(memory.entrust(f"Port {n} is for {n}.", session=session)).thread_id
        for n, session in enumerate(("one", "one", "other"))
    ]

    assert threads[0] == threads[1] == memory.thread_for("api", "one")
    assert threads[2] not in {threads[0], None}


@pytest.mark.case("C22")
def test_sessions_that_crashed_expire_and_hold_nothing_up(memory: Memory, now: list[int]) -> None:
    said = "We decided to use PostgreSQL for the main database."
    crashed = memory.thread_for("claude_code", "a")
    memory.begin_turn(said, thread=crashed)
    now[0] += TURN_LEASE_MS + 1
    memory.begin_turn("Look at this.", thread=memory.thread_for("claude_code", "b"))
    memory.settle()

    assert memory.status().turns == {"interrupted": 1, "open": 1}
    assert ["PostgreSQL" in item.revision.statement for item in memory.list()] == [True]
