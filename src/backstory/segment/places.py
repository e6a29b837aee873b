"""Names of places: paths, branches and tickets as index terms that no word can equal. Pure."""

import re
from collections.abc import Iterable
from pathlib import PurePath

from backstory.segment.tokens import flat, normalise

PATH_CHARS_MAX = 240
_SEGMENTS_MAX = 12
_SUFFIX_CHARS_MAX = 8

# A ticket is a key of capitals and a number ("SHM-311"), or a hash sign and a number ("#42").
_TICKET = r"(?<![\w/-])(?:[A-Z][A-Z0-9]{1,9}-\d{1,7}|#\d{1,7})(?![\w-])"
_PATH = (
    r"(?:[\w.@+~-]+)?(?:[/\\][\w.@+~\[\]-]+)+[/\\]?"  # with separators inside
    r"|[\w.@+-]+/(?!\S)"  # one directory
    r"|\.?[\w@+-]+(?:\.[\w@+-]+)*\.[A-Za-z]\w{0,7}"  # a file name
)


def path_terms(path: str) -> tuple[str, ...]:
    """Return the terms by which a stored path is found.

    A file is found by its end in whole segments, with or without its suffix
    ("controller.js" finds "src/auth/controller.js", "ontroller.js" does not); a directory
    by itself. Directories above a file are not terms: a prefix search finds the file.
    """
    whole = clean_path(path)
    if not whole:
        return ()
    segments = whole.split("/")[-_SEGMENTS_MAX:]
    ends = ["/".join(segments[i:]) for i in range(len(segments))]
    bare = [end for end in map(_without_suffix, ends) if end]
    return tuple(dict.fromkeys([f"/{whole}", *(f"/{end}" for end in [*ends, *bare])]))


def folder_terms(path: str) -> tuple[str, ...]:
    """Return the terms of the directories that hold a path, nearest first."""
    segments = clean_path(path).split("/")[:-1]
    return tuple("/" + "/".join(segments[:end]) for end in range(len(segments), 0, -1))


def path_term(path: str) -> str:
    """Return the one term that a mentioned path must equal."""
    return f"/{clean_path(path)}"


def clean_path(path: str) -> str:
    """Return a path with forward slashes, in lower case, without "./" before or a slash behind."""
    cleaned = flat(path).replace("\\", "/")
    while cleaned.startswith("./"):
        cleaned = cleaned[2:]
    return re.sub(r"/+", "/", cleaned).strip("/")[:PATH_CHARS_MAX]


def inner_path(path: PurePath, root: PurePath) -> str:
    """Return a path as it is stored: from the top of the project, with forward slashes.

    One that lies elsewhere stays as it is. Whether case matters is decided as the system does
    that the paths are of.
    """
    try:
        inner = path.relative_to(root) if path.is_absolute() else path
    except ValueError:
        return str(path)
    return inner.as_posix().removeprefix("./")


def branch_term(branch: str) -> str:
    """Return the term of a branch."""
    return f"@{flat(branch)[:PATH_CHARS_MAX]}"


def ticket_term(ticket: str) -> str:
    """Return the term of a ticket."""
    return f"#{flat(ticket).lstrip('#')[:PATH_CHARS_MAX]}"


def mentioned_paths(text: str) -> tuple[str, ...]:
    """Return what looks like a path or a file name in a text, as written."""
    return tuple(found[0].rstrip(".") for found in _found(_PATH, text, marks="/\\."))


def mentioned_tickets(text: str) -> tuple[str, ...]:
    """Return what looks like a ticket in a text, as written."""
    return tuple(found[0] for found in _found(_TICKET, text, marks="-#"))


def _found(pattern: str, text: str, *, marks: str) -> Iterable[re.Match[str]]:
    """Return what a pattern finds that needs one of some marks: without, it is not made."""
    plain = normalise(text)
    return re.finditer(pattern, plain) if any(mark in plain for mark in marks) else ()


def _without_suffix(path: str) -> str:
    """Return a path without its one suffix; "a.py.bak" is not "a.py" and has none to lose."""
    folders, slash, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    is_plain = bool(dot and stem) and "." not in stem and len(suffix) <= _SUFFIX_CHARS_MAX
    return f"{folders}{slash}{stem}" if is_plain else ""
