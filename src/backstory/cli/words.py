"""How memory's things are worded on a screen, and which fields of them JSON shows."""

from backstory.cli.render import Screen, day
from backstory.model.candidate import Quote, StoredCandidate
from backstory.model.episode import Episode
from backstory.model.item import Evidence, Item, ItemStory
from backstory.model.recall import Hit
from backstory.model.words import Kind, Status

_KINDS = {
    Kind.USER_PREFERENCE: "preference",
    Kind.PROJECT_DECISION: "decision",
    Kind.CODE_CONVENTION: "convention",
    Kind.PROJECT_FACT: "fact",
    Kind.REFERENCE: "reference",
    Kind.TOOL_LESSON: "tool lesson",
    Kind.FAILURE_LESSON: "lesson",
    Kind.DISCUSSION_CONTEXT: "under discussion",
}


def kind_word(kind: Kind) -> str:
    """Return how a kind is called on a screen."""
    return _KINDS[kind]


def item_row(item: Item) -> dict[str, object]:
    """Return an item as JSON shows it."""
    revision = item.revision
    return {
        "id": item.id,
        "kind": item.kind,
        "scope": item.scope,
        "status": item.status,
        "title": revision.title,
        "statement": revision.statement,
        "detail": revision.detail,
        "aliases": revision.aliases,
        "keywords": revision.keywords,
        "paths": revision.paths,
        "pinned": item.is_pinned,
        "factual": item.kind.is_factual,
        "revision": revision.number,
        "author": revision.author,
        "superseded_by": item.superseded_by,
        "created_at_ms": item.created_at_ms,
        "updated_at_ms": item.updated_at_ms,
    }


def quote_row(quote: Quote) -> dict[str, object]:
    """Return a quote as JSON shows it."""
    return {
        "role": quote.role,
        "text": quote.text,
        "turn": quote.turn_id,
        "event": quote.event_id,
        "start": quote.start,
        "end": quote.end,
    }


def story_row(story: ItemStory) -> dict[str, object]:
    """Return an item with what proves and explains it as JSON shows it."""
    return {
        **item_row(story.item),
        "evidence": [
            {**quote_row(proof.quote), "said_at_ms": proof.said_at_ms, "revision": proof.revision}
            for proof in story.evidence
        ],
        "revisions": story.revisions,
        "supersedes": story.supersedes,
    }


def candidate_row(candidate: StoredCandidate) -> dict[str, object]:
    """Return a proposal as JSON shows it."""
    return {
        "id": candidate.id,
        "kind": candidate.kind,
        "intent": candidate.intent,
        "statement": candidate.statement,
        "state": candidate.state,
        "reasons": candidate.reasons,
        "quotes": [quote_row(quote) for quote in candidate.quotes],
        "item": candidate.item_id,
        "created_at_ms": candidate.created_at_ms,
    }


def hit_row(hit: Hit) -> dict[str, object]:
    """Return a hit as JSON shows it."""
    entry = hit.entry
    found = (
        {
            "type": "episode",
            "id": entry.id,
            "title": entry.summary.objective,
            "summary": entry.summary,
        }
        if isinstance(entry, Episode)
        else {"type": "item", **item_row(entry)}
    )
    return {
        **found,
        "lane": hit.lane,
        "score": hit.score,
        "reasons": hit.reasons,
        "age_ms": hit.age_ms,
        "origin": hit.origin,
        "stale": hit.is_stale,
    }


def show_item(screen: Screen, item: Item) -> None:
    """Write one item in a line, and what is remarkable about it."""
    marks = [
        mark
        for mark, holds in (
            ("pinned", item.is_pinned),
            (item.status.value, item.status is not Status.ACTIVE),
            ("not a fact", not item.kind.is_factual),
        )
        if holds
    ]
    screen.line(
        (item.id, "dim"),
        "  ",
        (kind_word(item.kind), "cyan"),
        "  ",
        item.revision.statement.replace("\n", " "),
        (f"  ({', '.join(marks)})" if marks else "", "yellow"),
    )


def show_evidence(screen: Screen, proof: Evidence) -> None:
    """Write one quote with who said it and when."""
    quote = proof.quote
    screen.line(
        f"    {quote.role.value}, {day(proof.said_at_ms)}: ",
        (f"“{quote.text}”".replace("\n", " "), "italic"),
    )


def show_candidate(screen: Screen, candidate: StoredCandidate) -> None:
    """Write a proposal with why it was refused, or that it waits."""
    screen.line(
        (candidate.id, "dim"),
        "  ",
        (kind_word(candidate.kind), "cyan"),
        "  ",
        candidate.statement.replace("\n", " "),
    )
    for reason in candidate.reasons:
        screen.line("    ", (reason.message, "yellow"))


def show_story(screen: Screen, story: ItemStory) -> None:
    """Write an item with its evidence and its history."""
    show_item(screen, story.item)
    for proof in story.evidence:
        show_evidence(screen, proof)
    for revision in story.revisions:
        screen.line(
            (
                f"    revision {revision.number}, {day(revision.created_at_ms)}, "
                f"by {revision.author_name or revision.author.value}: {revision.reason}",
                "dim",
            )
        )
    for item_id in story.supersedes:
        screen.line(("    in place of ", "dim"), item_id)
    if story.item.superseded_by:
        screen.line(("    replaced by ", "dim"), story.item.superseded_by)
