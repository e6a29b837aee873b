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
from backstory.cli.place import HOST, Command, Invocation
from backstory.cli.render import (
    Screen,
    colon,
    counted,
    day,
    one_line,
    print_json,
    stopped,
    strung,
)
from backstory.cli.words import (
    candidate_row,
    hit_row,
    item_row,
    kind_word,
    nothing,
    reason_words,
    story_row,
)
from backstory.model.candidate import StoredCandidate
from backstory.model.errors import UsageError
from backstory.model.item import Evidence, Item
from backstory.model.recall import Recalled
from backstory.model.words import CandidateState, Kind, Purpose, Role, Status
from backstory.speaking import said

# Four that the conversation answers, and one that it never does: a queue was only asked about.
QUESTIONS = (
    "我们的数据库用的是什么？",
    "潮高以什么为准？",
    "What does the harbour map use?",
    "May we log skippers' phone numbers?",
    "Which message queue did we pick?",
)
_REFUSALS_SHOWN = 6
_GONE = (Status.SUPERSEDED, Status.RETRACTED)
_SPEAKERS = {Role.USER: "the user", Role.ASSISTANT: "the agent", Role.EVENT: "the record"}
_NEXT = (
    ("cd YOUR-PROJECT && backstory import", "read the sessions that you had there"),
    ("backstory list", "see what is remembered"),
    ('backstory remember "以后都用中文回答。"', "say it yourself"),
    ("backstory --help", "see all that there is"),
)


def demo(
    invocation: Invocation,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Keep the project, in a new directory DIR."),
    ] = None,
) -> None:
    """Show what Backstory does, on a bundled conversation.

    Two developers talk with a coding agent over eight days, in English and Chinese. It works
    in a temporary project and touches none of yours; no model and no network is used.
    """
    # Nothing outside decides on it: not the caller's purpose and not their settings.
    opening = Opening(host=HOST, env={}, asks_model_at_close=False)
    with _project(keep) as root, Memory.init(root, opening=opening) as memory:
        with as_file(files("backstory") / "demo") as folder:
            report = memory.import_sessions([folder])
        answers = {question: memory.recall(question) for question in QUESTIONS}
        if invocation.as_json:
            print_json(_row(memory, report, answers=answers))
        else:
            telling = _Telling(Screen(wraps=True), memory)
            telling.of_conversation(report)
            telling.of_answers(answers)
            telling.of_isolation(root)
            telling.of_what_is_next(keep)


COMMANDS = {"demo": Command(run=demo, examples=("backstory demo --keep ./tidewater",))}


@contextmanager
def _project(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        try:
            keep.mkdir(parents=True)
        except FileExistsError as error:
            raise UsageError(f"--keep: {keep} is there already; name a new directory") from error
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="backstory-demo-") as folder:
        root = Path(folder) / "tidewater"
        root.mkdir()
        yield root


def _row(
    memory: Memory | NullMemory, report: ImportReport, *, answers: dict[str, Recalled]
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


class _Telling:
    """Writes what the demo shows, part by part."""

    def __init__(self, screen: Screen, memory: Memory | NullMemory) -> None:
        self._screen = screen
        self._memory = memory

    def of_conversation(self, report: ImportReport) -> None:
        """Write what came of the conversation: items, what replaced what, and refusals."""
        told = said(
            f"Two developers talked with a coding agent: {report.turns_new} turns in "
            f"{report.sessions} sessions, in English and Chinese."
        )
        self._screen.line(told, indent=0)
        self._screen.line(
            said("Rules read them; no model was asked, and nothing left this machine.")
        )
        self._of_remembered(self._memory.list())
        self._of_gone(self._memory.list(statuses=_GONE))
        self._of_refused(self._memory.proposals(states=(CandidateState.REFUSED,)))

    def of_answers(self, answers: dict[str, Recalled]) -> None:
        """Write each question with its first answer, or that there is none."""
        self._screen.heading(said("Asked, and answered or not"))
        for question, answer in answers.items():
            self._screen.line("")
            self._screen.line((f"  ? {question}", "cyan"))
            found = [hit.entry for hit in answer.hits if isinstance(hit.entry, Item)]
            if found:
                self._of_item(found[0], mark="    ")
            else:
                self._screen.line(f"    {nothing(answer)}")

    def of_isolation(self, root: Path) -> None:
        """Write what an audit of the same project is given: nothing."""
        prompt = QUESTIONS[0]
        with Memory.open(root, purpose=Purpose.CODE_AUDIT) as audit:
            seen = audit.context(prompt).text
        shown = self._memory.context(prompt).text
        self._screen.heading(said("An audit sees none of it"))
        given = said(f"A coding agent would be given {len(shown):,} characters of memory;")
        self._screen.line(f"  {given}")
        same = said("the same as with no memory at all" if seen == "" else "which should not be")
        self._screen.line(f"  {said(f'an audit of this project is given {len(seen)}, {same}.')}")

    def of_what_is_next(self, keep: Path | None) -> None:
        """Write what a person can do now."""
        self._screen.heading(said("Where to go next"))
        for command, effect in _NEXT:
            self._screen.line((f"  {command}", "green"), f"  # {said(effect)}")
        if keep is not None:
            self._screen.line(said(f"The project of this demo stays in {keep}."))

    def _of_remembered(self, items: tuple[Item, ...]) -> None:
        self._screen.heading(
            said(f"Remembered: {len(items)} things, each with the words that prove it")
        )
        for kind in Kind:
            of_kind = [item for item in items if item.kind is kind]
            if of_kind:
                self._screen.line("")
                self._screen.line((f"  {kind_word(kind)}", "cyan"))
            for item in of_kind:
                self._of_item(item)

    def _of_item(self, item: Item, *, mark: str = "  - ") -> None:
        """Write what an item says and the words that prove it; once where they are the same."""
        statement = _said(item)
        proofs = self._memory.show(item.id).evidence[:2]
        if [one_line(proof.quote.text) for proof in proofs] == [statement]:
            self._screen.line(f"{mark}“{statement}”", (f"  {_speaker(proofs[0])}", "dim"))
            return
        self._screen.line(f"{mark}{statement}")
        for proof in proofs:
            quoted = f"{colon(_speaker(proof))}“{one_line(proof.quote.text)}”"
            self._screen.line((f"    {quoted}", "dim"), indent=6)

    def _of_gone(self, gone: tuple[Item, ...]) -> None:
        things = counted(len(gone), "thing")
        self._screen.heading(said(f"No longer so: {things} replaced or taken back"))
        for item in gone:
            self._screen.line(f"  - {_said(item)}")
            if item.superseded_by is not None:
                later = self._memory.show(item.superseded_by).item
                head = f"    {colon(said('replaced by'))}"
                self._screen.line(head, (_said(later), "green"), indent=6)
            else:
                self._screen.line(f"    {said('taken back by the user')}")

    def _of_refused(self, refused: tuple[StoredCandidate, ...]) -> None:
        self._screen.heading(
            said(f"Not remembered: {len(refused)} sentences that sounded lasting, such as")
        )
        told: set[str] = set()
        for candidate in refused:
            because = stopped(reason_words(reason) for reason in candidate.reasons)
            if len(told) < _REFUSALS_SHOWN and because not in told:  # one of each sort
                told.add(because)
                self._screen.line(f"  - “{one_line(candidate.statement)}”")
                self._screen.line("    ", (because, "yellow"), indent=6)


def _speaker(proof: Evidence) -> str:
    return strung([said(_SPEAKERS[proof.quote.role]), day(proof.said_at_ms)])


def _said(item: Item) -> str:
    return one_line(item.revision.statement)
