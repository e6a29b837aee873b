"""Recall: one function for everybody who asks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from backstory.model.recall import Question, Recalled
from backstory.recall.asking.clauses import asked_of
from backstory.recall.asking.question import Asked
from backstory.recall.choosing import by_cues, by_words
from backstory.recall.hits import hit_of
from backstory.recall.tracing import trace_of
from backstory.recall.weighing.judging import Judged, judge
from backstory.recall.weighing.lookup import Lookup, look_up

if TYPE_CHECKING:
    from backstory.ports.store import Tables


def recall(
    tables: "Tables", question: Question, *, now_ms: int, explain: bool = False
) -> Recalled:
    """Return the entries that answer a question, best first, or none and why.

    Items and episodes come in one list. Nothing is written, and the number of statements
    does not depend on how much is stored. A text of more than 256 characters is no question:
    its sentences are looked up together, and more of one must be found.
    """
    asked = asked_of(question.text, question.cues, now_ms=now_ms)
    if not asked[0].name and question.cues.is_empty:
        return Recalled(hits=(), abstained_because="nothing was asked")
    lookup = look_up(tables, asked, question=question)
    judged = judge(asked, lookup)
    chosen = by_words(tables, question, judged=judged, now_ms=now_ms)
    if not chosen.kept and not lookup.asks_for_something:
        chosen = by_cues(tables, question, asked=asked[0], lookup=lookup)
    return Recalled(
        hits=tuple(hit_of(candidate, now_ms=now_ms) for candidate in chosen.kept),
        abstained_because=None if chosen.kept else _why_nothing(asked, lookup, judged=judged),
        trace=trace_of(chosen, judged) if explain else (),
    )


def _why_nothing(asked: Sequence[Asked], lookup: Lookup, *, judged: Judged) -> str:
    if not asked[0].name:
        return "nothing is tied to this place"
    if not lookup.asks_for_something:
        return "the question has no informative word"
    if any(one.span for one in asked) and not lookup.in_time:
        return "nothing was going on at the time asked for"
    if not judged.removed:
        return "nothing shares an informative word"
    return "nothing shares enough of the question"
