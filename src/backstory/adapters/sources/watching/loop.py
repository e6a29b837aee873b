"""Watching until told to stop: changes of files become saves, a burst of them one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from backstory.adapters.sources.watching.bursts import Bursts
from backstory.adapters.sources.watching.folders import Folders, WorkTree
from backstory.model.errors import SourceUnavailableError
from backstory.ports.clock import Clock

# So many at once nobody saves by hand: a branch was switched, or a formatter ran.
AT_ONCE_MAX = 50

Changes = Iterator[Sequence[str]]
# Yields the paths that changed in these folders, and ends when the event is set.
Notify = Callable[[Sequence[Path], Event], Changes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is watched, and who is told."""

    tree: WorkTree
    keep: Callable[[Sequence[str]], None]  # gets the files with which a burst begins
    tell: Callable[[Folders], None]  # gets what is watched, also when that has changed
    clock: Clock


def watch(asked: Watch, *, stop: Event, notify: Notify) -> None:
    """Watch until `stop` is set. New folders are watched as they come."""
    bursts = Bursts()
    while not stop.is_set():
        folders = asked.tree.folders()
        asked.tell(folders)
        for changed in notify(folders.paths, stop):
            new = asked.tree.new_folders(changed)
            came = [path for folder in new for path in asked.tree.files_in(folder)]
            saved = asked.tree.saved([*changed, *came])
            begun = bursts.begun_by(saved, now_ms=asked.clock())
            if begun and len(saved) <= AT_ONCE_MAX:
                asked.keep(begun)
            if new:
                break  # to watch those as well


def notified(folders: Sequence[Path], stop: Event) -> Changes:
    """Yield changes by the system's notifications. Needs the extra `watch`.

    Raises `SourceUnavailableError` where the system lets nobody watch any more.
    """
    import watchfiles  # noqa: PLC0415 - an extra

    try:
        for changes in watchfiles.watch(
            *folders,
            watch_filter=None,
            stop_event=stop,
            recursive=False,  # a folder at a time: those that git ignores may hold millions
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            yield [path for change, path in changes if change is not watchfiles.Change.deleted]
    except OSError as error:
        raise SourceUnavailableError(
            f"the files cannot be watched: {error}. On Linux the number of watched folders is "
            "limited by fs.inotify.max_user_watches"
        ) from error
