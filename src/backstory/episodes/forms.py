"""Rebased, amended and picked commits: of the forms of one change one is told."""

from collections.abc import Iterable

from backstory.model.episode import Episode
from backstory.ports.store import Tables


def one_form_each(tables: Tables, episodes: Iterable[Episode]) -> list[Episode]:
    """Return each change once: the form that is merged or, where all are or none is, the latest.

    Forms of one change have one subject and author time, or one patch-id. Those that are left
    out are found by their ids.
    """
    by_subject = {episode.change: episode for episode in _ranked(episodes)}
    forms = tables.story.forms([episode.seq for episode in by_subject.values()])
    ranked = _ranked(by_subject.values())
    return [*{forms.get(episode.seq, episode.change): episode for episode in ranked}.values()]


def _ranked(episodes: Iterable[Episode]) -> list[Episode]:
    return sorted(episodes, key=lambda episode: (episode.is_merged, episode.seq))
