"""How memory's things are worded on a screen, and which fields of them JSON shows."""

from backstory.cli.render import (
    Screen,
    bracketed,
    colon,
    day,
    joined,
    numbered,
    one_line,
    padded,
    strung,
)
from backstory.model.candidate import Quote, Reason, StoredCandidate
from backstory.model.episode import Episode
from backstory.model.item import Evidence, Item, ItemStory
from backstory.model.recall import Hit, Recalled
from backstory.model.words import Action, Kind, Lane, Role, Status
from backstory.speaking import retold, said

KINDS = ", ".join(Kind)

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
_STATUSES = {Status.SUPERSEDED: "replaced", Status.RETRACTED: "taken back"}
_ROLES = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.EVENT: "event"}
_PASSED_OVER = {
    "store-unavailable": "the store was locked or could not be opened",
    "store-outdated": "the store had to be brought up to date first",
    "store-degraded": "the store is damaged",
    "settings": "a settings file is wrong",
    "usage": "a BACKSTORY_ variable is wrong",
}
_LANES = {
    Lane.ANCHOR: "its place",
    Lane.EXACT: "its whole name",
    Lane.PREFIX: "the beginning of its name",
    Lane.SUBSTRING: "a part of its name",
    Lane.TERMS: "its words",
    Lane.VECTOR: "its meaning",
}
# What was done to an item, as `undo` tells it: "Undone: create of m_…".
_ACTIONS = {
    Action.CREATE: "create of",
    Action.REVISE: "revise of",
    Action.SUPERSEDE: "replacement of",
    Action.RETRACT: "retract of",
    Action.FORGET: "forget of",
    Action.PIN: "pin of",
    Action.UNPIN: "unpin of",
    Action.EDIT: "edit of",
    Action.STALE: "stale of",
    Action.FRESH: "fresh of",
    Action.ARCHIVE: "archive of",
}


def not_scrubbed() -> str:
    """Return what is told where deleted bytes are still in the store's files."""
    return said(
        "Another program is reading the store, so old bytes remain in its files for now. "
        "Run `backstory erase`, without an id, when it has ended."
    )


def kind_word(kind: Kind) -> str:
    """Return how a kind is called on a screen."""
    return said(_KINDS[kind])


def status_word(status: Status) -> str:
    """Return how a status is called on a screen."""
    return said(_STATUSES.get(status, status.value))


def status_count(count: int, status: Status) -> str:
    """Return how many items have a status."""
    return numbered(count, _STATUSES.get(status, status.value))


def lane_words(lane: Lane) -> str:
    """Return by what a lane finds an entry, as a screen says it."""
    return said(_LANES[lane])


def nothing(answer: Recalled) -> str:
    """Return that nothing was found, and why."""
    because = retold(answer.abstained_because or "")
    return said(f"Nothing: {because}.")


def passed_over_word(because: str) -> str:
    """Return why hooks left memory out; errors are noted by the slugs that their reference has."""
    return retold(_PASSED_OVER.get(because, because))


def action_word(action: Action) -> str:
    """Return what was done, to be followed by an item."""
    return said(_ACTIONS[action])


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
        "origin": candidate.origin,
        "thread": candidate.thread_id,
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
        "unmerged": hit.unmerged,
    }


def show_item(
    screen: Screen,
    item: Item,
    *,
    kind_width: int = 0,
    is_stale: bool | None = None,
    unmerged: str | None = None,
) -> None:
    """Write one item in a line, and what is remarkable about it.

    `is_stale` says whether it is now, where its files were looked at; otherwise its status does.
    """
    status = item.status
    if is_stale is not None and status in {Status.ACTIVE, Status.STALE}:
        status = Status.STALE if is_stale else Status.ACTIVE
    holding = (
        (said("pinned"), item.is_pinned),
        (status_word(status), status is not Status.ACTIVE),
        (said("not a fact"), not item.kind.is_factual),
        (said(f"on {unmerged}, not merged"), unmerged is not None),
    )
    marks = joined(mark for mark, holds in holding if holds)
    screen.line(
        (item.id, "dim"),
        "  ",
        (padded(kind_word(item.kind), kind_width), "cyan"),
        "  ",
        one_line(item.revision.statement),
        (f"  {bracketed(marks)}" if marks else "", "yellow"),
    )


def show_evidence(screen: Screen, proof: Evidence) -> None:
    """Write one quote with who said it and when."""
    quote = proof.quote
    spoken = strung([said(_ROLES[quote.role]), day(proof.said_at_ms)])
    screen.line(
        f"    {colon(spoken)}",
        (f"“{one_line(quote.text)}”", "italic"),
        indent=6,
    )


def show_candidate(screen: Screen, candidate: StoredCandidate) -> None:
    """Write a proposal with why it was refused, or that it waits."""
    screen.line(
        (candidate.id, "dim"),
        "  ",
        (kind_word(candidate.kind), "cyan"),
        "  ",
        one_line(candidate.statement),
    )
    if candidate.origin == "agent":
        name = candidate.proposer.partition(":")[2]
        told = said(f"said by an agent, {name}") if name else said("said by an agent")
        screen.line((f"    {told}", "dim"))
    for reason in candidate.reasons:
        screen.line("    ", (reason_words(reason), "yellow"))


def reason_words(reason: Reason) -> str:
    """Return why something was refused or waits; what a model says stays as it said it."""
    return reason.message if reason.slug == "model-rejects" else retold(reason.message)


def _because(reason: str) -> str:
    """Return why a revision was made, which ends with the rule that made it."""
    words, bracket, rule = one_line(reason).rpartition(" [")
    if not bracket:
        return retold(rule)
    is_ours = not rule.startswith("model:")
    return f"{retold(words) if is_ours else words} [{retold(rule[:-1])}]"


def show_story(screen: Screen, story: ItemStory) -> None:
    """Write an item with its evidence and its history."""
    show_item(screen, story.item)
    if story.item.revision.detail:
        screen.line("    ", one_line(story.item.revision.detail))
    for proof in story.evidence:
        show_evidence(screen, proof)
    for revision in story.revisions:
        writer = revision.author_name or said(revision.author.value)
        told = said(f"revision {revision.number}, {day(revision.created_at_ms)}, by {writer}")
        screen.line((f"    {colon(told)}{_because(revision.reason)}", "dim"), indent=6)
    for item_id in story.supersedes:
        screen.line((f"    {said('in place of')} ", "dim"), item_id)
    if story.item.superseded_by:
        screen.line((f"    {said('replaced by')} ", "dim"), story.item.superseded_by)
