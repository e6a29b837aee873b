"""`backstory recall`, `search` and `context`: asking memory."""

from typing import Annotated

import typer

from backstory.cli.place import opened
from backstory.cli.render import Screen, day, print_json
from backstory.cli.words import hit_row, show_item
from backstory.model.episode import Episode
from backstory.model.recall import Hit, Recalled

Words = Annotated[list[str] | None, typer.Argument(help="The question, or the user's prompt.")]
Files = Annotated[
    list[str] | None, typer.Option("--file", "-f", help="A file that the work is about; repeat.")
]
Branch = Annotated[str | None, typer.Option("--branch", help="The branch that the work is on.")]
Ticket = Annotated[str | None, typer.Option("--ticket", help="The ticket that the work is for.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def recall(
    context: typer.Context,
    words: Words = None,
    file: Files = None,
    branch: Branch = None,
    ticket: Ticket = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show lanes and filters.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find what answers a question, or say that there is nothing.

    Examples: backstory recall which database do we use; backstory recall 我们用什么数据库
    """
    with opened(context) as memory:
        answer = memory.recall(
            " ".join(words or ()),
            files=file or (),
            branch=branch,
            ticket=ticket,
            explain=explain,
        )
    if as_json:
        _print(answer)
    else:
        _show(answer)


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="Words that were said.")],
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=100, help="Most turns to show.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Search the conversations themselves, turn by turn.

    This is what was said, not what is remembered. Examples: backstory search timeout;
    backstory search 超时
    """
    with opened(context) as memory:
        hits = memory.search(" ".join(words), limit=limit)
    if as_json:
        print_json(hits)
        return
    screen = Screen()
    for hit in hits:
        screen.line((f"{day(hit.said_at_ms)}  {hit.thread_id} #{hit.position}", "dim"))
        screen.line(f"    {hit.role.value}: ", hit.excerpt.replace("\n", " "))
    if not hits:
        screen.line("No turn holds these words.")


def context(
    context: typer.Context,
    words: Words = None,
    file: Files = None,
    branch: Branch = None,
    ticket: Ticket = None,
    as_json: AsJson = False,
) -> None:
    """Print the text that an agent would be given for a prompt.

    An isolated purpose prints nothing at all.
    """
    with opened(context) as memory:
        given = memory.context(
            " ".join(words or ()), files=file or (), branch=branch, ticket=ticket
        )
    if as_json:
        print_json(given)
    elif given.text:
        Screen().line(given.text)


COMMANDS = {"recall": recall, "search": search, "context": context}


def _print(answer: Recalled) -> None:
    print_json(
        {
            "hits": [hit_row(hit) for hit in answer.hits],
            "abstained": not answer.hits,
            "because": answer.abstained_because,
            "trace": answer.trace,
        }
    )


def _show(answer: Recalled) -> None:
    screen = Screen()
    for hit in answer.hits:
        _show_hit(screen, hit)
    if not answer.hits:
        screen.line(f"Nothing: {answer.abstained_because}.")
    if answer.trace:
        screen.heading("Looked at")
    for row in answer.trace:
        outcome = row.removed_by or "answered"
        screen.line((row.entry_id, "dim"), f"  {', '.join(row.lanes)}  {outcome}  {row.title}")


def _show_hit(screen: Screen, hit: Hit) -> None:
    entry = hit.entry
    if isinstance(entry, Episode):
        screen.line((entry.id, "dim"), "  ", ("episode", "cyan"), f"  {entry.summary.objective}")
        for made in entry.summary.decisions:
            screen.line(
                f"    decided: {made.decision}" + (f" ({made.reason})" if made.reason else "")
            )
    else:
        show_item(screen, entry)
    screen.line((f"    {hit.lane.value}: {'; '.join(hit.reasons)}", "dim"))
