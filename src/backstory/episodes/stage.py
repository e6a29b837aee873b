"""Commits become episodes: summed up by rule, linked, and kept with what finds them again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstory.capture.redact import redact
from backstory.episodes.closing import OpenTodos, Work
from backstory.episodes.finding.distances import bucket
from backstory.episodes.finding.entries import title_of_commit, words_of_commit
from backstory.episodes.finding.words import saturated
from backstory.episodes.messages.parts import parse_message
from backstory.episodes.messages.references import LinkKind, Reference, references
from backstory.episodes.messages.tickets import (
    tickets_of_branch,
    tickets_of_merge,
    tickets_of_message,
)
from backstory.episodes.summaries import summarize_commit
from backstory.model.episode import Episode, Summary
from backstory.model.ids import EPISODE_LETTER, EpisodeId
from backstory.ports.store import Tables
from backstory.ports.story import Link, OpenTodo, RecordedCommit, Told
from backstory.ports.vcs import ChangeKind, Commit

Closed = tuple[OpenTodo, EpisodeId]
"""A todo, and the episode that did it."""

COMMIT_ORIGIN = "commit"
# The names of the todos that a person opened again.
REOPENED_KEPT = "reopened_todos"

_NAME_CHARS = 16
_WORDS_MAX = 400
_PATHS_MAX = 500
_PREFIX_CHARS_MIN = 7
# Older ones are left for a person to close.
_TODOS_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A commit read and summed up, before it has a number and its references are resolved."""

    commit: Commit
    branch: str | None
    summary: Summary
    tickets: tuple[str, ...]
    references: tuple[Reference, ...]
    title: str
    words: Mapping[str, float]


def draft(commit: Commit, *, branch: str | None) -> Draft:
    """Sum up a commit. `branch` is the one that leads to it; None for the main line. Pure."""
    text = redact(commit.message).text
    title, words = found_by(text)
    paths = [file.path for file in commit.files]
    named = [*tickets_of_message(text).named]
    if commit.is_merge:
        named += tickets_of_merge(commit.subject)
    return Draft(
        commit=commit,
        branch=branch,
        summary=summarize_commit(text, paths, name=f"commit {commit.sha[:12]}"),
        tickets=tuple(dict.fromkeys([*named, *(tickets_of_branch(branch) if branch else ())])),
        references=references(commit.message),
        title=title,
        words=words,
    )


def found_by(text: str) -> tuple[str, Mapping[str, float]]:
    """Return what a commit is found by: the terms of its title, and the weights of its words.

    `text` is its message with secrets replaced. Pure.
    """
    message = parse_message(text)
    counts = words_of_commit(message).most_common(_WORDS_MAX)
    weights = saturated(dict(counts)).items()
    return title_of_commit(message), {term: round(weight, 2) for term, weight in weights}


def keep(
    tables: Tables, drafts: Sequence[Draft], *, now_ms: int, todos: OpenTodos | None = None
) -> int:
    """Keep commits as episodes, and return how many were new. One transaction of the caller's.

    What a message refers to is linked where this store knows exactly one such commit; nothing
    is guessed. `todos` are what may be done by them, read beforehand (`open_todos`); what these
    commits leave and do is noted in it, for those that follow.
    """
    known = tables.story.known([one.commit.sha for one in drafts])
    new = [one for one in drafts if one.commit.sha not in known]
    if not new:
        return 0
    first = tables.story.now()
    told = [_told(one, number=first + place) for place, one in enumerate(new)]
    links = _links(tables, new, first=first)
    left = open_todos(tables) if todos is None else todos
    closed = _closed(left, [(one.episode, one.paths) for one in told])
    tables.story.add(told, links=links, now_ms=now_ms)
    close_todos(tables, closed)
    return len(new)


def closed_todos(tables: Tables, episodes: Sequence[Episode]) -> Sequence[Closed]:
    """Return the todos that stored episodes did, each with the one that did it.

    Nothing is written; `close_todos` does that. Episodes of commits close theirs as they are kept.
    """
    return _closed(open_todos(tables), [(one, one.summary.changes) for one in episodes])


def open_todos(tables: Tables) -> OpenTodos:
    """Return the newest todos that are open, but for those that a person opened again."""
    reopened = frozenset(reopened_todos(tables))
    stored = tables.story.open_todos(limit=_TODOS_MAX)
    return OpenTodos(
        one for one in stored if todo_name(one.episode_id, one.number) not in reopened
    )


def close_todos(tables: Tables, closed: Sequence[Closed]) -> None:
    """Close todos, each by the episode that did it, but those that a person opened again."""
    reopened = frozenset(reopened_todos(tables))
    for todo, closer in closed:
        if todo_name(todo.episode_id, todo.number) not in reopened:
            tables.episodes.close_todo(todo.episode_id, todo.number, closed_by=closer)


def link_again(tables: Tables, named: Mapping[str, Sequence[Reference]]) -> None:
    """Link the episodes of commits with earlier ones that they name and that came to be known.

    `named` holds what each commit's message refers to, by its hash.
    """
    numbers = tables.story.numbers([*named])
    stored = tables.story.numbers(
        list(dict.fromkeys(reference.sha for held in named.values() for reference in held))
    )
    tables.story.link(
        [
            _link(numbers[sha], other, kind=reference.kind)
            for sha in named.keys() & numbers.keys()
            for reference in named[sha]
            if (other := stored.get(reference.sha, numbers[sha])) < numbers[sha]
        ]
    )


def episode_name(sha: str) -> EpisodeId:
    """Return the id of a commit's episode: the same in every store that records it."""
    return EpisodeId(f"{EPISODE_LETTER}_{sha[:_NAME_CHARS]}")


def _told(one: Draft, *, number: int) -> Told:
    commit = one.commit
    paths = tuple(dict.fromkeys(file.path for file in commit.files))[:_PATHS_MAX]
    return Told(
        episode=Episode(
            id=episode_name(commit.sha),
            seq=number,
            summary=one.summary,
            branch=one.branch,
            tickets=one.tickets,
            started_at_ms=commit.authored_at_ms,
            ended_at_ms=max(commit.committed_at_ms, commit.authored_at_ms),
            origin=COMMIT_ORIGIN,
        ),
        commit=RecordedCommit(
            sha=commit.sha,
            tree=commit.tree,
            branch=one.branch,
            is_merged=one.branch is None,
            author=commit.author_name,
            authored_at_ms=commit.authored_at_ms,
            committed_at_ms=commit.committed_at_ms,
        ),
        title=one.title,
        words=one.words,
        paths=paths,
        renames=tuple(
            (file.path, file.old_path)
            for file in commit.files
            if file.kind is ChangeKind.RENAMED and file.old_path
        ),
    )


def _links(tables: Tables, new: Sequence[Draft], *, first: int) -> list[Link]:
    stored = tables.story.numbers(
        list(dict.fromkeys(reference.sha for one in new for reference in one.references))
    )
    fresh: dict[str, list[tuple[str, int]]] = {}
    links: list[Link] = []
    for number, one in enumerate(new, first):
        for reference in one.references:
            other = _one_of(reference.sha, stored, fresh=fresh)
            if other is not None:
                links.append(_link(number, other, kind=reference.kind))
        sha = one.commit.sha
        fresh.setdefault(sha[:_PREFIX_CHARS_MIN], []).append((sha, number))
    return links


def _link(number: int, other: int, *, kind: LinkKind) -> Link:
    return Link(episode=number, other=other, kind=kind, doublings=bucket(number - other))


def todo_name(episode_id: EpisodeId, number: int) -> str:
    """Return what a todo is called: its episode and its number there."""
    return f"{episode_id}#{number}"


def reopened_todos(tables: Tables) -> tuple[str, ...]:
    """Return the names of the todos that a person opened again: no job closes those."""
    return tuple(json.loads(tables.meta.setting(REOPENED_KEPT) or "[]"))


def _closed(todos: OpenTodos, told: Sequence[tuple[Episode, Sequence[str]]]) -> list[Closed]:
    """Return the todos, of these or of this batch, that later episodes of it did."""
    closed: list[Closed] = []
    for episode, paths in told:
        work = _work(episode, paths)
        found = [todo for todo in todos.closed_by(work) if todo.episode_id != episode.id]
        closed += [(todo, episode.id) for todo in found]
        for number, text in enumerate(work.left, 1):
            left = OpenTodo(
                episode_id=episode.id,
                number=number,
                text=text,
                paths=tuple(paths),
                at_ms=work.at_ms,
            )
            todos.add(left)
    return closed


def _work(episode: Episode, paths: Sequence[str]) -> Work:
    summary = episode.summary
    said = " ".join([summary.objective, *(d.decision for d in summary.decisions)])
    at_ms = episode.started_at_ms if episode.ended_at_ms is None else episode.ended_at_ms
    return Work(text=said, paths=paths, left=[todo.text for todo in summary.todos], at_ms=at_ms)


def _one_of(
    prefix: str, stored: Mapping[str, int], *, fresh: Mapping[str, Sequence[tuple[str, int]]]
) -> int | None:
    """Return the one episode whose commit begins so, in the store or in this batch."""
    alike = fresh.get(prefix[:_PREFIX_CHARS_MIN], ())
    found = [number for sha, number in alike if sha.startswith(prefix)]
    found += [stored[prefix]] if prefix in stored else []
    return found[0] if len(found) == 1 else None
