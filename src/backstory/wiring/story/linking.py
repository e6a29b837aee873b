"""The episodes beside one: those that messages name, and those that share what is rare.

What messages name is stored. What is shared is worked out when it is asked for, from the runs
that find episodes: nothing is kept of it, so that history costs no more to read.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backstory.episodes.links import HOLDERS_MAX, TIES_MAX, Shared, Tie, strongest
from backstory.episodes.messages.references import LinkKind
from backstory.model.episode import Episode
from backstory.ports.store import Tables

# Of an episode that changed more files than these, the first ones are looked at.
_PATHS_MAX = 40
# As many ties are read, as rewritten forms of one commit are told once.
_READ_MAX = 4 * TIES_MAX
# Sharing so many rare things is as sure as naming the same ticket.
_SURE_MIN = 2
_FOLLOWERS_MAX = 2
_SURER = {kind.value: rank for rank, kind in enumerate(LinkKind)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedEpisode:
    """An episode beside another one."""

    episode: Episode
    kind: str
    is_later: bool
    shared: tuple[str, ...] = ()  # files, tickets or branches, rarest first


def links_of(tables: Tables, episode: Episode) -> tuple[LinkedEpisode, ...]:
    """Return what an episode and its neighbours say of each other, then what shares most with it.

    Those that share something are five at the most; sessions and episodes that a person bounded
    are among them.
    """
    named = _named(tables, episode)
    told = [one for one in tables.episodes.listed() if one.id != episode.id]
    return (*named, *_tied(tables, episode, told=told, but=named))


def companions(tables: Tables, episode: Episode, *, limit: int) -> tuple[LinkedEpisode, ...]:
    """Return the episodes of commits that one should not be read without, `limit` at the most.

    They follow it by name (a fix, a revert, the next step), or surely belong to it: by their
    ticket, or by two rare files. Somebody waits: sessions are left out, and few rows are read.
    """
    named = _named(tables, episode)
    followers = [one for one in named if one.is_later]
    followers.sort(key=lambda one: (_SURER[one.kind], -one.episode.started_at_ms))
    found = followers[:_FOLLOWERS_MAX]
    if len(found) < limit:
        tied = _tied(tables, replace(episode, branch=None), told=(), but=named)
        found += [one for one in tied if _is_sure(one)]
    return tuple(found[:limit])


def _is_sure(link: LinkedEpisode) -> bool:
    return link.kind == LinkKind.SAME_TICKET or len(link.shared) >= _SURE_MIN


def _named(tables: Tables, episode: Episode) -> tuple[LinkedEpisode, ...]:
    links = tables.story.links(episode.id)
    others = {one.id: one for one in tables.episodes.many([other for other, _, _ in links])}
    return tuple(
        LinkedEpisode(episode=others[other], kind=kind, is_later=is_later)
        for other, kind, is_later in links
        if other in others
    )


def _tied(
    tables: Tables,
    episode: Episode,
    *,
    told: Sequence[Episode],
    but: Sequence[LinkedEpisode],
) -> tuple[LinkedEpisode, ...]:
    holders: dict[Shared, list[int]] = defaultdict(list)
    for key in _keys(episode):
        holders[key] += _of_history(tables, key)
    for one in told:
        for key in set(_keys(one)) & holders.keys():
            holders[key].append(one.seq)
    size = tables.story.size() + len(told)
    ties = strongest(holders, of=episode.seq, size=size, limit=_READ_MAX)
    return tuple(_linked(tables, episode, ties=ties, but=but))[:TIES_MAX]


def _keys(episode: Episode) -> Iterator[Shared]:
    for ticket in episode.tickets:
        yield LinkKind.SAME_TICKET, ticket
    if episode.branch is not None:
        yield LinkKind.SAME_BRANCH, episode.branch
    for path in episode.summary.changes[:_PATHS_MAX]:
        yield LinkKind.SAME_FILES, path


def _of_history(tables: Tables, key: Shared) -> Sequence[int]:
    """Return the commits' episodes that hold something, one more than may tie them at most."""
    kind, name = key
    story = tables.story
    ways = {
        LinkKind.SAME_TICKET: story.with_ticket,
        LinkKind.SAME_BRANCH: story.with_branch,
        LinkKind.SAME_FILES: story.with_path,
    }
    return ways[kind](name, HOLDERS_MAX[kind] + 1)


def _linked(
    tables: Tables, episode: Episode, *, ties: Sequence[Tie], but: Sequence[LinkedEpisode]
) -> Iterator[LinkedEpisode]:
    """Yield the episodes of ties, each change once, without those that are linked by name."""
    ids = tables.story.ids([tie.number for tie in ties])
    others = {one.id: one for one in tables.episodes.many(list(ids.values()))}
    seen = {episode.change, *(one.episode.change for one in but)}
    for tie in ties:
        other = others.get(ids[tie.number]) if tie.number in ids else None
        if other is None or other.change in seen:
            continue
        seen.add(other.change)
        is_later = (other.started_at_ms, other.seq) > (episode.started_at_ms, episode.seq)
        yield LinkedEpisode(episode=other, kind=tie.kind, is_later=is_later, shared=tie.shared)
