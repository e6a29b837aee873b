"""The memory that holds nothing: for isolated purposes and for stores that cannot be used."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from backstory.adapters.importers import ImportChoices, ImportReport
from backstory.adapters.importers.memories import Proposal
from backstory.api.null_story import NullStory
from backstory.model.answers import (
    Context,
    Erased,
    Explanation,
    Offered,
    Remembered,
    StatusReport,
    Undone,
    Worked,
)
from backstory.model.candidate import StoredCandidate
from backstory.model.episode import Episode
from backstory.model.errors import NotConfirmedError, NotFoundError
from backstory.model.event import NewEvent
from backstory.model.ids import EpisodeId, EventId, ItemId, ThreadId, TurnId, meant
from backstory.model.item import Item, ItemStory
from backstory.model.recall import Reading, Recalled, TurnHit
from backstory.model.turn import OpenTurn, Turn
from backstory.model.words import CandidateState, EventKind, Kind, Purpose, Source, Speaker, Status
from backstory.ports.store_rows import Expense, Grouping
from backstory.store import (
    Cleared,
    Finding,
    start_over,
    write_export,
    write_export_to,
)
from backstory.wiring.by_hand import NewEpisode, Note
from backstory.wiring.desk import BrokenDesk
from backstory.wiring.reports.auditing import SecretFound
from backstory.wiring.reports.checking import findings_of
from backstory.wiring.reports.reporting import status_of_broken, status_of_isolated

_NOTHING = "memory is out of reach here, so there is no"
_NO_THREAD = ThreadId("")


class NullMemory(NullStory):
    """The same surface as `Memory`, with nothing behind it.

    It holds no store and no path: it cannot read or write one. Hosts call it as they call the
    other; questions are answered with nothing, and naming an item raises `NotFoundError`.
    """

    def __init__(self, purpose: Purpose) -> None:
        self._purpose = purpose

    def begin_turn(
        self,
        text: str,
        *,
        thread: ThreadId | None = None,
        source_key: str | None = None,
        said_at_ms: int | None = None,
        branch: str | None = None,
        speaker: Speaker = Speaker.HUMAN,
    ) -> OpenTurn:
        """Return a turn that nothing is kept of."""
        return OpenTurn(id=TurnId(""), thread_id=_NO_THREAD, owner="", is_replay=True)

    def keep_turn(self, turn: OpenTurn) -> None:
        """Do nothing."""

    def complete_turn(self, turn: OpenTurn, answer: str) -> None:
        """Do nothing."""

    def fail_turn(self, turn: OpenTurn, error: str) -> None:
        """Do nothing."""

    def record_event(
        self,
        kind: EventKind | str,
        payload: Mapping[str, object],
        *,
        thread: ThreadId | None = None,
        source_key: str | None = None,
        at_ms: int | None = None,
        branch: str | None = None,
    ) -> EventId | None:
        """Keep nothing."""
        return None

    def record_events(self, events: Iterable[NewEvent]) -> int:
        """Keep nothing."""
        return 0

    def take_in_shell(self) -> int:
        """Keep nothing."""
        return 0

    def captures(self, source: Source | str) -> bool:
        """Say that no source is recorded."""
        return False

    def as_kept(self, text: str) -> str:
        """Return the text: nothing is kept."""
        return text

    def new_thread(self) -> ThreadId:
        """Begin nothing."""
        return _NO_THREAD

    def thread_for(self, host: str, host_key: str) -> ThreadId:
        """Bind nothing."""
        return _NO_THREAD

    def history(self, thread: ThreadId | None = None) -> tuple[Turn, ...]:
        """Return no turn."""
        return ()

    def work(self) -> Worked:
        """Run nothing."""
        return Worked(done=0, failed=0, left=0)

    def settle(self) -> Worked:
        """Run nothing."""
        return Worked(done=0, failed=0, left=0)

    def revive(self) -> int:
        """Revive nothing."""
        return 0

    def recall(
        self,
        text: str = "",
        *,
        files: Sequence[str] = (),
        branch: str | None = None,
        ticket: str | None = None,
        thread: ThreadId | None = None,
        explain: bool = False,
    ) -> Recalled:
        """Answer with nothing."""
        return Recalled(hits=(), abstained_because=self._because)

    def search(self, text: str, *, limit: int = 10) -> tuple[TurnHit, ...]:
        """Find nothing."""
        return ()

    def read(self, item_id: str, *, thread: ThreadId | None = None) -> Reading:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def context(
        self,
        prompt: str = "",
        *,
        files: Sequence[str] = (),
        branch: str | None = None,
        ticket: str | None = None,
        thread: ThreadId | None = None,
    ) -> Context:
        """Return no text at all."""
        return Context(index="", relevant="")

    def routing(self, thread: ThreadId | None = None) -> str:
        """Return no text at all."""
        return ""

    def remember(self, text: str, *, kind: Kind | str | None = None) -> Remembered:
        """Remember nothing."""
        return Remembered(items=())

    def add_item(self, note: Note) -> ItemId:
        """Keep nothing."""
        return ItemId("")

    def add_episode(self, episode: NewEpisode) -> EpisodeId:
        """Keep nothing."""
        return EpisodeId("")

    def list(
        self, *, kinds: Sequence[Kind] = (), statuses: Sequence[Status] = ()
    ) -> tuple[Item, ...]:
        """Return no item."""
        return ()

    def show(self, item_id: str) -> ItemStory:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def why(self, text: str) -> Explanation:
        """Explain nothing."""
        return Explanation(remembered=(), refused=())

    def proposals(self, *, states: Sequence[CandidateState] = ()) -> tuple[StoredCandidate, ...]:
        """Return no proposal."""
        return ()

    def edit(self, item_id: str, statement: str) -> Item:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def pin(self, item_id: str, *, pinned: bool = True) -> Item:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def forget(self, item_id: str) -> Item:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def still_told(self, item_id: str) -> tuple[Episode, ...]:
        """Return nothing."""
        return ()

    def erase(self, item_id: str) -> Erased:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} item {item_id!r}")

    def undo(self) -> Undone:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} change to undo")

    def entrust(
        self,
        statement: str,
        *,
        user_words: str = "",
        kind: Kind | str | None = None,
        agent: str = "",
        session: str | None = None,
    ) -> Remembered:
        """Remember nothing."""
        return Remembered(items=())

    def offer(self, proposals: Sequence[Proposal], *, is_dry_run: bool = False) -> Offered:
        """Let nothing wait."""
        return Offered()

    def waiting(self) -> tuple[StoredCandidate, ...]:
        """Return no proposal."""
        return ()

    def approve(self, candidate_id: str) -> Remembered:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} proposal {candidate_id!r}")

    def discard(self, candidate_id: str) -> None:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} proposal {candidate_id!r}")

    def set_review(self, *, on: bool) -> None:
        """Set nothing."""

    def import_sessions(
        self, paths: Sequence[str | Path] = (), *, choices: ImportChoices | None = None
    ) -> ImportReport:
        """Read and record nothing."""
        return ImportReport()

    def export(self, path: str | Path | None = None) -> Path:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} memory to export")

    def import_(self, path: str | Path) -> dict[str, int]:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} memory to fill")

    def clear(self, *, confirm: bool = False) -> Cleared:
        """Raise `NotFoundError`."""
        raise NotFoundError(f"{_NOTHING} memory to clear")

    def scrub(self) -> bool:
        """Leave everything as it is."""
        return True

    def kept(self, name: str) -> str | None:
        """Return nothing."""
        return None

    def keep(self, name: str, value: str | None) -> None:
        """Keep nothing."""

    def view_folder(self) -> Path | None:
        """Return None: no view is written."""
        return None

    def reindex(self) -> int:
        """Build nothing."""
        return 0

    def expenses(self, by: Grouping | str = Grouping.DAY) -> tuple[Expense, ...]:
        """Return nothing: nothing was asked."""
        return ()

    def audit(self, *, deep: bool = False) -> tuple[SecretFound, ...]:
        """Find nothing, because there is nothing."""
        return ()

    def status(self, *, debug: bool = False) -> StatusReport:
        """Say that memory is isolated."""
        return status_of_isolated(self._purpose)

    def check(self) -> tuple[Finding, ...]:
        """Find nothing wrong, because there is nothing."""
        return ()

    def close(self) -> None:
        """Do nothing."""

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing."""

    @property
    def _because(self) -> str:
        return f"memory is isolated for {self._purpose.value}"


class BrokenMemory(NullMemory):
    """The memory of a degraded store: it can be looked at, exported, checked and begun anew."""

    def __init__(self, desk: BrokenDesk) -> None:
        super().__init__(Purpose.CODING)
        self._desk = desk

    def show(self, item_id: str) -> ItemStory:
        """Return an item as far as it can still be read, or raise `NotFoundError`."""
        with self._desk.store.reading() as tables:
            found = tables.items.find(item_id)
            story = tables.items.story(meant(item_id, found, what="item")) if found else None
        if story is None:
            raise NotFoundError(f"no item {item_id!r} can be read from the damaged store")
        return story

    def export(self, path: str | Path | None = None) -> Path:
        """Write what can still be read as one new JSON file."""
        desk = self._desk
        if path is not None:
            return write_export_to(desk.store, Path(path), now_ms=desk.clock())
        return write_export(desk.store, folder=desk.exports, now_ms=desk.clock())

    def clear(self, *, confirm: bool = False) -> Cleared:
        """Begin a new store; the damaged file is kept beside it under another name."""
        desk = self._desk
        if not confirm:
            raise NotConfirmedError(
                f"{desk.store.problem}. Clearing begins a new memory and keeps the damaged file "
                "beside it under another name. Nothing was changed; "
                "confirm it (`--confirm`) to do it."
            )
        thread_id = ThreadId(desk.ids("t"))
        return start_over(desk.store, host=desk.host, thread_id=thread_id, now_ms=desk.clock())

    def status(self, *, debug: bool = False) -> StatusReport:
        """Say what is wrong."""
        return status_of_broken(self._desk)

    def check(self) -> tuple[Finding, ...]:
        """Return everything that is wrong with the store."""
        return findings_of(self._desk)

    @property
    def _because(self) -> str:
        return self._desk.store.problem
