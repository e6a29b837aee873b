"""How well `search` finds the turns that answer questions about long conversations.

    python bench/locomo.py data/locomo10.json [--json] [--limit 10]

The file is the one of https://github.com/snap-research/LoCoMo (Maharana et al., "Evaluating Very
Long-Term Conversational Memory of LLM Agents", 2024); it is not part of this repository.

Protocol: every conversation gets a fresh store of its own. Each of its sessions becomes a
thread, and each utterance a turn of that thread: "Name: text", with the caption of a shared
picture behind it in brackets. Nothing else of the file is stored (no summary, no observation).
Every question that names evidence is asked as it is written, in all five categories (1 several
hops, 2 time, 3 world knowledge, 4 one hop, 5 adversarial, whose evidence is where the misled
answer comes from). Its recall is the share of its evidence turns among the first `--limit`
hits; the figures are means over questions. Evidence that names no utterance of the
conversation counts as not found.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.api import Opening

CATEGORIES = {1: "several hops", 2: "time", 3: "world knowledge", 4: "one hop", 5: "adversarial"}


def sessions(conversation: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    names = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    for name in sorted(names, key=lambda name: int(name.split("_")[1])):
        yield conversation[name]


def utterance(row: dict[str, Any]) -> str:
    caption = row.get("blip_caption")
    return f"{row['speaker']}: {row['text']}" + (f" [{caption}]" if caption else "")


def record(memory: Memory, conversation: dict[str, Any]) -> dict[str, str]:
    """Store every utterance, and return which of them each turn is."""
    names: dict[str, str] = {}
    for number, session in enumerate(sessions(conversation)):
        thread = memory.thread_for("locomo", f"session {number}")
        for row in session:
            turn = memory.begin_turn(utterance(row), thread=thread)
            memory.complete_turn(turn, "")
            names[str(turn.id)] = row["dia_id"]
    return names


def scores(sample: dict[str, Any], limit: int) -> Iterator[tuple[int, float]]:
    """Yield the category and the recall of each question."""
    opening = Opening(works_inline=False, env={})
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        (root / ".backstory").mkdir(parents=True)
        with Memory.open(root, opening=opening) as memory:
            names = record(memory, sample["conversation"])
            yield from answered(memory, sample["qa"], names=names, limit=limit)


def answered(
    memory: Memory, questions: list[dict[str, Any]], *, names: dict[str, str], limit: int
) -> Iterator[tuple[int, float]]:
    for question in questions:
        evidence = set(question["evidence"])
        if evidence:
            hits = memory.search(question["question"], limit=limit)
            found = {names[str(hit.turn_id)] for hit in hits}
            yield question["category"], len(evidence & found) / len(evidence)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure search on LoCoMo.")
    parser.add_argument("file", type=Path, help="data/locomo10.json of snap-research/LoCoMo")
    parser.add_argument("--limit", type=int, default=10, help="hits that count")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    by_category: dict[int, list[float]] = defaultdict(list)
    for sample in json.loads(options.file.read_text(encoding="utf-8")):
        for category, value in scores(sample, options.limit):
            by_category[category].append(value)
    every = [value for values in by_category.values() for value in values]
    figures = {
        "limit": options.limit,
        "questions": len(every),
        "recall": round(sum(every) / len(every), 4),
        "by_category": {
            CATEGORIES[category]: {
                "questions": len(values),
                "recall": round(sum(values) / len(values), 4),
            }
            for category, values in sorted(by_category.items())
        },
    }
    if options.json:
        print(json.dumps({"locomo": figures}, indent=1))
        return 0
    print(f"turn recall@{options.limit}: {figures['recall']} over {len(every)} questions")
    for name, row in figures["by_category"].items():
        print(f"  {name:<16} {row['questions']:>5} {row['recall']:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
