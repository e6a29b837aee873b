"""What ties episodes beside what their messages say: rare files, tickets, a branch. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from backstory.episodes.messages.references import LinkKind

TIES_MAX = 5
# What more episodes than these hold ties none of them together: a change log, a long branch.
HOLDERS_MAX: Mapping[LinkKind, int] = {
    LinkKind.SAME_TICKET: 100,
    LinkKind.SAME_BRANCH: 100,
    LinkKind.SAME_FILES: 20,
}

_SURER = {kind: rank for rank, kind in enumerate(LinkKind)}

Shared = tuple[LinkKind, str]
"""Something that two episodes may have in common, and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Another episode, and what it has in common with the one at hand."""

    number: int
    kind: LinkKind  # the surest of what they share
    shared: tuple[str, ...]  # rarest first
    weight: float


def strongest(
    holders: Mapping[Shared, Sequence[int]], *, of: int, size: int, limit: int = TIES_MAX
) -> tuple[Tie, ...]:
    """Return the episodes that share most with the one of number `of`, strongest first.

    `holders` are the episodes that hold each thing that it holds. What few hold counts more,
    as its inverse document frequency (Spärck Jones, 1972); among equals the nearest comes first.
    """
    rare = {key: set(found) for key, found in holders.items() if len(found) <= HOLDERS_MAX[key[0]]}
    held: dict[int, list[tuple[float, Shared]]] = defaultdict(list)
    for key, found in rare.items():
        weight = log(1 + max(size, len(found)) / len(found)) if found else 0.0
        for number in found - {of}:
            held[number].append((weight, key))
    ties = [_tie(number, sorted(parts, reverse=True)) for number, parts in held.items()]
    ties.sort(key=lambda tie: (-tie.weight, abs(tie.number - of), tie.number))
    return tuple(ties[:limit])


def _tie(number: int, parts: Sequence[tuple[float, Shared]]) -> Tie:
    return Tie(
        number=number,
        kind=min((key[0] for _, key in parts), key=_SURER.__getitem__),
        shared=tuple(key[1] for _, key in parts),
        weight=sum(weight for weight, _ in parts),
    )
