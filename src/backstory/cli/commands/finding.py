"""`backstory recall`, `search` and `context`: asking memory."""

from typing import Annotated

import typer

from backstory.cli.place import Command, Invocation, opened, opened_or_isolated
from backstory.cli.render import (
    Screen,
    bracketed,
    colon,
    day,
    joined,
    literal,
    one_line,
    print_json,
    print_text,
    stopped,
)
from backstory.cli.words import hit_row, lane_words, nothing, show_item, status_word
from backstory.model.episode import Episode
from backstory.model.recall import Hit, Recalled, TurnHit
from backstory.model.words import Status
from backstory.speaking import retold, said

Words = Annotated[
    list[str] | None, typer.Argument(metavar="WORDS", help="The question, or the user's prompt.")
]
Files = Annotated[
    list[str] | None,
    typer.Option("--file", "-f", metavar="FILE", help="A file that the work is about; repeat."),
]
Branch = Annotated[
    str | None, typer.Option("--branch", metavar="NAME", help="The branch that the work is on.")
]
Ticket = Annotated[
    str | None, typer.Option("--ticket", metavar="NAME", help="The ticket that the work is for.")
]


def recall(
    invocation: Invocation,
    words: Words = None,
    file: Files = None,
    branch: Branch = None,
    ticket: Ticket = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what was looked at, and what ruled it out.")
    ] = False,
) -> None:
    """Find what answers a question, or say that nothing does.

    At most five items, best first. Files, a branch or a ticket suffice without words.
    """
    with opened_or_isolated(invocation) as memory:
        answer = memory.recall(
            " ".join(words or ()),
            files=file or (),
            branch=branch,
            ticket=ticket,
            explain=explain,
        )
    if invocation.as_json:
        print_json(
            {
                "hits": [hit_row(hit) for hit in answer.hits],
                "abstained": not answer.hits,
                "because": answer.abstained_because,
                "trace": answer.trace,
            }
        )
    else:
        _show(Screen(), answer)


def search(
    invocation: Invocation,
    words: Annotated[list[str], typer.Argument(help="Words that were said.")],
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=100, help="Most turns to show.")
    ] = 10,
) -> None:
    """Search the conversations themselves, turn by turn.

    This is what was said, by whomever; `recall` is what is remembered of it.
    """
    with opened(invocation) as memory:
        hits = memory.search(" ".join(words), limit=limit)
    if invocation.as_json:
        print_json(hits)
        return
    screen = Screen()
    for hit in hits:
        _show_turn(screen, hit)
    if not hits:
        screen.line(said("No turn holds these words."))


def context(
    invocation: Invocation,
    words: Words = None,
    file: Files = None,
    branch: Branch = None,
    ticket: Ticket = None,
) -> None:
    """Print what an agent would be given for a prompt.

    First the index, which belongs in the system prompt, then what bears on the prompt. An
    isolated purpose prints nothing at all.
    """
    with opened_or_isolated(invocation) as memory:
        given = memory.context(
            " ".join(words or ()), files=file or (), branch=branch, ticket=ticket
        )
    if invocation.as_json:
        print_json(given)
    elif given.text:
        print_text(literal(given.text))


COMMANDS = {
    "recall": Command(
        run=recall,
        examples=(
            'backstory recall "which database do we use?"',
            'backstory recall "提交信息用什么语言？"',
            "backstory recall --file src/orders/queue.py",
        ),
    ),
    "search": Command(
        run=search,
        examples=("backstory search timeout", "backstory search 超时 重试"),
        isolated_answer=[],
    ),
    "context": Command(
        run=context, examples=('backstory context "add a retry to the client" -f client.py',)
    ),
}


def _show(screen: Screen, answer: Recalled) -> None:
    for hit in answer.hits:
        _show_hit(screen, hit)
    if not answer.hits:
        screen.line(nothing(answer))
    if answer.trace:
        screen.heading(said("Looked at"))
    for row in answer.trace:
        outcome = retold(row.removed_by) if row.removed_by else said("answered")
        lanes = joined(map(said, row.lanes))
        screen.line((row.entry_id, "dim"), f"  {lanes}  {outcome}  {one_line(row.title)}")


def _show_hit(screen: Screen, hit: Hit) -> None:
    entry = hit.entry
    if isinstance(entry, Episode):
        objective = one_line(entry.summary.objective)
        screen.line(
            (entry.id, "dim"),
            "  ",
            (said("episode"), "cyan"),
            f"  {objective}",
            (f"  {bracketed(status_word(Status.STALE))}" if hit.is_stale else "", "yellow"),
        )
        for made in entry.summary.decisions:
            because = f" ({one_line(made.reason)})" if made.reason else ""
            told = f"{colon(said('decided'))}{one_line(made.decision)}{because}"
            screen.line(f"    {told}", indent=6)
    else:
        show_item(screen, entry, is_stale=hit.is_stale, unmerged=hit.unmerged)
        if entry.revision.detail:
            screen.line("    ", one_line(entry.revision.detail), indent=6)
    found = said(f"found by {lane_words(hit.lane)}")
    if hit.reasons:
        found = f"{colon(found)}{stopped(map(retold, hit.reasons))}"
    screen.line((f"    {found}", "dim"), indent=6)


def _show_turn(screen: Screen, hit: TurnHit) -> None:
    place = said(f"{hit.thread_id}, turn {hit.position + 1}")
    screen.line((f"{day(hit.said_at_ms)}  {place}", "dim"))
    screen.line(f"    {colon(said(hit.role.value))}", one_line(hit.excerpt), indent=6)
