"""What an agent wants remembered: its statement, judged by words that the user said. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backstory.extract.extractor import extract
from backstory.extract.gate import candidate_from, check_draft
from backstory.extract.window import Window
from backstory.model.candidate import Candidate, Draft, Quote, Refused, Verdict
from backstory.model.limits import QUOTE_CHARS_MAX
from backstory.model.turn import Turn
from backstory.model.words import Kind, Role, Speaker

# What the user asked not to keep is not kept for a person to look at either.
PRIVATE = frozenset({"off-record"})
_KINDS = tuple(kind for kind in Kind if kind.is_factual)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What an agent wants remembered, and which words of the user it says prove it."""

    statement: str
    user_words: str = ""
    kind: Kind | None = None  # found by rule where it is not named
    proposer: str = "agent"  # "agent:<name of the client>"


def quote_of(turn: Turn, words: str) -> Quote | None:
    """Return the span of a user's turn that holds these words, or None.

    It is exact but for blanks and line breaks, which agents fold when they copy.
    """
    parts = [re.escape(part) for part in words[:QUOTE_CHARS_MAX].split()]
    if not parts or turn.speaker is not Speaker.HUMAN or len(words) > QUOTE_CHARS_MAX:
        return None
    found = re.search(r"\s+".join(parts), turn.user_text)
    if found is None:
        return None
    start, end = found.span()
    return Quote(role=Role.USER, start=start, end=end, text=found.group(), turn_id=turn.id)


def check_wish(wish: Wish, quote: Quote, *, window: Window) -> Verdict:
    """Judge a wish whose words were found, as any other proposal of a model is judged.

    Where no kind is named, the first that the gate passes is taken; the kinds that the rules
    find in these words come first.
    """
    kinds = (wish.kind,) if wish.kind else tuple(_kinds_in(quote, window))
    verdicts = (check_draft(_draft(wish, kind, quotes=(quote,)), window) for kind in kinds)
    first: Verdict | None = None
    for verdict in verdicts:
        first = first or verdict
        if isinstance(verdict, Candidate):
            return verdict
    assert first is not None  # there is a kind at least
    return first


def unproved(wish: Wish, quote: Quote | None) -> Candidate:
    """Return a wish as it waits for a person: its quote, if it has one, is no proof."""
    kind = wish.kind or Kind.PROJECT_FACT
    return candidate_from(_draft(wish, kind, quotes=() if quote is None else (quote,)))


def refused(wish: Wish, verdict: Refused) -> Refused:
    """Return a refusal of a wish, without a quote that nobody is to look at."""
    return replace(verdict, draft=_draft(wish, verdict.draft.kind, quotes=()))


def _draft(wish: Wish, kind: Kind, *, quotes: tuple[Quote, ...]) -> Draft:
    return Draft(
        kind=kind, statement=wish.statement.strip(), quotes=quotes, proposer=wish.proposer
    )


def _kinds_in(quote: Quote, window: Window) -> Iterator[Kind]:
    found = [
        verdict.kind
        for verdict in extract(window)
        if isinstance(verdict, Candidate)
        if any(_overlap(quote, other) for other in verdict.quotes)
    ]
    yield from dict.fromkeys(kind for kind in (*found, *_KINDS) if kind.is_factual)


def _overlap(one: Quote, other: Quote) -> bool:
    return one.turn_id == other.turn_id and one.start < other.end and other.start < one.end
