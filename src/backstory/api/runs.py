"""The boundary for hosts that think in runs: load a run, load a project, save a run."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from backstory.adapters.views import write_project_view, write_run_view
from backstory.api.memory import Memory
from backstory.api.null import NullMemory
from backstory.model.item import Item
from backstory.model.words import EventKind

RUN_HOST = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMemory:
    """What one run of an agent holds while it works: session memory, not knowledge."""

    run_id: str
    task: str = ""
    files_read: tuple[str, ...] = ()
    files_changed: tuple[str, ...] = ()
    failed_attempts: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()  # (what the user said, the final answer)


def load_run_memory(memory: Memory | NullMemory, run_id: str) -> RunMemory:
    """Return what was saved of a run; of an unknown one, an empty memory."""
    text = memory.kept(_name(run_id))
    if text is None:
        return RunMemory(run_id=run_id)
    saved = json.loads(text)
    return RunMemory(
        run_id=run_id,
        task=saved["task"],
        files_read=tuple(saved["files_read"]),
        files_changed=tuple(saved["files_changed"]),
        failed_attempts=tuple(saved["failed_attempts"]),
        turns=tuple((said, answer) for said, answer in saved["turns"]),
    )


def load_project_memory(
    memory: Memory | NullMemory, task: str = "", *, files: Sequence[str] = ()
) -> tuple[Item, ...]:
    """Return the items that matter for a task: by its words and files, never all there are.

    Without a task and files these are the pinned items and those of highest priority.
    """
    if task.strip() or files:
        hits = memory.recall(task, files=files).hits
        return tuple(hit.entry for hit in hits if isinstance(hit.entry, Item))
    items = memory.list()
    ranked = sorted(items, key=lambda item: (-item.is_pinned, -item.priority, -item.seq))
    return tuple(ranked[:5])


def save_run_memory(memory: Memory | NullMemory, run: RunMemory) -> None:
    """Keep a run's state and what was said in it, and let the rules read what was said.

    Saving the same run again adds only what is new. Beside the store, `view/project.json` and
    `view/sessions/<run>.json` are written anew for programs that read files.
    """
    run = _as_kept(memory, run)
    thread = memory.thread_for(RUN_HOST, run.run_id)
    for number, (said, answer) in enumerate(run.turns):
        key = f"{RUN_HOST}:{run.run_id}:{number}"
        memory.complete_turn(memory.begin_turn(said, thread=thread, source_key=key), answer)
    for path in run.files_changed:
        memory.record_event(
            EventKind.FILE_SAVED,
            {"path": path},
            thread=thread,
            source_key=f"{RUN_HOST}:{run.run_id}:file:{path}",
        )
    memory.keep(_name(run.run_id), json.dumps(asdict(run), ensure_ascii=False))
    memory.settle()
    view = memory.view_folder()
    if view is not None:
        write_run_view(Path(view), run.run_id, run=asdict(run))
        write_project_view(Path(view), memory.list())


def _as_kept(memory: Memory | NullMemory, run: RunMemory) -> RunMemory:
    """Return a run as memory may keep it; its turns are in the store in the same form."""
    return replace(
        run,
        task=memory.as_kept(run.task),
        failed_attempts=tuple(map(memory.as_kept, run.failed_attempts)),
        turns=tuple((memory.as_kept(said), memory.as_kept(answer)) for said, answer in run.turns),
    )


def _name(run_id: str) -> str:
    return f"run/{run_id}"
