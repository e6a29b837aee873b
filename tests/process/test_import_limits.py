"""An import holds no more than a line of a file, and dies anywhere without losing its place."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.store import open_store
from transcripts import Claude, written

MEGABYTE = 1024 * 1024
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
IMPORT = """
import json, resource, sys
from itertools import count
from pathlib import Path
from backstory.adapters.importers import import_file
from backstory.store import open_store
state, path = Path(sys.argv[1]), Path(sys.argv[2])
tag = sys.argv[3]
numbers = count()
store = open_store(state, now_ms=1)
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = import_file(store, path, clock=lambda: 1, ids=lambda p: f"{p}_{tag}_{next(numbers)}")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({
    "turns": report.turns_new, "oversized": report.oversized_lines, "bad": report.bad_lines,
    "faults": [fault.reason[:200] for fault in report.faults], "grown": (peak - base) // 1024,
}))
"""


def imported(state: Path, path: Path, *, limit_mb: int = 512) -> dict[str, object]:
    """Import in a process whose data segment is limited, and return what it tells."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit_mb * MEGABYTE, limit_mb * MEGABYTE))

    done = subprocess.run(
        [sys.executable, "-c", IMPORT, str(state), str(path), "x"],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        env=ENVIRONMENT,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.case("C37")
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is on Linux's data segment")
def test_line_beyond_any_talk_is_passed_over_in_bounded_memory(tmp_path: Path) -> None:
    claude = Claude()
    file = tmp_path / "session.jsonl"
    written(file, [claude.user("one"), claude.said("1."), claude.user("two"), claude.ran("cat x")])
    with file.open("a", encoding="utf-8") as grown:
        grown.write(claude.result("x" * (40 * MEGABYTE)) + "\n")
        grown.write(claude.said("2.") + "\n")

    told = imported(tmp_path / "memory.db", file, limit_mb=96)

    assert told["turns"] == 2
    assert told["oversized"] == 1
    assert "is no prompt" in str(told["faults"])
    assert int(str(told["grown"])) < 32


@pytest.mark.promise("R59")
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is on Linux's data segment")
def test_prompt_of_five_million_characters_is_kept_whole(tmp_path: Path) -> None:
    claude = Claude()
    # Every character escaped: six bytes each, the largest that such a prompt can be.
    prompt = json.dumps(json.loads(claude.user("忆" * 5_000_000)))
    file = written(tmp_path / "session.jsonl", [prompt, claude.said("Ok.")])

    told = imported(tmp_path / "memory.db", file)

    with open_store(tmp_path / "memory.db", now_ms=1).reading() as tables:
        (turn,) = tables.turns.page(after_seq=0, limit=2)
    assert (told["turns"], told["oversized"]) == (1, 0)
    assert turn.user_text == "忆" * 5_000_000
    assert int(str(told["grown"])) < 200


@pytest.mark.case("C37")
def test_prompt_too_large_to_read_is_named(tmp_path: Path) -> None:
    claude = Claude()
    lines = [claude.user("x" * (40 * MEGABYTE)), claude.said("Ok."), claude.user("two")]
    file = written(tmp_path / "session.jsonl", [*lines, claude.said("2.")])

    told = imported(tmp_path / "memory.db", file)

    assert (told["turns"], told["oversized"]) == (1, 1)
    assert "may be a prompt" in str(told["faults"])


@pytest.mark.case("C06")
def test_import_killed_at_any_moment_goes_on_to_the_same_end(tmp_path: Path) -> None:
    claude = Claude()
    lines: list[str] = []
    for number in range(2500):
        lines += [claude.user(f"prompt {number}"), claude.ran("make", tool=f"t{number}")]
        lines += [claude.result("ok", tool=f"t{number}"), claude.said(f"answer {number}")]
    file = written(tmp_path / "session.jsonl", lines)
    state = tmp_path / "memory.db"
    chance = random.Random(7)

    for attempt in range(12):
        command = [sys.executable, "-c", IMPORT, str(state), str(file), f"{attempt}"]
        process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=chance.uniform(0.1, 0.6))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    imported(state, file)

    with open_store(state, now_ms=1).reading() as tables:
        turns = tables.turns.page(after_seq=0, limit=5000)
        assert tables.events.count() == 2500
    assert [turn.user_text for turn in turns] == [f"prompt {number}" for number in range(2500)]
    assert [turn.position for turn in turns] == list(range(2500))
