"""The store as stages see it: families of tables inside short transactions.

One suite in tests/contract proves every adapter of this port. A family's methods are
called inside `Store.reading()` or `Store.writing()` and see one state of the store.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from backstory.model.candidate import Candidate, Reason, Refused, StoredCandidate
from backstory.model.event import Event, NewEvent
from backstory.model.ids import CandidateId, EventId, ItemId, ThreadId, TurnId
from backstory.model.item import Change, Evidence, Item, ItemStory, Revision
from backstory.model.turn import NewTurn, OpenTurn, Thread, Turn
from backstory.model.words import Action, CandidateState, EventKind, Kind, Status, TurnState
from backstory.ports.indexes import Postings, TurnTexts
from backstory.ports.store_rows import (
    ChangesSeen,
    Cursor,
    Forgotten,
    NewItem,
    Stamp,
    Tombstone,
)
from backstory.ports.story import (
    Branches,
    CitedFiles,
    Episodes,
    Periods,
    Story,
    StoryOrder,
    TicketTitles,
)
from backstory.ports.work import Calls, Jobs

if TYPE_CHECKING:
    from backstory.model.answers import Today


class Meta(Protocol):
    """What the store knows of itself, and the choices the user made."""

    def project_id(self) -> str: ...
    def generation(self) -> int: ...
    def created_at_ms(self) -> int: ...
    def index_version(self) -> int:
        """Return by which rules what is indexed was taken apart."""

    def set_index_version(self, version: int) -> None: ...
    def setting(self, name: str) -> str | None: ...
    def set_setting(self, name: str, value: str | None) -> None:
        """Keep a choice; None removes it."""

    def mark(self) -> object:
        """Return what equals a later mark while nobody else has written in between.

        Marks of one thread are compared, which itself has written nothing between them.
        """

    def tells_of_work(self) -> bool:
        """Whether commits or trackers told of any: without, nobody has to look for it."""

    def of_day(self, since_ms: int) -> "Today":
        """Return what became of what was recorded since a moment."""


class Threads(Protocol):
    """Conversations."""

    def add(self, thread: Thread) -> None: ...
    def get(self, thread_id: ThreadId) -> Thread | None: ...
    def of_host(self, host: str, host_key: str) -> Thread | None: ...
    def active(self, host: str) -> Thread | None:
        """Return the one active thread that has no host key, if there is one."""

    def archive(self, thread_id: ThreadId, *, now_ms: int) -> None: ...
    def set_summary(self, thread_id: ThreadId, summary: str) -> None:
        """Keep what the conversation is about: context for a model, never evidence."""

    def listed(self) -> tuple[Thread, ...]: ...


class Turns(Protocol):
    """Turns. Finishing writes name the owner and raise `LeaseLostError` where it changed."""

    def begin(self, turn: NewTurn, *, now_ms: int, lease_ms: int) -> OpenTurn:
        """Store the user's text. A source key seen before gives a replay of the old turn."""

    def complete(self, turn: OpenTurn, answer: str, *, now_ms: int) -> None: ...
    def fail(self, turn: OpenTurn, error: str, *, now_ms: int) -> None: ...
    def renew(self, turn: OpenTurn, *, now_ms: int, lease_ms: int) -> None: ...
    def threads_expired(self, *, now_ms: int) -> tuple[ThreadId, ...]:
        """Return the threads with open turns whose lease ran out."""

    def interrupt_expired(self, *, now_ms: int) -> int:
        """End open turns whose lease ran out, and return how many there were."""

    def add_finished(self, turn: NewTurn, answer: str, *, now_ms: int) -> TurnId | None:
        """Store a whole turn, or return None where its source key is known."""

    def is_known(self, source_key: str) -> bool:
        """Tell whether a turn of this source key is stored."""

    def is_told(self, thread_id: ThreadId, text: str, *, after_ms: int, before_ms: int) -> bool:
        """Tell whether a host said this itself, in this thread and about then."""

    def open_in(self, thread_id: ThreadId) -> OpenTurn | None:
        """Return the right to finish the last turn of a thread that is open, if there is one.

        For a host whose beginning and end of a turn are seen by different processes.
        """

    def get(self, turn_id: TurnId) -> Turn | None: ...
    def before(self, turn: Turn) -> Turn | None:
        """Return the turn right before this one in its thread."""

    def after(self, turn: Turn) -> Turn | None: ...
    def waiting(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return finished turns that were not extracted yet, oldest first.

        Only what a human said waits, and not what stands behind a turn that is still open.
        """

    def mark_extracted(self, turn_ids: Sequence[TurnId]) -> None:
        """Note that the rules have read them."""

    def unasked(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return turns that the rules have read and no model has, oldest first."""

    def threads_unasked(self) -> Mapping[ThreadId, int]:
        """Return how many such turns each thread has, the longest waiting first."""

    def mark_asked(self, turn_ids: Sequence[TurnId], *, is_asked: bool = True) -> None:
        """Note that a model was asked about them, or that it is to be asked."""

    def mark_all_asked(self, *, after_seq: int = 0) -> int:
        """Let no model be asked about what is stored now, and return how many turns waited.

        With `after_seq` only about what was stored after that turn.
        """

    def forgotten_in(self, turn_ids: Sequence[TurnId]) -> tuple[Forgotten, ...]:
        """Return the spans of these turns that prove a forgotten item."""

    def history(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return the last completed turns of a thread, oldest first."""

    def page(self, *, after_seq: int, limit: int) -> tuple[Turn, ...]: ...
    def last_seq(self) -> int: ...
    def counts(self) -> Mapping[TurnState, int]: ...


class Events(Protocol):
    """What happened outside the conversation."""

    def add(self, event: NewEvent, *, text: str, now_ms: int) -> EventId | None:
        """Store an event, or return None where its source key is known."""

    def get(self, event_id: EventId) -> Event | None: ...
    def page(self, *, after_seq: int, limit: int) -> tuple[Event, ...]: ...
    def count(self) -> int: ...
    def tallies(self) -> Mapping[tuple[EventKind, str], tuple[int, int]]:
        """Return how many there are of each kind and origin, and when the last one happened."""


class Candidates(Protocol):
    """Proposals and refusals."""

    def add(
        self, verdict: Candidate | Refused, *, thread_id: ThreadId | None, now_ms: int
    ) -> CandidateId: ...
    def pending(self, *, limit: int) -> tuple[tuple[StoredCandidate, Candidate], ...]: ...
    def waiting(self) -> tuple[tuple[StoredCandidate, Candidate], ...]:
        """Return those that a person is to approve."""

    def get(
        self, candidate_id: CandidateId
    ) -> tuple[StoredCandidate, Candidate | None] | None: ...
    def decide(
        self,
        candidate_id: CandidateId,
        state: CandidateState,
        *,
        item_id: ItemId | None = None,
        reasons: Sequence[Reason] = (),
        now_ms: int,
    ) -> None: ...
    def of_turn(self, turn_id: TurnId) -> tuple[StoredCandidate, ...]: ...
    def unmet_withdrawals(self, *, limit: int) -> tuple[StoredCandidate, ...]:
        """Return accepted retractions that found no item to take back, newest first."""

    def recent(
        self, *, limit: int, states: Sequence[CandidateState]
    ) -> tuple[StoredCandidate, ...]: ...
    def counts(self) -> Mapping[CandidateState, int]: ...


class Items(Protocol):
    """What is remembered. Every write is logged as a change with the item as it was before."""

    def add(self, new: NewItem, *, batch: str, actor: str, now_ms: int) -> None: ...
    def get(self, item_id: ItemId) -> Item | None: ...
    def story(self, item_id: ItemId) -> ItemStory | None: ...
    def find(self, prefix: str) -> tuple[ItemId, ...]:
        """Return the ids that begin so, eight at the most."""

    def listed(
        self,
        *,
        statuses: Sequence[Status],
        kinds: Sequence[Kind] = (),
        thread_id: ThreadId | None = None,
        only_pinned: bool = False,
    ) -> tuple[Item, ...]:
        """Return items, oldest first; `thread_id` keeps only what lives in that thread."""

    def many(self, item_ids: Sequence[ItemId]) -> tuple[Item, ...]: ...
    def of_claim(self, claim_key: str) -> tuple[Item, ...]:
        """Return the active items that hold this claim."""

    def of_turn(self, turn_id: TurnId) -> tuple[ItemId, ...]: ...
    def add_revision(
        self,
        item_id: ItemId,
        revision: Revision,
        *,
        action: Action,
        batch: str,
        actor: str,
        now_ms: int,
    ) -> None: ...
    def set_claim(
        self, item_id: ItemId, *, key: str | None, value: str | None, is_negative: bool
    ) -> None: ...
    def add_evidence(self, item_id: ItemId, evidence: Sequence[Evidence]) -> int:
        """Add quotes that are not there yet, and return how many were new."""

    def set_status(
        self,
        item_id: ItemId,
        status: Status,
        *,
        action: Action,
        stamp: Stamp,
        superseded_by: ItemId | None = None,
    ) -> None:
        """Move an item to another status. The link to a successor outlives `forget` alone."""

    def set_pinned(self, item_id: ItemId, *, pinned: bool, batch: str, now_ms: int) -> None: ...
    def add_tombstone(self, tombstone: Tombstone) -> None: ...
    def tombstones(self, *, claim_key: str | None, fingerprint: str) -> tuple[Tombstone, ...]: ...
    def changes(self, *, item_id: ItemId | None = None, limit: int = 50) -> tuple[Change, ...]:
        """Return changes, newest first."""

    def changes_seen(self) -> ChangesSeen:
        """Return how far the log of changes goes now."""

    def changed_since(self, seen: ChangesSeen) -> tuple[ItemId, ...] | None:
        """Return the items that were changed since, or None where the log does not tell."""

    def undo_batch(self, batch: str, *, now_ms: int) -> tuple[ItemId, ...]:
        """Put the items of one batch back as they were before, and return them."""

    def counts(self) -> Mapping[tuple[Kind, Status], int]: ...


class Cursors(Protocol):
    """How far transcripts have been read."""

    def get(self, path: str) -> Cursor | None: ...
    def put(self, cursor: Cursor, *, now_ms: int) -> None: ...
    def listed(self) -> tuple[Cursor, ...]: ...


class Injections(Protocol):
    """What was shown to an agent."""

    def add(
        self,
        entries: Sequence[tuple[str, int]],
        *,
        part: str,
        thread_id: ThreadId | None,
        now_ms: int,
    ) -> None: ...
    def claim(self, key: str, *, within_ms: int, now_ms: int) -> bool:
        """Return whether nobody has claimed this within so many milliseconds, and claim it."""

    def shown(self, thread_id: ThreadId) -> frozenset[tuple[str, int]]:
        """Return the (entry id, revision) pairs that this thread has seen in full."""

    def count(self) -> int: ...


class Tables(Protocol):
    """Every family, inside one transaction."""

    @property
    def meta(self) -> Meta: ...
    @property
    def threads(self) -> Threads: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def events(self) -> Events: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def calls(self) -> Calls: ...
    @property
    def candidates(self) -> Candidates: ...
    @property
    def items(self) -> Items: ...
    @property
    def episodes(self) -> Episodes: ...
    @property
    def story(self) -> Story: ...
    @property
    def story_order(self) -> StoryOrder: ...
    @property
    def cited(self) -> CitedFiles: ...
    @property
    def branches(self) -> Branches: ...
    @property
    def ticket_titles(self) -> TicketTitles: ...
    @property
    def periods(self) -> Periods: ...
    @property
    def postings(self) -> Postings: ...
    @property
    def turn_texts(self) -> TurnTexts: ...
    @property
    def cursors(self) -> Cursors: ...
    @property
    def injections(self) -> Injections: ...


class Store(Protocol):
    """One project's memory on disk."""

    def reading(self) -> AbstractContextManager[Tables]:
        """See one state of the store; nothing can be written."""

    def writing(self) -> AbstractContextManager[Tables]:
        """One short transaction: all of it is kept, or none."""

    def close(self) -> None: ...
