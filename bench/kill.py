"""What is left after kill -9 at random moments of recording, importing, extracting, consolidating.

    python bench/kill.py [--kills 200] [--seed 1] [--json]

A child uses the library as a host does: turns that say rules, reversals and retractions, and
an import of a transcript now and then, with every job run right away. It prints the id of a
turn only after the call that stored it has returned. It is killed at a random moment and
started again on the same store. After each kill the store must open, be whole
(`integrity_check`, `foreign_key_check`, the checks of `doctor`), and hold every turn that was
acknowledged; in the end all waiting work is done, and nothing is left open or buried.
Exits with 1 where anything of this does not hold.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from backstory.api import Memory
from backstory.model.limits import TURN_LEASE_MS
from backstory.model.words import Status, TurnState
from backstory.wiring.opening import Opening

_TOOLS = ("SQLite", "Postgres", "MySQL", "DuckDB")
_LONGEST_LIFE_S = 0.25


def main() -> int:
    """Kill, look, and say what was found."""
    options = _options()
    if options.child:
        _live(Path(options.child), seed=options.seed)
        return 0
    with tempfile.TemporaryDirectory(prefix="backstory-kill-") as folder:
        figures = _kill(Path(folder), kills=options.kills, seed=options.seed)
    print(json.dumps(figures) if options.json else _told(figures))
    return 1 if figures["problems"] else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _kill(project: Path, *, kills: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    Memory.init(project).close()
    acknowledged: set[str] = set()
    problems: list[str] = []
    for number in range(kills):
        acknowledged |= _one_life(project, seed=seed + number, chance=chance)
        problems += [f"kill {number}: {found}" for found in _broken(project, acknowledged)]
    problems += _unfinished(project)
    return {
        "kills": kills,
        "acknowledged_turns": len(acknowledged),
        **_counted(project),
        "problems": problems,
    }


def _one_life(project: Path, *, seed: int, chance: random.Random) -> set[str]:
    command = [sys.executable, __file__, "--child", str(project), "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        first = child.stdout.readline()  # it is up
        time.sleep(chance.random() * _LONGEST_LIFE_S)
        child.kill()
        rest = child.stdout.read()
    if not first:
        raise SystemExit(f"the child did not start: {child.returncode}")
    lines = (first + rest).split("\n")[:-1]  # a line that was cut acknowledges nothing
    return {line for line in lines if line.startswith("t_")}


def _broken(project: Path, acknowledged: set[str]) -> list[str]:
    with Memory.open(project, opening=Opening(works_inline=False)) as memory:
        found = [f"{finding.slug}: {finding.subject}" for finding in memory.check()]
        with memory._desk.store.reading() as tables:
            rows = tables.connection.execute("PRAGMA integrity_check").fetchall()
            kept = {turn.id for turn in tables.turns.page(after_seq=0, limit=1_000_000)}
    found += [str(row[0]) for row in rows if row[0] != "ok"]
    return found + [f"turn {turn_id} is lost" for turn_id in sorted(acknowledged - kept)]


def _unfinished(project: Path) -> list[str]:
    # Leases of the dead run out first.
    later = time.time_ns() // 1_000_000 + 2 * TURN_LEASE_MS
    with Memory.open(project, opening=Opening(clock=lambda: later)) as memory:
        memory.begin_turn("What does this do?")
        memory.settle()
        status = memory.status()
        with memory._desk.store.reading() as tables:
            waiting = [
                thread.id
                for thread in tables.threads.listed()
                if tables.turns.waiting(thread.id, limit=1)
            ]
            pending = tables.candidates.pending(limit=1)
    problems = [f"job {job.kind} {job.subject}: {job.last_error}" for job in status.jobs]
    problems += [f"thread {thread_id} was not read to its end" for thread_id in waiting]
    problems += ["a proposal was never decided"] if pending else []
    is_left_open = status.turns.get(TurnState.OPEN, 0) > 1  # the one just begun
    return problems + (["an abandoned turn was not recovered"] if is_left_open else [])


def _counted(project: Path) -> dict[str, int]:
    with Memory.open(project) as memory:
        turns = memory.status().turns
        items = memory.list(statuses=(Status.ACTIVE, Status.SUPERSEDED, Status.RETRACTED))
    return {"turns": sum(turns.values()), "items": len(items)}


def _live(project: Path, *, seed: int) -> None:
    chance = random.Random(seed)
    with Memory.open(project) as memory:
        print("up", flush=True)
        while True:
            if chance.random() < 0.1:
                memory.import_sessions([_a_transcript(project, chance)])
                continue
            turn = memory.begin_turn(_a_wish(chance))
            print(turn.id, flush=True)
            if chance.random() < 0.1:
                memory.fail_turn(turn, "no connection")
            else:
                memory.complete_turn(turn, "好的。")


def _a_wish(chance: random.Random) -> str:
    tool = chance.choice(_TOOLS)
    number = chance.randrange(40)
    return chance.choice(
        (
            f"Remember: module {number} uses {tool}.",
            f"From now on, functions of module {number} must start with m{number}_.",
            f"以后第 {number} 个服务都用 {tool}。",
            f"Switch to {tool} for the database.",
            f"Forget the rule about module {number}.",
            "What does this function do?",
        )
    )


def _a_transcript(project: Path, chance: random.Random) -> Path:
    session = f"{chance.getrandbits(64):016x}"
    path = project / f"{session}.jsonl"
    lines = []
    for number in range(6):
        said = {"role": "user", "content": _a_wish(chance)}
        answered = {"role": "assistant", "content": [{"type": "text", "text": "OK."}]}
        for kind, message in (("user", said), ("assistant", answered)):
            lines.append(
                json.dumps(
                    {
                        "type": kind,
                        "uuid": f"{session}-{number}-{kind}",
                        "sessionId": session,
                        "timestamp": f"2025-01-01T00:00:{number:02}.000Z",
                        "cwd": str(project),
                        "message": message,
                    }
                )
            )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _told(figures: dict[str, object]) -> str:
    problems = figures["problems"]
    assert isinstance(problems, list)
    lines = [f"{name}: {value}" for name, value in figures.items() if name != "problems"]
    return "\n".join([*lines, *(problems or ["nothing is lost or broken"])])


if __name__ == "__main__":
    sys.exit(main())
