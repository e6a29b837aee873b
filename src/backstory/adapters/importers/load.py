"""Recording what a transcript holds, together with how far it was read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from backstory.adapters.importers.formats import detect
from backstory.adapters.importers.formats.detection import (
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    SPECSTORY,
    head_of,
)
from backstory.adapters.importers.formats.specstory import session_in
from backstory.adapters.importers.report import FileReport
from backstory.adapters.importers.transcript import Transcript, path_key
from backstory.adapters.importers.turns import ImportedEvent, ImportedTurn, Place
from backstory.model.errors import UnreadableInputError
from backstory.model.event import NewEvent
from backstory.model.ids import ThreadId, TurnId
from backstory.model.turn import NewTurn
from backstory.model.words import Speaker
from backstory.ports.clock import Clock
from backstory.ports.store import Store, Tables
from backstory.ports.store_rows import Cursor
from backstory.record import add_finished_turns, bind_thread, event_text
from backstory.record.commands import told_command

# Small enough that a batch holds the write lock for well under 100 ms.
_BATCH_ROWS = 150
_BATCH_CHARS = 512 * 1024
# A hook sees a prompt when the transcript does, give or take a slow start.
_SAME_MOMENT_MS = 60_000
_FIRST_HAND = (CLAUDE_CODE.host, CODEX.host, GEMINI.host)


def _ignore_progress(_read: int, _total: int) -> None:
    """Take no notice of how far reading got."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportChoices:
    """How to import: whether to write, whether files still grow, what to take, whom to tell."""

    is_dry_run: bool = False
    is_final: bool = False  # take a last turn that has no answer yet, too
    headless: bool | None = None  # take sessions found that a script ran; None: as settings say
    taken: Callable[[str], str] = str  # what becomes of a text before it is stored
    on_progress: Callable[[int, int], None] = _ignore_progress


def import_file(
    store: Store | None,
    path: Path,
    *,
    clock: Clock,
    ids: Callable[[str], str],
    choices: ImportChoices | None = None,
) -> FileReport:
    """Record the turns and commands of a transcript that were not recorded before.

    Turns and the cursor behind them are kept in the same short transactions, so that an import
    that dies goes on where it was. Without a store, and in a dry run, nothing is written.
    Raises `UnreadableInputError` where the file is no transcript of a known program.
    """
    choices = choices or ImportChoices()
    form = detect(path)
    if form == SPECSTORY and _is_told_by_its_host(store, path):
        report = FileReport(path=path, host=form.host)
        report.passed_over_because = "the session's own transcript was imported"
        return report
    cursor = _cursor_of(store, path)
    try:
        transcript = Transcript(
            path, form, cursor=cursor, now_ms=clock(), is_final=choices.is_final
        )
        loader = _Loader(store, transcript, clock=clock, ids=ids, choices=choices)
        loader.run(cursor)
    except OSError as error:
        raise UnreadableInputError(f"{path} cannot be read: {error.strerror}") from error
    return transcript.report


class _Loader:
    """Takes the turns of one transcript into the store, a batch at a time."""

    def __init__(
        self,
        store: Store | None,
        transcript: Transcript,
        *,
        clock: Clock,
        ids: Callable[[str], str],
        choices: ImportChoices,
    ) -> None:
        self._store = None if choices.is_dry_run else store
        self._known_to = store
        self._transcript = transcript
        self._report = transcript.report
        self._clock = clock
        self._ids = ids
        self._choices = choices
        self._kept: Cursor | None = None

    def run(self, cursor: Cursor | None) -> None:
        """Read the file to its end, from where the cursor stands."""
        self._kept = cursor
        turns = self._transcript.turns(on_progress=self._choices.on_progress)
        for batch in _batches(turns):
            self._keep(batch, batch[-1].resume)
        self._keep([], self._transcript.end)

    def _keep(self, batch: list[ImportedTurn], place: Place) -> None:
        if self._store is None:
            self._count(batch)
            return
        cursor = self._transcript.cursor_at(place)
        if not batch and cursor == self._kept:
            return
        now_ms = self._clock()
        with self._store.writing() as tables:
            kept = self._record(tables, batch, now_ms=now_ms)
            tables.cursors.put(cursor, now_ms=now_ms)
        self._kept = cursor
        # Told only now that it is durable.
        for turn, events in zip(batch, kept, strict=True):
            self._tell(turn, events)

    def _record(
        self, tables: Tables, batch: list[ImportedTurn], *, now_ms: int
    ) -> list[int | None]:
        """Store turns and their commands; tell how many commands, or None of a known turn."""
        unknown = [turn for turn in batch if not tables.turns.is_known(turn.source_key)]
        threads = self._threads_of(tables, unknown, now_ms=now_ms)
        taken = self._choices.taken
        told = {
            turn.source_key
            for turn in unknown
            if self._is_told(tables, turn, thread_id=threads[turn.host_key])
        }
        for turn in (turn for turn in unknown if turn.source_key in told):
            # The hook of some hosts is not told how a command ended.
            thread_id = threads[turn.host_key]
            self._keep_events(tables, turn, thread_id=thread_id, turn_id=None, now_ms=now_ms)
        unknown = [turn for turn in unknown if turn.source_key not in told]
        pairs = [
            (_new_turn(t, threads[t.host_key], taken=taken), taken(t.answer_text)) for t in unknown
        ]
        turn_ids = add_finished_turns(tables, pairs, now_ms=now_ms)
        counts: dict[str, int] = {}
        for turn, turn_id in zip(unknown, turn_ids, strict=True):
            if turn_id is not None:
                counts[turn.source_key] = self._keep_events(
                    tables,
                    turn,
                    thread_id=threads[turn.host_key],
                    turn_id=turn_id,
                    now_ms=now_ms,
                )
        return [counts.pop(turn.source_key, None) for turn in batch]

    def _keep_events(
        self,
        tables: Tables,
        turn: ImportedTurn,
        *,
        thread_id: ThreadId,
        turn_id: TurnId | None,
        now_ms: int,
    ) -> int:
        taken = self._choices.taken
        events = [
            _event_of(
                turn,
                replace(one, command=taken(one.command)),
                thread_id=thread_id,
                turn_id=turn_id,
            )
            for one in turn.events
        ]
        return _add_events(tables, events, now_ms=now_ms)

    def _is_told(self, tables: Tables, turn: ImportedTurn, *, thread_id: ThreadId) -> bool:
        """Whether a hook has recorded the turn when it happened."""
        return tables.turns.is_told(
            thread_id,
            self._choices.taken(turn.user_text),
            after_ms=turn.said_at_ms - _SAME_MOMENT_MS,
            before_ms=turn.said_at_ms + _SAME_MOMENT_MS,
        )

    def _threads_of(
        self, tables: Tables, turns: list[ImportedTurn], *, now_ms: int
    ) -> dict[str, ThreadId]:
        return {
            host_key: bind_thread(
                tables,
                host=self._report.host,
                host_key=host_key,
                thread_id=ThreadId(self._ids("th")),
                now_ms=now_ms,
            ).id
            for host_key in {turn.host_key for turn in turns}
        }

    def _count(self, batch: list[ImportedTurn]) -> None:
        """Tell what would be recorded."""
        known: set[str] = set()
        if self._known_to is not None and batch:
            with self._known_to.reading() as tables:
                known = {t.source_key for t in batch if tables.turns.is_known(t.source_key)}
        for turn in batch:
            self._tell(turn, None if turn.source_key in known else len(turn.events))

    def _tell(self, turn: ImportedTurn, events: int | None) -> None:
        if events is None:
            self._report.turns_known += 1
            return
        self._report.turns_new += 1
        self._report.human_turns_new += turn.speaker is Speaker.HUMAN
        self._report.events_new += events


def _cursor_of(store: Store | None, path: Path) -> Cursor | None:
    if store is None:
        return None
    with store.reading() as tables:
        return tables.cursors.get(path_key(path))


def _new_turn(turn: ImportedTurn, thread_id: ThreadId, *, taken: Callable[[str], str]) -> NewTurn:
    return NewTurn(
        thread_id=thread_id,
        user_text=taken(turn.user_text),
        said_at_ms=turn.said_at_ms,
        speaker=turn.speaker,
        origin=turn.host,
        is_imported=True,
        source_key=turn.source_key,
        branch=turn.branch,
    )


def _add_events(tables: Tables, events: list[NewEvent], *, now_ms: int) -> int:
    """Store events and return how many were new.

    Their thread is known to exist, which `record_event` would ask for each of them.
    """
    kept = [tables.events.add(e, text=event_text(e), now_ms=now_ms) for e in events]
    return len([one for one in kept if one is not None])


def _is_told_by_its_host(store: Store | None, path: Path) -> bool:
    """Whether the session that a SpecStory history tells again is known first hand."""
    session = session_in(head_of(path))
    if store is None or session is None:
        return False
    with store.reading() as tables:
        return any(tables.threads.of_host(host, session) is not None for host in _FIRST_HAND)


def _event_of(
    turn: ImportedTurn, event: ImportedEvent, *, thread_id: ThreadId, turn_id: TurnId | None
) -> NewEvent:
    told = told_command(event.command, event.exit_code)
    return NewEvent(
        kind=told.kind,
        at_ms=event.at_ms,
        payload=told.payload,
        origin=turn.host,
        thread_id=thread_id,
        turn_id=turn_id,
        source_key=event.source_key,
        branch=turn.branch,
    )


def _batches(turns: Iterator[ImportedTurn]) -> Iterator[list[ImportedTurn]]:
    batch: list[ImportedTurn] = []
    rows = chars = 0
    for turn in turns:
        batch.append(turn)
        rows += 1 + len(turn.events)
        chars += len(turn.user_text) + len(turn.answer_text)
        if rows >= _BATCH_ROWS or chars >= _BATCH_CHARS:
            yield batch
            batch, rows, chars = [], 0, 0
    if batch:
        yield batch
