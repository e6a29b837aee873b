"""The `backstory` command: finds the command asked for, and turns errors into exit codes."""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from backstory import __version__
from backstory.cli.failures import report_bug, report_error
from backstory.model.errors import BackstoryError

# Command → the module that holds its function, and its panel in `--help`, in this order.
# A module is loaded when one of its commands is asked for.
COMMANDS: Mapping[str, str] = {
    "init": "project",
    "demo": "demo",
    "import": "importing",
    "remember": "changing",
    "recall": "finding",
    "search": "finding",
    "context": "finding",
    "list": "looking",
    "show": "looking",
    "why": "looking",
    "edit": "changing",
    "pin": "changing",
    "unpin": "changing",
    "forget": "changing",
    "erase": "changing",
    "undo": "changing",
    "review": "reviewing",
    "new": "project",
    "status": "project",
    "doctor": "doctor",
    "export": "project",
    "clear": "project",
    "reindex": "project",
    "work": "project",
    "purpose": "project",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `backstory` and exit with its code: 0 done, 1 a person can fix it, 2 usage, 3 a bug."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        sys.stdout.write(f"backstory {__version__}\n")
        return
    as_json = "--json" in words
    try:
        command_line(words)(args=words, prog_name="backstory")
    except BackstoryError as error:
        sys.exit(report_error(error, as_json=as_json))
    except Exception as error:  # noqa: BLE001 - the last stop before a person sees it
        sys.exit(report_bug(error, as_json=as_json))


def command_line(words: Sequence[str]) -> typer.Typer:
    """Return a command line that knows the command asked for, or all where none is."""
    app = typer.Typer(
        help="Keep a project's memory: what was decided and why, with the words that prove it.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_globals)
    asked = next((word for word in words if word in COMMANDS), None)
    is_completing = "_BACKSTORY_COMPLETE" in os.environ
    for name in [asked] if asked and not is_completing else COMMANDS:
        module = importlib.import_module(f"backstory.cli.{COMMANDS[name]}")
        app.command(name)(module.COMMANDS[name])
    return app


def _globals(
    context: typer.Context,
    project: Annotated[
        str, typer.Option("--project", "-C", metavar="DIR", help="Work on the project DIR is in.")
    ] = ".",
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    context.obj = project
    if version:
        typer.echo(f"backstory {__version__}")
        raise typer.Exit
