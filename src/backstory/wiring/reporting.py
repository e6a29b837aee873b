"""What `status` says of a memory: health, counts, the last success and the last error."""

from collections.abc import Mapping
from pathlib import Path

from backstory.consolidate import REVIEW_SETTING
from backstory.model.answers import StatusReport
from backstory.model.job import Job
from backstory.model.words import Kind, Purpose, Status
from backstory.ports.store import Tables
from backstory.wiring.desk import BrokenDesk, Desk


def status_of(desk: Desk) -> StatusReport:
    """Return the health and counts of a sound memory. Nothing is written."""
    with desk.store.reading() as tables:
        report = _counted(tables, desk)
    return report


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
        f"clearing deletes all of {report.project}: {items} items, {turns} turns and "
        f"{report.events} events. Exports in {desk.exports} stay. "
        "Nothing was deleted; confirm to do it."
    )


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
        jobs=jobs,
        injections=tables.injections.count(),
        last_success_ms=tables.jobs.last_success_ms(),
        last_error=_last_error(jobs),
        review=tables.meta.setting(REVIEW_SETTING) is not None,
        bytes_on_disk=_bytes_at(desk.store.path),
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


def _bytes_at(path: Path) -> int:
    sizes = 0
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        file = path.with_name(name)
        if file.is_file():
            sizes += file.stat().st_size
    return sizes


__all__ = ["status_of", "status_of_broken", "status_of_isolated", "what_would_go"]
