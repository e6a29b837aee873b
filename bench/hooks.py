"""How long a prompt waits for its hook: cold processes, beside `python -c pass` in the same run.

    python bench/hooks.py [--json] [--items 0 10000] [--runs 20] [--busy] [--locked]

Each run is a new process that is handed a prompt and read until it ends. `--locked` measures
with a writer holding the lock, `--busy` with one core at work.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from backstory.api import Memory, Note, Opening
from backstory.model.words import Kind

HOOK = [sys.executable, "-m", "backstory.cli.app", "hook", "--host", "claude-code"]
# Words to make items of: enough that few share more than one.
WORDS = [
    f"{a}{b}" for a in ("auth", "cart", "mail", "search", "cache", "queue") for b in range(400)
]


def main() -> None:
    options = _options()
    rows = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ["HOME"] = folder
        os.environ.pop("CI", None)
        for items in options.items:
            project = a_project(Path(folder) / f"p{items}", items=items)
            with _held(project, options.locked), _busy_core(options.busy):
                bare = timed([sys.executable, "-c", "pass"], project, runs=options.runs)
                hook = timed([*HOOK, "--event", "UserPromptSubmit"], project, runs=options.runs)
            rows.append(row(items, bare=bare, hook=hook))
    if options.json:
        print(json.dumps(rows))
        return
    for one in rows:
        print(
            f"{one['items']:>7,} items: hook p50 {one['p50_ms']} ms, p95 {one['p95_ms']} ms; "
            f"python -c pass p50 {one['bare_p50_ms']} ms; ratio {one['ratio']}"
        )


def a_project(folder: Path, *, items: int) -> Path:
    """Make a project whose memory holds so many items."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    with Memory.open(folder, opening=Opening(works_inline=False)) as memory:
        for n in range(items):
            one, other = WORDS[n % len(WORDS)], WORDS[(n * 7 + n // len(WORDS)) % len(WORDS)]
            text = f"The module {one} hands its work to {other} in batches of {n}."
            memory.add_item(Note(kind=Kind.PROJECT_FACT, title=text[:80], statement=text))
    return folder


def timed(command: list[str], folder: Path, *, runs: int) -> list[float]:
    """Return how many milliseconds each of so many processes took, after one to warm up."""
    taken = []
    for n in range(runs + 1):
        prompt = f"How does the module {WORDS[n * 37 % len(WORDS)]} hand on its work?"
        payload = {
            "session_id": f"s{n}",
            "cwd": str(folder),
            "prompt": prompt,
            "prompt_id": str(n),
        }
        begun = time.perf_counter()
        subprocess.run(
            command, input=json.dumps(payload), text=True, capture_output=True, check=True
        )
        taken.append((time.perf_counter() - begun) * 1000)
    return sorted(taken[1:])


def row(items: int, *, bare: list[float], hook: list[float]) -> dict[str, float]:
    """Return the figures of one size."""
    p50, bare_p50 = statistics.median(hook), statistics.median(bare)
    return {
        "items": items,
        "p50_ms": round(p50, 1),
        "p95_ms": round(hook[int(len(hook) * 0.95) - 1], 1),
        "bare_p50_ms": round(bare_p50, 1),
        "ratio": round(p50 / bare_p50, 2),
        "load": round(os.getloadavg()[0], 1),
    }


@contextmanager
def _held(project: Path, is_wanted: bool) -> Iterator[None]:  # noqa: FBT001
    writer = apsw.Connection(str(project / ".git/backstory/memory.db"))
    if is_wanted:
        writer.execute("BEGIN IMMEDIATE")
    yield
    writer.close()


@contextmanager
def _busy_core(is_wanted: bool) -> Iterator[None]:  # noqa: FBT001
    code = "while True: pass" if is_wanted else "pass"
    with subprocess.Popen([sys.executable, "-c", code]) as spinner:
        yield
        spinner.kill()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--items", type=int, nargs="+", default=[0, 10_000])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--locked", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
