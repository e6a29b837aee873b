"""Search over raw turns: what was said, for a person or on request, never injected by itself."""

from collections.abc import Iterable, Sequence

from backstory.model.ids import ThreadId
from backstory.model.limits import QUERY_CHARS_MAX
from backstory.model.recall import TurnHit
from backstory.model.turn import Turn
from backstory.model.words import Role, TurnState
from backstory.ports.store import Tables
from backstory.recall.excerpts import excerpt
from backstory.segment.terms import is_stop_word, search_terms
from backstory.segment.tokens import Run, normalise, tokens

# A long answer repeats the words of a question; what the user said counts in full.
_ANSWER_WEIGHT = 0.5
# Around a turn that matches, its neighbours are about the same: each lends a share of its score.
# Tuned on LoCoMo (Maharana et al., 2024, https://github.com/snap-research/LoCoMo).
_NEIGHBOUR_SHARES = ((1, 0.5), (2, 0.3), (3, 0.15))
# The answer to a question often shares no word with it. Beside the best matches a turn may
# therefore be found without any, unless only one or two words are looked up.
_BESIDE_BEST = 20
_BESIDE_WORDS_MIN = 3
# As many are scored before neighbours are counted, for each hit asked for.
_SCORED_PER_HIT = 12
_SCORED_MIN = 120
# Turns that are not indexed yet and cannot be, because the store is read-only.
_SCANNED_MAX = 500
_TERMS_MAX = 48


def catch_up(tables: Tables, *, limit: int) -> int:
    """Index turns that came since, oldest first, and return how many were indexed.

    It stops before the first open turn, whose answer is not known yet.
    """
    watermark = tables.turn_texts.watermark()
    rows: list[tuple[int, str, str]] = []
    for turn in tables.turns.page(after_seq=watermark, limit=limit):
        if turn.state is TurnState.OPEN:
            break
        rows.append((turn.seq, _terms_of(turn.user_text), _terms_of(turn.answer_text)))
    tables.turn_texts.put(rows)
    return len(rows)


def search(tables: Tables, query: str, *, limit: int = 10) -> tuple[TurnHit, ...]:
    """Return the turns that hold words of a query, best first, each with its place and an excerpt.

    A turn must hold one of the words; where three or more are asked for it may also stand
    right beside one of the best that do. Turns that are not indexed yet are looked through
    one by one, five hundred at the most.
    """
    terms = _query_terms(query)
    if not terms or limit < 1:
        return ()
    ranked = tables.turn_texts.ranked(
        terms, limit=max(_SCORED_MIN, limit * _SCORED_PER_HIT), answer_weight=_ANSWER_WEIGHT
    )
    tail = tables.turns.page(after_seq=tables.turn_texts.watermark(), limit=_SCANNED_MAX)
    scored = [*ranked, *_scanned(tail, terms)]
    if _words_in(query) >= _BESIDE_WORDS_MIN:
        scored += [(turn, 0.0) for turn in tables.turn_texts.at(_places_beside(scored))]
    return tuple(
        _hit(turn, score, terms=terms) for turn, score in _with_neighbours(scored)[:limit]
    )


def _query_terms(query: str) -> tuple[str, ...]:
    """Return the terms of a query; of a long one the first that fit."""
    found = search_terms(normalise(query)[: QUERY_CHARS_MAX * 4])
    return tuple(dict.fromkeys(found))[:_TERMS_MAX]


def _words_in(query: str) -> int:
    """Count what is looked up: words, and pairs of characters where nothing parts words.

    "SQLite" is one word, though it is found by its parts as well.
    """
    return sum(
        len(token.pairs) if isinstance(token, Run) else not is_stop_word(token)
        for token in tokens(query)
    )


def _terms_of(text: str) -> str:
    return " ".join(search_terms(text))


def _scanned(turns: Iterable[Turn], terms: Sequence[str]) -> list[tuple[Turn, float]]:
    """Score turns without an index: the share of the terms that a turn holds."""
    found: list[tuple[Turn, float]] = []
    for turn in turns:
        own, answer = set(search_terms(turn.user_text)), set(search_terms(turn.answer_text))
        held = sum(1.0 if term in own else _ANSWER_WEIGHT * (term in answer) for term in terms)
        if held:
            found.append((turn, held))
    return found


def _places_beside(scored: Sequence[tuple[Turn, float]]) -> list[tuple[ThreadId, int]]:
    """Return the places right beside the best turns that no scored turn holds."""
    taken = {(turn.thread_id, turn.position) for turn, _ in scored}
    best = sorted(scored, key=lambda pair: (-pair[1], -pair[0].seq))[:_BESIDE_BEST]
    beside = {
        (turn.thread_id, turn.position + side)
        for turn, _ in best
        for side in (-1, 1)
        if turn.position + side >= 0
    }
    return sorted(beside - taken)


def _with_neighbours(scored: Sequence[tuple[Turn, float]]) -> list[tuple[Turn, float]]:
    """Return turns with what their neighbours in the thread lend them, best first."""
    scores = {(turn.thread_id, turn.position): score for turn, score in scored}

    def lent(turn: Turn) -> float:
        return sum(
            share * scores.get((turn.thread_id, turn.position + side * step), 0.0)
            for step, share in _NEIGHBOUR_SHARES
            for side in (-1, 1)
        )

    total = [(turn, score + lent(turn)) for turn, score in scored]
    return sorted(total, key=lambda pair: (-pair[1], -pair[0].seq))


def _hit(turn: Turn, score: float, *, terms: Sequence[str]) -> TurnHit:
    wanted = set(terms)
    in_user = len(wanted & set(search_terms(turn.user_text)))
    in_answer = len(wanted & set(search_terms(turn.answer_text)))
    role = Role.USER if in_user >= in_answer else Role.ASSISTANT
    text = turn.user_text if role is Role.USER else turn.answer_text
    return TurnHit(
        turn_id=turn.id,
        thread_id=turn.thread_id,
        position=turn.position,
        said_at_ms=turn.said_at_ms,
        role=role,
        excerpt=excerpt(text, wanted),
        score=round(score, 4),
    )
