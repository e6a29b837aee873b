"""What could not be stored when it happened, as small files that a later hook takes in."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.model.ids import digest

FOLDER_NAME = "spool"
_FILES_MAX = 2_000
_TAKEN_AT_ONCE = 50


def put(state_dir: Path, call: HostCall) -> None:
    """Keep a call as a file, whole or not at all; the same one twice is one file."""
    folder = state_dir / FOLDER_NAME
    if count(state_dir) >= _FILES_MAX:
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps(asdict(call))
    path = folder / f"{call.at_ms:015d}-{digest(text)[:16]}.json"
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        _write(part, text.encode())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)  # a full disk: half a call is none
        raise


def _write(path: Path, rest: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def waiting(state_dir: Path) -> Iterator[tuple[Path, HostCall]]:
    """Yield the oldest calls that wait. A file that is none is put aside."""
    for path in _files(state_dir)[:_TAKEN_AT_ONCE]:
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            call = HostCall(**{**fields, "happening": Happening(fields["happening"])})
        except OSError:
            continue  # another hook has taken it in meanwhile
        except (ValueError, TypeError, KeyError):
            put_aside(path)
            continue
        yield path, call


def put_aside(path: Path) -> None:
    """Keep a call that can never be stored out of the way of the others."""
    with suppress(FileNotFoundError):
        path.replace(path.with_suffix(".bad"))


def throw_away(state_dir: Path) -> None:
    """Remove the calls that wait, with those that could not be stored."""
    for suffix in (".json", ".bad", ".part"):
        for path in _files(state_dir, suffix=suffix):
            path.unlink(missing_ok=True)


def count(state_dir: Path) -> int:
    """Return how many calls wait."""
    return len(_files(state_dir))


def count_bad(state_dir: Path) -> int:
    """Return how many files can never be stored, and were put aside."""
    return len(_files(state_dir, suffix=".bad"))


def _files(state_dir: Path, *, suffix: str = ".json") -> list[Path]:
    try:
        paths = sorted((state_dir / FOLDER_NAME).iterdir())
    except OSError:
        return []
    return [path for path in paths if path.suffix == suffix]
