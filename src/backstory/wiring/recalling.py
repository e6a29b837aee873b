"""Recall over everything: items and episodes of the index, and the story that commits tell."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from backstory import recall
from backstory.model.episode import Episode
from backstory.model.recall import Cues, Hit, Question, Recalled
from backstory.model.words import Lane
from backstory.ports.store import Tables

if TYPE_CHECKING:
    from backstory.episodes.finding.asking import Asked
    from backstory.episodes.finding.ranking import Found
    from backstory.ports.vcs import Vcs

# Among the best so many, those that left something open or went wrong come first.
_WARNED_OF_MAX = 12


def recalled(
    tables: Tables,
    question: Question,
    *,
    now_ms: int,
    root: Path,
    explain: bool = False,
    vcs: "Vcs | None" = None,
) -> Recalled:
    """Return what answers a question: items first, then at most three episodes of either sort.

    Where only a place was asked for, episodes come first. What cites a file that is gone by now
    is stale at once; with `vcs` also what cites one that has changed much. Nothing is written.
    """
    answer = _found(tables, question, now_ms=now_ms, root=root, explain=explain)
    if not answer.hits:
        return answer
    from backstory.wiring.story.looking import looked_at  # noqa: PLC0415 - only hits are looked at

    return replace(answer, hits=looked_at(tables, answer.hits, root=root, vcs=vcs))


def _found(
    tables: Tables, question: Question, *, now_ms: int, root: Path, explain: bool
) -> Recalled:
    answer = recall.recall(tables, question, now_ms=now_ms, explain=explain)
    if tables.story.size() == 0:
        return answer
    from backstory.episodes.finding.asking import about_question  # noqa: PLC0415 - as below

    asked = about_question(question.text, _inside(question.cues, root))
    if asked.is_empty:
        return answer
    room = question.episodes_max - sum(isinstance(hit.entry, Episode) for hit in answer.hits)
    told = _told(tables, asked, room=room, now_ms=now_ms)
    if not told:
        return answer
    hits = (*answer.hits, *told) if question.text.strip() else _episodes_first(answer.hits, told)
    return replace(answer, hits=hits, abstained_because=None)


def _told(tables: Tables, asked: "Asked", *, room: int, now_ms: int) -> tuple[Hit, ...]:
    if room <= 0:
        return ()
    # Loaded where there is a story: a prompt waits for it.
    from backstory.episodes.finding.ranking import anchors, find  # noqa: PLC0415

    places = anchors(asked, tables.story)
    found = find(asked, tables.story, limit=_WARNED_OF_MAX, anchored=places)
    ids = tables.story.ids([one.number for one in found])
    known = {episode.seq: episode for episode in tables.episodes.many(list(ids.values()))}
    pairs = _once([(one, known[one.number]) for one in found if one.number in known])
    if not asked.words:
        # Nothing but a place: what is open or went wrong there is what one has to know.
        pairs.sort(key=lambda pair: not _warns(*pair))
    return tuple(_hit(one, episode, now_ms=now_ms) for one, episode in pairs[:room])


def _once(pairs: "Sequence[tuple[Found, Episode]]") -> "list[tuple[Found, Episode]]":
    """Return each change once: rebased and picked commits keep their subject and author time."""
    kept: dict[tuple[str, int], tuple[Found, Episode]] = {}
    for found, episode in pairs:
        key = (episode.summary.objective, episode.started_at_ms)
        if key not in kept or (episode.is_merged and not kept[key][1].is_merged):
            kept[key] = (found, episode)
    return list(kept.values())


def _warns(found: "Found", episode: Episode) -> bool:
    is_open = any(todo.is_open for todo in episode.summary.todos)
    return bool(found.paths) and is_open


def _hit(found: "Found", episode: Episode, *, now_ms: int) -> Hit:
    at_ms = episode.ended_at_ms or episode.started_at_ms
    return Hit(
        entry=episode,
        lane=Lane.ANCHOR if found.paths or found.parts["place"] else Lane.TERMS,
        score=round(found.score, 4),
        reasons=tuple(_reasons(found, episode)),
        age_ms=max(0, now_ms - at_ms),
        origin="episode",
        is_factual=True,
        is_stale=episode.is_stale,
    )


def _reasons(found: "Found", episode: Episode) -> Sequence[str]:
    reasons = []
    if found.paths:
        reasons.append(f"it changed {', '.join(found.paths[:3])}")
    if found.parts["place"]:
        reasons.append("it belongs to where the work is")
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
    episodes = [hit for hit in hits if isinstance(hit.entry, Episode)]
    return (*episodes, *told, *(hit for hit in hits if not isinstance(hit.entry, Episode)))


def _inside(cues: Cues, root: Path) -> Cues:
    """Return cues whose files are named as history names them: from the top of the project."""
    return replace(cues, files=tuple(_from_top(file, root) for file in cues.files))


def _from_top(file: str, root: Path) -> str:
    path = PurePath(file)
    try:
        inner = path.relative_to(root) if path.is_absolute() else path
    except ValueError:
        return file
    return inner.as_posix().removeprefix("./")
