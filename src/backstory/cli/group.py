"""The commands of `backstory`: their order in the help, and the options that all of them take."""

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from backstory import __version__
from backstory.cli.helping import SpokenCommand, first_sentence
from backstory.cli.place import Command, Invocation, IsolatedError
from backstory.cli.render import notice, print_json
from backstory.model.errors import UsageError
from backstory.speaking import is_chinese, retold

# Heading in the help → its commands in order → the module that holds each.
_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Begin": {"init": "project", "import": "importing", "demo": "demo"},
    "In your agents": {
        "install": "agents.installing",
        "uninstall": "agents.installing",
        "off": "agents.installing",
        "on": "agents.installing",
        "mcp": "agents.serving",
    },
    "What is recorded": {
        "shell": "sources.shell",
        "watch": "sources.watching",
        "tickets": "sources.tickets",
        "webhooks": "sources.webhooks",
    },
    "Remember and ask": {
        "remember": "changing",
        "recall": "finding",
        "search": "finding",
        "why": "looking",
        "context": "finding",
    },
    "See and correct": {
        "list": "looking",
        "show": "looking",
        "edit": "changing",
        "pin": "changing",
        "unpin": "changing",
        "forget": "changing",
        "erase": "changing",
        "undo": "changing",
        "review": "reviewing",
    },
    "The project's story": {
        "backfill": "telling",
        "story": "telling",
        "episode": "telling",
        "todo": "telling",
    },
    "Look after memory": {
        "status": "project",
        "doctor": "doctor",
        "new": "project",
        "purpose": "project",
        "work": "working",
        "models": "modelling",
        "cost": "modelling",
        "audit": "auditing",
        "reindex": "project",
        "export": "project",
        "relink": "project",
        "clear": "project",
    },
}
_MODULES = {name: module for part in _SECTIONS.values() for name, module in part.items()}

_PLAIN: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 100},
}
_Project = Annotated[
    Path | None,
    typer.Option("--project", "-C", metavar="DIR", help="Work on the project that DIR lies in."),
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Commands(typer.core.TyperGroup):
    """The group of all commands. A module is loaded when one of its commands is asked for."""

    context_class = SpokenCommand.context_class

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return list(_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None where there is none of this name."""
        if cmd_name in _MODULES and cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        if cmd_name not in _MODULES:
            # What was meant is looked for among the commands that are loaded.
            for name in _MODULES:
                self.get_command(ctx, name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings, each with its first sentence."""
        room = formatter.width - 6 - max(map(len, _MODULES))
        for heading, names in _SECTIONS.items():
            rows = [
                (name.ljust(max(map(len, _MODULES))), _short_help(command, room))
                for name in names
                if (command := self.get_command(ctx, name)) is not None
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)


def _short_help(command: Any, room: int) -> str:
    if is_chinese():
        return first_sentence(command.help)
    return str(command.get_short_help_str(room))


def command_line() -> Commands:
    """Return the command line, with nothing of it loaded but the names of its commands."""
    app = typer.Typer(
        cls=Commands,
        help="Keep a project's memory: what was decided, and the words that prove it.",
        epilog="`backstory COMMAND --help` shows examples. Exit codes: 0 done, 1 you can fix it, "
        "2 wrong call, 3 a bug, 130 interrupted.",
        **_PLAIN,
    )
    app.callback()(_globals)
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    return group


def _globals(
    context: typer.Context,
    project: _Project = None,
    as_json: _AsJson = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    context.obj = Invocation(project=project, as_json=as_json)
    if version:
        typer.echo(f"backstory {__version__}")
        raise typer.Exit


def _loaded(name: str) -> Any:
    module = importlib.import_module(f"backstory.cli.commands.{_MODULES[name]}")
    command: Command = module.COMMANDS[name]
    app = typer.Typer(add_completion=False, **_PLAIN)
    epilog = _epilog(command.examples)
    app.command(name, cls=SpokenCommand, epilog=epilog)(_with_shared_options(command))
    return typer.main.get_command(app)


def _epilog(examples: tuple[str, ...]) -> str | None:
    # \b: the lines stay as they are.
    return (
        "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)]) if examples else None
    )


def _with_shared_options(command: Command) -> Callable[..., None]:
    """Return a command as typer reads it: with `--project` and `--json` beside its own options."""

    @functools.wraps(command.run)
    def run(context: typer.Context, **options: Any) -> None:
        general = context.find_root().obj
        invocation = Invocation(
            project=options.pop("project") or general.project,
            as_json=options.pop("as_json") or general.as_json,
        )
        _refuse_half_characters(options)
        try:
            command.run(invocation, **options)
        except IsolatedError as isolated:
            notice(retold(str(isolated)))
            if invocation.as_json:
                print_json(command.isolated_answer)

    signature = inspect.signature(command.run)
    own = list(signature.parameters.values())[1:]
    shared = [_named("context", typer.Context), *own, *_SHARED]
    # What inspect, and so typer, takes for the signature.
    vars(run)["__signature__"] = signature.replace(parameters=shared)
    return run


def _named(name: str, annotation: object, *, default: object = inspect.Parameter.empty) -> Any:
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation
    )


_SHARED = (
    _named("project", _Project, default=None),
    _named("as_json", _AsJson, default=False),
)


def _refuse_half_characters(options: Mapping[str, object]) -> None:
    """Refuse words that are no text. Paths may be any bytes."""
    for name, value in options.items():
        words = value if isinstance(value, list) else [value]
        if any(
            isinstance(word, str) and not word.isascii() and _is_broken(word) for word in words
        ):
            raise UsageError(f"{name} is not UTF-8 text: {words[0]!a}")


def _is_broken(word: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in word)
