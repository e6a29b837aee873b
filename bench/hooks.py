"""How long a prompt waits for its hook: cold processes, beside `python -c pass` in the same run.

    python bench/hooks.py [--json] [--items 0 10000] [--runs 20] [--busy] [--locked]

Each run is a new process that is handed a prompt and read until it ends. `--locked` measures
with a writer holding the lock, `--busy` with one core at work.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw
from made_items import a_made_item

import backstory
from backstory.index import index_entries
from backstory.model.item import Item
from backstory.ports.store_rows import NewItem
from backstory.store import open_store

# As installers write it into the settings of hosts.
START = Path(backstory.__file__).parent / "hooks" / "start.py"
HOOK = [sys.executable, "-I", "-S", str(START), "hook", "--host", "claude-code"]
_AT_ONCE = 5_000
# Words to make items of: enough that few share more than one.
WORDS = [
    f"{a}{b}" for a in ("auth", "cart", "mail", "search", "cache", "queue") for b in range(400)
]


@dataclass(frozen=True, kw_only=True)
class Times:
    """How long processes took, and how long a core was busy with them; each in order."""

    spent: list[float]
    busy: list[float]


def main() -> None:
    options = _options()
    rows = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ["HOME"] = folder
        os.environ.pop("CI", None)
        os.environ["CLAUDE_CODE_ENTRYPOINT"] = "cli"
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
            f"{one['items']:>7,} items: hook p50 {one['p50_ms']} ms, p95 {one['p95_ms']} ms, "
            f"core {one['cpu_ms']} ms; python -c pass {one['bare_p50_ms']} ms, core "
            f"{one['bare_cpu_ms']} ms; ratio {one['ratio']}, core {one['cpu_ratio']}; "
            f"load {one['load']}"
        )


def a_project(folder: Path, *, items: int) -> Path:
    """Make a project whose memory holds so many items, a hundred thousand in about a minute."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    store = open_store(folder / ".git/backstory/memory.db", now_ms=0)
    for first in range(0, items, _AT_ONCE):
        made = [an_item(n) for n in range(first, min(items, first + _AT_ONCE))]
        with store.writing() as tables:
            for item in made:
                tables.items.add(
                    NewItem(item=item, evidence=()), batch="b", actor="human", now_ms=0
                )
            index_entries(tables, made)
    store.close()
    return folder


def an_item(number: int) -> Item:
    """Return a fact that shares its words with few others."""
    one = WORDS[number % len(WORDS)]
    other = WORDS[(number * 7 + number // len(WORDS)) % len(WORDS)]
    text = f"The module {one} hands its work to {other} in batches of {number}."
    return a_made_item(f"i_{number}", text)


def timed(command: list[str], folder: Path, *, runs: int) -> Times:
    """Return what so many processes took, in milliseconds, after one to warm up."""
    spent, busy = [], []
    for n in range(runs + 1):
        prompt = f"How does the module {WORDS[n * 37 % len(WORDS)]} hand on its work?"
        payload = {
            "session_id": f"s{n}-{time.time_ns()}",
            "cwd": str(folder),
            "prompt": prompt,
            "prompt_id": str(n),
        }
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        subprocess.run(
            command, input=json.dumps(payload), text=True, capture_output=True, check=True
        )
        spent.append((time.perf_counter() - begun) * 1000)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        in_user, in_system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        busy.append((in_user + in_system) * 1000)
    return Times(spent=sorted(spent[1:]), busy=sorted(busy[1:]))


def row(items: int, *, bare: Times, hook: Times) -> dict[str, float]:
    """Return the figures of one size."""
    p50, bare_p50 = statistics.median(hook.spent), statistics.median(bare.spent)
    cpu, bare_cpu = statistics.median(hook.busy), statistics.median(bare.busy)
    return {
        "items": items,
        "p50_ms": round(p50, 1),
        "p95_ms": round(hook.spent[int(len(hook.spent) * 0.95) - 1], 1),
        "cpu_ms": round(cpu, 1),
        "bare_p50_ms": round(bare_p50, 1),
        "bare_cpu_ms": round(bare_cpu, 1),
        "ratio": round(p50 / bare_p50, 2),
        "cpu_ratio": round(cpu / bare_cpu, 2),
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
