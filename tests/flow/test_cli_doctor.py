"""Doctor finds what is wrong, says what to do about it, and changes nothing."""

import re
import stat
from pathlib import Path

import apsw
import pytest

from backstory.cli.commands.doctor import ADVICE
from commands import remembered, run
from projects import a_project, git
from source_tree import PACKAGE

STORE = ".git/backstory/memory.db"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository whose memory holds something."""
    folder = a_project(tmp_path / "shop")
    remembered(folder)
    return folder


def altered(project: Path, sql: str) -> None:
    """Change a store behind Backstory's back."""
    connection = apsw.Connection(str(project / STORE))
    connection.execute(sql)
    connection.close()


def slugs(project: Path) -> set[str]:
    return {row["slug"] for row in run("doctor", "--json", at=project).told["findings"]}


def test_a_sound_memory_is_said_to_be_well(project: Path) -> None:
    ran = run("doctor", at=project)

    assert ran.code == 0
    assert ran.out.startswith("No agent was found: `backstory install HOST`")
    assert ran.out.endswith("Everything is well.\n")


def test_every_finding_there_can_be_has_advice() -> None:
    sources = [PACKAGE / "store/upkeep/checkup.py", PACKAGE / "wiring/reports/checking.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = re.findall(r'(?m)slug="([a-z-]+)"|^        "([a-z-]+)",$|^    \("([a-z-]+)",', text)
    found = {slug for names in named for slug in names if slug}

    assert len(found) > 10
    assert found == ADVICE.keys()


def test_an_item_that_the_index_lost_is_found_and_mended(project: Path) -> None:
    altered(project, "DELETE FROM posting")

    told = run("doctor", at=project)

    assert told.code == 1
    assert "index-differs" in told.out
    assert "to do: build the index anew: backstory reindex" in told.out
    run("reindex", at=project)
    assert run("doctor", at=project).code == 0


@pytest.mark.case("C118")
def test_a_file_that_others_may_read_is_told(project: Path) -> None:
    (project / STORE).chmod(0o644)

    assert "open-to-others" in slugs(project)
    assert stat.S_IMODE((project / STORE).stat().st_mode) == 0o644


@pytest.mark.case("C11")
def test_memory_that_git_tracks_is_told(project: Path) -> None:
    stray = project / "part" / ".backstory"
    stray.mkdir(parents=True)
    (stray / "memory.db-wal").write_bytes(b"x")
    git(project, "add", "--force", str(stray))

    told = run("doctor", at=project)

    assert told.code == 1
    assert "part/.backstory/memory.db-wal" in told.out
    assert "git rm --cached" in told.out


@pytest.mark.case("C10")
def test_a_newer_store_is_told_and_left_alone(project: Path) -> None:
    altered(project, "PRAGMA user_version = 9999")
    before = (project / STORE).read_bytes()

    told = run("doctor", at=project)

    assert told.code == 1
    assert "degraded" in told.out
    assert (project / STORE).read_bytes() == before


@pytest.mark.promise("R156")
def test_work_that_was_given_up_is_told_and_tried_again(project: Path) -> None:
    altered(
        project,
        "INSERT INTO job (kind, subject, payload, state, attempt, due_at_ms, last_error,"
        " diagnosis, generation, created_at_ms, updated_at_ms)"
        " VALUES ('extract', 't_gone', '{}', 'dead', 9, 0, 'a canary', 'all [b]of it',"
        " 1, 0, 0)",
    )

    assert "dead-job" in slugs(project)
    status = run("status", at=project).out
    assert "1 job given up: `backstory work --retry`" in status
    assert "error    a canary" in status
    assert "all [b]of it" not in status + run("status", "--json", at=project).out
    assert "all [b]of it" in run("status", "--debug", at=project).out
    assert "all [b]of it" in run("status", "--debug", "--json", at=project).out
    assert run("work", "--retry", at=project).out.startswith("1 job done, 1 of them once more")
    assert run("doctor", at=project).code == 0
