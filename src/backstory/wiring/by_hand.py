"""Items and episodes that a person writes in full, field by field."""

from dataclasses import dataclass

from backstory import index, record
from backstory.capture.redact import redact
from backstory.consolidate import Words
from backstory.extract.claims import claim_of
from backstory.extract.wording import (
    aliases_of,
    keywords_of,
    paths_of,
    synopsis_of,
    title_of,
)
from backstory.model.candidate import Quote
from backstory.model.episode import Episode, Summary
from backstory.model.errors import UsageError
from backstory.model.ids import EPISODE_LETTER, EpisodeId, ItemId
from backstory.model.item import Evidence, Item, Revision
from backstory.model.limits import QUOTE_CHARS_MAX, STATEMENT_CHARS_MAX, TITLE_CHARS_MAX
from backstory.model.turn import NewTurn, Thread
from backstory.model.words import Author, Kind, Role, Scope, Status
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables
from backstory.ports.store_rows import NewItem

HUMAN = "human"
_PRIORITY = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An item as a person writes it: its title, what it says, and what finds it."""

    kind: Kind
    title: str
    statement: str
    detail: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be kept, with everything that is wrong."""
        problems = [
            *_length_problems("title", self.title, limit=TITLE_CHARS_MAX),
            *_length_problems("statement", self.statement, limit=STATEMENT_CHARS_MAX),
        ]
        if self.kind is Kind.DISCUSSION_CONTEXT:
            problems.append("a discussion belongs to a conversation and cannot be written")
        if problems:
            raise UsageError("; ".join(problems))


def write_note(
    tables: Tables, note: Note, *, thread: Thread, ids: NameSource, now_ms: int
) -> ItemId:
    """Keep a note as an item; the statement, recorded as a turn, is its evidence."""
    item_id = ItemId(ids("m"))
    evidence = _recorded(tables, note, thread=thread, now_ms=now_ms)
    item = Item(
        id=item_id,
        seq=0,  # given by the store
        kind=note.kind,
        scope=Scope.PROJECT,
        status=Status.ACTIVE,
        thread_id=None,
        claim_key=None,
        claim_value=None,
        is_negative=False,
        is_pinned=False,
        priority=_PRIORITY,
        confidence=1.0,
        revision=_revision(note, now_ms=now_ms),
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )
    new = NewItem(item=item, evidence=(evidence,))
    tables.items.add(new, batch=ids("b"), actor=HUMAN, now_ms=now_ms)
    return item_id


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEpisode:
    """An episode as a person or a program writes it."""

    summary: Summary
    started_at_ms: int
    ended_at_ms: int | None = None
    branch: str | None = None
    tickets: tuple[str, ...] = ()


def write_episode(tables: Tables, new: NewEpisode, *, ids: NameSource, now_ms: int) -> EpisodeId:
    """Keep an episode and index it."""
    episode = Episode(
        id=EpisodeId(ids(EPISODE_LETTER)),
        seq=0,  # given by the store
        summary=new.summary,
        branch=new.branch,
        tickets=new.tickets,
        started_at_ms=new.started_at_ms,
        ended_at_ms=new.ended_at_ms,
    )
    tables.episodes.add(episode, now_ms=now_ms)
    index.index_entries(tables, [episode])
    return episode.id


def words_for(statement: str, item: Item) -> Words:
    """Return the words of an edit: what a person now says, and what finds it, made by rule."""
    text = redact(statement.strip()).text
    return Words(
        statement=text,
        title=title_of(text),
        synopsis=synopsis_of(text),
        detail=item.revision.detail,
        aliases=aliases_of(text),
        keywords=keywords_of(text),
        paths=paths_of(text),
        claim=claim_of(text, kind=item.kind),
    )


def _recorded(tables: Tables, note: Note, *, thread: Thread, now_ms: int) -> Evidence:
    said = note.statement
    turn = NewTurn(thread_id=thread.id, user_text=said, said_at_ms=now_ms, origin="note")
    turn_id = record.add_finished_turn(tables, turn, answer="", now_ms=now_ms)
    assert turn_id is not None  # without a source key a turn is never known
    tables.turns.mark_extracted([turn_id])
    tables.turns.mark_asked([turn_id])
    end = min(len(said), QUOTE_CHARS_MAX)
    text = redact(said[:end]).text
    quote = Quote(role=Role.USER, start=0, end=end, text=text, turn_id=turn_id)
    return Evidence(revision=1, quote=quote, said_at_ms=now_ms)


def _revision(note: Note, *, now_ms: int) -> Revision:
    statement = redact(note.statement).text
    return Revision(
        number=1,
        title=redact(note.title).text,
        statement=statement,
        synopsis=synopsis_of(statement),
        detail=redact(note.detail).text,
        aliases=note.aliases,
        keywords=note.keywords,
        paths=note.paths,
        tags=note.tags,
        author=Author.HUMAN,
        author_name=HUMAN,
        reason="written by a person",
        created_at_ms=now_ms,
    )


def _length_problems(name: str, text: str, *, limit: int) -> list[str]:
    if not text.strip():
        return [f"the {name} is empty"]
    return [f"the {name} has {len(text)} characters, {limit} at most"] if len(text) > limit else []
