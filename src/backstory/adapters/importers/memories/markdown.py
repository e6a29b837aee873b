"""Memories in Markdown: those of Claude Code, notes of basic-memory, sections of instructions."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from backstory.adapters.importers.memories.proposals import (
    STATEMENT_CHARS,
    Proposal,
    is_statement,
    kind_named,
)
from backstory.model.words import Kind

CLAUDE, BASIC, SECTIONS = "claude-memory", "basic-memory", "sections"
INDEX_NAME = "MEMORY.md"

_FRONT = re.compile(r"\A\ufeff?---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_FIELD = re.compile(r"^[ \t]*([A-Za-z_-]+):[ \t]*(.*)$", re.MULTILINE)
_INDEX_LINE = re.compile(r"^[-*]\s+(?:\[([^\]]+)\]\(([^)]+)\)\s*(?:—|–|-|:)?\s*)?(.+)$")
_OBSERVATION = re.compile(r"^\s*[-*]\s+\[([^\]\[()]{2,40})\]\s+(.+)$")
_TAG = re.compile(r"#[\w/-]+")
_BULLET = re.compile(r"^(\s{0,3})(?:[-*+]|\d+[.)])\s+(.*)$")
# A statement with all that may stand around it; a longer line is no such thing.
_LINE_CHARS_MAX = 4 * STATEMENT_CHARS
_CHECKBOX = {"x", "X", " ", "", "-", "/"}
# What explains a memory of Claude Code rather than says it.
_ASIDES = ("**Why", "**How to apply", "**When", "#")


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """Return the fields before a text, nested ones by their own name, and the text behind them."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    fields = {name: value.strip("\"' \r") for name, value in _FIELD.findall(match.group(1))}
    return fields, text[match.end() :]


def is_basic_note(text: str) -> bool:
    """Whether a file is a note of basic-memory: it has a permalink, or observations."""
    fields, body = front_matter(text)
    return "permalink" in fields or (bool(fields) and any(_observations(body)))


def is_topic(text: str) -> bool:
    """Whether a file is one memory of Claude Code."""
    fields, _ = front_matter(text)
    return "name" in fields and "description" in fields and "type" in fields


def of_index(text: str, file: Path) -> Iterator[Proposal]:
    """Yield the lines of a `MEMORY.md` that stand for themselves; others name a file."""
    for number, line in _lines(_without_comments(text)):
        match = _INDEX_LINE.match(line)
        if match is None or (match.group(2) and (file.parent / match.group(2)).is_file()):
            continue
        title, said = match.group(1) or "", match.group(3)
        statement = f"{title}: {said}" if title else said
        if is_statement(statement):
            yield Proposal(
                statement=statement,
                kind=Kind.PROJECT_FACT,
                program=CLAUDE,
                place=f"{file}:{number}",
            )


def of_topic(text: str, file: Path) -> Iterator[Proposal]:
    """Yield what a topic file says: its first paragraph, or else its description."""
    fields, body = front_matter(text)
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", body)]
    plain = [part for part in paragraphs if part and not part.startswith(_ASIDES)]
    said = [*plain[:1], fields.get("description", "")]
    statement = next((one for one in said if is_statement(one)), "")
    if statement:
        kind = kind_named(fields.get("type", ""))
        yield Proposal(statement=statement, kind=kind, program=CLAUDE, place=str(file))


def of_basic_note(text: str, file: Path) -> Iterator[Proposal]:
    """Yield the observations of a note, each with the note's title, which they rely on."""
    fields, body = front_matter(text)
    title = fields.get("title") or file.stem
    before = text[: len(text) - len(body)].count("\n")
    for number, category, said in _observations(body):
        is_named = title.lower() in said.lower()
        statement = said if is_named else f"{title}: {said}"
        if is_statement(statement):
            yield Proposal(
                statement=statement,
                kind=kind_named(category),
                program=BASIC,
                place=f"{file}:{before + number}",
            )


def of_sections(text: str, file: Path) -> Iterator[Proposal]:
    """Yield the points of a file of instructions: its list items, outside code and comments."""
    _, body = front_matter(_without_comments(text))
    before = text[: len(text) - len(body)].count("\n") if body != text else 0
    for number, point in _points(body.splitlines()):
        if is_statement(point):
            yield Proposal(
                statement=point,
                kind=Kind.CODE_CONVENTION,
                program=SECTIONS,
                place=f"{file}:{before + number}",
            )


def _observations(body: str) -> Iterator[tuple[int, str, str]]:
    for number, line in _lines(body):
        match = _OBSERVATION.match(line)
        if match and match.group(1).strip() not in _CHECKBOX:
            said = _without_context(_without_tags(match.group(2)))
            yield number, match.group(1), _without_tags(said)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are no longer than a statement may be, without blanks at their end."""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.rstrip()
        if len(stripped) <= _LINE_CHARS_MAX:
            yield number, stripped


def _without_tags(text: str) -> str:
    """Return an observation without the tags at its end."""
    words = text.rsplit(maxsplit=1)
    while len(words) > 1 and _TAG.fullmatch(words[1]):
        text = words[0]
        words = text.rsplit(maxsplit=1)
    return text


def _without_context(text: str) -> str:
    """Return an observation without what stands in parentheses at its end."""
    start = text.rfind("(")
    is_context = start >= 0 and text.find(")", start) == len(text) - 1
    return text[:start].rstrip() if is_context else text


def _points(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield list items with the lines that go on with them, and where each begins."""
    is_code, begun, parts = False, 0, list[str]()
    for number, line in enumerate([*lines, ""], 1):
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_code = is_code != is_fence
        bullet = None if is_code or is_fence else _BULLET.match(line)
        goes_on = bool(parts) and line.startswith(" ") and bool(line.strip())
        if goes_on and bullet is None and not (is_code or is_fence):
            parts.append(line.strip())
            continue
        if parts:
            yield begun, " ".join(parts)
            parts = []
        if bullet is not None:
            begun, parts = number, [bullet.group(2).strip()]


def _without_comments(text: str) -> str:
    """Return a text with the line ends of its comments alone, so that lines keep their numbers."""
    parts, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[place:start], "\n" * text.count("\n", start, end)]
        place = end + len("-->")
    return "".join([*parts, text[place:]])
