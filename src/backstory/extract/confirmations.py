"""A user's yes, choice or correction, bound to the answer right before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backstory.capture.redact import redact
from backstory.extract.anchors import content_shared, shares_content
from backstory.extract.language.clauses import Clause, Sentence, read_message
from backstory.extract.language.lexicon import lexicon
from backstory.extract.proposals import Offer, Option, offer_in
from backstory.extract.window import Window
from backstory.model.candidate import Draft, Quote, Reason
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker, TurnState

_CHOICE = re.compile(
    r"(?:方案|选项|第|option|number|plan|choice|approach)\s{0,2}([一二三四五六1-6a-f])(?![a-z0-9])"
    r"|(?<![\w.-])([1-6])(?![\w.%-])(?!\s?(?:个月|年|天|分钟|小时|秒|次|days?|weeks?|months?|minutes?|hours?|times))"
)
_LETTER = re.compile(r"(?<![\w'-])([A-F])(?![\w'-])")
_ORDINALS = {
    "first": 1, "former": 1, "前者": 1, "第一": 1, "second": 2, "latter": 2, "后者": 2, "第二": 2,
    "third": 3, "第三": 3, "last": -1, "最后一个": -1,
}  # fmt: skip
_ORDINAL = re.compile(
    r"\bthe (first|second|third|last|former|latter)\b|(前者|后者|第[一二三](?=个|种|条)|最后一个)"
)
_NUMERALS = {"一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6"}
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_SWAP = re.compile(r"(\w[\w.-]*)(?: \w+)? (?:rather than|instead of) (\w[\w.-]*)")
_SHORT_SENTENCE_CHARS = 14
_PROPOSER = "rule:confirmation"


def confirmations_in(turn: Turn, previous: Turn | None) -> tuple[Draft, ...]:
    """Return what a turn confirms of the answer before it.

    Nothing is confirmed where that turn is unknown or was not completed, where the answer
    offers nothing that lasts, or where the user asks, refuses or puts it off.
    """
    if previous is None or previous.state is not TurnState.COMPLETED or not previous.answer_text:
        return ()
    if turn.speaker is not Speaker.HUMAN:
        return ()
    message = read_message(turn.user_text)
    offer = offer_in(previous.answer_text)
    if offer is None or not message.sentences:
        return ()
    first = message.sentences[0]
    if (
        "?" in first.mark
        or lexicon().has("defers", first.plain)
        or lexicon().has("off_record", first.plain)
    ):
        return ()
    following = message.sentences[1] if len(message.sentences) > 1 else None
    return tuple(
        _drafts(
            _Answered(turn=turn, previous=previous, offer=offer, first=first, following=following)
        )
    )


def confirmation_problems(draft: Draft, window: Window) -> Iterator[Reason]:
    """Yield why the user's quote does not confirm the assistant's."""
    said = next((q for q in draft.quotes if q.role is Role.USER), None)
    offered = next(q for q in draft.quotes if q.role is Role.ASSISTANT)
    turn = window.find(said.turn_id or "") if said else None
    if said is None or turn is None:
        return
    previous = window.before(turn)
    if previous is None or previous.id != offered.turn_id:
        yield Reason(slug="not-adjacent", message="the proposal is not in the answer right before")
        return
    for known in confirmations_in(turn, previous):
        quotes = {quote.role: quote for quote in known.quotes}
        if _overlap(quotes[Role.USER], said) and _overlap(quotes[Role.ASSISTANT], offered):
            return
    yield Reason(slug="not-confirmed", message="the user's words do not confirm this proposal")


def _overlap(one: Quote, two: Quote) -> bool:
    return min(one.end, two.end) > max(one.start, two.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """A user's first words after an offer."""

    turn: Turn
    previous: Turn
    offer: Offer
    first: Sentence
    following: Sentence | None

    def said(self, start: int, end: int) -> str:
        """The user's words there."""
        return self.turn.user_text[start:end]


def _drafts(answered: _Answered) -> Iterator[Draft]:
    offer = answered.offer
    chosen = _chosen(answered)
    if chosen:
        for option in chosen:
            yield _draft(answered, (option.start, option.end), said=_quote_span(answered))
        return
    if offer.is_either_or:
        yield from _either_or(answered)
        return
    amendment = _amendment(answered)
    if amendment is not None:
        yield _amended(answered, amendment)
        return
    confirmed = offer.confirmed_by_yes()
    if confirmed is not None and _assents(answered):
        yield _draft(answered, confirmed, said=_quote_span(answered))


def _chosen(answered: _Answered) -> list[Option]:
    """Return the options that the first sentence names without refusing them."""
    labels: list[str] = []
    if not answered.offer.options:
        return []
    for clause in answered.first.clauses:
        if lexicon().has("refuses", clause.plain) and not lexicon().has(
            "accepts_firmly", clause.plain
        ):
            continue
        labels += _labels(answered, clause)
    return [option for option in answered.offer.options if option.label in labels]


def _labels(answered: _Answered, clause: Clause) -> list[str]:
    found = [m.group(1) or m.group(2) for m in _CHOICE.finditer(clause.plain)]
    found += [
        m.group(1).lower() for m in _LETTER.finditer(answered.said(clause.start, clause.end))
    ]
    options = answered.offer.options
    for match in _ORDINAL.finditer(clause.plain):
        place = _ORDINALS[match.group(1) or match.group(2)]
        index = place - 1 if place > 0 else len(options) - 1
        if index < len(options):
            found.append(options[index].label)
    return [_NUMERALS.get(label, label) for label in found]


def _either_or(answered: _Answered) -> Iterator[Draft]:
    """A short answer that takes up one of two alternatives chooses it."""
    clause = answered.first.clauses[0]
    if lexicon().has("refuses", clause.plain) and len(answered.first.clauses) == 1:
        return
    question = answered.offer.text
    split = re.search(r"还是| or ", question)
    if split is None:
        return
    left, right = question[: split.start()], question[split.end() :]
    said = answered.said(clause.start, clause.end)
    if content_shared(said, left) == content_shared(said, right) or len(said) > 60:
        return
    yield _draft(
        answered,
        (answered.offer.start, answered.offer.end),
        said=(clause.start, answered.first.end),
        statement=f"{said} ({question.rstrip('?？ ')})",
    )


def _assents(answered: _Answered) -> bool:
    """Whether the first words say yes to the one thing offered, and nothing takes it back."""
    words = lexicon()
    clauses = answered.first.clauses
    run = _assenting(clauses)
    if run == 0:
        return False
    rest = clauses[run:]
    if any(words.has("refuses", c.plain) for c in rest):
        return False
    is_firm = any(words.has("accepts_firmly", c.plain) for c in clauses[:run])
    if answered.offer.ends_with_other_question and not is_firm:
        return False
    if rest and not is_firm:
        text = " ".join(c.plain for c in rest)
        restates = shares_content(text, answered.offer.text)
        return restates or not words.has("task_lead", rest[0].plain)
    return True


def _assenting(clauses: tuple[Clause, ...]) -> int:
    """Return how many leading clauses say nothing but yes."""
    count = 0
    for clause in clauses:
        if not lexicon().has("only_accepts", clause.plain):
            break
        count += 1
    return count


def _amendment(answered: _Answered) -> tuple[int, int] | None:
    """Return the span of a change that the first sentence asks of the proposal."""
    words = lexicon()
    clauses = answered.first.clauses
    for index, clause in enumerate(clauses):
        is_change = words.has("amends", clause.plain)
        is_other = any(words.has("refuses", c.plain) for c in clauses[:index]) and not is_change
        if not is_change and not (is_other and words.has("replaces_offer", clause.plain)):
            continue
        if index == 0 and not words.has("amends_firmly", clause.plain):
            continue
        if words.has("defers", clause.plain) or words.has("task_lead", clause.plain):
            continue
        end = clauses[-1].end
        following = answered.following
        if (
            following
            and following.end - following.start <= _SHORT_SENTENCE_CHARS
            and not words.has("only_accepts", following.plain)
        ):
            end = following.end
        return (clause.start, end)
    return None


def _quote_span(answered: _Answered) -> tuple[int, int]:
    """Return the words that say yes: the first sentence, without a task that follows in it."""
    clauses = answered.first.clauses
    run = max(1, _assenting(clauses))
    last = clauses[run - 1]
    for clause in clauses[run:]:
        if lexicon().has("task_lead", clause.plain):
            break
        last = clause
    return (clauses[0].start, last.end)


def _amended(answered: _Answered, span: tuple[int, int]) -> Draft:
    change = answered.said(*span)
    offered = answered.offer.text
    return _draft(
        answered,
        (answered.offer.start, answered.offer.end),
        said=span,
        statement=_merged(offered, change),
        proposer="rule:amended-confirmation",
    )


def _merged(offered: str, change: str) -> str:
    """Return the proposal with the change put in where it is plain, else the change first."""
    swap = _SWAP.search(change)
    if swap and swap.group(2) in offered:
        return f"{offered.replace(swap.group(2), swap.group(1), 1)} ({change})"
    old, new = _NUMBER.findall(offered), _NUMBER.findall(change)
    if len(old) == 1 and len(new) == 1 and old != new:
        return f"{offered.replace(old[0], new[0], 1)} ({change})"
    return f"{change} ({offered})"


def _draft(
    answered: _Answered,
    offered: tuple[int, int],
    *,
    said: tuple[int, int],
    statement: str = "",
    proposer: str = _PROPOSER,
) -> Draft:
    proposal = redact(answered.previous.answer_text).cut(*offered)
    words = redact(answered.turn.user_text).cut(*said)
    return Draft(
        kind=Kind.PROJECT_DECISION,
        statement=redact(statement).text or proposal,
        quotes=(
            Quote(
                role=Role.ASSISTANT,
                start=offered[0],
                end=offered[1],
                text=proposal,
                turn_id=answered.previous.id,
            ),
            Quote(
                role=Role.USER, start=said[0], end=said[1], text=words, turn_id=answered.turn.id
            ),
        ),
        intent=Intent.ASSERT,
        proposer=proposer,
    )
