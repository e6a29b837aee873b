"""What a merge brought: the commits that its other parents lead to, and a summary of them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from backstory.episodes.summaries import CHANGES_MAX, DECISIONS_MAX, PROBLEMS_MAX
from backstory.model.episode import Episode, Summary
from backstory.model.limits import KEYWORDS_MAX
from backstory.model.words import Author
from backstory.ports.store import Tables
from backstory.ports.vcs import Vcs

# A merge that brings more is a release: the last commits of it are told.
BROUGHT_MAX = 100


def brought_by(vcs: Vcs, episode: Episode) -> tuple[str, ...]:
    """Return the commits that a merge brought, earlier ones first; nothing for other episodes.

    Raises `VcsUnavailableError`.
    """
    if len(episode.commits) != 1:
        return ()
    (sha,) = episode.commits
    commits = [*islice(vcs.read([sha]), 1)]
    if not commits or not commits[0].is_merge:
        return ()
    listed = [one.sha for one in vcs.listed([f"{commits[0].parents[0]}..{sha}"])]
    return tuple(one for one in listed if one != sha)[-BROUGHT_MAX:]


def episodes_brought(tables: Tables, shas: Sequence[str]) -> tuple[Episode, ...]:
    """Return the episodes of these commits, as far as they are recorded, in that order."""
    numbers = tables.story.numbers(shas)
    ids = tables.story.ids([*numbers.values()])
    wanted = [ids[numbers[sha]] for sha in shas if sha in numbers and numbers[sha] in ids]
    return tables.episodes.many(list(dict.fromkeys(wanted)))


def summarize_merge(
    tables: Tables, episode: Episode, *, brought: Sequence[Episode], now_ms: int
) -> None:
    """Sum up by rule what a merge brought; what a person or a model wrote stays."""
    summary = merged_summary(episode.summary, [one.summary for one in brought])
    if episode.summary.author is Author.RULE and summary != episode.summary:
        tables.episodes.add_summary(episode.id, summary, now_ms=now_ms)


def merged_summary(own: Summary, brought: Sequence[Summary]) -> Summary:
    """Return a merge's summary with what its commits decided, changed and solved. Pure."""
    parts = [own, *brought]
    changes = dict.fromkeys(path for part in parts for path in part.changes)
    problems = dict.fromkeys(one for part in parts for one in part.problems)
    keywords = dict.fromkeys(word for part in parts for word in part.keywords)
    decisions = dict.fromkeys(one for part in parts for one in part.decisions)
    return replace(
        own,
        decisions=tuple(decisions)[:DECISIONS_MAX],
        changes=tuple(changes)[:CHANGES_MAX],
        problems=tuple(problems)[:PROBLEMS_MAX],
        keywords=tuple(keywords)[:KEYWORDS_MAX],
    )
