"""Several processes on one store: none fails, none is lost, and none can break it by dying."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from backstory.model.errors import StoreUnavailableError
from backstory.store import open_store
from backstory.store.file.connect import log_of
from recorded import begun, files_in, said, with_thread

ROOT = Path(__file__).parents[2]
PROCESSES = 8

OPENS = """
import sys
from pathlib import Path
from backstory.store import open_store
sys.stdin.read(1)
store = open_store(Path(sys.argv[1]), now_ms=0)
with store.reading() as tables:
    print(tables.meta.project_id())
store.close()
"""
WRITES = """
import sys
from pathlib import Path
from backstory import record
from backstory.model.turn import NewTurn
from backstory.store import open_store
store = open_store(Path(sys.argv[1]), now_ms=0)
name = sys.argv[2]
with store.writing() as tables:
    thread = record.bind_thread(tables, host="t", host_key=name, thread_id=name, now_ms=0)
sys.stdin.read(1)
for number in range(25):
    turn = NewTurn(thread_id=thread.id, user_text=f"{name} {number}", said_at_ms=0)
    with store.writing() as tables:
        begun = record.begin_turn(tables, turn, now_ms=0)
    with store.writing() as tables:
        record.complete_turn(tables, begun, answer="done", now_ms=1)
    print(begun.id, flush=True)
store.close()
"""
EXPORTS = """
import sys
from pathlib import Path
from backstory.store import open_store, write_export
path = Path(sys.argv[1])
store = open_store(path, now_ms=0)
sys.stdin.read(1)
for _ in range(5):
    print(write_export(store, folder=path.parent / "exports", now_ms=0))
store.close()
"""
CLAIMS = """
import sys
from pathlib import Path
from backstory.store import open_store
store = open_store(Path(sys.argv[1]), now_ms=0)
sys.stdin.read(1)
for now_ms in range(200):
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=0, lease_ms=1_000)
    if lease is None:
        break
    print(lease.subject, flush=True)
    with store.writing() as tables:
        tables.jobs.finish(lease, now_ms=0)
store.close()
"""


def at_once(code: str, path: Path) -> list[list[str]]:
    """Run a program in several processes that begin at one moment; return what each printed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), f"p{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for number in range(PROCESSES)
    ]
    with ThreadPoolExecutor(PROCESSES) as pool:
        results = list(pool.map(lambda process: process.communicate("x", timeout=60), started))
    assert [process.returncode for process in started] == [0] * PROCESSES, results
    return [printed.split("\n")[:-1] for printed, _ in results]


@pytest.mark.promise("R63")
@pytest.mark.case("C02")
@pytest.mark.parametrize("attempt", range(3))
def test_eight_processes_open_one_new_store_at_once(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / "state" / "memory.db"

    printed = at_once(OPENS, path)

    assert len({name for (name,) in printed}) == 1
    assert list(files_in(path.parent)) == ["memory.db"]


@pytest.mark.promise("R160")
@pytest.mark.case("C03")
def test_eight_processes_write_at_once_and_every_turn_is_there(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    open_store(path, now_ms=0).close()

    acknowledged = [turn_id for printed in at_once(WRITES, path) for turn_id in printed]

    store = open_store(path, now_ms=0)
    with store.reading() as tables:
        turns = tables.turns.page(after_seq=0, limit=10_000)
        assert {turn.id for turn in turns} == set(acknowledged)
        assert len(turns) == PROCESSES * 25
        for thread in tables.threads.listed():
            places = [turn.position for turn in turns if turn.thread_id == thread.id]
            assert places == list(range(25))
        assert tables.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store.close()


@pytest.mark.promise("R148")
def test_eight_processes_export_at_once_and_no_export_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    said(with_thread(open_store(path, now_ms=0)), "We use SQLite.")

    names = [name for printed in at_once(EXPORTS, path) for name in printed]

    exports = files_in(tmp_path / "exports")
    assert len(set(names)) == len(exports) == PROCESSES * 5
    assert {len(json.loads(content)["tables"]["turn"]) for content in exports.values()} == {1}


@pytest.mark.promise("R80")
def test_eight_workers_share_the_jobs_and_none_is_done_twice(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = open_store(path, now_ms=0)
    with store.writing() as tables:
        for number in range(40):
            tables.jobs.enqueue("extract", f"th_{number}", due_at_ms=0, now_ms=0)

    done = [subject for printed in at_once(CLAIMS, path) for subject in printed]

    assert sorted(done) == sorted(f"th_{number}" for number in range(40))
    with store.reading() as tables:
        assert tables.jobs.listed() == ()
    store.close()


@pytest.mark.promise("R57")
@pytest.mark.case("C06")
def test_nothing_is_lost_or_broken_when_the_process_is_killed_at_any_moment() -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill.py"), "--kills", "10", "--json"],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )

    assert result.stdout, result.stderr
    figures = json.loads(result.stdout)
    assert figures["problems"] == []
    assert figures["acknowledged_turns"] > 0


def _as_nobody(act: Callable[[], None]) -> None:
    """Run something as a user without special rights; root may write everywhere."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.geteuid() == 0:
                os.setuid(65_534)
            act()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("with_log", [False, True])
def test_a_read_only_directory_is_read_and_refuses_to_write(
    tmp_path: Path, with_log: bool
) -> None:
    path = tmp_path / "state" / "memory.db"
    store = with_thread(open_store(path, now_ms=0))
    said(store, "We use SQLite.")
    content = {place: place.read_bytes() for place in (path, log_of(path))}
    store.close()
    if with_log:  # as after a kill: the words are only in the log
        for place, held in content.items():
            place.write_bytes(held)
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    _let_others_through(tmp_path)
    before = files_in(path.parent)

    def read_and_try_to_write() -> None:
        opened = open_store(path, now_ms=0)
        with opened.reading() as tables:
            assert tables.turns.last_seq() == 1
        with pytest.raises(StoreUnavailableError, match="read-only"):
            begun(opened)

    _as_nobody(read_and_try_to_write)
    assert files_in(path.parent) == before
    path.parent.chmod(0o755)


def _let_others_through(folder: Path) -> None:
    for place in (folder, *folder.parents):
        if str(place).startswith("/tmp/"):
            place.chmod(0o755)


def test_a_child_after_a_fork_has_a_connection_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = with_thread(open_store(path, now_ms=0))
    said(store, "before")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            said(store, "in the child")
            store.close()
            status = 0
        finally:
            os._exit(status)

    assert os.waitpid(child, 0)[1] == 0
    said(store, "after")
    with store.reading() as tables:
        texts = [turn.user_text for turn in tables.turns.page(after_seq=0, limit=9)]
        assert tables.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert texts == ["before", "in the child", "after"]
    store.close()


@pytest.mark.case("C04")
def test_a_reader_that_ended_lets_the_log_be_emptied(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    writer = with_thread(open_store(path, now_ms=0))
    reader = open_store(path, now_ms=0)
    for number in range(50):
        said(writer, f"{number} " + "x" * 4_000)
        with reader.reading() as tables:
            tables.turns.last_seq()

    other = apsw.Connection(str(path))
    busy, _, _ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]

    assert busy == 0
    assert log_of(path).stat().st_size == 0
    other.close()
    reader.close()
    writer.close()
