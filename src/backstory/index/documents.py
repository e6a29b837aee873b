"""Items and episodes as index documents: which fields count how much. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.ports.store_rows import NewDocument, Posting
from backstory.segment.fields import Field
from backstory.segment.places import branch_term, path_terms, ticket_term
from backstory.segment.terms import Term, TermKind, name_term, terms

# How often a term counts in each field: names say what an entry is about, its text what it
# mentions, paths and branches only where it lives. Tuned on labelled questions.
_WEIGHTS = {
    Field.TITLE: 3.0,
    Field.ALIAS: 3.0,
    Field.KEYWORD: 2.5,
    Field.STATEMENT: 1.2,
    Field.DETAIL: 0.8,
    Field.PATH: 0.6,
    Field.DECISION: 1.5,
    Field.REASON: 1.2,
    Field.PROBLEM: 1.2,
    Field.TODO: 1.2,
    Field.BRANCH: 0.6,
    Field.TICKET: 0.6,
}

# BM25's saturation and length normalisation (Robertson and Zaragoza, "The Probabilistic
# Relevance Framework", 2009), with a fixed typical length in place of the mean: a posting is
# then final when it is written, and does not change with every entry that comes after it.
_K1 = 1.2
_B = 0.4
_TYPICAL_LENGTH = 60.0

# A word may be repeated by somebody who pastes; beyond this it says nothing new.
_REPEATS_MAX = 3
# Longer texts are cut for the index; the text itself is kept whole.
_TERMS_MAX = 4_000

_Text = tuple[Field, str]
# A field with its text, and what that is taken apart into.
_Parted = tuple[Field, str, Sequence[Term]]


def item_document(item: Item) -> NewDocument:
    """Return what the index holds of an item."""
    texts = _parted(_item_texts(item))
    places = [(Field.PATH, term) for path in item.revision.paths for term in path_terms(path)]
    return NewDocument(
        entry_id=item.id,
        is_item=True,
        thread_id=item.thread_id,
        started_at_ms=item.created_at_ms,
        postings=_postings(texts, places),
        spellings=_spellings(texts),
    )


def episode_document(episode: Episode) -> NewDocument:
    """Return what the index holds of an episode."""
    texts = _parted(_episode_texts(episode))
    places = [(Field.PATH, t) for path in episode.summary.changes for t in path_terms(path)]
    places += [(Field.TICKET, ticket_term(ticket)) for ticket in episode.tickets]
    if episode.branch:
        places.append((Field.BRANCH, branch_term(episode.branch)))
    return NewDocument(
        entry_id=episode.id,
        is_item=False,
        thread_id=None,
        started_at_ms=episode.started_at_ms,
        postings=_postings(texts, places),
        spellings=_spellings(texts),
    )


def _item_texts(item: Item) -> Iterator[_Text]:
    revision = item.revision
    yield Field.TITLE, revision.title
    yield from ((Field.ALIAS, alias) for alias in revision.aliases)
    yield from ((Field.KEYWORD, word) for word in (*revision.keywords, *revision.tags))
    yield Field.STATEMENT, revision.statement
    yield Field.DETAIL, revision.detail
    yield from ((Field.PATH, path) for path in revision.paths)


def _episode_texts(episode: Episode) -> Iterator[_Text]:
    summary = episode.summary
    yield Field.TITLE, summary.objective
    yield from ((Field.KEYWORD, word) for word in summary.keywords)
    # What an item says is found by the item, and leaves every index with it.
    for decision in (one for one in summary.decisions if one.item_id is None):
        yield Field.DECISION, decision.decision
        yield Field.REASON, decision.reason
    yield from ((Field.PROBLEM, problem) for problem in summary.problems)
    yield from ((Field.TODO, todo.text) for todo in summary.todos)
    yield from ((Field.PATH, path) for path in summary.changes)
    yield from ((Field.TICKET, ticket) for ticket in episode.tickets)
    if episode.branch:
        yield Field.BRANCH, episode.branch


def _parted(texts: Iterable[_Text]) -> list[_Parted]:
    """Take each text apart once: a title is often the statement, and both are needed twice."""
    known: dict[str, Sequence[Term]] = {}
    parted: list[_Parted] = []
    for field, text in texts:
        if text not in known:
            known[text] = terms(text)[:_TERMS_MAX]
        parted.append((field, text, known[text]))
    return parted


def _postings(texts: list[_Parted], places: list[tuple[Field, str]]) -> tuple[Posting, ...]:
    counts: dict[tuple[str, Field], int] = {}
    for field, _, held in texts:
        for term in held:
            counts[term.text, field] = counts.get((term.text, field), 0) + 1
    weights: dict[str, float] = {}
    fields: dict[str, int] = {}
    for (term_text, field), count in counts.items():
        seen = min(count, _REPEATS_MAX) * _WEIGHTS[field]
        weights[term_text] = weights.get(term_text, 0.0) + seen
        fields[term_text] = fields.get(term_text, 0) | field
    room = _K1 * (1 - _B + _B * len(counts) / _TYPICAL_LENGTH)
    found = {t: Posting(t, round(w / (w + room), 4), fields[t]) for t, w in weights.items()}
    for field, name in [*_names(texts), *places]:
        before = found.get(name)
        found[name] = Posting(name, 1.0, field | (before.fields if before else 0))
    return tuple(found[term_text] for term_text in sorted(found))


def _names(texts: Iterable[_Parted]) -> Iterator[tuple[Field, str]]:
    """Yield whole names, and whole statements too: whatever is stored finds itself."""
    named = Field.TITLE | Field.ALIAS | Field.KEYWORD | Field.STATEMENT
    for field, text, _ in texts:
        key = name_term(text) if field & named else ""
        if key:
            yield field, key


def _spellings(texts: Iterable[_Parted]) -> tuple[str, ...]:
    words = {term.surface for _, _, held in texts for term in held if _is_spelt(term)}
    return tuple(sorted(words))


def _is_spelt(term: Term) -> bool:
    return term.kind in {TermKind.WORD, TermKind.WHOLE} and len(term.surface) >= 3
