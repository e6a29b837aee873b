"""Recall over everything: items and episodes of the index, and the story that commits tell."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from backstory import recall
from backstory.model.episode import Episode
from backstory.model.recall import Cues, Hit, Question, Recalled
from backstory.model.words import Kind, Lane
from backstory.segment.places import inner_path

if TYPE_CHECKING:
    from backstory.episodes.finding.asking import Asked
    from backstory.episodes.finding.ranking import Found
    from backstory.ports.store import Tables
    from backstory.ports.vcs import Vcs

# What shares less than this part of what the best one shares is left out.
_BEHIND_MAX = 0.35
_LESSONS = frozenset({Kind.TOOL_LESSON, Kind.FAILURE_LESSON})
# Titles of tickets that are compared with a question.
_TITLES_MAX = 50
# Among the best so many, those that left something open or went wrong come first.
_WARNED_OF_MAX = 12


def recalled(
    tables: "Tables",
    question: Question,
    *,
    now_ms: int,
    root: Path,
    explain: bool = False,
    vcs: "Vcs | None" = None,
) -> Recalled:
    """Return what answers a question: items first, then at most three episodes of either sort.

    Where only a place was asked for, episodes come first. What cites a file that is gone by now
    is stale at once; with `vcs` also what cites one that has changed much. Items that were said
    on a branch that is not merged name it. Nothing is written.
    """
    answer = _found(tables, question, now_ms=now_ms, root=root, explain=explain)
    if not answer.hits:
        return answer
    # Only hits are looked at.
    from backstory.wiring.story.current.branching import marked  # noqa: PLC0415
    from backstory.wiring.story.current.looking import looked_at  # noqa: PLC0415

    hits = looked_at(tables, answer.hits, root=root, vcs=vcs)
    return replace(answer, hits=marked(tables, hits, vcs=vcs))


def _found(
    tables: "Tables", question: Question, *, now_ms: int, root: Path, explain: bool
) -> Recalled:
    answer = recall.recall(tables, question, now_ms=now_ms, explain=explain)
    if not tables.meta.tells_of_work():
        return answer
    from backstory.episodes.finding.asking import about_question  # noqa: PLC0415 - as below

    asked = about_question(question.text, _inside(question.cues, root))
    if asked.is_empty:
        return answer
    called = _called(tables, asked)
    asked = replace(asked, tickets=tuple(dict.fromkeys([*asked.tickets, *called])))
    known = {hit.entry.id for hit in answer.hits if isinstance(hit.entry, Episode)}
    room = question.episodes_max - len(known)
    told = _told(tables, asked, room=room, now_ms=now_ms)
    worked = _worked_on(tables, called, known=known, room=room, now_ms=now_ms)
    if worked:  # of what was committed and what was done in sessions some of each
        told = told[: max(1, room - 1)]
        told = (*told, *worked[: room - len(told)])
    if not told:
        return answer
    hits = (*answer.hits, *told) if question.text.strip() else _episodes_first(answer.hits, told)
    return replace(answer, hits=hits, abstained_because=None)


def _called(tables: "Tables", asked: "Asked") -> tuple[str, ...]:
    """Return the tickets that are called so: commits and sessions may only name them."""
    from backstory.episodes.finding.titles import WORDS_MIN, meant, parts_of  # noqa: PLC0415

    if len(asked.words) < WORDS_MIN:
        return ()
    found = tables.ticket_titles.like(
        parts_of(asked.words.keys()), least=WORDS_MIN, limit=_TITLES_MAX
    )
    return meant(asked, found)


def _worked_on(
    tables: "Tables", tickets: Sequence[str], *, known: Set[str], room: int, now_ms: int
) -> tuple[Hit, ...]:
    """Return the episodes of sessions, and of people, that name these tickets."""
    found: dict[str, Hit] = {}
    for ticket in tickets:
        place = Question(cues=Cues(ticket=ticket), items_max=0, episodes_max=max(0, room))
        for hit in recall.recall(tables, place, now_ms=now_ms).hits:
            if hit.entry.id not in known:
                named = replace(hit, reasons=(f"it belongs to {ticket}",))
                found.setdefault(hit.entry.id, named)
    return tuple(found.values())[: max(0, room)]


def _told(tables: "Tables", asked: "Asked", *, room: int, now_ms: int) -> tuple[Hit, ...]:
    if room <= 0:
        return ()
    # Loaded where there is a story: a prompt waits for it.
    from backstory.episodes.finding.places import placed  # noqa: PLC0415
    from backstory.episodes.finding.ranking import anchors, find  # noqa: PLC0415

    places = placed(asked, tables.story)
    asked, anchored = places.asked, anchors(asked, tables.story) | places.within
    found = find(asked, tables.story, limit=_WARNED_OF_MAX, anchored=anchored)
    ids = tables.story.ids([one.number for one in found])
    known = {episode.seq: episode for episode in tables.episodes.many(list(ids.values()))}
    pairs = _once(tables, [(one, known[one.number]) for one in found if one.number in known])
    if not asked.words:
        # Nothing but a place: what is open or went wrong there is what one has to know.
        pairs.sort(key=lambda pair: _warning(pair[1]))
    else:
        pairs = _near_the_best(pairs)
    hits = tuple(
        _hit(one, episode, tickets=asked.tickets, now_ms=now_ms) for one, episode in pairs[:room]
    )
    return (*hits, *_along_with(tables, hits, room=room - len(hits), now_ms=now_ms))


def _along_with(tables: "Tables", hits: Sequence[Hit], *, room: int, now_ms: int) -> Iterator[Hit]:
    """Yield what the best episode should not be read without, as far as there is room."""
    if room <= 0 or not hits or not isinstance(hits[0].entry, Episode):
        return
    from backstory.wiring.story.linking import companions  # noqa: PLC0415 - as above

    best = hits[0].entry
    told = {hit.entry.change for hit in hits if isinstance(hit.entry, Episode)}
    for link in companions(tables, best, limit=room + len(hits)):
        other = link.episode
        if other.change not in told and room > 0:
            room -= 1
            yield Hit(
                entry=other,
                lane=Lane.ANCHOR,
                score=0.0,
                reasons=(f"it is linked with {best.id}: {link.kind.replace('_', ' ')}",),
                age_ms=max(0, now_ms - (other.ended_at_ms or other.started_at_ms)),
                origin="episode",
                is_factual=True,
                is_stale=other.is_stale,
            )


def _once(
    tables: "Tables", pairs: "Sequence[tuple[Found, Episode]]"
) -> "list[tuple[Found, Episode]]":
    """Return each change once: rebased, amended and picked commits are forms of one."""
    from backstory.episodes.forms import one_form_each  # noqa: PLC0415 - where there is a story

    told = {episode.id for episode in one_form_each(tables, [episode for _, episode in pairs])}
    return [pair for pair in pairs if pair[1].id in told]


def _near_the_best(pairs: "Sequence[tuple[Found, Episode]]") -> "list[tuple[Found, Episode]]":
    """Return what is not far behind in what it shares; how long ago it was is no evidence."""
    least = _BEHIND_MAX * max((_shared(found) for found, _ in pairs), default=0.0)
    return [pair for pair in pairs if _shared(pair[0]) >= least]


def _shared(found: "Found") -> float:
    return found.score - found.parts["distance"]


def _warning(episode: Episode) -> int:
    """Return how urgent an episode is to somebody who is about to work at its place, 0 first."""
    if any(todo.is_open for todo in episode.summary.todos):
        return 0
    return 1 if episode.summary.problems or episode.summary.lessons else 2


def _hit(found: "Found", episode: Episode, *, tickets: Sequence[str], now_ms: int) -> Hit:
    at_ms = episode.ended_at_ms or episode.started_at_ms
    return Hit(
        entry=episode,
        lane=Lane.ANCHOR if found.paths or found.parts["place"] else Lane.TERMS,
        score=round(found.score, 4),
        reasons=tuple(_reasons(found, episode, tickets=tickets)),
        age_ms=max(0, now_ms - at_ms),
        origin="episode",
        is_factual=True,
        is_stale=episode.is_stale,
    )


def _reasons(found: "Found", episode: Episode, *, tickets: Sequence[str]) -> Sequence[str]:
    reasons = []
    if found.paths:
        reasons.append(f"it changed {', '.join(found.paths[:3])}")
    if found.parts["place"]:
        named = [ticket for ticket in episode.tickets if ticket in tickets]
        reasons.append(f"it belongs to {', '.join(named) or 'where the work is'}")
    if found.parts["title"]:
        reasons.append("its subject was quoted")
    if found.words:
        reasons.append(f"it shares {', '.join(found.words[:4])}")
    if found.parts["named by"]:
        reasons.append("a later commit that fits refers to it")
    if not episode.is_merged:
        reasons.append(f"it is not merged yet: {episode.branch}")
    return reasons


def _episodes_first(hits: Sequence[Hit], told: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return what is left open and the lessons of a place, then its other episodes, then items."""
    return tuple(sorted((*hits, *told), key=_rank_at_place))


def _rank_at_place(hit: Hit) -> int:
    if isinstance(hit.entry, Episode):
        return 0 if _warning(hit.entry) == 0 else 1
    return 0 if hit.entry.kind in _LESSONS else 2


def _inside(cues: Cues, root: Path) -> Cues:
    """Return cues whose files are named as history names them: from the top of the project."""
    return replace(cues, files=tuple(inner_path(PurePath(file), root) for file in cues.files))
