"""The part of the library that hosts call while people talk."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from backstory import consolidate, index, inject, record
from backstory.jobs import Runners, drain, run_due
from backstory.model.answers import Worked
from backstory.model.event import NewEvent
from backstory.model.ids import EventId, ThreadId
from backstory.model.limits import TURN_LEASE_MS
from backstory.model.turn import NewTurn, OpenTurn, Thread, Turn
from backstory.model.words import EventKind, JobState, Source, Speaker
from backstory.pipeline import revive
from backstory.ports.store import Tables
from backstory.wiring.desk import Desk
from backstory.wiring.sources.shell import take_in_shell
from backstory.wiring.work.ruling import rules_for


class Conversation:
    """Threads, turns and events: verbatim, durable, in order."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

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
        """Keep what the user said, before the model is called.

        Without `thread` it belongs to the active one. `source_key` is the host's own name for
        the turn: the same one again gives a replay, which adds nothing. The turn is held for
        two minutes; `keep_turn` holds it longer.
        """
        desk = self._desk
        now_ms = desk.clock()
        with desk.store.writing() as tables:
            record.recover(tables, now_ms=now_ms)
            turn = NewTurn(
                thread_id=thread or self._current(tables).id,
                user_text=desk.taken(text),
                said_at_ms=now_ms if said_at_ms is None else said_at_ms,
                speaker=speaker,
                origin=desk.host,
                source_key=source_key,
                branch=branch,
            )
            return record.begin_turn(tables, turn, now_ms=now_ms)

    def keep_turn(self, turn: OpenTurn) -> None:
        """Hold an open turn for two more minutes, while a long answer is being made."""
        desk = self._desk
        with desk.store.writing() as tables:
            tables.turns.renew(turn, now_ms=desk.clock(), lease_ms=TURN_LEASE_MS)

    def complete_turn(self, turn: OpenTurn, answer: str) -> None:
        """Keep the final answer that the user saw, and run what became due.

        Raises `LeaseLostError` where the turn was ended or memory was cleared meanwhile.
        """
        desk = self._desk
        with desk.store.writing() as tables:
            record.complete_turn(tables, turn, answer=desk.taken(answer), now_ms=desk.clock())
        self._work_inline()

    def fail_turn(self, turn: OpenTurn, error: str) -> None:
        """End a turn that got no answer. The user's words are kept and still count."""
        desk = self._desk
        with desk.store.writing() as tables:
            record.fail_turn(tables, turn, error=desk.taken(error), now_ms=desk.clock())
        self._work_inline()

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
        """Keep what happened outside the conversation, or return None where it is known.

        `model.event.NewEvent` tells what each kind's payload holds.
        """
        desk = self._desk
        now_ms = desk.clock()
        event = NewEvent(
            kind=EventKind(kind),
            at_ms=now_ms if at_ms is None else at_ms,
            payload=_taken(payload, desk),
            origin=desk.host,
            thread_id=thread,
            source_key=source_key,
            branch=branch,
        )
        with desk.store.writing() as tables:
            return record.record_event(tables, event, now_ms=now_ms)

    def record_events(self, events: Iterable[NewEvent]) -> int:
        """Keep what happened, all or nothing, and return how much of it was new."""
        desk = self._desk
        now_ms = desk.clock()
        taken = [replace(event, payload=_taken(event.payload, desk)) for event in events]
        with desk.store.writing() as tables:
            ids = [record.record_event(tables, event, now_ms=now_ms) for event in taken]
        return sum(one is not None for one in ids)

    def take_in_shell(self) -> int:
        """Keep what was typed in shells since the last time, and return how much was new.

        `backstory shell` prints what makes a shell write it down.
        """
        return take_in_shell(self._desk)

    def captures(self, source: Source | str) -> bool:
        """Whether the settings let a source be recorded here."""
        return self._desk.choices.captures(Source(source))

    def as_kept(self, text: str) -> str:
        """Return a text as this memory keeps it: as it is, unless secrets are to be left out."""
        return self._desk.taken(text)

    def new_thread(self) -> ThreadId:
        """Begin a new conversation. The old one's discussions are archived; all else stays.

        Work that still waits for the old thread gets one try first.
        """
        desk = self._desk
        self.settle()
        with desk.store.writing() as tables:
            now_ms = desk.clock()
            old = tables.threads.active(desk.host)
            thread_id = ThreadId(desk.ids("t"))
            thread = record.new_thread(tables, host=desk.host, thread_id=thread_id, now_ms=now_ms)
            if old is not None:
                put_away = consolidate.archive_discussions(
                    tables, old.id, ids=desk.ids, now_ms=now_ms
                )
                index.refresh(tables, put_away)
        return thread.id

    def thread_for(self, host: str, host_key: str) -> ThreadId:
        """Return the thread of a host's session, beginning one at first sight."""
        desk = self._desk
        with desk.store.writing() as tables:
            thread_id = ThreadId(desk.ids("t"))
            bound = record.bind_thread(
                tables, host=host, host_key=host_key, thread_id=thread_id, now_ms=desk.clock()
            )
        return bound.id

    def history(self, thread: ThreadId | None = None) -> tuple[Turn, ...]:
        """Return the last completed turns of a thread: eight at most, 12,000 characters."""
        desk = self._desk
        with desk.store.reading() as tables:
            active = tables.threads.active(desk.host)
            thread_id = thread or (active.id if active else None)
            if thread_id is None:
                return ()
            return inject.history_of(tables, thread_id)

    def work(self) -> Worked:
        """Run the jobs that are due now."""
        desk = self._desk
        ran = run_due(desk.store, self._runners(), clock=desk.clock)
        return self._worked(ran.done, ran.total)

    def settle(self) -> Worked:
        """Give every waiting job one try, due or not, within a minute: the end of a session."""
        desk = self._desk
        ran = drain(desk.store, self._runners(), clock=desk.clock)
        return self._worked(ran.done, ran.total)

    def revive(self) -> int:
        """Let jobs that were given up wait again, and return how many there were."""
        desk = self._desk
        with desk.store.writing() as tables:
            dead = [job for job in tables.jobs.listed() if job.state is JobState.DEAD]
            for job in dead:
                revive(tables, job, now_ms=desk.clock())
        return len(dead)

    def _worked(self, done: int, total: int) -> Worked:
        with self._desk.store.reading() as tables:
            jobs = tables.jobs.listed()
        left = sum(1 for job in jobs if job.state is JobState.OPEN)
        return Worked(done=done, failed=total - done, left=left)

    def _work_inline(self) -> None:
        if self._desk.works_inline:
            run_due(self._desk.store, self._runners(), clock=self._desk.clock)

    def _runners(self) -> Runners:
        return rules_for(self._desk, is_model_asked=self._desk.choices.asks_model)

    def _current(self, tables: Tables) -> Thread:
        desk = self._desk
        thread_id = ThreadId(desk.ids("t"))
        return record.current_thread(
            tables, host=desk.host, thread_id=thread_id, now_ms=desk.clock()
        )


def _taken(payload: Mapping[str, object], desk: Desk) -> Mapping[str, object]:
    """Return a payload whose texts are as they are stored."""

    def taken(value: object) -> object:
        match value:
            case str():
                return desk.taken(value)
            case Mapping():
                return {name: taken(part) for name, part in value.items()}
            case list() | tuple():
                return [taken(part) for part in value]
            case _:
                return value

    if not desk.choices.redacts_at_capture:
        return payload
    return {name: taken(value) for name, value in payload.items()}
