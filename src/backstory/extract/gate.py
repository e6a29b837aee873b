"""The gate: every check that stands between a proposal and memory. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from backstory.capture.redact import redact
from backstory.extract.anchors import is_negative, shares_content, unanchored_words
from backstory.extract.claims import claim_of
from backstory.extract.claims.aliases import slot_aliases
from backstory.extract.confirmations import confirmation_problems
from backstory.extract.context import Place, places_of
from backstory.extract.language.clauses import read_message
from backstory.extract.language.reasons import reason_beside
from backstory.extract.rules import Rule, acts, holds, rules, vetoes
from backstory.extract.weighing.judging import (
    OFFERED,
    PROPOSER,
    is_doubtful,
    is_sure,
    weighed,
)
from backstory.extract.window import Window
from backstory.extract.wording import (
    aliases_of,
    keywords_of,
    paths_of,
    synopsis_of,
    synopsis_with,
    title_of,
)
from backstory.model import limits
from backstory.model.candidate import Candidate, Draft, Quote, Reason, Refused, Verdict
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker

# Refusals that count wherever they fall in a quote; the others only if no clause is free of them.
HARD = frozenset(
    {
        "off-record", "question", "undecided", "hypothetical", "one-off", "reported",
        "rejected-view", "irony", "wording", "remembering-product",
    }
)  # fmt: skip
# Refusals that no weight of words can outweigh.
NEVER_WEIGHED = frozenset(
    {"off-record", "question", "rejected-view", "wording", "irony", "one-off"}
)
_SHORT_ANSWER_CHARS = 400
_WITH_EVENTS = frozenset({Kind.TOOL_LESSON, Kind.FAILURE_LESSON})
_CONFIRMABLE = frozenset(
    {Kind.PROJECT_DECISION, Kind.CODE_CONVENTION, Kind.USER_PREFERENCE, Kind.PROJECT_FACT}
)


def check_draft(draft: Draft, window: Window) -> Verdict:
    """Judge one proposal, whoever made it. A refusal names every reason found.

    The draft's own offsets, texts, roles and kind are taken for claims, not for facts: each
    is compared with the turns of the window.
    """
    reasons = tuple(_problems(draft, window))
    if reasons:
        return Refused(draft=draft, reasons=reasons)
    return _with_reason(candidate_from(draft), window)


@lru_cache(maxsize=4)
def places_in(text: str) -> tuple[Place, ...]:
    """Return the clauses of a user's text; kept for the few texts that are judged at once."""
    return tuple(places_of(read_message(text)))


def veto_reasons(place: Place, overridden: frozenset[str]) -> Iterator[Reason]:
    """Yield why a clause is no source, but for the refusals that its rule overrides."""
    for veto in vetoes():
        if veto.slug not in overridden and veto.applies(place.seen):
            yield Reason(slug=veto.slug, message=veto.message)


def _problems(draft: Draft, window: Window) -> Iterator[Reason]:
    if not draft.statement.strip() or len(draft.statement) > limits.STATEMENT_CHARS_MAX:
        yield Reason(slug="statement", message="the statement is empty or too long")
    if not 1 <= len(draft.quotes) <= limits.QUOTES_MAX:
        yield Reason(slug="no-quote", message="a proposal needs one to eight quotes")
        return
    inexact = [reason for quote in draft.quotes for reason in _quote_problems(quote, window)]
    yield from inexact
    yield from _role_problems(draft)
    if inexact:
        return
    yield from _act_problems(draft, window)
    yield from _statement_problems(draft, window)


def _quote_problems(quote: Quote, window: Window) -> Iterator[Reason]:
    if quote.event_id is not None:
        return
    turn = window.find(quote.turn_id or "")
    if turn is None:
        yield Reason(slug="quote-turn", message="the quoted turn is not among those read")
        return
    text = _said(turn, quote.role)
    if quote.end > len(text):
        yield Reason(slug="quote-inexact", message="the quote reaches beyond its turn")
    elif quote.text not in {
        text[quote.start : quote.end],
        redact(text).cut(quote.start, quote.end),
    }:
        yield Reason(slug="quote-inexact", message="the quote is not what the turn says there")
    elif len(quote.text) > limits.QUOTE_CHARS_MAX:
        yield Reason(slug="quote-long", message="the quote is too long to be evidence")
    if quote.role is Role.USER and turn.speaker is not Speaker.HUMAN:
        yield Reason(slug="not-human", message="the quoted words are a host's, not a person's")
    if quote.role is Role.USER and window.is_copied(quote, text):
        yield Reason(slug="checked-in", message="it is copied from a file that agents read anyway")


def _said(turn: Turn, role: Role) -> str:
    return turn.user_text if role is Role.USER else turn.answer_text


def _role_problems(draft: Draft) -> Iterator[Reason]:
    roles = {quote.role for quote in draft.quotes}
    if Role.EVENT in roles and draft.kind not in _WITH_EVENTS:
        yield Reason(slug="role", message="an event cannot prove this kind")
    if Role.USER not in roles and roles != {Role.EVENT}:
        yield Reason(slug="role", message="only the assistant said it")
    if roles == {Role.EVENT} and len(draft.quotes) < 2:
        yield Reason(slug="role", message="a lesson from events needs two of them")
    if Role.ASSISTANT in roles and draft.kind not in _CONFIRMABLE:
        yield Reason(slug="role", message="the assistant's words cannot prove this kind")


def _act_problems(draft: Draft, window: Window) -> Iterator[Reason]:
    user_quotes = [quote for quote in draft.quotes if quote.role is Role.USER]
    if any(quote.role is Role.ASSISTANT for quote in draft.quotes):
        yield from confirmation_problems(draft, window)
        yield from _offer_problems(draft, window)
        return
    for quote in user_quotes:
        turn = window.find(quote.turn_id or "")
        if turn is not None:
            yield from _clause_problems(draft, quote, text=turn.user_text)


def _offer_problems(draft: Draft, window: Window) -> Iterator[Reason]:
    """Yield why agreeing to a passage of a long answer decides nothing.

    A short answer is its offer. A long one reports, reviews and lists, and a "yes" to it is
    mostly a go-ahead: the words agreed to must themselves state something lasting.
    """
    for quote in (quote for quote in draft.quotes if quote.role is Role.ASSISTANT):
        turn = window.find(quote.turn_id or "")
        if turn is None or len(turn.answer_text) <= _SHORT_ANSWER_CHARS:
            continue
        offered = [p for p in places_in(turn.answer_text) if _overlaps(p, quote)]
        if all(weighed(place).lasting < OFFERED for place in offered):
            yield Reason(slug="no-offer", message="what was agreed to is no lasting offer")


def _overlaps(place: Place, quote: Quote) -> bool:
    return place.clause.start < quote.end and quote.start < place.clause.end


def _clause_problems(draft: Draft, quote: Quote, *, text: str) -> Iterator[Reason]:
    places = _covered(quote, text)
    if not places:
        yield Reason(
            slug="not-prose", message="the quote is code, quoted or pasted, or a host's text"
        )
        return
    if draft.proposer == PROPOSER:
        yield from _weighed_problems(places)
        return
    rule = _rule_of(draft)
    overridden = rule.overrides if rule else frozenset[str]()
    found = {place: tuple(veto_reasons(place, overridden)) for place in places}
    acting = [place for place in places if _performs(draft, place, rule=rule)]
    if not acting:
        yield Reason(slug="act", message=f"no clause of the quote does what a {draft.kind} needs")
    seen: set[str] = set()
    for place, reasons in found.items():
        for reason in reasons:
            is_hard = reason.slug in HARD and (rule is None or place in acting)
            is_everywhere = acting and all(reason in found[other] for other in acting)
            if (is_hard or is_everywhere) and reason.slug not in seen:
                seen.add(reason.slug)
                yield reason
    # A wish put as a question, and words that take back, are weighed as what they look like.
    is_asked = any(place.seen("", "@asked") for place in places)
    is_undoubted = rule is not None and rule.is_undoubted
    is_weighed = draft.intent is not Intent.RETRACT and not is_asked and not is_undoubted
    kind = draft.kind if rule else None
    if acting and not seen and is_weighed and is_doubtful(places, kind=kind):
        yield Reason(slug="doubtful", message="how it is said speaks against something lasting")


def _weighed_problems(places: list[Place]) -> Iterator[Reason]:
    """Yield what is wrong with a draft that no rule but the weight of its words proposes."""
    if not any(is_sure(place) for place in places):
        yield Reason(slug="weak", message="too little in its words says that it lasts")
    for place in places:
        yield from (r for r in veto_reasons(place, frozenset()) if r.slug in NEVER_WEIGHED)


def _covered(quote: Quote, text: str) -> list[Place]:
    """Return the clauses of which a quote takes the better part, or that hold it."""
    covered = []
    for place in places_in(text):
        clause = place.clause
        shared = min(clause.end, quote.end) - max(clause.start, quote.start)
        if shared > 0 and 2 * shared >= min(clause.end - clause.start, quote.end - quote.start):
            covered.append(place)
    return covered


def _rule_of(draft: Draft) -> Rule | None:
    name = draft.proposer.removeprefix("rule:")
    return next((rule for rule in rules() if f"rule:{rule.name}" == f"rule:{name}"), None)


def _performs(draft: Draft, place: Place, *, rule: Rule | None) -> bool:
    """Whether a clause does what the kind needs: by the draft's rule, or for a model's by any."""
    if rule is not None:
        is_fit = draft.intent in {rule.intent, Intent.REPLACE}
        return is_fit and holds(rule.terms, place.seen)
    if draft.intent is Intent.RETRACT:
        return any(r.intent is Intent.RETRACT and holds(r.terms, place.seen) for r in rules())
    by_rule = any(r.kind is draft.kind and holds(r.terms, place.seen) for r in rules())
    return by_rule or any(holds(way, place.seen) for way in acts()[draft.kind])


def _statement_problems(draft: Draft, window: Window) -> Iterator[Reason]:
    evidence = " ; ".join(quote.text for quote in draft.quotes)
    missing = unanchored_words(draft.statement, evidence)
    if missing:
        words = ", ".join(missing[:5])
        yield Reason(
            slug="unanchored", message=f"the statement says more than its evidence: {words}"
        )
    if draft.intent is Intent.RETRACT or any(q.role is Role.EVENT for q in draft.quotes):
        return
    parts = [part for quote in draft.quotes for part in _clause_texts(quote, window)]
    if is_negative(draft.statement):
        agrees = any(is_negative(part) for part in parts)
    else:
        sharing = [part for part in parts if shares_content(draft.statement, part)]
        agrees = not sharing or not all(is_negative(part) for part in sharing)
    if not agrees:
        yield Reason(
            slug="polarity",
            message="the statement affirms what its evidence denies, or the reverse",
        )


def _clause_texts(quote: Quote, window: Window) -> Iterator[str]:
    """Yield the text of the clauses around a quote: a cut "use X" is read with its "do not"."""
    turn = window.find(quote.turn_id or "")
    if turn is None or quote.role is not Role.USER:
        yield quote.text
        return
    clauses = [place.clause for place in _covered(quote, turn.user_text)]
    for clause in clauses:
        yield turn.user_text[clause.start : clause.end]
    yield from () if clauses else (quote.text,)


def candidate_from(draft: Draft) -> Candidate:
    """Make the candidate of a draft that has been judged: secrets out, words for search in."""
    statement = redact(draft.statement.strip()).text
    claim = claim_of(statement, kind=draft.kind)
    return Candidate(
        kind=draft.kind,
        statement=statement,
        quotes=tuple(_without_secrets(quote) for quote in draft.quotes),
        intent=draft.intent,
        title=title_of(redact(draft.title).text or statement),
        synopsis=synopsis_of(statement),
        aliases=(*aliases_of(statement), *slot_aliases(claim))[: limits.CANDIDATE_ALIASES_MAX],
        keywords=keywords_of(statement),
        paths=paths_of(statement),
        claim=claim,
        proposer=draft.proposer,
    )


def _with_reason(candidate: Candidate, window: Window) -> Candidate:
    """Add why it holds, where the user said so in the same breath, as a quote of its own."""
    said = next((q for q in candidate.quotes if q.role is Role.USER), None)
    turn = window.find(said.turn_id or "") if said else None
    is_withdrawal = candidate.intent is Intent.RETRACT
    has_room = len(candidate.quotes) < limits.QUOTES_MAX and candidate.kind.is_factual
    if said is None or turn is None or is_withdrawal or not has_room:
        return candidate
    span = reason_beside(turn.user_text, (said.start, said.end))
    if span is None:
        return candidate
    text = redact(turn.user_text).cut(*span)
    synopsis = synopsis_with(candidate.statement, text)
    if text in candidate.statement or synopsis is None:
        return candidate
    quote = Quote(role=Role.USER, start=span[0], end=span[1], text=text, turn_id=turn.id)
    return replace(candidate, synopsis=synopsis, quotes=(*candidate.quotes, quote))


def _without_secrets(quote: Quote) -> Quote:
    return Quote(
        role=quote.role,
        start=quote.start,
        end=quote.end,
        text=redact(quote.text).text,
        turn_id=quote.turn_id,
        event_id=quote.event_id,
    )
