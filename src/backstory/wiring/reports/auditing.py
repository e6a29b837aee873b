"""Looking for secrets in what is stored: where they are and of what sort, never what they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from backstory.adapters.detectors import Detectors
from backstory.capture.redact import redact
from backstory.model.item import ItemStory
from backstory.model.words import CandidateState, Status
from backstory.ports.store import Store, Tables

_PAGE = 200
_PROPOSALS_MAX = 2_000

Types = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFound:
    """One sort of secret in one place.

    `is_derived` tells what was made from what was said: there, secrets should have been replaced.
    What was said is stored as it was said, unless secrets are to be left out at capture.
    """

    place: str  # such as "turn t_1, user" or "item m_1"
    type: str
    is_derived: bool


def found_secrets(store: Store, *, deep: bool = False) -> tuple[SecretFound, ...]:
    """Return every secret that the patterns find, with `deep` also those of `detect-secrets`."""
    types_in = _deep_types(Detectors()) if deep else _types
    return tuple(
        SecretFound(place=place, type=type_, is_derived=is_derived)
        for place, text, is_derived in _texts(store)
        for type_ in types_in(text)
    )


def _types(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(secret.type for secret in redact(text).secrets))


def _deep_types(detectors: Detectors) -> Types:
    return lambda text: (*_types(text), *detectors.types_in(redact(text).text))


def _texts(store: Store) -> Iterator[tuple[str, str, bool]]:
    yield from _said(store)
    yield from _happened(store)
    with store.reading() as tables:
        derived = [*_of_items(tables), *_of_proposals(tables), *_of_work(tables)]
    yield from ((place, text, True) for place, text in derived)


def _said(store: Store) -> Iterator[tuple[str, str, bool]]:
    after = 0
    while True:
        with store.reading() as tables:
            turns = tables.turns.page(after_seq=after, limit=_PAGE)
        for turn in turns:
            yield f"turn {turn.id}, user", turn.user_text, False
            yield f"turn {turn.id}, answer", turn.answer_text, False
            yield f"turn {turn.id}, error", turn.error or "", False
        if not turns:
            return
        after = turns[-1].seq


def _happened(store: Store) -> Iterator[tuple[str, str, bool]]:
    after = 0
    while True:
        with store.reading() as tables:
            events = tables.events.page(after_seq=after, limit=_PAGE)
        yield from ((f"event {event.id}", event.text, False) for event in events)
        if not events:
            return
        after = events[-1].seq


def _of_items(tables: Tables) -> Iterator[tuple[str, str]]:
    for item in tables.items.listed(statuses=tuple(Status)):
        story = tables.items.story(item.id)
        if story is not None:
            yield f"item {item.id}", _words_of(story)


def _words_of(story: ItemStory) -> str:
    words = [evidence.quote.text for evidence in story.evidence]
    for revision in story.revisions:
        words += [revision.title, revision.statement, revision.synopsis, revision.detail]
        words += [*revision.aliases, *revision.keywords]
    return "\n".join(words)


def _of_proposals(tables: Tables) -> Iterator[tuple[str, str]]:
    for row in tables.candidates.recent(limit=_PROPOSALS_MAX, states=tuple(CandidateState)):
        quotes = [quote.text for quote in row.quotes]
        yield f"proposal {row.id}", "\n".join((row.statement, row.title, *quotes))


def _of_work(tables: Tables) -> Iterator[tuple[str, str]]:
    for thread in tables.threads.listed():
        yield f"summary of thread {thread.id}", thread.summary
    for job in tables.jobs.listed():
        yield f"job {job.id}", f"{job.last_error or ''}\n{job.diagnosis}"
