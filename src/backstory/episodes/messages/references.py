"""The commits that a message names, and why. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

from backstory.capture.folding import fold
from backstory.episodes.messages.parts import hashes


class LinkKind(StrEnum):
    """What one episode is to another, surest first."""

    REVERTS = "reverts"
    PICKED_FROM = "picked_from"
    FIXES = "fixes"
    FOLLOWS = "follows"
    REFERS = "refers"  # names it, and does not say why
    SAME_TICKET = "same_ticket"
    SAME_BRANCH = "same_branch"
    SAME_FILES = "same_files"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A commit that a message names: why, and the beginning of its hash."""

    kind: LinkKind
    sha: str


_ORDER = {kind: rank for rank, kind in enumerate(LinkKind)}
_CONTEXT_CHARS = 80
# What is said right before a hash.
_CUES = {
    LinkKind.REVERTS: r"\brevert(?:s|ed|ing)?\b|回退|回滚|撤销|还原",
    LinkKind.PICKED_FROM: r"cherry[- ]picked from|back-?port(?:ed|s)? (?:of|from)|摘自",
    LinkKind.FIXES: (
        r"\bfix(?:es|ed|up)?:?|regress(?:ion|ed)|\bbr(?:oke|oken|eaks?)\b|introduced|caused by"
        r"|修复|修正|引入|导致|造成"
    ),
    LinkKind.FOLLOWS: (
        r"follow(?:s|ed)?[- ]?(?:up|on)?\b|continu(?:es|ation of)|amends|接续|跟进|延续"
    ),
}
_PATTERNS = {kind: re.compile(cue, re.IGNORECASE) for kind, cue in _CUES.items()}
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*[-*] )")
# A full stop ends what was said of something else.
_STOP = re.compile(r"[.!?]\s|[。；]")


def references(message: str) -> tuple[Reference, ...]:
    """Return the commits that a message names, each once, under its surest reason."""
    found: dict[str, Reference] = {}
    for paragraph in _PARAGRAPH.split(message):
        line = " ".join(paragraph.split())
        for sha in hashes(line):
            kind = _kind_before(line, line.lower().index(sha))
            known = found.get(sha)
            if known is None or _ORDER[kind] < _ORDER[known.kind]:
                found[sha] = Reference(kind=kind, sha=sha)
    return tuple(found.values())


def _kind_before(line: str, place: int) -> LinkKind:
    """Return what the cue nearest to a place says."""
    before = _STOP.split(fold(line[max(0, place - _CONTEXT_CHARS) : place]))[-1]
    ends = {
        kind: max(found.end() for found in pattern.finditer(before))
        for kind, pattern in _PATTERNS.items()
        if pattern.search(before)
    }
    return max(ends, key=ends.__getitem__, default=LinkKind.REFERS)
