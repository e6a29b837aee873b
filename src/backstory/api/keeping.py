"""The part of the library with which a person sees, corrects and removes what is remembered."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from backstory import consolidate, index, inject, record
from backstory.adapters.views import remove_views, write_project_view
from backstory.api.finding import Finding
from backstory.extract.explicit import explicit
from backstory.jobs import writing_after
from backstory.model.answers import Erased, Explanation, Remembered, Undone
from backstory.model.candidate import Candidate, Draft, Refused, StoredCandidate, Verdict
from backstory.model.episode import Episode
from backstory.model.errors import NotFoundError, UsageError
from backstory.model.ids import CandidateId, EpisodeId, ItemId, ThreadId, TurnId
from backstory.model.item import Item, ItemStory
from backstory.model.turn import NewTurn, Turn
from backstory.model.words import CandidateState, Kind, Speaker, Status, TurnState
from backstory.ports.store import Tables
from backstory.store import erase_item
from backstory.wiring.by_hand import NewEpisode, Note, words_for, write_episode, write_note
from backstory.wiring.reports.explaining import explain
from backstory.wiring.story.summed import edited_with, withdraw_around, withdraw_retracted

_Proposal = TypeVar("_Proposal", Draft, Candidate)

VISIBLE = (Status.ACTIVE, Status.STALE)
PROPOSALS_MAX = 200


class Keeping(Finding):
    """Remember, list, show, explain, edit, pin, forget, erase, undo."""

    def remember(self, text: str, *, kind: Kind | str | None = None) -> Remembered:
        """Remember what a person states outright; their words are the evidence.

        The gate judges it like everything else, but for the signal of a lasting wish, which
        the call itself is. `kind` overrides the one that is found by rule.
        """
        if not text.strip():
            raise UsageError("there is nothing to remember: the text is empty")
        desk, shelf_of = self._desk, consolidate.Shelf
        # Read before the transaction, which others wait for, and bound to the turn within it.
        verdicts = explicit(_unsaid(desk.taken(text)), kind=Kind(kind) if kind else None)
        with writing_after(desk.store, shelf_of, again=shelf_of.caught_up) as (tables, shelf):
            now_ms = desk.clock()
            turn = self._said(tables, text, now_ms=now_ms)
            made = [
                tables.candidates.add(
                    _of_turn(verdict, turn.id), thread_id=turn.thread_id, now_ms=now_ms
                )
                for verdict in verdicts
            ]
            return self._decided(tables, made, shelf=shelf, now_ms=now_ms)

    def add_item(self, note: Note) -> ItemId:
        """Keep an item that a person wrote in full; its statement is its evidence."""
        desk = self._desk
        note = replace(note, statement=desk.taken(note.statement), detail=desk.taken(note.detail))
        with desk.store.writing() as tables:
            now_ms = desk.clock()
            thread = self._current(tables)
            item_id = write_note(tables, note, thread=thread, ids=desk.ids, now_ms=now_ms)
            index.refresh(tables, [item_id])
        return item_id

    def add_episode(self, episode: NewEpisode) -> EpisodeId:
        """Keep a stretch of development with a summary that a person or a program wrote."""
        desk = self._desk
        with desk.store.writing() as tables:
            return write_episode(tables, episode, ids=desk.ids, now_ms=desk.clock())

    def list(
        self, *, kinds: Sequence[Kind] = (), statuses: Sequence[Status] = VISIBLE
    ) -> tuple[Item, ...]:
        """Return the items of these kinds and statuses, oldest first; visible ones by default."""
        with self._desk.store.reading() as tables:
            return tables.items.listed(statuses=statuses, kinds=kinds)

    def show(self, item_id: str) -> ItemStory:
        """Return an item with its revisions and evidence, whatever its status."""
        with self._desk.store.reading() as tables:
            story = tables.items.story(self._resolve(tables, item_id))
        if story is None:
            raise NotFoundError(f"there is no item {item_id!r} in this project")
        return story

    def why(self, text: str) -> Explanation:
        """Tell why something is remembered, and why something like it was not.

        `text` is the id of an item, or words that were said.
        """
        self._catch_up()
        with self._desk.store.reading() as tables:
            return explain(tables, text, now_ms=self._desk.clock())

    def proposals(
        self, *, states: Sequence[CandidateState] = tuple(CandidateState)
    ) -> tuple[StoredCandidate, ...]:
        """Return what was proposed of late, newest first, with the reasons of what was refused."""
        with self._desk.store.reading() as tables:
            return tables.candidates.recent(limit=PROPOSALS_MAX, states=states)

    def edit(self, item_id: str, statement: str) -> Item:
        """Correct an item: a new revision in a person's words, which no job may change."""
        if not statement.strip():
            raise UsageError("the new statement is empty; to remove an item, use forget")
        return self._changed(
            item_id,
            lambda tables, item, now_ms: consolidate.edit(
                tables,
                item.id,
                words=words_for(statement, item),
                ids=self._desk.ids,
                now_ms=now_ms,
            ),
        )

    def pin(self, item_id: str, *, pinned: bool = True) -> Item:
        """Keep an item in the index whatever else there is, and out of reach of every job.

        Raises `IllegalOperationError` where the index has no room for one more pinned item.
        """

        def change(tables: Tables, item: Item, now_ms: int) -> Sequence[ItemId]:
            if pinned:
                inject.refuse_if_unpinnable(tables, item.id)
            return consolidate.pin(
                tables, item.id, is_pinned=pinned, ids=self._desk.ids, now_ms=now_ms
            )

        return self._changed(item_id, change)

    def forget(self, item_id: str) -> Item:
        """Hide an item everywhere. What was said before can never bring it back."""

        def change(tables: Tables, item: Item, now_ms: int) -> Sequence[ItemId]:
            withdraw_around(tables, item.id)
            return consolidate.forget(tables, item.id, ids=self._desk.ids, now_ms=now_ms)

        forgotten = self._changed(item_id, change)
        if self._desk.views.exists():
            write_project_view(self._desk.views, self.list())
        return forgotten

    def still_told(self, item_id: str) -> tuple[Episode, ...]:
        """Return the episodes whose objective a person wrote in an item's very words.

        Forgetting leaves a person's words alone: for who wants to edit those, too.
        """
        with self._desk.store.reading() as tables:
            return edited_with(tables, self._resolve(tables, item_id))

    def erase(self, item_id: str) -> Erased:
        """Remove an item and the words that prove it from every file of the store.

        Names the exports and backups that still hold them. This cannot be undone.
        """
        with self._desk.store.reading() as tables:
            found = self._resolve(tables, item_id)
        with self._desk.store.writing() as tables:
            withdraw_around(tables, found)
        remove_views(self._desk.views)
        erasure = erase_item(self._desk.store, found)
        self._catch_up()
        return Erased(
            item_id=found,
            spans=erasure.spans,
            also_blanked=erasure.also_blanked,
            copies=tuple(str(path) for path in erasure.copies),
            is_scrubbed=erasure.is_scrubbed,
        )

    def undo(self) -> Undone:
        """Take the last change back, with everything that was done in the same step.

        Raises `NotFoundError` where there is nothing to undo.
        """
        desk = self._desk
        with desk.store.writing() as tables:
            undone = consolidate.undo(tables, now_ms=desk.clock())
            if undone is None:
                raise NotFoundError("there is no change to undo")
            index.refresh(tables, undone.item_ids)
            return Undone(
                items=tables.items.many(undone.item_ids),
                item_ids=undone.item_ids,
                changes=undone.changes,
            )

    def _said(self, tables: Tables, text: str, *, now_ms: int, origin: str = "remember") -> Turn:
        """Record the words of an explicit request as a turn that nobody has to read again."""
        new = NewTurn(
            thread_id=self._current(tables).id,
            user_text=self._desk.taken(text),
            said_at_ms=now_ms,
            origin=origin,
        )
        turn_id = record.add_finished_turn(tables, new, answer="", now_ms=now_ms)
        assert turn_id is not None
        tables.turns.mark_extracted([turn_id])
        tables.turns.mark_asked([turn_id])
        turn = tables.turns.get(turn_id)
        assert turn is not None
        return turn

    def _decided(
        self, tables: Tables, made: Sequence[CandidateId], *, shelf: consolidate.Shelf, now_ms: int
    ) -> Remembered:
        """Let proposals that were just made be decided like all others."""
        desk = self._desk
        touched = consolidate.consolidate_pending(
            tables, ids=desk.ids, now_ms=now_ms, is_reviewed=desk.is_reviewed, shelf=shelf
        )
        index.refresh(tables, touched)
        withdraw_retracted(tables, touched)
        return remembered_from(tables, made)

    def _changed(
        self, item_id: str, change: Callable[[Tables, Item, int], Sequence[ItemId]]
    ) -> Item:
        """Do something to one item and bring the index up to date, in one transaction."""
        with self._desk.store.writing() as tables:
            found = self._resolve(tables, item_id)
            (item,) = tables.items.many([found])
            index.refresh(tables, change(tables, item, self._desk.clock()))
            (changed,) = tables.items.many([found])
        return changed


def _unsaid(text: str) -> Turn:
    """Return a turn that holds a text, and is no turn of the store."""
    return Turn(
        id=TurnId(""),
        seq=0,
        thread_id=ThreadId(""),
        position=0,
        speaker=Speaker.HUMAN,
        user_text=text,
        answer_text="",
        state=TurnState.COMPLETED,
        said_at_ms=0,
        recorded_at_ms=0,
    )


def _of_turn(verdict: Verdict, turn_id: TurnId) -> Verdict:
    """Return a verdict on a turn that was not stored yet with the name that it has now."""
    if isinstance(verdict, Refused):
        return replace(verdict, draft=_quoting(verdict.draft, turn_id))
    return _quoting(verdict, turn_id)


def _quoting(said: _Proposal, turn_id: TurnId) -> _Proposal:
    return replace(said, quotes=tuple(replace(quote, turn_id=turn_id) for quote in said.quotes))


def remembered_from(tables: Tables, made: Sequence[CandidateId]) -> Remembered:
    """Return what became of these proposals."""
    kept = [found[0] for name in made if (found := tables.candidates.get(name)) is not None]
    by_state = {
        state: tuple(row for row in kept if row.state is state) for state in CandidateState
    }
    item_ids = [ItemId(row.item_id) for row in by_state[CandidateState.ACCEPTED] if row.item_id]
    return Remembered(
        items=tables.items.many(item_ids),
        waiting=by_state[CandidateState.WAITING],
        refused=by_state[CandidateState.REFUSED],
    )
