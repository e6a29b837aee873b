"""The story as a person reads it: a timeline of a place, one episode in full, what is left."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from backstory import index
from backstory.capture.redact import redact
from backstory.episodes.forms import one_form_each
from backstory.episodes.stage import REOPENED_KEPT, reopened_todos, todo_name
from backstory.episodes.stretches import summarize_stretch
from backstory.episodes.summaries import CHANGES_MAX
from backstory.model.episode import Episode, Summary
from backstory.model.errors import NotFoundError, UsageError
from backstory.model.ids import EPISODE_LETTER, EpisodeId, meant
from backstory.model.limits import KEYWORDS_MAX
from backstory.model.words import Author
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables
from backstory.ports.story import LeftOpen, RecordedCommit
from backstory.ports.vcs import Known, Resolution, Vcs
from backstory.wiring.story.linking import LinkedEpisode, links_of
from backstory.wiring.story.stretching import MANUAL_ORIGIN, TODO_ORIGIN, stretch_again
from backstory.wiring.story.summed import summed_by

_READ_MAX = 2_000
# As short as git abbreviates (https://git-scm.com/docs/git-config, "core.abbrev").
_HASH = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeStory:
    """One episode with its commits and what it is linked with."""

    episode: Episode
    commits: tuple[RecordedCommit, ...]
    links: tuple[LinkedEpisode, ...]
    became: tuple[Resolution, ...] = ()  # of the commits, where a repository can be asked
    brought: tuple[Episode, ...] = ()  # by a merge, where a repository can be asked
    titles: Mapping[str, str] = field(default_factory=dict)  # of its tickets, as trackers tell
    model: str = ""  # that added to the summary
    dropped: Mapping[str, int] = field(default_factory=dict)  # of what it said, by reason


def timeline(tables: Tables, place: str, *, limit: int) -> tuple[Episode, ...]:
    """Return the newest episodes of a path, directory, branch or ticket, oldest first.

    Without a place it is the whole project's.
    """
    if not place:
        return _in_time(tables, tables.episodes.many(tables.episodes.newest(limit=limit)))
    numbers = _numbers(tables, place)
    ids = [*tables.story.ids(numbers).values()]
    by_hand = [e.id for e in tables.episodes.listed() if _is_of(e, place)]
    return _in_time(tables, tables.episodes.many([*ids, *by_hand]))[-limit:]


def episode_story(tables: Tables, name: str) -> EpisodeStory:
    """Return an episode by its id, by the beginning of it, or by a commit's hash."""
    episode = tables.episodes.get(named_episode(tables, name))
    assert episode is not None
    model, dropped = summed_by(tables, episode.id) or ("", {})
    return EpisodeStory(
        episode=episode,
        commits=tables.story.commits(episode.id),
        model=model,
        dropped=dropped,
        links=links_of(tables, episode),
        titles=tables.ticket_titles.of(episode.tickets),
    )


def with_fate(story: EpisodeStory, vcs: Vcs) -> EpisodeStory:
    """Return the same, with what became of its commits in this clone."""
    known = [
        Known(
            sha=commit.sha,
            tree=commit.tree,
            authored_at_ms=commit.authored_at_ms,
            patch_id=commit.patch_id,
        )
        for commit in story.commits
    ]
    return replace(story, became=tuple(vcs.resolve(one) for one in known))


def named_episode(tables: Tables, name: str) -> EpisodeId:
    """Return the one episode that an id or a commit's hash means, or enough of its beginning.

    Raises `NotFoundError` where it is none or several.
    """
    name = name.strip()
    if _HASH.fullmatch(name):
        numbers = [*tables.story.numbers([name.lower()]).values()]
        told = [*tables.story.ids(numbers).values()]
        if told:
            return told[0]
    return meant(name, tables.episodes.find(name), what="episode")


def begin_by_hand(
    tables: Tables,
    objective: str,
    *,
    ids: NameSource,
    now_ms: int,
    branch: str | None = None,
    tickets: Sequence[str] = (),
) -> Episode:
    """Begin an episode that a person bounds. Raises `UsageError` where one is open already."""
    current = tables.episodes.open_by_hand()
    if current is not None:
        raise UsageError(
            f"the episode {current.id} ({current.summary.objective}) is still open: end it first"
        )
    if not objective.strip():
        raise UsageError("say what the episode is for")
    episode = Episode(
        id=EpisodeId(ids(EPISODE_LETTER)),
        seq=0,  # given by the store
        summary=Summary(objective=redact(objective.strip()).text, author=Author.HUMAN),
        branch=branch,
        tickets=tuple(tickets),
        started_at_ms=now_ms,
        ended_at_ms=None,
        origin=MANUAL_ORIGIN,
    )
    tables.episodes.add(episode, now_ms=now_ms)
    index.index_entries(tables, [episode])
    return episode


def note_todo(tables: Tables, text: str, *, ids: NameSource, now_ms: int) -> Episode:
    """Make an episode that holds nothing but what is to be done: no work was done in it.

    It is found like any other, and no part of the story.
    """
    episode = Episode(
        id=EpisodeId(ids(EPISODE_LETTER)),
        seq=0,  # given by the store
        summary=Summary(objective=text, author=Author.HUMAN),
        branch=None,
        tickets=(),
        started_at_ms=now_ms,
        ended_at_ms=now_ms,
        origin=TODO_ORIGIN,
    )
    tables.episodes.add(episode, now_ms=now_ms)
    index.index_entries(tables, [episode])
    return episode


def end_by_hand(tables: Tables, *, now_ms: int) -> Episode:
    """End the open episode, and sum up what was committed meanwhile."""
    current = tables.episodes.open_by_hand()
    if current is None:
        raise NotFoundError("no episode is open")
    tables.episodes.end(current.id, at_ms=now_ms)
    return summarize_by_hand(tables, current.id, now_ms=now_ms)


def summarize_by_hand(tables: Tables, episode_id: EpisodeId, *, now_ms: int) -> Episode:
    """Sum up a person's episode from what was said and committed in its time.

    Its branch and tickets bound it too, where it has any. Their objective stays; what they
    edited later stays theirs. The others were summed up when they were told.
    """
    episode = tables.episodes.get(episode_id)
    assert episode is not None
    if episode.origin != MANUAL_ORIGIN:
        return episode
    stretch = stretch_again(tables, episode, now_ms=now_ms)
    found = summarize_stretch(stretch)
    parts = [one.summary for one in _in_time(tables, stretch.commits)]
    is_edited = episode.summary.author is Author.HUMAN and episode.summary.number > 1
    summary = replace(
        episode.summary,
        decisions=_joined([found.decisions, *(part.decisions for part in parts)]),
        changes=_joined([found.changes, *(part.changes for part in parts)])[:CHANGES_MAX],
        problems=_joined([*(part.problems for part in parts), found.problems]),
        lessons=found.lessons,
        keywords=_joined([part.keywords for part in parts])[:KEYWORDS_MAX],
        author=Author.HUMAN if is_edited else Author.RULE,
    )
    tables.episodes.add_summary(episode_id, summary, now_ms=now_ms)
    return _reread(tables, episode_id)


def edit_objective(tables: Tables, name: str, *, objective: str, now_ms: int) -> Episode:
    """Put a person's words in place of an objective; no job overwrites them."""
    if not objective.strip():
        raise UsageError("the new objective is empty; to remove an episode, use forget")
    episode_id = named_episode(tables, name)
    episode = tables.episodes.get(episode_id)
    assert episode is not None
    words = redact(objective.strip()).text
    summary = replace(episode.summary, objective=words, author=Author.HUMAN)
    tables.episodes.add_summary(episode_id, summary, now_ms=now_ms)
    return _reread(tables, episode_id)


def reopen(tables: Tables, name: str, *, number: int) -> LeftOpen:
    """Open a todo again, for good: no job closes it. Raises `NotFoundError` where it is open."""
    owner = named_episode(tables, name)
    if not tables.episodes.reopen_todo(owner, number):
        raise NotFoundError(f"episode {owner} has no todo {number} that is closed")
    kept = dict.fromkeys([*reopened_todos(tables), todo_name(owner, number)])
    tables.meta.set_setting(REOPENED_KEPT, json.dumps([*kept]))
    _reread(tables, owner)
    return left_open(tables, owner, number=number)


def left_open(tables: Tables, owner: EpisodeId, *, number: int) -> LeftOpen:
    """Return a todo where it stands."""
    episode = tables.episodes.get(owner)
    assert episode is not None
    return LeftOpen(episode_id=owner, number=number, todo=episode.summary.todos[number - 1])


def _reread(tables: Tables, episode_id: EpisodeId) -> Episode:
    """Read an episode again; one that is found by the index is indexed again."""
    episode = tables.episodes.get(episode_id)
    assert episode is not None
    if not episode.commits:
        index.index_entries(tables, [episode])
    return episode


def _numbers(tables: Tables, place: str) -> Sequence[int]:
    story = tables.story
    ways = (story.with_ticket, story.with_path, story.with_folder, story.with_branch)
    tidy = place.replace("\\", "/").removeprefix("./").rstrip("/")
    return next((found for way in ways if (found := way(tidy, _READ_MAX))), ())


def _is_of(episode: Episode, place: str) -> bool:
    """Whether an episode is of a branch, a ticket, a path or anything below it."""
    tidy = place.replace("\\", "/").removeprefix("./").rstrip("/")
    if {place, tidy} & {episode.branch, *episode.tickets}:
        return True
    return any(f"{path}/".startswith(f"{tidy}/") for path in episode.summary.changes)


def _in_time(tables: Tables, episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """Return episodes oldest first, each change once."""
    once = one_form_each(tables, episodes)
    return tuple(sorted(once, key=lambda e: (e.started_at_ms, e.seq)))


def _joined(parts: Sequence[tuple[_Part, ...]]) -> tuple[_Part, ...]:
    return tuple(dict.fromkeys(one for part in parts for one in part))
