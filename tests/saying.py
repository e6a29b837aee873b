"""Turns and windows for tests of extraction."""

from backstory.extract import Window
from backstory.model.candidate import Candidate, Draft, Quote, Refused, Verdict
from backstory.model.ids import ThreadId, TurnId
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker, TurnState


def a_turn(
    said: str, *, answer: str = "Understood.", name: str = "t1", thread: str = "thread"
) -> Turn:
    """A completed turn of a person."""
    return Turn(
        id=TurnId(name),
        seq=1,
        thread_id=ThreadId(thread),
        position=0,
        speaker=Speaker.HUMAN,
        user_text=said,
        answer_text=answer,
        state=TurnState.COMPLETED,
        said_at_ms=0,
        recorded_at_ms=0,
    )


def a_window(said: str, *, before: Turn | None = None) -> Window:
    """One turn, and the one before it if there is one."""
    return Window(turns=(a_turn(said),), previous=before)


def a_draft(
    said: str,
    *,
    quote: str = "",
    statement: str = "",
    kind: Kind = Kind.PROJECT_DECISION,
    intent: Intent = Intent.ASSERT,
) -> Draft:
    """A model's draft about the turn of `a_window(said)`, quoting all of it unless told."""
    words = quote or said
    start = said.index(words)
    span = Quote(
        role=Role.USER,
        start=start,
        end=start + len(words),
        text=words,
        turn_id=TurnId("t1"),
    )
    return Draft(
        kind=kind,
        statement=statement or words,
        quotes=(span,),
        intent=intent,
        proposer="model:test",
    )


def accepted(verdicts: tuple[Verdict, ...]) -> list[Candidate]:
    """The candidates among verdicts."""
    return [verdict for verdict in verdicts if isinstance(verdict, Candidate)]


def slugs_of(verdict: Verdict) -> set[str]:
    """The reasons of a refusal; empty for a candidate."""
    return {r.slug for r in verdict.reasons} if isinstance(verdict, Refused) else set()
