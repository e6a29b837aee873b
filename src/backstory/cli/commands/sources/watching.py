"""`backstory watch`: saved files, for as long as it runs."""

import importlib.util
import os
from collections.abc import Sequence

from backstory.adapters.project import Project, current_branch, require_project
from backstory.adapters.sources.signals import stopped_by_signals
from backstory.adapters.sources.watching.folders import Folders, WorkTree
from backstory.adapters.sources.watching.loop import Watch, notified, watch
from backstory.adapters.system import system_clock
from backstory.api import Memory, NullMemory
from backstory.cli.commands.sources.switches import require_on, silent_since
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, counted, notice, stopped
from backstory.model.errors import StoreUnavailableError, UsageError
from backstory.model.event import NewEvent
from backstory.model.words import EventKind, Source
from backstory.speaking import retold, said
from backstory.wiring.reader import choices_for

ORIGIN = "watch"


def watch_files(invocation: Invocation) -> None:
    """Record which files of the project are saved, until Ctrl-C.

    Only that they are saved, never what is in them; many saves in a row are one. What git
    ignores is never recorded, nor what `capture.exclude` names. It needs the extra `watch`.
    """
    if importlib.util.find_spec("watchfiles") is None:
        raise UsageError("watching files needs an extra: install `backstory[watch]`")
    project = require_project(invocation.folder, env=os.environ)
    if project.work_tree is None:
        raise UsageError(f"{project.root} has no files to watch: it is a bare repository")
    with opened(invocation) as memory:
        require_on(memory, Source.FILES)
        choices = choices_for(project, env=os.environ)
        asked = Watch(
            tree=WorkTree(project, environ=os.environ, excluded=choices.excluded_paths),
            keep=lambda paths: _keep(memory, paths, project=project),
            tell=lambda folders: _tell(project, folders),
            clock=system_clock,
        )
        with stopped_by_signals() as stop:
            watch(asked, stop=stop, notify=notified)
    notice(said("watching has ended"))


COMMANDS = {"watch": Command(run=watch_files, examples=("backstory watch", "backstory watch &"))}


def _keep(memory: Memory | NullMemory, paths: Sequence[str], *, project: Project) -> None:
    now_ms, branch = system_clock(), current_branch(project)
    events = [
        NewEvent(
            kind=EventKind.FILE_SAVED,
            at_ms=now_ms,
            payload={"path": path},
            origin=ORIGIN,
            source_key=f"{ORIGIN}:{now_ms}:{path}",
            branch=branch,
        )
        for path in paths
    ]
    try:
        if silent_since(memory, project) is not None:
            return
        memory.record_events(events)
    except StoreUnavailableError as error:
        notice(retold(str(error)))  # the next ones may be
        return
    for path in paths:
        Screen().line(f"{said('saved')}  {path}", indent=7)


def _tell(project: Project, folders: Folders) -> None:
    number = counted(len(folders.paths), "folder")
    told = said(f"saved files are recorded in {number} of {project.root}")
    if folders.left_out:
        told = stopped([told, said(f"{folders.left_out:,} more are left out")])
    notice(said(f"{told}. Ctrl-C ends it"))
