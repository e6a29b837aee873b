"""Time turns, extraction and start-up beside the bare work that they contain, in one run.

    python bench/speed.py [--json]

begin + complete: a turn through the library beside two bare SQLite transactions that write the
same text with the same durability; once only recorded, once also read by the rules when its
thread is due, as the library does by default. extraction: rules over the dialogues of
tests/corpus, a turn at a time. start-up: whole processes beside `python -c pass`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from backstory import Memory
from backstory.api import Opening
from backstory.extract import Window, extract
from backstory.model.ids import ThreadId, TurnId
from backstory.model.turn import Turn
from backstory.model.words import Speaker, TurnState

TURNS = 200
STARTS = 7
ASKED = "Have a look at the failing login test and tell me what is wrong with it, please."
ANSWERED = "The fixture opens a second session; I closed the first one. The test passes now."
CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "extraction.jsonl"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    figures = {**_turns(), **_extraction(), **_start_up()}
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(f"{name:<36}{value:>10.3f}" for name, value in figures.items()))
    return 0


def _turns() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "project" / ".backstory").mkdir(parents=True)
        bare = _median_ms(_bare(root / "bare.db"), TURNS)
        recorded = _turn_ms(root / "project", works_inline=False)
        read = _turn_ms(root / "project", works_inline=True)
    return {
        "two_bare_transactions_ms": bare,
        "turn_recorded_ms": recorded,
        "turn_recorded_ratio": recorded / bare,
        "turn_recorded_and_read_ms": read,
        "turn_recorded_and_read_ratio": read / bare,
    }


def _turn_ms(project: Path, *, works_inline: bool) -> float:
    opening = Opening(works_inline=works_inline)
    with Memory.open(project, opening=opening) as memory:
        return _median_ms(lambda: memory.complete_turn(memory.begin_turn(ASKED), ANSWERED), TURNS)


def _bare(path: Path) -> Callable[[], object]:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE turn (id INTEGER PRIMARY KEY, said TEXT, answer TEXT)")

    def run() -> None:
        with connection:
            connection.execute("INSERT INTO turn (said) VALUES (?)", (ASKED,))
        with connection:
            connection.execute(
                "UPDATE turn SET answer = ? WHERE id = last_insert_rowid()", (ANSWERED,)
            )

    return run


def _extraction() -> dict[str, float]:
    lines = CORPUS.read_text(encoding="utf-8").splitlines()[:300]
    said = [turn["user"] for line in lines for turn in json.loads(line)["turns"]]
    extract(Window(turns=(_turn(ASKED),)))  # the tables are read once
    spent = []
    for text in said:
        begun = time.perf_counter()
        extract(Window(turns=(_turn(text),)))
        spent.append((time.perf_counter() - begun) * 1000)
    spent.sort()
    return {
        "extract_turn_p50_ms": spent[len(spent) // 2],
        "extract_turn_p95_ms": spent[int(len(spent) * 0.95)],
    }


def _turn(text: str) -> Turn:
    return Turn(
        id=TurnId("u"),
        seq=1,
        thread_id=ThreadId("t"),
        position=0,
        speaker=Speaker.HUMAN,
        user_text=text,
        answer_text="",
        state=TurnState.COMPLETED,
        said_at_ms=0,
        recorded_at_ms=0,
    )


def _start_up() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".backstory").mkdir()
        python = [sys.executable, "-c", "pass"]
        main = [sys.executable, "-c", "from backstory.cli.app import main; main()"]
        bare = _process_ms(python, folder)
        version = _process_ms([*main, "--version"], folder)
        recall = _process_ms([*main, "recall", "which database"], folder)
    return {
        "python_pass_ms": bare,
        "version_ms": version,
        "version_ratio": version / bare,
        "recall_ms": recall,
        "recall_ratio": recall / bare,
    }


def _process_ms(command: list[str], folder: str) -> float:
    return _median_ms(
        lambda: subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL), STARTS
    )


def _median_ms(run: Callable[[], object], times: int) -> float:
    run()
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        run()
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


if __name__ == "__main__":
    sys.exit(main())
