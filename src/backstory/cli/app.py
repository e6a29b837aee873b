"""The `backstory` command: finds the command asked for, and turns errors into exit codes."""

import importlib
import sys
from collections.abc import Mapping
from typing import Any

import click
import typer
from typer.core import TyperGroup

from backstory import __version__
from backstory.cli.failures import exit_code_of, report_bug

# Command → the module that holds its function of that name, in the order of `--help`.
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


class LazyGroup(TyperGroup):
    """A group that knows its commands by name and loads them when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"backstory.cli.{COMMANDS[cmd_name]}")
        loader = typer.Typer(add_completion=False, rich_markup_mode=None)
        loader.command(cmd_name)(module.COMMANDS[cmd_name])
        return typer.main.get_command(loader)


app = typer.Typer(
    cls=LazyGroup,
    name="backstory",
    help="Keep a project's memory: what was decided and why, with the words that prove it.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _globals(
    context: typer.Context,
    project: str = typer.Option(
        ".", "--project", "-C", metavar="DIR", help="Work on the project that DIR is in."
    ),
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),  # noqa: FBT001
) -> None:
    if version:
        typer.echo(f"backstory {__version__}")
        raise typer.Exit
    context.obj = project


def main(arguments: list[str] | None = None) -> None:
    """Run `backstory` and exit with its code."""
    words = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in words
    command: Any = typer.main.get_command(app)
    try:
        code = exit_code_of(
            lambda: command.main(args=words, prog_name="backstory", standalone_mode=False),
            as_json=as_json,
        )
    except Exception as error:  # noqa: BLE001 - the last stop before a person sees it
        code = report_bug(error, as_json=as_json)
    sys.exit(code)
