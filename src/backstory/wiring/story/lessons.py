"""Lessons of the story on their way through the gate, each with the commit at which it held."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.capture.redact import redact
from backstory.episodes.lessons import Fixed, Lesson
from backstory.episodes.model.material import SourceKind
from backstory.episodes.stage import COMMIT_ORIGIN
from backstory.extract.gate import check_draft
from backstory.extract.window import Window
from backstory.model.candidate import Candidate, Draft, Quote, Verdict
from backstory.model.episode import Episode
from backstory.model.event import Event
from backstory.model.limits import DAY_MS, KEYWORDS_MAX
from backstory.model.words import Kind, Role
from backstory.ports.store import Tables

if TYPE_CHECKING:
    from backstory.episodes.model.checking import CheckedProblem, Proof  # what a model said

PROPOSER = "rule:commands"
FIXED_PROPOSER = "rule:fixed"

# How far back the commit is looked for on which something was tried.
_HELD_WITHIN_MS = 90 * DAY_MS
_COMMITS_MAX = 50
_HASH_CHARS = 12
_EVENTS_MIN = 2


def tool_lesson(tables: Tables, lesson: Lesson) -> Verdict:
    """Judge what a command that failed and one that worked instead teach."""
    draft = Draft(
        kind=Kind.TOOL_LESSON,
        statement=lesson.statement,
        quotes=(event_quote(lesson.failed), event_quote(lesson.worked)),
        proposer=PROPOSER,
    )
    return _judged(tables, draft, at_ms=lesson.worked.at_ms, window=Window(turns=()))


def fixed_lesson(tables: Tables, fixed: Fixed) -> Verdict:
    """Judge what failed, was mended by a commit that says how, and passed."""
    draft = Draft(
        kind=Kind.FAILURE_LESSON,
        statement=fixed.statement,
        quotes=tuple(map(event_quote, (fixed.failed, fixed.commit, fixed.passed))),
        proposer=FIXED_PROPOSER,
    )
    return _judged(tables, draft, at_ms=fixed.commit.at_ms, window=Window(turns=()))


def failure_lessons(
    tables: Tables, problems: Sequence["CheckedProblem"], *, model: str, episode: Episode
) -> list[Verdict]:
    """Judge the problems with solutions of an episode that a person's words or events prove."""
    verdicts = []
    for one in problems:
        quotes, window = _proved(one.proofs)
        if one.solution and quotes:
            draft = Draft(
                kind=Kind.FAILURE_LESSON,
                statement=f"{one.problem}: {one.solution}",
                quotes=quotes,
                proposer=f"model:{model}",
            )
            at_ms = episode.ended_at_ms or episode.started_at_ms
            verdicts.append(_judged(tables, draft, at_ms=at_ms, window=window))
    return verdicts


def event_quote(event: Event) -> Quote:
    """Return all of an event as a quote."""
    text = event.text
    return Quote(
        role=Role.EVENT, start=0, end=len(text), text=redact(text).text, event_id=event.id
    )


def _proved(proofs: Sequence["Proof"]) -> tuple[tuple[Quote, ...], Window]:
    """Return the quotes that can prove a lesson: of one turn of a person, or of two events."""
    events = [proof.source.event for proof in proofs if proof.source.event is not None]
    unique = {event.id: event for event in events}
    if len(unique) >= _EVENTS_MIN:
        return tuple(map(event_quote, unique.values())), Window(turns=())
    for proof in proofs:
        turn = proof.source.turn
        if turn is None or proof.source.kind is not SourceKind.USER:
            continue
        start = turn.user_text.find(proof.text)
        if start >= 0:
            end = start + len(proof.text)
            quote = Quote(role=Role.USER, start=start, end=end, text=proof.text, turn_id=turn.id)
            return (quote,), Window(turns=(turn,))
    return (), Window(turns=())


def _judged(tables: Tables, draft: Draft, *, at_ms: int, window: Window) -> Verdict:
    verdict = check_draft(draft, window)
    sha = _held_at(tables, at_ms)
    if sha is None or not isinstance(verdict, Candidate):
        return verdict
    keywords = (f"commit {sha[:_HASH_CHARS]}", *verdict.keywords)
    return replace(verdict, keywords=keywords[:KEYWORDS_MAX])


def _held_at(tables: Tables, at_ms: int) -> str | None:
    """Return the last commit known to have been made by then: a lesson held at that state."""
    ids = tables.episodes.within(at_ms - _HELD_WITHIN_MS, at_ms + 1, limit=_COMMITS_MAX)
    made = [one for one in tables.episodes.many(ids) if one.origin == COMMIT_ORIGIN]
    made = [one for one in made if one.commits and (one.ended_at_ms or 0) <= at_ms]
    newest = max(made, key=lambda one: (one.ended_at_ms or 0, one.seq), default=None)
    return None if newest is None else newest.commits[-1]
