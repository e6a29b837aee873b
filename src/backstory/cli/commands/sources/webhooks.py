"""`backstory webhooks`: a door on this machine for what trackers tell."""

import os
from collections.abc import Mapping
from typing import Annotated

import typer

from backstory.adapters.models.keys import KEYRING_SERVICE, from_keyring
from backstory.adapters.project import Project, require_project
from backstory.adapters.sources.signals import stopped_by_signals
from backstory.adapters.sources.tickets import Ticket, closing_event
from backstory.adapters.sources.webhooks.serving import HOST, Door, make_server, serve
from backstory.adapters.system import system_clock
from backstory.api import Memory, NullMemory
from backstory.cli.commands.sources.switches import require_on, silent_since
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, colon, joined, print_json, strung
from backstory.model.errors import SourceUnavailableError, UsageError
from backstory.model.words import Source
from backstory.speaking import retold, said

ORIGIN = "webhooks"
_PORT = 7716
_VARIABLES = {
    "github": "BACKSTORY_WEBHOOK_GITHUB_SECRET",
    "linear": "BACKSTORY_WEBHOOK_LINEAR_SECRET",
    "jira": "BACKSTORY_WEBHOOK_JIRA_SECRET",
}


def webhooks(
    invocation: Invocation,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="0 takes a free one.")
    ] = _PORT,
) -> None:
    """Take webhooks of GitHub, Linear and Jira on this machine, until Ctrl-C.

    Only this machine can reach it: let a relay of yours hand deliveries on to /github, /linear
    or /jira. Each needs its secret, in BACKSTORY_WEBHOOK_GITHUB_SECRET (…_LINEAR_…, …_JIRA_…) or
    in the key ring. A delivery without the right signature is refused. Closed issues and
    merged pull requests are recorded, and nothing else.
    """
    secrets = _secrets(os.environ)
    with opened(invocation) as memory:
        require_on(memory, Source.TICKETS)
        project = require_project(invocation.folder, env=os.environ)
        door = Door(
            secrets=secrets,
            keep=lambda ticket: _kept(memory, ticket, project=project),
            tell=_tell if not invocation.as_json else _silent,
            clock=system_clock,
        )
        try:
            server = make_server(door, port=port)
        except OSError as error:
            raise SourceUnavailableError(
                f"port {port} cannot be used: {error.strerror}"
            ) from error
        _tell_start(invocation, list(secrets), url=f"http://{HOST}:{server.server_address[1]}")
        with stopped_by_signals() as stop:
            serve(server, is_stopped=stop.is_set)
    if not invocation.as_json:
        Screen().line(said("Ended."))


COMMANDS = {
    "webhooks": Command(
        run=webhooks,
        examples=("backstory webhooks", "backstory webhooks --port 9000"),
    ),
}


def _secrets(environ: Mapping[str, str]) -> dict[str, str]:
    found = {
        tracker: environ.get(variable, "").strip() or from_keyring(f"webhook:{tracker}")
        for tracker, variable in _VARIABLES.items()
    }
    secrets = {tracker: secret for tracker, secret in found.items() if secret}
    if not secrets:
        names = ", ".join(_VARIABLES.values())
        raise UsageError(
            f"no secret is set: put that of your tracker into {names}, or into the key ring "
            f"(service {KEYRING_SERVICE!r}, user 'webhook:github')"
        )
    return secrets


def _kept(memory: Memory | NullMemory, ticket: Ticket, *, project: Project) -> bool:
    because = silent_since(memory, project)
    if because is not None:
        raise SourceUnavailableError(because)  # its sender tries again later
    event = closing_event(ticket, origin=ORIGIN)
    return event is not None and memory.record_events([event]) == 1


def _tell(line: str) -> None:
    """Write what became of a delivery: "linear: SHM-1 closed" or "linear: 401, and why"."""
    tracker, _, told = line.partition(": ")
    status, comma, reason = told.partition(", ")
    is_refused = comma and status.isdecimal()
    words = strung([status, retold(reason)]) if is_refused else retold(told)
    Screen().line(f"{colon(tracker)}{words}")


def _silent(_line: str) -> None:
    """Say nothing."""


def _tell_start(invocation: Invocation, trackers: list[str], *, url: str) -> None:
    places = [f"{url}/{tracker}" for tracker in trackers]
    if invocation.as_json:
        print_json({"listening": places})
        return
    told = said(f"Closed tickets are recorded from now on, by {joined(places)}. Ctrl-C ends it.")
    Screen().line(told)
