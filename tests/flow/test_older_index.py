"""A store that was indexed by older rules finds everything by the newer ones, commits as well."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from backstory.index import freshen_story
from commands import run
from projects import a_project, git, memory_of

SUBJECT = "fix: tokens of OAuthClient time out"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose commits were taken apart before names with capitals were words."""
    folder = a_project(tmp_path / "shop")
    for number in range(12):
        subject = f"feat: module {number} reads its settings"
        git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)
    git(folder, "commit", "--quiet", "--allow-empty", "--message", SUBJECT)
    with memory_of(folder) as memory:
        memory.backfill()
        with memory._desk.store.writing() as tables:
            entries = tables.story.entries(tuple(tables.story.after(0, limit=100)))
            tables.story.reword({one.number: (one.title, older(one.words)) for one in entries})
            tables.meta.set_index_version(1)
        freshen_story(memory._desk.store)
    assert found(folder) == []
    return folder


def older(words: dict[str, float]) -> dict[str, float]:
    return {word: weight for word, weight in words.items() if word != "oauthclient"}


def found(project: Path) -> list[str]:
    with memory_of(project) as memory:
        return [str(hit.entry.id) for hit in memory.recall("oauthclient").hits]


def worked(project: Path) -> None:
    assert run("work", at=project).code == 0


def reindexed(project: Path) -> None:
    assert run("reindex", at=project).code == 0


@pytest.mark.parametrize("renewed", [worked, reindexed])
def test_commits_are_found_by_the_words_of_newer_rules(
    project: Path, renewed: Callable[[Path], None]
) -> None:
    renewed(project)

    assert len(found(project)) == 1


def test_commits_that_git_has_lost_keep_the_words_they_have(project: Path) -> None:
    objects = project / ".git/objects"
    shutil.rmtree(objects)
    objects.mkdir()
    worked(project)

    with memory_of(project) as memory, memory._desk.store.reading() as tables:
        assert tables.meta.index_version() > 1
        assert tables.story.word_counts(["token", "oauthclient"]) == {"token": 1}
