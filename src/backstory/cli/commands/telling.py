"""`backstory backfill`, `story`, `episode` and `todo`: the project's story."""

import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from backstory.adapters.git.backfill import BackfillChoices, BackfillReport
from backstory.api import Memory, NullMemory
from backstory.cli.episodes import (
    episode_row,
    episode_story_row,
    show_in_timeline,
    show_story,
    todo_name,
    todo_row,
)
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, bracketed, counted, joined, one_line, print_json
from backstory.model.errors import UsageError
from backstory.ports.story import LeftOpen
from backstory.speaking import retold, said


class EpisodeAction(StrEnum):
    """What to do with an episode."""

    SHOW = "show"
    BEGIN = "begin"
    END = "end"
    SUMMARIZE = "summarize"
    EDIT = "edit"
    FORGET = "forget"


class TodoAction(StrEnum):
    """What to do with todos."""

    LIST = "list"
    ADD = "add"
    CLOSE = "close"
    REOPEN = "reopen"


def backfill(
    invocation: Invocation,
    ranges: Annotated[
        list[str] | None,
        typer.Argument(metavar="RANGE", help="Revisions or ranges. Default: all of history."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what is new; keep nothing.")
    ] = False,
) -> None:
    """Turn the repository's history into episodes.

    Each commit becomes an episode with a summary made by rule. Doing it again adds what is new
    and nothing else; cut short, it goes on where it ended.
    """
    choices = BackfillChoices(
        wanted=tuple(ranges or ()), is_dry_run=dry_run, on_progress=_progress()
    )
    with opened(invocation) as memory:
        report = memory.backfill(choices=choices)
        if not dry_run:
            memory.take_in_shell()
            memory.learn()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    if invocation.as_json:
        print_json(report)
    else:
        _tell_backfill(Screen(), report)


def story(
    invocation: Invocation,
    place: Annotated[
        str, typer.Argument(help="A path, directory, branch or ticket. Default: everything.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most episodes to tell.")] = 30,
) -> None:
    """Tell the story of a place, oldest first.

    It is told from the newest episodes that touched the place, under earlier names too.
    """
    with opened(invocation) as memory:
        episodes = memory.story(place, limit=max(1, limit))
        titles = memory.ticket_titles([place])
    if invocation.as_json:
        print_json([episode_row(episode) for episode in episodes])
        return
    screen = Screen()
    for ticket, title in titles.items():
        screen.line((f"{ticket}  {one_line(title)}", "bold"))
    for episode in episodes:
        show_in_timeline(screen, episode)
    if not episodes:
        screen.line(_nothing_told(place))


def episode(
    invocation: Invocation,
    action: Annotated[EpisodeAction, typer.Argument(help="What to do.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID] [WORDS]", help="An id or commit; what it is or was for."),
    ] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="begin: on this branch.")] = None,
    ticket: Annotated[
        list[str] | None, typer.Option("--ticket", help="begin: for this ticket; repeat.")
    ] = None,
) -> None:
    """Show an episode, bound one by hand, or correct it.

    `begin WORDS` and `end` bound one, which is then summed up from what was committed between.
    `show`, `summarize`, `edit` and `forget` take an id, or a commit as git names it: HEAD, a
    branch, a tag, the beginning of a hash.
    `summarize` asks the model that is set to add to what the rules found.
    """
    given = words or []
    with opened(invocation) as memory:
        if action is EpisodeAction.FORGET:
            print_forgotten(invocation, memory.forget_episode(_name(given)))
            return
        name = _acted(memory, action, words=given, branch=branch, tickets=ticket or [])
        shown = memory.episode(name)
    if invocation.as_json:
        print_json(episode_story_row(shown))
    else:
        show_story(Screen(), shown)


def todo(
    invocation: Invocation,
    action: Annotated[TodoAction, typer.Argument(help="What to do.")] = TodoAction.LIST,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]", help="add: what is to be done. Otherwise ID#NUMBER."),
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="close: the episode or commit that did it.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="list: those that are done, too.")
    ] = False,
) -> None:
    """List what is left open, add to it, or close a part of it.

    A later commit that does what is left, told by its words and files, closes it by itself.
    What you open again with `reopen` stays open until you close it.
    """
    given = words or []
    with opened(invocation) as memory:
        if action is TodoAction.LIST:
            left = memory.todos(with_done=everything)
        elif action is TodoAction.ADD:
            left = (memory.add_todo(" ".join(given)),)
        elif action is TodoAction.CLOSE:
            name, number = _todo_named(given)
            left = (memory.close_todo(name, number, by=by),)
        else:
            left = (memory.reopen_todo(*_todo_named(given)),)
    if invocation.as_json:
        print_json([todo_row(one) for one in left])
    else:
        _tell_todos(Screen(), left)


COMMANDS = {
    "backfill": Command(
        run=backfill,
        examples=("backstory backfill", "backstory backfill v1.0..main --dry-run"),
    ),
    "story": Command(
        run=story,
        examples=("backstory story src/auth", "backstory story SHM-311", "backstory story -n 10"),
        isolated_answer=[],
    ),
    "episode": Command(
        run=episode,
        examples=(
            "backstory episode show 1a2b3c4",
            "backstory episode begin move sessions to tokens --ticket SHM-311",
            "backstory episode end",
        ),
    ),
    "todo": Command(
        run=todo,
        examples=(
            "backstory todo",
            "backstory todo add rotate the refresh tokens",
            "backstory todo close e_1a2b3c4#1 --by 5d6e7f8",
        ),
        isolated_answer=[],
    ),
}


def _nothing_told(place: str) -> str:
    if place:
        return said(f"Nothing is told of {place} yet. `backstory backfill` reads the history.")
    return said("Nothing is told yet. `backstory backfill` reads the history.")


def print_forgotten(invocation: Invocation, name: str) -> None:
    """Say that an episode is hidden now."""
    if invocation.as_json:
        print_json({"forgotten": name})
    else:
        Screen().line(said(f"Forgotten: {name}"))


def _acted(
    memory: Memory | NullMemory,
    action: EpisodeAction,
    *,
    words: list[str],
    branch: str | None,
    tickets: list[str],
) -> str:
    """Do what is asked, and return the episode that it was done to."""
    match action:
        case EpisodeAction.BEGIN:
            return memory.begin_episode(" ".join(words), branch=branch, tickets=tickets).id
        case EpisodeAction.END:
            return memory.end_episode().id
        case EpisodeAction.SUMMARIZE:
            return _summed_up(memory, _name(words))
        case EpisodeAction.EDIT:
            return memory.edit_episode(_name(words), " ".join(words[1:])).id
        case _:
            return _name(words)


def _summed_up(memory: Memory | NullMemory, name: str) -> str:
    """Sum an episode up, and say on the error stream where no model added to it."""
    from backstory.api.working import summarize  # noqa: PLC0415 - what asks a model loads long

    named = memory.episode(name).episode.id
    assert isinstance(memory, Memory)  # the null one has no episode
    if sys.stderr.isatty():
        sys.stderr.write(f"{said('Summing up…')}\r")
    problem = summarize(memory, named)
    if problem is not None:
        because = retold(problem.rstrip("."))
        sys.stderr.write(f"{said(f'By rule only: {because}.')}\n")
    return named


def _name(words: list[str]) -> str:
    if not words:
        raise UsageError("say which episode: its id, or the beginning of a commit's hash")
    return words[0]


def _todo_named(words: list[str]) -> tuple[str, int]:
    name, mark, number = words[0].rpartition("#") if words else ("", "", "")
    if not mark or not number.isdecimal():
        raise UsageError("say which todo: ID#NUMBER, as `backstory todo` lists them")
    return name, int(number)


def _progress() -> Callable[[int], None]:
    """Return what shows how far a backfill is: a line that is written over, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _: None

    def show(passed: int) -> None:
        sys.stderr.write(f"\r{said(f'{passed:,} commits')}")
        sys.stderr.flush()

    return show


def _tell_backfill(screen: Screen, report: BackfillReport) -> None:
    commits = counted(report.commits_new, "new commit")
    if report.is_dry_run:
        screen.line(said(f"Would keep {commits} as episodes."))
    else:
        screen.line(said(f"Kept {commits} as episodes."))
    if report.branches:
        screen.line(said(f"Not merged yet: {joined(sorted(report.branches)[:8])}."))
    if report.commits_incomplete:
        told = said(
            f"Of {counted(report.commits_incomplete, 'commit')} this clone cannot tell all that "
            "they changed: it is shallow or partial."
        )
        screen.line(told)


def _tell_todos(screen: Screen, left: tuple[LeftOpen, ...]) -> None:
    for one in left:
        state = "" if one.todo.is_open else f"  {bracketed(said('done'))}"
        screen.line((todo_name(one), "dim"), f"  {one_line(one.todo.text)}{state}")
    if not left:
        screen.line(said("Nothing is left open."))
