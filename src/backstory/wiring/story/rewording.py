"""Commits that older rules took apart into words are taken apart anew, from what git keeps."""

from backstory import index
from backstory.adapters.git import GitRepository
from backstory.capture.redact import redact
from backstory.episodes.stage import found_by
from backstory.model.errors import VcsUnavailableError
from backstory.wiring.desk import Desk

_BATCH_COMMITS = 1_000


def renew_index(desk: Desk) -> bool:
    """Build the index anew where it follows older rules, and return whether it did.

    Cut short, it begins again the next time: that the index is new is noted at its end.
    """
    if index.is_current(desk.store):
        return False
    reword_commits(desk)
    return index.renew(desk.store)


def reword_commits(desk: Desk) -> None:
    """Let commits be found by the words that their messages have now.

    Those that are no longer in this clone keep the words they have; so do all where git cannot
    be asked. What is found by them is built anew by whoever calls this.
    """
    project = desk.project
    if project.common_dir is None:
        return
    vcs = GitRepository(project.root, environ=desk.env)
    last = 0
    try:
        while numbers := _after(desk, last):
            last = max(numbers.values())
            found = {
                numbers[commit.sha]: found_by(redact(commit.message).text)
                for commit in vcs.messages(numbers)
            }
            with desk.store.writing() as tables:
                tables.story.reword(found)
    except VcsUnavailableError:
        return


def _after(desk: Desk, number: int) -> dict[str, int]:
    with desk.store.reading() as tables:
        found = tables.story.after(number, limit=_BATCH_COMMITS)
    return {sha: episode for episode, sha in found.items()}
