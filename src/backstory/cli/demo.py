"""`backstory demo`: a bundled conversation, from import to answers, in a project of its own."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.importers import ImportReport
from backstory.api import Memory, NullMemory, Opening
from backstory.cli.render import Screen, print_json
from backstory.cli.words import (
    candidate_row,
    hit_row,
    item_row,
    kind_word,
    show_candidate,
    show_evidence,
    story_row,
)
from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.recall import Recalled
from backstory.model.words import CandidateState, Kind, Purpose, Status

# Four that the conversation answers, and one that it never does: a queue was only asked about.
QUESTIONS = (
    "我们的数据库用的是什么？",
    "缺测的潮位为什么不能用线性插值补？",
    "What does the harbour map use?",
    "May we log skippers' phone numbers?",
    "Which message queue did we pick?",
)
_REFUSALS_SHOWN = 5
_GONE = (Status.SUPERSEDED, Status.RETRACTED)


def demo(
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Keep the project in this new DIR."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what Backstory does, on a bundled conversation of two developers over eight days.

    It works in a temporary project and touches none of yours.
    """
    with _project(keep) as root, Memory.init(root, opening=Opening(host="cli")) as memory:
        with as_file(files("backstory") / "demo") as folder:
            report = memory.import_sessions([folder])
        answers = {question: memory.recall(question) for question in QUESTIONS}
        if as_json:
            print_json(_row(memory, report, answers))
        else:
            _tell(Screen(), memory, report, answers, root=root)


COMMANDS = {"demo": demo}


@contextmanager
def _project(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="backstory-demo-") as folder:
        root = Path(folder) / "tidewater"
        root.mkdir()
        yield root


def _row(
    memory: Memory | NullMemory, report: ImportReport, answers: dict[str, Recalled]
) -> dict[str, object]:
    return {
        "sessions": report.sessions,
        "turns": report.turns_new,
        "items": [story_row(memory.show(item.id)) for item in memory.list()],
        "gone": [item_row(item) for item in memory.list(statuses=_GONE)],
        "refused": [candidate_row(c) for c in memory.proposals(states=(CandidateState.REFUSED,))],
        "answers": {
            question: [hit_row(hit) for hit in answer.hits] for question, answer in answers.items()
        },
    }


def _tell(
    screen: Screen,
    memory: Memory | NullMemory,
    report: ImportReport,
    answers: dict[str, Recalled],
    *,
    root: Path,
) -> None:
    screen.line(
        f"Two developers talked with a coding agent: {report.sessions} sessions, "
        f"{report.turns_new} turns, English and Chinese."
    )
    screen.line("No model was asked, and nothing left this machine.")
    _tell_remembered(screen, memory)
    _tell_gone(screen, memory)
    _tell_refused(screen, memory)
    for question, answer in answers.items():
        _tell_answer(screen, memory, question, answer)
    _tell_isolation(screen, memory, root)
    screen.heading("Where to go next")
    screen.line("  cd YOUR-PROJECT && backstory import   read the sessions you had there")
    screen.line("  backstory list                        see what is remembered")
    screen.line("  backstory remember 以后用中文回答     say it yourself")
    screen.line("  backstory --help                      everything else")


def _tell_remembered(screen: Screen, memory: Memory | NullMemory) -> None:
    items = memory.list()
    screen.heading(f"Remembered: {len(items)} things, each with the words that prove it")
    for kind in Kind:
        for item in (item for item in items if item.kind is kind):
            _tell_item(screen, item)
            for proof in memory.show(item.id).evidence[:2]:
                show_evidence(screen, proof)


def _tell_item(screen: Screen, item: Item) -> None:
    screen.line((f"  {kind_word(item.kind)}: ", "cyan"), item.revision.title)


def _tell_gone(screen: Screen, memory: Memory | NullMemory) -> None:
    gone = memory.list(statuses=_GONE)
    screen.heading(f"Changed since: {len(gone)} things were replaced or taken back")
    for item in gone:
        _tell_item(screen, item)
        if item.superseded_by is not None:
            later = memory.show(item.superseded_by).item
            screen.line("    replaced by: ", (later.revision.title, "green"))
        else:
            screen.line("    taken back by the user")


def _tell_refused(screen: Screen, memory: Memory | NullMemory) -> None:
    refused = memory.proposals(states=(CandidateState.REFUSED,))
    screen.heading(f"Not remembered: {len(refused)} sentences sounded lasting and are not")
    for candidate in refused[:_REFUSALS_SHOWN]:
        show_candidate(screen, candidate)


def _tell_answer(
    screen: Screen, memory: Memory | NullMemory, question: str, answer: Recalled
) -> None:
    screen.heading(f"? {question}")
    if not answer.hits:
        screen.line(f"  Nothing: {answer.abstained_because}.")
        return
    entry = answer.hits[0].entry
    if isinstance(entry, Episode):
        return
    screen.line(("  " + entry.revision.statement, "green"))
    for proof in memory.show(entry.id).evidence[:2]:
        show_evidence(screen, proof)


def _tell_isolation(screen: Screen, memory: Memory | NullMemory, root: Path) -> None:
    prompt = QUESTIONS[0]
    with Memory.open(root, purpose=Purpose.CODE_AUDIT) as audit:
        seen = audit.context(prompt).text
    shown = memory.context(prompt).text
    screen.heading("An audit sees none of it")
    screen.line(f"  a coding agent would be given {len(shown):,} characters of memory,")
    screen.line(f"  an audit of the same project is given {len(seen)}.")
