"""A hook has no time to bring a store of an older version up to date: that is done behind it."""

import time
from pathlib import Path

import apsw
import pytest

from backstory.adapters.hosts import silences, spool
from backstory.model.words import Purpose
from backstory.store.file.identity import SCHEMA_VERSION
from hosting import Host, a_repository, state_of
from processes import marked, until

RELEASED = Path(__file__).parents[1] / "store/released/0001.sql"
SAID = "The importer reads the price list twice, look at that first."


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a session in a project whose store an older version has written."""
    made = Host(a_repository(tmp_path / "shop"))
    state_of(made.project).mkdir()
    connection = apsw.Connection(str(store_of(made)))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(RELEASED.read_text(encoding="utf-8"))
    connection.close()
    return made


def store_of(host: Host) -> Path:
    return state_of(host.project) / "memory.db"


def version_of(path: Path) -> int:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(5_000)
    version = connection.pragma("user_version")
    connection.close()
    return int(version)


def test_what_happens_meanwhile_waits_in_the_spool_and_is_recorded(host: Host) -> None:
    answer = host.fire("UserPromptSubmit", prompt=SAID, prompt_id="p1")
    waiting = spool.count(state_of(host.project))
    until(lambda: version_of(store_of(host)) == SCHEMA_VERSION)
    host.fire("Stop", last_assistant_message="Looked.", prompt_id="p1")
    with host.memory() as memory:
        said = [t.user_text for t in memory.history(memory.thread_for("claude_code", "s1"))]

    assert answer == {}
    assert waiting == 1
    assert said == [SAID]
    assert "store-outdated" in silences.since(state_of(host.project), 0)


def test_the_hook_itself_leaves_the_store_as_it_is(host: Host) -> None:
    # Whoever began it less than a minute ago is still at it.
    silences.note(state_of(host.project), "store-outdated", at_ms=int(time.time() * 1000))
    host.env = {"BEGUN_BY": str(host.project)}
    host.fire("UserPromptSubmit", prompt=SAID, prompt_id="p1")

    assert marked(f"BEGUN_BY={host.project}") == []
    assert version_of(store_of(host)) < SCHEMA_VERSION
    assert not [*state_of(host.project).glob("*before-schema*")]


def test_an_isolated_purpose_that_the_older_store_keeps_is_kept_to(host: Host) -> None:
    connection = apsw.Connection(str(store_of(host)))
    connection.execute("INSERT INTO setting VALUES ('purpose', ?)", (Purpose.CODE_AUDIT.value,))
    connection.close()

    host.fire("UserPromptSubmit", prompt=SAID, prompt_id="p1")

    assert spool.count(state_of(host.project)) == 0
    assert version_of(store_of(host)) < SCHEMA_VERSION
