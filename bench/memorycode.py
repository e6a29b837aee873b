"""Measure how rules that change are kept up to date, on for-ai/MemoryCode (Apache-2.0).

    git clone https://github.com/for-ai/MemoryCode
    python bench/memorycode.py MemoryCode/dataset [--every N] [--json] [--show]

A mentor states coding rules to a mentee over many sessions and later changes some of them.
What the mentor says is a user's turn, what the mentee says is the answer; a session is a
thread. After the last session of a dialogue the rules in force should be active items, and
earlier versions of a rule should not be. Only the public API is used, with a fresh store for
each dialogue. How a rule is found in an item is in `Rule.is_in`: its literal or its key word,
and the thing that it is about.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.api import Opening
from backstory.model.words import Kind, Status

TURN_MS = 60_000
START_MS = 1_700_000_000_000
TAUGHT = ("instruction-add", "instruction-update")

# The things that the rules of the data set are about, most special first.
THINGS = {
    "function argument": r"argument|parameter|\barg",
    "function": r"function(?!s?['’]?s? (?:argument|parameter))|\bfunc",
    "method": r"method",
    "class": r"class(?! attribute)",
    "attribute": r"attribute",
    "variable": r"variable",
}
# What a rule without a literal is known by.
KEY_WORDS = (
    "annotation|type hint",
    "docstring",
    r"\btry\b|exception",
    "assert",
    "comment",
    "digit",
    r"camel\s?-?case",
    r"snake\s?_?-?case",
    "upper\\s?-?case|all caps|capital",
)


class SteppingClock:
    """A clock that a script moves by hand."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        """Return the time that it was moved to."""
        return self.now_ms


@dataclass(frozen=True)
class Rule:
    """One rule of the data set, such as "always start variable names with 'x_'"."""

    text: str

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """Return the patterns that an item must hold to state this rule."""
        literals = re.findall(r"'([^']+)'", self.text)
        if literals:
            marks = [rf"(?<![\w@]){re.escape(literals[0])}(?!\w)"]
        else:
            marks = [key for key in KEY_WORDS if re.search(key, self.text, re.IGNORECASE)][:1]
        plain = self.text.lower()
        thing = next((name for name in THINGS if name in plain), None)
        return (*marks, *([THINGS[thing]] if thing else []))

    def is_in(self, text: str) -> bool:
        """Whether a text states this rule."""
        return all(re.search(mark, text, re.IGNORECASE) for mark in self.marks)


@dataclass
class Tally:
    """What is counted, over one dialogue or all of them."""

    dialogues: int = 0
    turns: int = 0
    current: int = 0  # rules in force at the end
    current_active: int = 0
    stale: int = 0  # earlier versions of rules
    stale_active: int = 0
    items: int = 0  # active items
    items_other: int = 0  # of them, those that state no rule of the dialogue
    missed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def figures(self) -> dict[str, float]:
        """Return what is printed."""
        return {
            "dialogues": self.dialogues,
            "turns": self.turns,
            "rules_current": self.current,
            "current_active_share": _share(self.current_active, self.current),
            "rules_stale": self.stale,
            "stale_active_share": _share(self.stale_active, self.stale),
            "active_items_per_dialogue": round(self.items / max(1, self.dialogues), 2),
            "other_items_per_dialogue": round(self.items_other / max(1, self.dialogues), 2),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def measure(dialogue: dict[str, Any]) -> Tally:
    """Feed one dialogue to a fresh memory and compare what is active at its end."""
    clock = SteppingClock(START_MS)
    current, stale = rules_of(dialogue)
    tally = Tally(dialogues=1, current=len(current), stale=len(stale))
    with tempfile.TemporaryDirectory() as folder, _open(folder, clock) as memory:
        for session in dialogue["sessions"]:
            for said, answered in exchanges(session["text"], dialogue["context"]):
                clock.now_ms += TURN_MS
                memory.complete_turn(memory.begin_turn(said), answered)
                tally.turns += 1
            memory.settle()
            memory.new_thread()
        texts = [
            f"{item.revision.title}\n{item.revision.statement}"
            for item in memory.list(statuses=(Status.ACTIVE,))
            if item.kind is not Kind.DISCUSSION_CONTEXT
        ]
    _compare(tally, texts, current=current, stale=stale)
    return tally


def _compare(tally: Tally, texts: list[str], *, current: list[Rule], stale: list[Rule]) -> None:
    unfound = [rule for rule in current if not any(rule.is_in(text) for text in texts)]
    outdated = [text for text in texts if not any(rule.is_in(text) for rule in current)]
    left = [(rule, text) for rule in stale for text in outdated if rule.is_in(text)]
    tally.current_active = len(current) - len(unfound)
    tally.stale_active = len({rule for rule, _ in left})
    tally.items = len(texts)
    others = [text for text in outdated if not any(rule.is_in(text) for rule in stale)]
    tally.items_other = len(others)
    tally.missed = [rule.text for rule in unfound]
    tally.left = [f"{rule.text} <- {text}" for rule, text in left]
    tally.others = others


def rules_of(dialogue: dict[str, Any]) -> tuple[list[Rule], list[Rule]]:
    """Return the rules in force at the end of a dialogue, and their earlier versions."""
    versions: dict[int, list[str]] = {}
    for session, taught in zip(dialogue["sessions"], dialogue["instructions"], strict=True):
        texts = [
            text
            for kind, text in zip(session["type"], session["topic"], strict=True)
            if kind in TAUGHT
        ]
        numbers = [entry[0] for entry in taught if entry != -1]
        for number, text in zip(numbers, texts, strict=True):
            versions.setdefault(number, []).append(text)
    current = [Rule(texts[-1]) for texts in versions.values()]
    stale = [Rule(text) for texts in versions.values() for text in texts[:-1]]
    return current, stale


def exchanges(text: str, context: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what the mentor said and what the mentee answered, in order."""
    said: str | None = None
    answered = ""
    for speaker, words in _speeches(text, (context["mentor"], context["mentee"])):
        if speaker == context["mentor"]:
            if said is not None:
                yield said, answered
            said, answered = words, ""
        else:
            answered = f"{answered}\n{words}".strip()
    if said is not None:
        yield said, answered


def _speeches(text: str, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    pattern = "|".join(map(re.escape, names))
    parts = re.split(rf"^\**({pattern})\**:\**\s*", text, flags=re.MULTILINE)
    # Some dialogues put what is said between quotation marks.
    yield from zip(parts[1::2], (words.strip(' \n"') for words in parts[2::2]), strict=True)


def _open(folder: str, clock: SteppingClock) -> Memory:
    root = Path(folder) / "project"
    (root / ".backstory").mkdir(parents=True)
    memory = Memory.open(root, opening=Opening(clock=clock))
    assert isinstance(memory, Memory)
    return memory


def _dialogues(folder: Path, *, every: int) -> Iterator[dict[str, Any]]:
    paths = sorted(folder.glob("dialogue_*.json"), key=lambda path: int(path.stem.split("_")[1]))
    for path in paths[::every]:
        yield json.loads(path.read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="the folder `dataset` of the repository")
    parser.add_argument("--every", type=int, default=1, help="measure every Nth dialogue only")
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    parser.add_argument("--show", action="store_true", help="print what was missed and left")
    options = parser.parse_args()
    total = Tally()
    for dialogue in _dialogues(options.path, every=options.every):
        total.add(measure(dialogue))
    if options.show:
        for name in ("missed", "left", "others"):
            for line in asdict(total)[name]:
                print(f"{name}: {line}", file=sys.stderr)
    figures = total.figures()
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
