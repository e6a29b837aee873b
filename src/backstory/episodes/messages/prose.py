"""The sentences of a commit message, unwrapped, without code and quotations. Pure."""

import re
from functools import lru_cache

SENTENCE_CHARS_MAX = 600

_BULLET = re.compile(r"^\s{0,3}(?:[-*+•]|\d{1,2}[.)])\s+")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
# Four blanks or a tab: code, output or a log. A ">" begins words of somebody else.
_CODE = re.compile(r"^(?: {4,}|\t|\s*>|\s*\$ |\s*\|)")
_FOOTNOTE = re.compile(r"^\s*\[\d+\]:?\s")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(\[{<])|(?<=[。！？；])\s*")
# A full stop behind these ends no sentence.
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|fig|ca)\.)$", re.IGNORECASE)
_WIDE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")


@lru_cache(maxsize=4)  # several readers look at one message, one after the other
def sentences(body: str) -> tuple[str, ...]:
    """Return the sentences and bullet points of a message body, in order, each on one line."""
    found: list[str] = []
    for block in _blocks(body):
        found += _split(block)
    return tuple(sentence[:SENTENCE_CHARS_MAX] for sentence in found)


def is_code(line: str) -> bool:
    """Whether a line is code, output, or the words of somebody else."""
    return _CODE.match(line) is not None


def _blocks(body: str) -> list[str]:
    """Return paragraphs and bullet points; any other line goes on with the last one."""
    blocks: list[str] = []
    is_fenced = is_open = False
    for line in body.splitlines():
        if _FENCE.match(line):
            is_fenced, is_open = not is_fenced, False
        elif is_fenced or not line.strip() or _FOOTNOTE.match(line):
            is_open = False
        elif _BULLET.match(line):
            blocks.append(_BULLET.sub("", line).strip())
            is_open = True
        elif is_open:
            blocks[-1] += "\n" + line.strip()
        elif not is_code(line):
            blocks.append(line.strip())
            is_open = True
    return blocks


def _split(block: str) -> list[str]:
    line = " ".join(_WIDE.sub("", block).split())
    parts: list[str] = []
    for part in _END.split(line):
        if parts and _SHORT.search(parts[-1]):
            parts[-1] += f" {part}"
        elif part.strip():
            parts.append(part.strip())
    return parts
