"""JSON files at fixed places, for programs that read files rather than call a library."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from backstory.model.item import Item

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# Names of devices in every directory of Windows, whatever follows the first point ("Naming Files,
# Paths, and Namespaces", learn.microsoft.com).
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def write_project_view(folder: Path, items: Sequence[Item]) -> Path:
    """Write `project.json`: every item given, with all that a reader may filter by."""
    rows = [_item_row(item) for item in items]
    return _write(folder / "project.json", {"format": "backstory-view", "items": rows})


def write_run_view(folder: Path, run_id: str, *, run: Mapping[str, object]) -> Path:
    """Write `sessions/<run>.json`. A run whose id is no plain file name gets one by hash."""
    is_plain = _PLAIN_NAME.fullmatch(run_id) and not _DEVICE.fullmatch(run_id)
    name = run_id if is_plain else hashlib.sha256(run_id.encode()).hexdigest()
    return _write(folder / "sessions" / f"{name}.json", {"format": "backstory-view", **run})


def remove_views(folder: Path) -> None:
    """Remove all of them; who saves a run the next time writes them anew."""
    if folder.exists():
        shutil.rmtree(folder)


def _item_row(item: Item) -> dict[str, object]:
    revision = item.revision
    return {
        "id": item.id,
        "scope": item.scope.value,
        "kind": item.kind.value,
        "title": revision.title,
        "content": revision.statement,
        "source": {"type": revision.author.value, "name": revision.author_name},
        "confidence": item.confidence,
        "priority": item.priority,
        "tags": list(revision.tags),
        "relatedFiles": list(revision.paths),
        "createdAt": item.created_at_ms,
        "updatedAt": item.updated_at_ms,
        "status": item.status.value,
    }


def _write(path: Path, value: Mapping[str, object]) -> Path:
    """Put a file in place whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


__all__ = ["remove_views", "write_project_view", "write_run_view"]
