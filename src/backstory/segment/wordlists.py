"""Lists of words from packaged files, read once. The only disk access of this package."""

from functools import lru_cache

from backstory.capture.packaged import packaged_text


@lru_cache(maxsize=32)
def words(name: str) -> frozenset[str]:
    """Return the words of `data/<name>.txt`: separated by blanks, `#` begins a comment."""
    return frozenset(word for line in lines(name) for word in line.split())


@lru_cache(maxsize=8)
def pairs(name: str) -> dict[str, str]:
    """Return the entries of `data/<name>.txt`: what becomes the first word of its line."""
    found: dict[str, str] = {}
    for line in lines(name):
        first, *others = line.split()
        found.update(dict.fromkeys(others, first))
    return found


def lines(name: str) -> list[str]:
    """Return the lines of `data/<name>.txt` without comments and empty ones."""
    found = (line.split("#", 1)[0].strip() for line in text_of(name).splitlines())
    return [line for line in found if line]


def text_of(name: str) -> str:
    """Return `data/<name>.txt` as it is, for who has no time to take it apart whole."""
    return packaged_text(__spec__, f"data/{name}.txt")
