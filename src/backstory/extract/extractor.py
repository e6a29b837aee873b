"""Drafts made by rule from the turns of a window, each judged by the gate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backstory.capture.redact import redact
from backstory.extract.confirmations import confirmations_in
from backstory.extract.context import Place
from backstory.extract.gate import candidate_from, check_draft, places_in, veto_reasons
from backstory.extract.language.clauses import Clause
from backstory.extract.rules import Rule, holds, rules
from backstory.extract.weighing.judging import PROPOSER, is_joined, is_sure, kind_of, weighed
from backstory.extract.weighing.neighbours import are_one, are_points, main_of
from backstory.extract.window import Window
from backstory.extract.wording import keywords_of
from backstory.model import limits
from backstory.model.candidate import Candidate, Draft, Quote, Verdict
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker

# A longer quote is no longer the place where something was said.
_SPELT_OUT_CHARS_MAX = 500
# What weight alone never proposes: clauses that point back, announce or say how long.
_SAYS_NOTHING = ("anaphoric", "opens_list", "rule_remark", "says_how_long")
# "each time", "without exception": a scope without what it is the scope of.
_KEYWORDS_MIN = 2

# No person writes so many clauses at once: what is beyond is pasted, and rules read it.
_WEIGHED_PLACES_MAX = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    """A rule that holds at a clause."""

    rule: Rule
    rank: int
    place: Place
    is_free: bool  # nothing speaks against the clause


def extract(window: Window) -> tuple[Verdict, ...]:
    """Return what the user's words of a window propose to remember, in their order.

    Refused drafts are among the verdicts: each had a signal of something lasting, and its
    reasons say why it was not taken. Weighing is not among them; see `discussion_of`.
    """
    verdicts: list[Verdict] = []
    for turn in window.turns:
        if turn.speaker is Speaker.HUMAN:
            verdicts.extend(check_draft(draft, window) for draft in drafts_of(turn, window))
    return tuple(verdicts[: limits.CANDIDATES_PER_BATCH_MAX])


def drafts_of(turn: Turn, window: Window) -> list[Draft]:
    """Return the drafts of one turn: confirmations of the answer before it, then statements."""
    drafts = list(confirmations_in(turn, window.before(turn)))
    confirmed_to = max((q.end for d in drafts for q in d.quotes if q.role is Role.USER), default=0)
    statements = [draft for draft in _statements(turn) if draft.quotes[0].start >= confirmed_to]
    return [*drafts, *statements][: limits.CANDIDATES_PER_BATCH_MAX]


def discussion_of(window: Window) -> tuple[Candidate, ...]:
    """Return what the turns weigh without deciding: non-factual, and for its thread only."""
    found: list[Candidate] = []
    for turn in window.turns:
        if turn.speaker is not Speaker.HUMAN:
            continue
        for place in places_in(turn.user_text):
            is_open = place.seen("", "undecided") and place.seen("segment", "tech")
            if is_open and place.clause_index == 0 and not place.seen("", "@asked"):
                found.extend(_discussion(turn, place))
    return tuple(found[: limits.CANDIDATES_PER_BATCH_MAX])


def _discussion(turn: Turn, place: Place) -> Iterator[Candidate]:
    draft = _draft(
        turn,
        kind=Kind.DISCUSSION_CONTEXT,
        span=(place.sentence.start, place.sentence.end),
        proposer="rule:weighing",
        intent=Intent.ASSERT,
    )
    yield candidate_from(draft)


def _statements(turn: Turn) -> list[Draft]:
    by_segment: dict[tuple[int, int], list[_Hit]] = {}
    for place in places_in(turn.user_text):
        hit = _hit_at(place)
        if hit is not None and not _is_outdone(hit):
            key = (place.sentence_index, place.clause.segment)
            by_segment.setdefault(key, []).append(hit)
    drafts = [draft for hits in by_segment.values() for draft in _drafts_of_segment(turn, hits)]
    drafts += _weighed_drafts(turn, drafts)
    in_order = _without_parts(sorted(drafts, key=lambda draft: draft.quotes[0].start))
    joined = _with_neighbours(turn, in_order)
    return [draft for draft in joined if not _points_back_only(turn, draft)]


def _points_back_only(turn: Turn, draft: Draft) -> bool:
    """Whether a draft that its weight alone proposes says nothing but that something holds."""
    if draft.proposer != PROPOSER:
        return False
    quote = draft.quotes[0]
    places = [
        p
        for p in places_in(turn.user_text)
        if quote.start <= p.clause.start and p.clause.end <= quote.end
    ]
    return bool(places) and all(any(p.seen("", t) for t in _SAYS_NOTHING) for p in places)


def _is_outdone(hit: _Hit) -> bool:
    """Whether something speaks against a rule, and the weight of the words for the clause."""
    return not hit.is_free and hit.rule.intent is not Intent.RETRACT and is_sure(hit.place)


def _with_neighbours(turn: Turn, drafts: list[Draft]) -> list[Draft]:
    """Join a draft that only its weight proposes to its neighbour, where the two are one."""
    places, text = places_in(turn.user_text), turn.user_text
    kept: list[Draft] = []
    for draft in drafts:
        joined = draft
        if kept and are_one(kept[-1], draft, places=places, text=text):
            earlier = kept.pop()
            main = main_of(earlier, draft, places=places)
            joined = _draft(
                turn,
                kind=main.kind,
                span=(earlier.quotes[0].start, draft.quotes[0].end),
                proposer=main.proposer,
                intent=main.intent,
            )
        kept.append(joined)
    return kept


def _weighed_drafts(turn: Turn, known: list[Draft]) -> Iterator[Draft]:
    """Make drafts of what no rule knows and the weight of its words says lasts.

    Neighbours in one part of a sentence are one draft, of the kind of the surest.
    """
    taken = [(draft.quotes[0].start, draft.quotes[0].end) for draft in known]
    group: list[Place] = []
    for place in (*_ends(places_in(turn.user_text)), None):
        following = place if place and not _is_taken(place, taken) and is_joined(place) else None
        if group and not (following and _is_next(group[-1], following)):
            yield from _weighed_draft(turn, group)
            group = []
        if following:
            group.append(following)


def _ends(places: Sequence[Place]) -> Sequence[Place]:
    """Return the first and the last places of a huge message; weighing is what takes longest."""
    if len(places) <= _WEIGHED_PLACES_MAX:
        return places
    half = _WEIGHED_PLACES_MAX // 2
    return (*places[:half], *places[-half:])


def _is_taken(place: Place, taken: list[tuple[int, int]]) -> bool:
    return any(place.clause.start < end and start < place.clause.end for start, end in taken)


def _is_next(earlier: Place, later: Place) -> bool:
    return (
        earlier.sentence_index == later.sentence_index
        and earlier.clause_index + 1 == later.clause_index
        and earlier.clause.segment == later.clause.segment
        and not are_points(earlier, later)
    )


def _weighed_draft(turn: Turn, group: list[Place]) -> Iterator[Draft]:
    content = [place for place in group if not place.clause.is_head]
    content = [place for place in content if not _tells_secret(turn, place)]
    if not content:
        return
    surest = max(content, key=lambda place: weighed(place).lasting)
    said = turn.user_text[group[0].clause.start : group[-1].clause.end]
    if not is_sure(surest) or len(keywords_of(said)) < _KEYWORDS_MIN:
        return
    name = weighed(surest).kind
    is_withdrawal = name == Intent.RETRACT.value
    yield _draft(
        turn,
        kind=Kind.PROJECT_FACT if is_withdrawal else Kind(name),
        span=(group[0].clause.start, group[-1].clause.end),
        proposer=PROPOSER,
        intent=_weighed_intent(surest, is_withdrawal=is_withdrawal),
    )


def _tells_secret(turn: Turn, place: Place) -> bool:
    """Whether a clause holds a secret: nothing but a rule knows what else it may say."""
    said = turn.user_text[place.clause.start : place.clause.end]
    return redact(turn.user_text).cut(place.clause.start, place.clause.end) != said


def _weighed_intent(place: Place, *, is_withdrawal: bool) -> Intent:
    if is_withdrawal:
        return Intent.RETRACT
    return Intent.REPLACE if _is_change(place) else Intent.ASSERT


def _without_parts(drafts: list[Draft]) -> list[Draft]:
    """Leave out a draft whose words are part of the one before it."""
    kept: list[Draft] = []
    for draft in drafts:
        if kept and draft.quotes[0].end <= kept[-1].quotes[0].end:
            continue
        kept.append(draft)
    return kept


def _hit_at(place: Place) -> _Hit | None:
    """Return the first rule that holds and that no refusal stops, else the first that holds."""
    refused: _Hit | None = None
    for rank, rule in enumerate(rules()):
        if not holds(rule.terms, place.seen):
            continue
        is_free = next(veto_reasons(place, rule.overrides), None) is None
        if is_free:
            return _Hit(rule=rule, rank=rank, place=place, is_free=True)
        refused = refused or _Hit(rule=rule, rank=rank, place=place, is_free=False)
    return refused


def _drafts_of_segment(turn: Turn, hits: list[_Hit]) -> Iterator[Draft]:
    """Make one draft of a segment's surest rule, and one of each clause that stands alone."""
    free = [hit for hit in hits if hit.is_free] or hits[:1]
    alone = [hit for hit in free if hit.rule.reach == "each"]
    for hit in alone:
        yield _draft_from(turn, hit, ends=(hit.place.clause, hit.place.clause))
    if alone:
        return
    best = min(free, key=lambda hit: hit.rank)
    if best.rule.reach == "sentence":
        clauses = best.place.sentence.clauses
        yield _draft_from(turn, best, ends=(clauses[0], clauses[-1]))
        return
    if best.rule.reach == "segment":
        content = [c for c in best.place.segment if not c.is_head] or [best.place.clause]
        yield _draft_from(turn, best, ends=(content[0], content[-1]))
        return
    same = [hit for hit in free if hit.rule.kind is best.rule.kind and hit.rule.reach == "clause"]
    for run in _runs_of(same):
        ends = (_with_scope(run[0].place), _with_contrast(run[-1].place))
        yield _draft_from(turn, min(run, key=lambda hit: hit.rank), ends=ends)


def _runs_of(hits: list[_Hit]) -> Iterator[list[_Hit]]:
    """Cut hits apart where one point of a list ends and the next begins."""
    run = hits[:1]
    for hit in hits[1:]:
        if are_points(run[-1].place, hit.place):
            yield run
            run = []
        run.append(hit)
    yield run


def _with_scope(place: Place) -> Clause:
    """Return the clause, or the one before it: for which cases it holds, or what it bounds."""
    earlier = [c for c in place.segment if c.start < place.clause.start and not c.is_head]
    is_bound = place.seen("", "contrast_tail")
    if earlier and (is_bound or place.view.has("scope_clause", earlier[-1].plain)):
        return earlier[-1]
    return place.clause


def _with_contrast(place: Place) -> Clause:
    """Return the clause, or the one after it: what is not meant, or what holds in its case."""
    later = [c for c in place.segment if c.start > place.clause.start]
    is_case = place.seen("", "only_a_case")
    if later and (is_case or place.view.has("contrast_tail", later[0].plain)):
        return later[0]
    return place.clause


def _draft_from(turn: Turn, hit: _Hit, *, ends: tuple[Clause, Clause]) -> Draft:
    start = ends[0].start
    for clause in hit.place.sentence.clauses:
        names_slot = clause.is_head and hit.place.view.has("slot", clause.plain)
        if names_slot and clause.start < start and hit.rule.reach != "each":
            start = clause.start
    intent = hit.rule.intent
    if intent is Intent.ASSERT and _is_change(hit.place):
        intent = Intent.REPLACE
    span = (start, _end_below(hit.place, ends[1].end))
    return _draft(
        turn,
        kind=_kind_of(hit, span),
        span=span,
        proposer=f"rule:{hit.rule.name}",
        intent=intent,
    )


def _kind_of(hit: _Hit, span: tuple[int, int]) -> Kind:
    """Return the rule's kind, unless the words of all it quotes speak clearly for another."""
    if hit.rule.intent is Intent.RETRACT:
        return hit.rule.kind
    places = places_in(hit.place.view.message.text)
    quoted = [p for p in places if span[0] <= p.clause.start and p.clause.end <= span[1]]
    content = [p for p in quoted if not p.clause.is_head and not p.seen("", "is_not")]
    return kind_of(content or [hit.place], hit.rule.kind)


def _end_below(place: Place, end: int) -> int:
    """Return the end of a rule that is spelt out below its sentence ("in this form: …")."""
    sentences = place.view.message.sentences
    points = place.sentence.clauses[-1].is_head and place.seen("sentence", "points_below")
    if points and place.sentence_index + 1 < len(sentences):
        below = sentences[place.sentence_index + 1].end
        return below if below - place.clause.start <= _SPELT_OUT_CHARS_MAX else end
    return end


def _is_change(place: Place) -> bool:
    return place.seen("sentence", "changes_mind_firmly") or place.seen(
        "head", "changes_mind_strongly"
    )


def _draft(
    turn: Turn, *, kind: Kind, span: tuple[int, int], proposer: str, intent: Intent
) -> Draft:
    start, end = span
    said = redact(turn.user_text).cut(start, end)
    return Draft(
        kind=kind,
        statement=said,
        quotes=(Quote(role=Role.USER, start=start, end=end, text=said, turn_id=turn.id),),
        intent=intent,
        proposer=proposer,
    )
