"""Two workers and one that is killed over and over, on one store of many jobs.

    python bench/workers.py [--jobs 500] [--seed 1] [--json]

Each job adds its worker's name to a note in the transaction that finishes it. Two workers run
to the end; a third is killed at a random moment and started again, and the leases that it leaves
are made due at once, which two minutes would do. In the end every job must have been finished
exactly once. Exits with 1 where one was not.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from backstory.adapters.system import system_clock
from backstory.jobs import run_due
from backstory.model.ids import ThreadId
from backstory.model.job import Lease
from backstory.model.turn import Thread
from backstory.model.words import JobKind, JobState
from backstory.store import SqliteStore, open_store

_LONGEST_LIFE_S = 0.6
_GIVE_UP_S = 300


def main() -> int:
    """Run them, count, and say what was found."""
    options = _options()
    if options.child:
        _work(Path(options.child), options.name)
        return 0
    with tempfile.TemporaryDirectory(prefix="backstory-workers-") as folder:
        figures = _compare(Path(folder) / "memory.db", jobs=options.jobs, seed=options.seed)
    print(json.dumps(figures) if options.json else _told(figures))
    return 0 if figures["once"] == figures["jobs"] else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def _compare(path: Path, *, jobs: int, seed: int) -> dict[str, float]:
    store = open_store(path, now_ms=0)
    _fill(store, jobs)
    begun = time.monotonic()
    lasting = [_start(path, name) for name in ("first", "second")]
    kills = _kill_until_done(store, path, seed=seed)
    for process in lasting:
        process.wait(_GIVE_UP_S)
    with store.reading() as tables:
        notes = [tables.meta.setting(f"done/t{number}") or "" for number in range(jobs)]
    store.close()
    return {
        "jobs": jobs,
        "once": sum(note.count(";") == 1 for note in notes),
        "kills": kills,
        "by_the_killed_one": sum("killed" in note for note in notes),
        "seconds": round(time.monotonic() - begun, 1),
    }


def _fill(store: SqliteStore, jobs: int) -> None:
    with store.writing() as tables:
        for number in range(jobs):
            thread = ThreadId(f"t{number}")
            tables.threads.add(
                Thread(id=thread, host="t", host_key=thread, is_active=True, started_at_ms=0)
            )
            tables.jobs.enqueue(JobKind.EXTRACT, thread, due_at_ms=number, now_ms=0)


def _kill_until_done(store: SqliteStore, path: Path, *, seed: int) -> int:
    chance = random.Random(seed)
    kills = 0
    end_s = time.monotonic() + _GIVE_UP_S
    while time.monotonic() < end_s:
        process = _start(path, "killed")
        time.sleep(chance.uniform(0.15, _LONGEST_LIFE_S))
        process.kill()
        process.wait()
        kills += 1
        with store.writing() as tables:
            tables.connection.execute(
                """
                UPDATE job SET due_at_ms = 0
                 WHERE lease_token IS NOT NULL AND updated_at_ms < :before_ms
                """,
                {"before_ms": system_clock() - 500},
            )
            if all(job.state is not JobState.OPEN for job in tables.jobs.listed()):
                return kills
    return kills


def _start(path: Path, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "--child", str(path), "--name", name])


def _work(path: Path, name: str) -> None:
    store = open_store(path, now_ms=0)

    def run(lease: Lease) -> None:
        time.sleep(0.005)  # the work itself
        with store.writing() as tables:
            note = tables.meta.setting(f"done/{lease.subject}") or ""
            tables.meta.set_setting(f"done/{lease.subject}", f"{note}{name};")
            tables.jobs.finish(lease, now_ms=system_clock())

    while True:
        run_due(store, {JobKind.EXTRACT: run}, clock=system_clock)
        with store.reading() as tables:
            if tables.jobs.next_due_ms() is None:
                break
        time.sleep(0.05)
    store.close()


def _told(figures: dict[str, float]) -> str:
    return (
        f"{figures['once']:.0f} of {figures['jobs']:.0f} jobs were finished exactly once, "
        f"{figures['by_the_killed_one']:.0f} by a worker that was killed {figures['kills']:.0f} "
        f"times; {figures['seconds']} s"
    )


if __name__ == "__main__":
    sys.exit(main())
