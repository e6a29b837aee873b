"""`backstory remember`, `edit`, `pin`, `unpin`, `forget`, `erase` and `undo`."""

import sys
from typing import Annotated

import click
import typer

from backstory.cli.place import opened
from backstory.cli.render import Screen, print_json
from backstory.cli.words import candidate_row, item_row, show_candidate, show_item
from backstory.model.answers import Erased
from backstory.model.errors import NotConfirmedError, UsageError
from backstory.model.item import Item
from backstory.model.words import Kind

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ItemName = Annotated[str, typer.Argument(help="An item's id, or the beginning of it.")]


def remember(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="What to remember, in your own words.")],
    kind: Annotated[Kind | None, typer.Option("--kind", help="What sort of thing it is.")] = None,
    as_json: AsJson = False,
) -> None:
    """Remember what you say, with your words as the proof.

    Examples: backstory remember we deploy on Tuesdays; backstory remember 以后用中文回答
    """
    with opened(context) as memory:
        made = memory.remember(" ".join(words), kind=kind)
    if as_json:
        print_json(
            {
                "items": [item_row(item) for item in made.items],
                "waiting": [candidate_row(row) for row in made.waiting],
                "refused": [candidate_row(row) for row in made.refused],
            }
        )
        return
    screen = Screen()
    for item in made.items:
        show_item(screen, item)
    if made.waiting:
        screen.line("Waiting for approval (backstory review):")
    for candidate in made.waiting:
        show_candidate(screen, candidate)
    if made.refused:
        screen.line("Not remembered:")
    for candidate in made.refused:
        show_candidate(screen, candidate)
    if not (made.items or made.waiting or made.refused):
        screen.line("Nothing was remembered: memory is out of reach here (backstory status).")


def edit(
    context: typer.Context,
    item: ItemName,
    words: Annotated[list[str] | None, typer.Argument(help="The corrected statement.")] = None,
    as_json: AsJson = False,
) -> None:
    """Correct an item: your words become its next revision, which no job may change.

    Without words your editor is opened.
    """
    with opened(context) as memory:
        text = " ".join(words) if words else _edited(memory.show(item).item.revision.statement)
        changed = memory.edit(item, text)
    _tell(changed, as_json=as_json)


def pin(context: typer.Context, item: ItemName, as_json: AsJson = False) -> None:
    """Keep an item at the top of what an agent sees, and out of reach of every job."""
    with opened(context) as memory:
        changed = memory.pin(item)
    _tell(changed, as_json=as_json)


def unpin(context: typer.Context, item: ItemName, as_json: AsJson = False) -> None:
    """Let a pinned item go."""
    with opened(context) as memory:
        changed = memory.pin(item, pinned=False)
    _tell(changed, as_json=as_json)


def forget(context: typer.Context, item: ItemName, as_json: AsJson = False) -> None:
    """Forget an item: it leaves every view, and old words can never bring it back.

    The conversation it came from is kept; `backstory erase` removes the words themselves.
    """
    with opened(context) as memory:
        changed = memory.forget(item)
    _tell(changed, as_json=as_json)


def erase(
    context: typer.Context,
    item: ItemName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase an item and the words that prove it from every file of the store. No way back."""
    with opened(context) as memory:
        found = memory.show(item).item
        if not yes:
            _confirm(f"Erase “{found.revision.title}” and the words that prove it, for good?")
        erased = memory.erase(found.id)
    if as_json:
        print_json(erased)
    else:
        _tell_erased(Screen(), erased)


def undo(context: typer.Context, as_json: AsJson = False) -> None:
    """Undo the last change to memory, with everything that was done in the same step."""
    with opened(context) as memory:
        undone = memory.undo()
    if as_json:
        print_json({"changes": undone.changes, "items": [item_row(i) for i in undone.items]})
        return
    screen = Screen()
    for change in undone.changes:
        screen.line(f"Undone: {change.action.value} of ", (change.item_id, "dim"))
    for item in undone.items:
        show_item(screen, item)


COMMANDS = {
    "remember": remember,
    "edit": edit,
    "pin": pin,
    "unpin": unpin,
    "forget": forget,
    "erase": erase,
    "undo": undo,
}


def _tell(item: Item, *, as_json: bool) -> None:
    if as_json:
        print_json(item_row(item))
    else:
        show_item(Screen(), item)


def _edited(statement: str) -> str:
    if not sys.stdin.isatty():
        raise UsageError("give the corrected statement after the id")
    text = click.edit(statement)
    if text is None or text.strip() == statement.strip():
        raise UsageError("nothing was changed")
    return text.strip()


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise NotConfirmedError("erasing cannot be undone: add --yes to do it")
    if not typer.confirm(question):
        raise NotConfirmedError("nothing was erased")


def _tell_erased(screen: Screen, erased: Erased) -> None:
    screen.line(f"Erased, with {erased.spans} quoted passages of the conversation.")
    if erased.also_blanked:
        screen.line(f"The same words proved {', '.join(erased.also_blanked)}, too.")
    for path in erased.copies:
        screen.line("Still in ", (path, "yellow"), ": delete that file to be rid of it.")
    if not erased.is_scrubbed:
        screen.line("Another program is reading the store: run `backstory erase` again after it.")
