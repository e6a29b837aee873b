"""Print predictions for labelled files, made through the public API only.

    python bench/quality.py extraction CASES.jsonl > predictions.jsonl
    python bench/quality.py recall WORLD.json > predictions.jsonl

Every dialogue, and every world, gets a fresh store.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.api import NewEpisode, Note, Opening
from backstory.model.candidate import Quote
from backstory.model.episode import ReasonedDecision, Summary, Todo
from backstory.model.words import CandidateState, Intent, Kind, Status

TURN_MS = 60_000
START_MS = 1_700_000_000_000


class SteppingClock:
    """A clock that a script moves by hand."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        """Return the moment that it stands at."""
        return self.now_ms


def extraction(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield _extract_case(json.loads(line))


def _extract_case(case: dict[str, Any]) -> dict[str, Any]:
    clock = SteppingClock(START_MS)
    with tempfile.TemporaryDirectory() as folder, _open(folder, clock) as memory:
        numbers = {}
        for number, said in enumerate(case["turns"]):
            clock.now_ms += TURN_MS
            turn = memory.begin_turn(said["user"])
            memory.complete_turn(turn, said["assistant"])
            numbers[turn.id] = number
        memory.settle()
        return {
            "id": case["id"],
            "items": [*_items(memory, numbers), *_retractions(memory, numbers)],
        }


def _items(memory: Memory, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    for item in memory.list(statuses=(Status.ACTIVE, Status.SUPERSEDED, Status.RETRACTED)):
        if item.kind is Kind.DISCUSSION_CONTEXT:
            continue
        quotes = [evidence.quote for evidence in memory.show(item.id).evidence]
        yield {
            "kind": item.kind.value,
            "content": f"{item.revision.title}\n{item.revision.statement}",
            "quotes": [_quote(quote, numbers) for quote in quotes],
            "op": "add" if item.status is Status.ACTIVE else "supersede",
        }


def _retractions(memory: Memory, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    states = (CandidateState.ACCEPTED, CandidateState.PENDING)
    for candidate in memory.proposals(states=states):
        if candidate.intent is Intent.RETRACT:
            yield {
                "kind": candidate.kind.value,
                "content": candidate.statement,
                "quotes": [_quote(quote, numbers) for quote in candidate.quotes],
                "op": "retract",
            }


def _quote(quote: Quote, numbers: dict[str, int]) -> dict[str, Any]:
    return {"turn": numbers[str(quote.turn_id)], "role": quote.role.value, "text": quote.text}


def recall(path: Path) -> Iterator[dict[str, Any]]:
    world = json.loads(path.read_text(encoding="utf-8"))
    clock = SteppingClock(_ms(world["now"]))
    with tempfile.TemporaryDirectory() as folder, _open(folder, clock) as memory:
        names = _load(memory, world)
        for query in world["queries"]:
            cues = query["cues"]
            answer = memory.recall(
                query["text"], files=cues["files"], branch=cues["branch"], ticket=cues["ticket"]
            )
            yield {"id": query["id"], "hits": [names[hit.entry.id] for hit in answer.hits]}


def _load(memory: Memory, world: dict[str, Any]) -> dict[str, str]:
    names: dict[str, str] = {}
    for row in world["items"]:
        note = Note(
            kind=Kind(row["kind"]),
            title=row["title"],
            statement=row["content"],
            aliases=tuple(row["aliases"]),
            keywords=tuple(row["keywords"]),
            paths=tuple(row["related_files"]),
        )
        names[memory.add_item(note)] = row["id"]
    for row in world["episodes"]:
        names[memory.add_episode(_episode(row))] = row["id"]
    return names


def _episode(row: dict[str, Any]) -> NewEpisode:
    summary = Summary(
        objective=row["objective"],
        decisions=tuple(ReasonedDecision(**made) for made in row["decisions"]),
        changes=tuple(row["changes"]),
        problems=tuple(row["problems"]),
        todos=tuple(Todo(text=text) for text in row["todos"]),
        keywords=tuple(row["keywords"]),
    )
    return NewEpisode(
        summary=summary,
        branch=row["branch"],
        tickets=tuple(row["tickets"]),
        started_at_ms=_ms(row["started"]),
        ended_at_ms=_ms(row["ended"]) if row["ended"] else None,
    )


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def _open(folder: str, clock: SteppingClock) -> Memory:
    root = Path(folder) / "project"
    (root / ".backstory").mkdir(parents=True)
    memory = Memory.open(root, opening=Opening(clock=clock))
    assert isinstance(memory, Memory)
    return memory


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("extraction", "recall"))
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    tasks: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
        "extraction": extraction,
        "recall": recall,
    }
    for row in tasks[options.task](options.file):
        print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
