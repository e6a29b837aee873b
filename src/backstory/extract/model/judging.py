"""What a model's draft must pass beside the gate: it is believed less than a rule. Pure.

A rule makes its statement from the words of its quotes and reads its intent off them. A model
has only said so, and these checks make that up.
"""

from collections.abc import Iterator
from dataclasses import replace

from backstory.capture.folding import fold
from backstory.extract.anchors import shares_content
from backstory.extract.gate import check_draft
from backstory.extract.language.lexicon import lexicon
from backstory.extract.window import Window
from backstory.model.candidate import Draft, Quote, Reason, Refused, Verdict
from backstory.model.words import Intent, Role

# Tags of the word tables by which somebody says that something earlier no longer holds.
_CHANGE_TAGS = ("changes_mind", "drops")
_AROUND_CHARS = 80
# A statement without a content word of its own is taken only as a part of a quote, this long.
_PART_CHARS_MIN = 4


def judge(draft: Draft, window: Window) -> Verdict:
    """Judge what a model proposed: by the gate, and by what a model may not decide.

    An intent to replace that the words do not show is read as a plain statement: what replaces
    what is then decided by the claims. A quote that has nothing to do with the statement is left
    out rather than kept as its proof.
    """
    draft = replace(draft, quotes=_speaking(draft))
    if draft.intent is Intent.REPLACE and not _shows_change(draft, window):
        draft = replace(draft, intent=Intent.ASSERT)
    reasons = tuple(_problems(draft))
    verdict = check_draft(draft, window)
    if not reasons:
        return verdict
    known = verdict.reasons if isinstance(verdict, Refused) else ()
    return Refused(draft=draft, reasons=(*known, *reasons))


def _problems(draft: Draft) -> Iterator[Reason]:
    if draft.statement.rstrip(" \"'”’」』)）").endswith(("?", "？")):
        yield Reason(slug="question", message="the statement asks something")
    offered = [quote.text for quote in draft.quotes if quote.role is Role.ASSISTANT]
    if offered and draft.intent is Intent.RETRACT:
        yield Reason(slug="act", message="a yes to a proposal takes nothing back")
    sources = offered or [quote.text for quote in draft.quotes]
    if not any(_speaks_of(draft.statement, source) for source in sources):
        yield Reason(slug="unanchored", message="the statement has no word of what it rests on")


def _speaking(draft: Draft) -> tuple[Quote, ...]:
    """Return the quotes that speak of the statement, or all where it rests on a confirmation."""
    is_confirmation = any(quote.role is Role.ASSISTANT for quote in draft.quotes)
    speaking = tuple(q for q in draft.quotes if _speaks_of(draft.statement, q.text))
    return draft.quotes if is_confirmation or not speaking else speaking


def _speaks_of(statement: str, source: str) -> bool:
    if shares_content(statement, source):
        return True
    part = fold(statement).strip(" .,;:!。，；：！")
    return len(part) >= _PART_CHARS_MIN and part in fold(source)


def _shows_change(draft: Draft, window: Window) -> bool:
    return any(
        lexicon().has(tag, around)
        for around in _around_quotes(draft, window)
        for tag in _CHANGE_TAGS
    )


def _around_quotes(draft: Draft, window: Window) -> Iterator[str]:
    for quote in draft.quotes:
        turn = window.find(quote.turn_id or "")
        if turn is not None and quote.role is Role.USER:
            start = max(0, quote.start - _AROUND_CHARS)
            yield fold(turn.user_text[start : quote.end + _AROUND_CHARS])
