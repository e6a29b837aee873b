"""`backstory remember`, `edit`, `pin`, `unpin`, `forget`, `erase` and `undo`."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from backstory.cli.asking import confirmed
from backstory.cli.editing import edited
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, colon, counted, joined, marked, one_line, print_json
from backstory.cli.words import (
    KINDS,
    action_word,
    candidate_row,
    item_row,
    not_scrubbed,
    show_candidate,
    show_item,
)
from backstory.model.answers import Erased, Remembered
from backstory.model.episode import Episode
from backstory.model.errors import NotConfirmedError
from backstory.model.item import Item
from backstory.model.words import Kind
from backstory.speaking import said

ItemName = Annotated[str, typer.Argument(help="An item's id, or the beginning of it.")]


def remember(
    invocation: Invocation,
    words: Annotated[list[str], typer.Argument(help="What to remember, in your own words.")],
    kind: Annotated[
        Kind | None,
        typer.Option("--kind", metavar="KIND", help=f"What sort of thing it is: {KINDS}."),
    ] = None,
) -> None:
    """Remember what you say, with your words as the proof.

    What is no lasting statement, such as a question, is not remembered, and you are told why.
    """
    with opened(invocation) as memory:
        made = memory.remember(" ".join(words), kind=kind)
    if invocation.as_json:
        print_json(
            {
                "items": [item_row(item) for item in made.items],
                "waiting": [candidate_row(row) for row in made.waiting],
                "refused": [candidate_row(row) for row in made.refused],
            }
        )
    else:
        _tell_remembered(Screen(), made)


def edit(
    invocation: Invocation,
    item: ItemName,
    words: Annotated[list[str] | None, typer.Argument(help="The corrected statement.")] = None,
) -> None:
    """Correct an item in your own words.

    They become its next revision, which no job may change. Without words your editor is opened.
    """
    with opened(invocation) as memory:
        text = " ".join(words) if words else _edited(memory.show(item).item)
        changed = memory.edit(item, text)
    _tell(invocation, changed)


def pin(invocation: Invocation, item: ItemName) -> None:
    """Keep an item in view, and out of reach of every job.

    A pinned item is always in what an agent sees, whatever else there is.
    """
    with opened(invocation) as memory:
        changed = memory.pin(item)
    _tell(invocation, changed)


def unpin(invocation: Invocation, item: ItemName) -> None:
    """Let a pinned item go."""
    with opened(invocation) as memory:
        changed = memory.pin(item, pinned=False)
    _tell(invocation, changed)


def forget(invocation: Invocation, item: ItemName) -> None:
    """Forget an item; old words never bring it back.

    It leaves every view. The conversation it came from is kept: `backstory erase` removes the
    words themselves. Saying it anew lets it be remembered again.
    """
    with opened(invocation) as memory:
        still_told = memory.still_told(item)
        changed = memory.forget(item)
    _tell(invocation, changed)
    _tell_still_told(still_told)


def erase(
    invocation: Invocation,
    item: Annotated[str | None, typer.Argument(help="An item's id, or its beginning.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase an item and its words from every file, for good.

    Exports and backups that still hold the words are named: deleting those is up to you.
    Without an id it finishes an erasing or clearing that another program held up.
    """
    if item is None:
        _scrub(invocation)
        return
    with opened(invocation) as memory:
        found = memory.show(item).item
        if not yes:
            _confirm(found)
        still_told = memory.still_told(found.id)
        erased = memory.erase(found.id)
    _tell_still_told(still_told)
    if invocation.as_json:
        print_json(erased)
    else:
        _tell_erased(Screen(), erased)


def undo(invocation: Invocation) -> None:
    """Undo the last change, with all that was done in the same step."""
    with opened(invocation) as memory:
        undone = memory.undo()
    if invocation.as_json:
        print_json({"changes": undone.changes, "items": [item_row(i) for i in undone.items]})
        return
    screen = Screen()
    for change in undone.changes:
        done = f"{action_word(change.action)} {change.item_id}"
        screen.line(*marked(said(f"Undone: {done}"), change.item_id, style="dim"))
    for item in undone.items:
        show_item(screen, item)


COMMANDS = {
    "remember": Command(
        run=remember,
        examples=(
            'backstory remember "We decided to use PostgreSQL."',
            'backstory remember "以后提交信息一律用中文写。"',
        ),
    ),
    "edit": Command(run=edit, examples=('backstory edit m_4k2 "Use tabs in Go and Makefiles."',)),
    "pin": Command(run=pin),
    "unpin": Command(run=unpin),
    "forget": Command(run=forget),
    "erase": Command(run=erase),
    "undo": Command(run=undo),
}


def _tell_remembered(screen: Screen, made: Remembered) -> None:
    for item in made.items:
        show_item(screen, item)
    if made.waiting:
        screen.line(said("Waiting for approval (backstory review):"))
    for candidate in made.waiting:
        show_candidate(screen, candidate)
    if made.refused:
        screen.line(said("Not remembered:"))
    for candidate in made.refused:
        show_candidate(screen, candidate)
    if not (made.items or made.waiting or made.refused):
        screen.line(
            said("Nothing was remembered: it is known already, or says nothing that lasts.")
        )


def _tell(invocation: Invocation, item: Item) -> None:
    if invocation.as_json:
        print_json(item_row(item))
    else:
        show_item(Screen(), item)


def _edited(item: Item) -> str:
    return edited(item.revision.statement, otherwise="give the corrected statement after the id")


def _confirm(item: Item) -> None:
    if not sys.stdin.isatty():
        raise NotConfirmedError("erasing cannot be undone: add --yes to do it")
    title = one_line(item.revision.title)
    question = said(f"Erase “{title}” and the words that prove it, for good?")
    if not confirmed(question, err=True):
        raise NotConfirmedError("nothing was erased")


def _tell_still_told(episodes: Sequence[Episode]) -> None:
    """Name the episodes that say the same in a person's own words, which nothing changes."""
    for episode in episodes:
        still = said(f"Still in your own words in the episode {episode.id}")
        change = said(f"`backstory episode edit {episode.id} WORDS` changes it.")
        words = one_line(episode.summary.objective)
        sys.stderr.write(f"{colon(still)}{words}\n{change}\n")


def _tell_erased(screen: Screen, erased: Erased) -> None:
    passages = counted(erased.spans, "quoted passage")
    screen.line(said(f"Erased, with {passages} of the conversation."))
    if erased.also_blanked:
        screen.line(said(f"The same words proved {joined(erased.also_blanked)}, too."))
    for path in erased.copies:
        told = said(f"Still in {path}: delete that file to be rid of it.")
        screen.line(*marked(told, path, style="yellow"))
    if not erased.is_scrubbed:
        screen.line((not_scrubbed(), "yellow"))


def _scrub(invocation: Invocation) -> None:
    with opened(invocation) as memory:
        is_scrubbed = memory.scrub()
    if invocation.as_json:
        print_json({"is_scrubbed": is_scrubbed})
    else:
        done = said("Nothing that was deleted is left in the store's files.")
        Screen().line(done if is_scrubbed else (not_scrubbed(), "yellow"))
