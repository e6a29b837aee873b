"""`backstory shell`: what to put into a shell's start-up file."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from backstory.adapters.settings import settings_in, settings_of, user_file
from backstory.adapters.sources.snippets import snippet
from backstory.adapters.switches import machine_file
from backstory.cli.place import Command, Invocation
from backstory.cli.render import print_json, print_text


class Shell(StrEnum):
    """The shells that can be listened to."""

    BASH = "bash"
    ZSH = "zsh"


def shell(
    invocation: Invocation,
    name: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash or zsh.")],
) -> None:
    """Print what makes a shell record the commands that you type.

    Nothing is recorded until you add a line to the end of ~/.bashrc or ~/.zshrc, and then only
    in projects that have a memory. A command that begins with a space is not recorded.
    """
    filed, stated = settings_in(user_file()), settings_of(os.environ)
    ignored = (*filed.ignored_commands, *stated.ignored_commands)
    text = snippet(name.value, ignored=ignored, switch=machine_file())
    if invocation.as_json:
        print_json({"shell": name.value, "snippet": text})
    else:
        print_text(text.rstrip("\n"))


COMMANDS = {
    "shell": Command(
        run=shell,
        examples=(
            "echo 'eval \"$(backstory shell bash)\"' >> ~/.bashrc",
            "echo 'eval \"$(backstory shell zsh)\"' >> ~/.zshrc",
        ),
    ),
}
