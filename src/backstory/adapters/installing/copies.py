"""Writing changed files whole, one program at a time, with a copy of what each was before."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a file was before we touched it (None: there was none), and what we left it as."""

    before: str | None
    digest: str
    made: tuple[str, ...] = ()  # directories that were not there


def kept_for(file: Path, *, copies: Path) -> Kept | None:
    """Return what is kept of a file, or None where nothing is, or nothing that can be read."""
    try:
        told = json.loads(_path(file, copies).read_text(encoding="utf-8"))
        made = tuple(str(folder) for folder in told.get("made", ()))
        return Kept(before=told["before"], digest=told["digest"], made=made)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(file: Path, kept: Kept, *, copies: Path) -> None:
    """Keep what a file is without us, and how it is told that nobody changed it since."""
    copies.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"file": str(file), **asdict(kept)})
    put(_path(file, copies), text.encode(), mode=0o600)


def forget(files: Sequence[Path], *, copies: Path) -> None:
    """Drop the copies of what files were."""
    for file in files:
        _path(file, copies).unlink(missing_ok=True)
    with suppress(OSError):
        # What holds nothing else was made for them.
        copies.rmdir()
        copies.parent.rmdir()


def put(path: Path, content: bytes, *, mode: int) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(file, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def digest_of(text: str) -> str:
    """Return what tells one content from another."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _path(file: Path, copies: Path) -> Path:
    return copies / f"{hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:24]}.json"


try:
    import fcntl
except ImportError:  # Windows: a change that came between is still seen, and refused

    def _lock(file: int) -> None:
        del file  # there is no such lock
else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def alone(copies: Path) -> Iterator[None]:
    """Wait until no other install of this user is writing."""
    # The directory itself is the lock, so that nothing is left behind.
    copies.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(copies, os.O_RDONLY)
    try:
        _lock(file)
        yield
    finally:
        os.close(file)
