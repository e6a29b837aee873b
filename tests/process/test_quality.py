"""How well the project's own labelled dialogues and questions are answered, with floors.

A floor is what was measured when it was written, less a little: who makes something worse is
told, and who makes it better raises the floor.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from backstory.extract import Window, extract
from backstory.model.candidate import Candidate
from backstory.model.ids import TurnId
from backstory.model.turn import Turn
from backstory.model.words import Intent, Role
from saying import a_turn

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"

Words = dict[str, Any]


def dialogues() -> list[Words]:
    """Return the labelled dialogues."""
    lines = (CORPUS / "extraction.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def turns_of(dialogue: Words) -> list[Turn]:
    return [
        a_turn(said["user"], answer=said["assistant"], name=f"t{number}")
        for number, said in enumerate(dialogue["turns"])
    ]


def proposed(dialogue: Words) -> list[Candidate]:
    """Return what the rules propose to remember of a dialogue."""
    turns = turns_of(dialogue)
    windows = [
        Window(turns=(turn,), previous=before)
        for before, turn in zip([None, *turns], turns, strict=False)
    ]
    verdicts = [verdict for window in windows for verdict in extract(window)]
    return [
        one for one in verdicts if isinstance(one, Candidate) and one.intent is not Intent.RETRACT
    ]


def is_of(candidate: Candidate, label: Words, *, dialogue: Words) -> bool:
    """Whether a proposal rests on the words of a label: they share half of the shorter ones."""
    start = dialogue["turns"][label["turn"]]["user"].index(label["quote"])
    end = start + len(label["quote"])
    for quote in candidate.quotes:
        if quote.role is Role.USER and quote.turn_id == TurnId(f"t{label['turn']}"):
            shared = min(end, quote.end) - max(start, quote.start)
            if shared * 2 >= min(end - start, quote.end - quote.start):
                return True
    return False


def measured(cases: Iterable[Words]) -> Counter[str]:
    """Count what was proposed rightly and wrongly, what was to be, and what of it was."""
    counts: Counter[str] = Counter()
    for case in cases:
        known = [*case["expect"], *case["superseded"], *case["optional"]]
        found = proposed(case)
        for one in found:
            is_right = any(is_of(one, label, dialogue=case) for label in known)
            counts["right" if is_right else "wrong"] += 1
        for label in case["expect"]:
            counts["wanted"] += 1
            counts["found"] += any(is_of(one, label, dialogue=case) for one in found)
        counts["quiet"] += not known
        counts["alarms"] += not known and bool(found)
    return counts


@pytest.mark.promise("R175")
@pytest.mark.case("C46")
@pytest.mark.parametrize("language", ["zh", "en", "mixed"])
def test_what_lasts_is_proposed_and_hardly_anything_else(language: str) -> None:
    counts = measured(one for one in dialogues() if one["lang"] == language)

    assert counts["alarms"] == 0
    assert counts["right"] >= 0.97 * (counts["right"] + counts["wrong"])
    assert counts["found"] >= 0.92 * counts["wanted"]


@pytest.mark.promise("R175")
def test_questions_find_their_answers_and_others_nothing() -> None:
    world = CORPUS / "recall.json"
    printed = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "quality.py"), "recall", str(world)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    hits = {row["id"]: row["hits"] for row in map(json.loads, printed.splitlines())}
    queries = json.loads(world.read_text(encoding="utf-8"))["queries"]
    ranks = [
        next((at for at, hit in enumerate(hits[one["id"]], start=1) if hit in one["relevant"]), 0)
        for one in queries
        if one["relevant"]
    ]
    others = [hits[one["id"]] for one in queries if not one["relevant"]]

    assert sum(1 / rank for rank in ranks if rank) >= 0.86 * len(ranks)
    assert sum(not found for found in others) >= 0.98 * len(others)
