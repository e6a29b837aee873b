"""Naming a database file to SQLite, whatever the bytes of its name."""

import os
from pathlib import Path

import apsw


def open_file(path: Path) -> apsw.Connection:
    """Open a database file that is there, for reading and writing."""
    name = str(path)
    if _is_text(name):
        return apsw.Connection(name, flags=apsw.SQLITE_OPEN_READWRITE)
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    return apsw.Connection(_address(path, "mode=rw"), flags=flags)


def open_read_only(path: Path, query: str) -> apsw.Connection:
    """Open a database file that is there, in the way that a query of SQLite's addresses says."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(_address(path, query), flags=flags)


def _address(path: Path, query: str) -> str:
    """Return a file as an address (https://sqlite.org/uri.html)."""
    # The three characters that mean something in it.
    place = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    if not _is_text(place):
        # A name on Linux is bytes, which need be no text: SQLite takes them in this form alone.
        place = "".join(chr(b) if b < 128 else f"%{b:02x}" for b in os.fsencode(place))
    return f"file:{place}?{query}"


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
