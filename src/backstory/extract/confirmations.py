"""A user's yes, choice or correction, bound to the answer right before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backstory.capture.folding import fold
from backstory.capture.redact import redact
from backstory.extract.anchors import content_shared, shares_content
from backstory.extract.claims import claim_of
from backstory.extract.language.clauses import Clause, Sentence, read_message
from backstory.extract.language.lexicon import lexicon
from backstory.extract.proposals import NUMERALS, Offer, Option, offer_in
from backstory.extract.replies import (
    assenting,
    changes_in,
    is_assent,
    is_firm,
    is_put_off,
    late_assent,
    read_reply,
    restates,
)
from backstory.extract.window import Window
from backstory.model.candidate import Draft, Quote, Reason
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker, TurnState

_CHOICE = re.compile(
    r"(?:方案|选项|第|选|用|要|走|上|就|按|option|number|plan|choice|approach)\s{0,2}"
    r"([一二三四五六甲乙丙丁1-6a-f])(?![a-z0-9])(?!\s?(?:个月|年|天|分钟|小时|秒|次|级|台|份))"
    r"|^[(]?([甲乙丙丁](?![\u3400-\u9fff])|[甲乙丙丁](?=吧|方案|好|可以|行|案|就|更)|[1-6a-f](?=[)吧])|[a-f]$)"
    r"|(?<![\w.-])([1-6])(?![\w.%-])(?!\s?(?:个月|年|天|分钟|小时|秒|次|days?|weeks?|months?|minutes?|hours?|times))"
)
_LETTER = re.compile(r"(?<![\w'-])([A-F])(?![\w'-])")
_ORDINALS = {
    "first": 1, "former": 1, "前者": 1, "第一": 1, "second": 2, "latter": 2, "后者": 2, "第二": 2,
    "third": 3, "第三": 3, "last": -1, "最后一个": -1, "头一个": 1, "第一個": 1,
}  # fmt: skip
_ORDINAL = re.compile(
    r"\bthe (first|second|third|last|former|latter)\b"
    r"|^(first|second|third|last|former|latter)(?= one\b| option\b| please\b|$)"
    r"|(前者|后者|第[一二三](?=个|個|种|種|条|條|套|项|$)|最后一个|头一个)"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_SWAP = re.compile(r"(\w[\w.-]*)(?: \w+)? (?:rather than|instead of) (\w[\w.-]*)")
_SHORT_SENTENCE_CHARS = 14
_SHORT_CHOICE_CHARS = 32
_PROPOSER = "rule:confirmation"
# Values of claims that no name of the lexicon fills.
_NO_NAMES = {"", "yes"}
# "Do 2 and 4" after a numbered list of findings is a task; a choice is told by its words.
_REPORT_LINES_MIN = 3
_FOR_GOOD = ("accepts_firmly", "decided", "later", "universal")


def confirmations_in(turn: Turn, previous: Turn | None) -> tuple[Draft, ...]:
    """Return what a turn confirms of the answer before it.

    Nothing is confirmed where that turn is unknown or was not completed, where the answer
    offers nothing that lasts, or where the user asks, refuses or puts it off.
    """
    if previous is None or previous.state is not TurnState.COMPLETED or not previous.answer_text:
        return ()
    if turn.speaker is not Speaker.HUMAN:
        return ()
    sentences = read_reply(read_message(turn.user_text).sentences)
    offer = offer_in(previous.answer_text, asked=previous.user_text)
    if offer is None or not sentences or is_put_off(sentences):
        return ()
    answered = _Answered(turn=turn, previous=previous, offer=offer, sentences=sentences)
    return tuple(_drafts(answered))


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
    sentences: tuple[Sentence, ...]

    @property
    def first(self) -> Sentence:
        """The first sentence of the reply."""
        return self.sentences[0]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the reply, in order."""
        return tuple(clause for sentence in self.sentences for clause in sentence.clauses)

    def said(self, start: int, end: int) -> str:
        """The user's words there."""
        return self.turn.user_text[start:end]


def _drafts(answered: _Answered) -> Iterator[Draft]:
    offer = answered.offer
    chosen = _chosen(answered)
    if chosen:
        if not (_is_report(offer) or _takes_step(answered)) or _is_for_good(answered):
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
    said = _assent(answered)
    if confirmed is None or said is None or _names_another(answered, confirmed):
        return
    yield _draft(answered, confirmed, said=said)


def _names_another(answered: _Answered, offered: tuple[int, int]) -> bool:
    """Whether the reply itself names what is chosen, and this part of the answer does not.

    "Settled, the database is SQLite" is no yes to what the answer said of its price.
    """
    said = claim_of(answered.turn.user_text, kind=Kind.PROJECT_DECISION)
    if said is None or said.value in _NO_NAMES:
        return False
    offer = answered.previous.answer_text[slice(*offered)]
    claim = claim_of(offer, kind=Kind.PROJECT_DECISION)
    is_same = claim is not None and claim.value == said.value
    return not is_same and said.value not in fold(offer)


def _is_report(offer: Offer) -> bool:
    """Whether an answer has so many lines that its numbers may be findings or steps to take.

    One that favours a single point of them offers a choice.
    """
    return offer.recommended is None and offer.answer.count("\n") >= _REPORT_LINES_MIN


def _takes_step(answered: _Answered) -> bool:
    """Whether the reply only says with which step of several to go on."""
    return lexicon().has("takes_step", answered.first.plain)


def _is_for_good(answered: _Answered) -> bool:
    """Whether the reply says that what it chooses is settled, or is to hold from now on."""
    words = lexicon()
    return any(
        words.has(tag, sentence.plain) for sentence in answered.sentences for tag in _FOR_GOOD
    )


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
        labels += _labels(answered, clause) or _named(answered, clause)
    return [option for option in answered.offer.options if option.label in labels]


def _labels(answered: _Answered, clause: Clause) -> list[str]:
    found = [m.group(1) or m.group(2) or m.group(3) for m in _CHOICE.finditer(clause.plain)]
    found += [
        m.group(1).lower() for m in _LETTER.finditer(answered.said(clause.start, clause.end))
    ]
    options = answered.offer.options
    for match in _ORDINAL.finditer(clause.plain):
        place = _ORDINALS[match.group(match.lastindex or 1)]
        index = place - 1 if place > 0 else len(options) - 1
        if index < len(options):
            found.append(options[index].label)
    return [NUMERALS.get(label, label) for label in found]


def _named(answered: _Answered, clause: Clause) -> list[str]:
    """Return the label of the one option that a short clause takes up by its content."""
    words = lexicon()
    is_long = clause.end - clause.start > _SHORT_CHOICE_CHARS
    if is_long or any(words.has(tag, clause.plain) for tag in ("amends", "refuses")):
        return []
    shared = [
        content_shared(clause.plain, answered.offer.answer[option.start : option.end])
        for option in answered.offer.options
    ]
    best = max(shared)
    if best == 0 or shared.count(best) > 1:
        return []
    return [answered.offer.options[shared.index(best)].label]


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
    # A number that leads a reply is no clause of its own: "Two, because …".
    lead = answered.said(0, clause.start).strip(" ,.:;，。")
    said = lead or answered.said(clause.start, clause.end)
    if content_shared(said, left) == content_shared(said, right) or len(said) > 60:
        return
    yield _draft(
        answered,
        (answered.offer.start, answered.offer.end),
        said=(0 if lead else clause.start, answered.first.end),
        statement=f"{said} ({question.rstrip('?？ ')})",
    )


def _assent(answered: _Answered) -> tuple[int, int] | None:
    """Return the span of a yes to the one thing offered that nothing takes back."""
    clauses = answered.clauses
    run = assenting(clauses, answered.offer)
    if run == 0:
        late = late_assent(clauses)
        return None if late is None else (clauses[late].start, clauses[late].end)
    is_firm_yes = any(is_firm(c.plain) or restates(c.plain, answered.offer) for c in clauses[:run])
    if answered.offer.ends_with_other_question and not is_firm_yes:
        return None
    rest = [c for c in answered.first.clauses if c.start > clauses[run - 1].start]
    if not _leaves_standing(answered, rest, is_firm_yes=is_firm_yes):
        return None
    return _quote_span(answered)


def _leaves_standing(answered: _Answered, rest: list[Clause], *, is_firm_yes: bool) -> bool:
    """Whether what follows a yes in its sentence does not take the yes back."""
    words = lexicon()
    if any(words.has(tag, c.plain) for c in rest for tag in ("defers", "rejects_all")):
        return False
    refusals = (words.find("refuses", c.plain) for c in rest)
    if not is_firm_yes and any(found and found.start() == 0 for found in refusals):
        return False
    if not rest or is_firm_yes:
        return True
    text = " ".join(c.plain for c in rest)
    return shares_content(text, answered.offer.text) or not words.has("task_lead", rest[0].plain)


def _amendment(answered: _Answered) -> tuple[int, int] | None:
    """Return the span of a change that the reply asks of the proposal."""
    clauses = answered.clauses
    index = next(changes_in(clauses, answered.offer), None)
    if index is None:
        return None
    start = clauses[index].start
    place = next(i for i, s in enumerate(answered.sentences) if start < s.end)
    end = answered.sentences[place].end
    for following in answered.sentences[place + 1 : place + 2]:
        is_short = following.end - following.start <= _SHORT_SENTENCE_CHARS
        if is_short and not is_assent(following.plain):
            end = following.end
    return (start, end)


def _quote_span(answered: _Answered) -> tuple[int, int]:
    """Return the words that say yes: their sentence, without a task that follows in it."""
    clauses = answered.clauses
    run = max(1, assenting(clauses, answered.offer))
    last = clauses[run - 1]
    ends = next(s.end for s in answered.sentences if last.start < s.end)
    for clause in clauses[run:]:
        if clause.end > ends or lexicon().has("task_lead", clause.plain):
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
