"""What `status` says of a memory: health, counts, the last success and the last error."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from backstory.adapters.git.backfill import TIPS_KEPT
from backstory.adapters.hosts import silences, spool
from backstory.adapters.lookalikes import known_before
from backstory.adapters.spending.caps import day_start_ms
from backstory.adapters.switches import off_for
from backstory.model.answers import StatusReport, Today
from backstory.model.ids import ThreadId
from backstory.model.job import Job
from backstory.model.words import JobKind, Kind, Purpose, Status
from backstory.ports.store import Tables
from backstory.wiring.desk import BrokenDesk, Desk
from backstory.wiring.sources.report import sources_of
from backstory.wiring.story.upkeep import LEFT_KEPT
from backstory.wiring.work.choosing import waiting_for_model
from backstory.wiring.work.spending import model_report

_WAITING_COUNTED_MAX = 1_000


def status_of(desk: Desk, *, debug: bool = False) -> StatusReport:
    """Return the health and counts of a sound memory. Nothing is written.

    With `debug` its jobs tell their last error as it came as well.
    """
    with desk.store.reading() as tables:
        report = _counted(tables, desk)
    if debug:
        return report
    return replace(report, jobs=tuple(replace(job, diagnosis="") for job in report.jobs))


def status_of_broken(desk: BrokenDesk) -> StatusReport:
    """Return what is wrong with a degraded memory, which is never shown as an empty one."""
    return StatusReport(
        health="degraded",
        problem=desk.store.problem,
        project=str(desk.project.root),
        store=str(desk.store.path),
        purpose=Purpose.CODING.value,
        generation=desk.store.generation(),
        thread=None,
        bytes_on_disk=_bytes_at(desk.store.path),
        spooled=spool.count(desk.project.state_dir),
        spooled_bad=spool.count_bad(desk.project.state_dir),
        off_for=_off_for(desk),
    )


def status_of_isolated(purpose: Purpose) -> StatusReport:
    """Return the status that an isolated purpose gets: that there is nothing to see."""
    return StatusReport(
        health="isolated",
        problem=None,
        project="",
        store="",
        purpose=purpose.value,
        generation=0,
        thread=None,
    )


def what_would_go(desk: Desk) -> str:
    """Return a sentence that says what clearing this memory would delete, and what stays."""
    report = status_of(desk)
    items = sum(count for statuses in report.items.values() for count in statuses.values())
    turns = sum(report.turns.values())
    return (
        f"clearing deletes all of {report.project}: {_many(items, 'item')}, "
        f"{_many(turns, 'turn')} and {_many(report.events, 'event')}. "
        f"Exports in {desk.exports} stay. Nothing was deleted; confirm it (`--confirm`) to do it."
    )


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _counted(tables: Tables, desk: Desk) -> StatusReport:
    jobs = tables.jobs.listed()
    items = _by_kind(tables.items.counts())
    turns = {state.value: count for state, count in tables.turns.counts().items()}
    active = tables.threads.active(desk.host)
    return StatusReport(
        health="ok" if turns or items else "empty",
        problem=None,
        project=str(desk.project.root),
        store=str(desk.store.path),
        purpose=desk.purpose.value,
        generation=tables.meta.generation(),
        thread=active.id if active else None,
        turns=turns,
        events=tables.events.count(),
        items=items,
        candidates={s.value: count for s, count in tables.candidates.counts().items()},
        waiting_turns=_waiting_turns(tables, jobs),
        jobs=jobs,
        injections=tables.injections.count(),
        last_success_ms=tables.jobs.last_success_ms(),
        last_error=_last_error(jobs),
        review=desk.is_reviewed(tables),
        bytes_on_disk=_bytes_at(desk.store.path),
        spooled=spool.count(desk.project.state_dir),
        spooled_bad=spool.count_bad(desk.project.state_dir),
        today=_today(tables, desk),
        off_for=_off_for(desk),
        model=model_report(tables, desk, jobs=jobs),
        commits=tables.story.size(),
        commits_since_ms=_commits_since_ms(tables, desk),
        commits_left=int(tables.meta.setting(LEFT_KEPT) or 0),
        sources=sources_of(tables, desk, turns=sum(turns.values()), commits=tables.story.size()),
        turns_for_model=0 if desk.choices.asks_model else waiting_for_model(tables),
        known_before=None if turns or items else _known_before(desk),
    )


def _known_before(desk: Desk) -> str | None:
    place = known_before(desk.project, env=desk.env)
    return None if place is None else str(place)


def _commits_since_ms(tables: Tables, desk: Desk) -> int | None:
    """Return since when commits are read, or None where all are or there are none to read."""
    is_filled = tables.meta.setting(TIPS_KEPT) is not None
    return None if is_filled or desk.project.common_dir is None else tables.meta.created_at_ms()


def _today(tables: Tables, desk: Desk) -> Today:
    since_ms = day_start_ms(desk.clock())
    passed_over = silences.since(desk.project.state_dir, since_ms)
    return replace(tables.meta.of_day(since_ms), passed_over=passed_over)


def _waiting_turns(tables: Tables, jobs: tuple[Job, ...]) -> int:
    """Return how many turns are still to be read; a thread with very many counts as its limit."""
    threads = {job.subject for job in jobs if job.kind is JobKind.EXTRACT}
    return sum(
        len(tables.turns.waiting(ThreadId(thread), limit=_WAITING_COUNTED_MAX))
        for thread in threads
    )


def _by_kind(counts: Mapping[tuple[Kind, Status], int]) -> dict[str, dict[str, int]]:
    items: dict[str, dict[str, int]] = {}
    for (kind, status), count in counts.items():
        items.setdefault(kind.value, {})[status.value] = count
    return items


def _last_error(jobs: tuple[Job, ...]) -> str | None:
    """Return the newest unresolved error: one is resolved when its job is done."""
    failed = [job for job in jobs if job.last_error is not None]
    newest = max(failed, key=lambda job: (job.updated_at_ms, job.id), default=None)
    return newest.last_error if newest else None


def _off_for(desk: Desk | BrokenDesk) -> str | None:
    reach = off_for(desk.project, "", env=desk.env if isinstance(desk, Desk) else {})
    return None if reach is None else reach.value


def _bytes_at(path: Path) -> int:
    sizes = 0
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        file = path.with_name(name)
        if file.is_file():
            sizes += file.stat().st_size
    return sizes


__all__ = ["status_of", "status_of_broken", "status_of_isolated", "what_would_go"]
