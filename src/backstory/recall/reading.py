"""One item in full for an agent, within bounds."""

from dataclasses import replace

from backstory.model.candidate import Quote
from backstory.model.ids import ItemId, ThreadId
from backstory.model.item import ItemStory
from backstory.model.limits import READ_CHARS_MAX, READ_EXCERPT_CHARS_MAX, READ_SOURCES_MAX
from backstory.model.recall import Reading
from backstory.ports.store import Tables
from backstory.recall.hits import hidden_because

_CUT = "…"


def read(tables: Tables, item_id: ItemId, *, thread_id: ThreadId | None = None) -> Reading | None:
    """Return an item with its newest sources, or None where none may be seen from this thread.

    Content is at most 4,000 characters, with at most three sources of 800 characters.
    """
    story = tables.items.story(item_id)
    if story is None or hidden_because(story.item, thread_id) is not None:
        return None
    revision = story.item.revision
    content = "\n\n".join(text for text in (revision.statement, revision.detail) if text)
    return Reading(
        item=story.item,
        content=_cut(content, READ_CHARS_MAX),
        sources=tuple(_excerpt(quote) for quote in _newest(story)),
        is_factual=story.item.kind.is_factual,
    )


def _newest(story: ItemStory) -> list[Quote]:
    """Return the quotes that prove the current revision first, newest first."""
    ordered = sorted(
        enumerate(story.evidence),
        key=lambda pair: (-pair[1].revision, -pair[1].said_at_ms, pair[0]),
    )
    return [evidence.quote for _, evidence in ordered[:READ_SOURCES_MAX]]


def _excerpt(quote: Quote) -> Quote:
    return replace(quote, text=_cut(quote.text, READ_EXCERPT_CHARS_MAX))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - len(_CUT)] + _CUT
