"""Which calls were answered while the store could not be written, so that none is answered twice.

Settings and a plugin may name the same hook, and a host then calls it twice at one moment. The
store tells the second call; while another program holds it, the lines of a file do.
"""

import os
from contextlib import suppress
from pathlib import Path

from backstory.adapters.hosts.calls import HostCall
from backstory.model.ids import digest

FILE_NAME = "answered"


def claim(state_dir: Path, call: HostCall, *, within_ms: int) -> bool:
    """Return whether nobody else has answered this call of late, and note that it is answered.

    Lines are only ever added, each at once, so that of two calls both see whose came first.
    Where no file can be written nobody can tell, and every call counts as the first.
    """
    key = _key(call)
    mine = f"{call.at_ms} {key} {os.urandom(8).hex()}"
    path = state_dir / FILE_NAME
    try:
        _add(path, f"{mine}\n".encode())
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return True
    soon = range(call.at_ms - within_ms, call.at_ms + within_ms + 1)
    return next((line for line in lines if _is_of(line, key, during=soon)), mine) == mine


def forget(state_dir: Path, *, before_ms: int) -> None:
    """Remove what was noted, where the last of it is older than a moment."""
    path = state_dir / FILE_NAME
    with suppress(OSError):
        if path.stat().st_mtime_ns < before_ms * 1_000_000:
            path.unlink()


def _key(call: HostCall) -> str:
    said = (call.host, call.session, call.happening, call.source, call.turn_key, call.prompt)
    return digest("\0".join(said))


def _is_of(line: str, key: str, *, during: range) -> bool:
    at, _, rest = line.partition(" ")
    return rest.startswith(f"{key} ") and at.isdigit() and int(at) in during


def _add(path: Path, line: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)
