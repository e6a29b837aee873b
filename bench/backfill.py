"""How fast history becomes episodes, beside `git log --numstat` over the same range.

    python bench/backfill.py REPO [RANGE] [--kills N] [--json]

REPO is a full clone, RANGE by default what HEAD reaches. Prints the seconds of both, their
ratio, the peak memory of this process, the time of a second run, how long recall takes then,
and with `--kills` whether a store that was filled by processes killed at random moments
equals one filled undisturbed.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

from backstory.adapters.git import GitRepository
from backstory.adapters.git.backfill import BackfillChoices, BackfillReport, backfill
from backstory.model.recall import Cues, Question
from backstory.store import SqliteStore, open_store
from backstory.wiring.recalling import recalled

NOW_MS = 1_800_000_000_000
ASKED = 200
TABLES = {
    "episode": "seq",
    "episode_summary": "episode_id, number",
    "todo": "episode_id, number",
    "recorded_commit": "sha",
    "episode_link": "episode, other, kind",
    "path_name": "path",
    "story_entry": "episode",
}


def git_seconds(repository: Path, wanted: str) -> float:
    """Return how long git itself takes to tell the range with line counts."""
    started = time.perf_counter()
    subprocess.run(
        ["git", "log", "--numstat", "-M", "-z", "--format=%H%x00%B", wanted],
        cwd=repository,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - started


def fill(path: Path, repository: Path, *, wanted: str) -> tuple[BackfillReport, float]:
    """Backfill a store and return the report and the seconds it took."""
    store = open_store(path, now_ms=NOW_MS)
    vcs = GitRepository(repository, environ=os.environ)
    started = time.perf_counter()
    choices = BackfillChoices(wanted=(wanted,))
    report = backfill(store, vcs, clock=lambda: NOW_MS, choices=choices)
    seconds = time.perf_counter() - started
    store.close()
    return report, seconds


def contents(path: Path) -> list[object]:
    """Return every row that a backfill keeps, and its runs joined."""
    store: SqliteStore = open_store(path, now_ms=NOW_MS)
    with store.reading() as tables:
        rows: list[object] = [
            row
            for table, order in TABLES.items()
            for row in tables.connection.execute(f"SELECT * FROM {table} ORDER BY {order}")
        ]
        rows += tables.connection.execute(
            "SELECT key, group_concat(hex(episodes), '' ORDER BY first)"
            " FROM story_posting GROUP BY key ORDER BY key"
        )
    store.close()
    return rows


def killed(path: Path, repository: Path, *, wanted: str, kills: int, seconds: float) -> int:
    """Fill a store by processes killed at random moments, then to the end; return the kills."""
    chance = random.Random(7)
    done = 0
    for _ in range(kills):
        child = subprocess.Popen(
            [sys.executable, __file__, str(repository), wanted, "--store", str(path)],
            stdout=subprocess.DEVNULL,
        )
        try:
            child.wait(timeout=chance.uniform(0.3, max(0.6, 2 * seconds / kills)))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
            done += 1
    fill(path, repository, wanted=wanted)
    return done


def recall_milliseconds(path: Path) -> dict[str, float]:
    """Return how long recall takes for the subject and files of each of the newest commits."""
    store = open_store(path, now_ms=NOW_MS)
    with store.reading() as tables:
        newest = tables.episodes.many(tables.episodes.newest(limit=ASKED))
    spent: list[float] = []
    for episode in newest:
        cues = Cues(files=episode.summary.changes[:3])
        question = Question(text=episode.summary.objective, cues=cues)
        started = time.perf_counter()
        with store.reading() as tables:
            recalled(tables, question, now_ms=NOW_MS, root=path.parent)
        spent.append(1000 * (time.perf_counter() - started))
    store.close()
    cuts = quantiles(spent, n=20)
    return {"recall_p50_ms": round(cuts[9], 1), "recall_p95_ms": round(cuts[18], 1)}


def measure(repository: Path, wanted: str, *, kills: int) -> dict[str, object]:
    """Measure everything in a temporary directory."""
    with tempfile.TemporaryDirectory() as folder:
        plain = git_seconds(repository, wanted)
        whole = Path(folder) / "whole" / "memory.db"
        report, seconds = fill(whole, repository, wanted=wanted)
        _, again = fill(whole, repository, wanted=wanted)
        figures: dict[str, object] = {
            "commits": report.commits_new,
            "git_log_seconds": round(plain, 2),
            "backfill_seconds": round(seconds, 2),
            "ratio": round(seconds / plain, 2),
            "commits_per_second": round(report.commits_new / seconds),
            "second_run_seconds": round(again, 2),
            "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "store_mib": round(whole.stat().st_size / 2**20, 1),
        }
        figures |= recall_milliseconds(whole)
        if kills:
            torn = Path(folder) / "torn" / "memory.db"
            times = killed(torn, repository, wanted=wanted, kills=kills, seconds=seconds)
            figures["kills"] = times
            figures["equal_after_kills"] = contents(torn) == contents(whole)
    return figures


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("wanted", nargs="?", default="HEAD")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--store", type=Path, help="only fill this store")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.store:
        fill(given.store, given.repository, wanted=given.wanted)
        return
    figures = measure(given.repository, given.wanted, kills=given.kills)
    if given.json:
        json.dump(figures, sys.stdout, indent=2)
        print()
        return
    for name, value in figures.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
