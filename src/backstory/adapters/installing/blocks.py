"""A marked block of lines in a text file: put in, found again and taken out. Pure."""

import re
import tomllib

from backstory.model.errors import UnreadableInputError


def with_block(text: str, block: str, *, marks: tuple[str, str]) -> str:
    """Return the text with the block at its end, in the place of an older one of ours."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = block.replace("\n", newline)
    if new in text:
        return text
    text = without_block(text, marks)
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}{new}"


def with_block_on_top(text: str, block: str, *, marks: tuple[str, str]) -> str:
    """Return a script with the block below its first line, so that it runs whatever follows."""
    if block in text:
        return text
    first, newline, rest = without_block(text, marks).partition("\n")
    return f"{first}{newline or chr(10)}{block}{rest}"


def without_block(text: str, marks: tuple[str, str], *, original: str | None = None) -> str:
    """Return the text without the block and the empty line before it.

    What the file was tells whether its last line had an end.
    """
    match = _found(text, marks)
    if match is None:
        return text
    head, rest = text[: match.start()], text[match.end() :]
    head = re.sub(r"(?<=\n)\r?\n\Z", "", head)
    if not rest and original and not original.endswith("\n"):
        head = re.sub(r"\r?\n\Z", "", head)
    return head + rest


def refuse_taken(text: str, marks: tuple[str, str]) -> None:
    """Refuse a TOML file that is broken, or has a server of this name that is not ours."""
    try:
        found = tomllib.loads(without_block(text, marks).removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableInputError(f"it is no TOML: {error}") from error
    servers = found.get("mcp_servers", {})
    if isinstance(servers, dict) and "backstory" in servers:
        raise UnreadableInputError("it has a server named backstory that is not ours")


def refuse_broken(text: str) -> None:
    """Refuse an addition after which the file would be no TOML any more."""
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableInputError(f"a server cannot be added to it: {error}") from error


def _found(text: str, marks: tuple[str, str]) -> re.Match[str] | None:
    start, end = map(re.escape, marks)
    block = rf"^{start}\r?\n.*?^{end}(?:\r?\n|\Z)"
    return re.search(block, text, re.DOTALL | re.MULTILINE)
