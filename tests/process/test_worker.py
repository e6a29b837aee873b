"""Workers in processes: one at a time in a project, each job done once, whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.locking import LOCK_NAME, WorkerLock, is_held, owner_of
from backstory.api import working
from backstory.api.working import BackgroundWorker
from backstory.model.words import JobKind, JobState
from backstory.store import SqliteStore, open_store
from backstory.wiring.opening import Opening
from backstory.wiring.work.starting import start_worker_if_due
from model_servers import ModelServer, serving
from modelled import a_reply, playing_forever
from processes import PATIENCE_S, until
from projects import a_project
from recorded import a_thread, files_in

ROOT = Path(__file__).parents[2]

# Runs the jobs of a store, each noted in a file by the transaction that finishes it.
RUNS = """
import sys, time
from pathlib import Path
from backstory.adapters.system import system_clock
from backstory.jobs import run_due
from backstory.model.words import JobKind
from backstory.store import open_store
store = open_store(Path(sys.argv[1]), now_ms=0)
name = sys.argv[2]
def run(lease):
    with store.writing() as tables:
        done = tables.meta.setting("done/" + lease.subject) or ""
        tables.meta.set_setting("done/" + lease.subject, done + name + ";")
        tables.jobs.finish(lease, now_ms=system_clock())
    print(lease.subject, flush=True)
deadline_ms = system_clock() + 60_000
while system_clock() < deadline_ms:
    run_due(store, {JobKind.EXTRACT: run}, clock=system_clock)
    with store.reading() as tables:
        if tables.jobs.next_due_ms(kinds=(JobKind.EXTRACT,)) is None:
            break
    time.sleep(0.05)
store.close()
"""


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT / "src")} | more


@contextmanager
def running(*words: str, cwd: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run Python with these arguments, and see to it that nothing of it is left."""
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=cwd,
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE_S)


def written_in(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its time; where readers of the store note what they read apart."""
    files = {name: folder / name for name in files_in(folder) if not name.endswith("-shm")}
    return {name: (file.read_bytes(), file.stat().st_mtime_ns) for name, file in files.items()}


def is_everything_done(store: SqliteStore) -> bool:
    with store.reading() as tables:
        return not any(job.state is JobState.OPEN for job in tables.jobs.listed())


def test_two_workers_and_a_killed_one_do_each_job_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = open_store(path, now_ms=0)
    count = 60
    with store.writing() as tables:
        for number in range(count):
            tables.threads.add(a_thread(f"t{number}"))
            tables.jobs.enqueue(JobKind.EXTRACT, f"t{number}", due_at_ms=number, now_ms=0)

    with (
        running("-c", RUNS, str(path), "first", cwd=tmp_path) as first,
        running("-c", RUNS, str(path), "second", cwd=tmp_path) as second,
        running("-c", RUNS, str(path), "killed", cwd=tmp_path) as killed,
    ):
        assert killed.stdout is not None
        killed.stdout.readline()
        killed.kill()
        _take_back_what_the_dead_one_held(store)
        assert (first.wait(PATIENCE_S), second.wait(PATIENCE_S)) == (0, 0)

    with store.reading() as tables:
        done = [tables.meta.setting(f"done/t{number}") or "" for number in range(count)]
    assert [names.count(";") for names in done] == [1] * count


def _take_back_what_the_dead_one_held(store: SqliteStore) -> None:
    """End its lease now rather than in two minutes: what happens then is the same."""
    with store.writing() as tables:
        tables.connection.execute(
            "UPDATE job SET due_at_ms = 0 WHERE lease_token IS NOT NULL AND state = 'open'"
        )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return a_project(tmp_path / "shop")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving("ollama") as running_server:
        yield running_server


def with_turns(project: Path, env: dict[str, str]) -> Memory:
    """Return a memory in which two turns wait for the rules and a model."""
    memory = Memory.open(project, opening=Opening(works_inline=False, env=env))
    assert isinstance(memory, Memory)
    for text in ("Where do receipts go?", "We use SQLite for the shop."):
        memory.complete_turn(memory.begin_turn(text), "OK.")
    return memory


def model_at(server: ModelServer) -> dict[str, str]:
    name, path = {"ollama": ("ollama:q", ""), "openai": ("compatible:q", "/v1")}[server.wire]
    return {"BACKSTORY_MODEL_NAME": name, "BACKSTORY_MODEL_BASE_URL": server.url + path}


WORK = ("-P", "-m", "backstory.cli.app", "work", "--json", "--seconds")


@pytest.mark.parametrize("wire", ["ollama", "openai"])
def test_sigterm_ends_a_worker_that_waits_for_a_model_and_its_job_is_kept(
    project: Path, wire: str
) -> None:
    with serving(wire) as server:
        env = model_at(server)
        memory = with_turns(project, env)
        server.play(playing_forever())
        with running(*WORK, "60", "-C", str(project), cwd=project, **env) as process:
            until(lambda: bool(server.seen))
            begun = time.monotonic()
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=PATIENCE_S)
            took_s = time.monotonic() - begun
        server.released.set()

    assert process.returncode == 0, err
    assert took_s < 5
    assert json.loads(out)["failed"] == 1
    [job] = memory.status().jobs
    assert (job.state, job.is_leased, job.last_error) == (
        JobState.OPEN,
        False,
        "the worker was stopped",
    )
    assert [item.revision.statement for item in memory.list()] == ["We use SQLite for the shop"]


@pytest.mark.promise("R103", "R114")
@pytest.mark.case("C13")
def test_a_second_worker_leaves_the_work_to_the_first(project: Path) -> None:
    with_turns(project, {})
    lock = WorkerLock(project / ".git/backstory" / LOCK_NAME)
    assert lock.take(now_ms=5)

    with running(*WORK, "60", "-C", str(project), cwd=project) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    lock.release()

    assert json.loads(out) == {"done": 0, "failed": 0, "left": 1, "elsewhere": True}, err


@pytest.mark.case("C13")
def test_the_lock_of_a_killed_worker_is_free_and_tells_who_it_was(
    project: Path, server: ModelServer
) -> None:
    env = model_at(server)
    with_turns(project, env)
    server.play(playing_forever())
    path = project / ".git/backstory" / LOCK_NAME

    with running(*WORK, "60", "-C", str(project), cwd=project, **env) as process:
        until(lambda: bool(server.seen))
        held = is_held(path)
        process.kill()
        process.wait(PATIENCE_S)
    server.released.set()

    assert held
    assert not is_held(path)
    owner = owner_of(path)
    assert owner is not None
    assert owner.pid == process.pid


@pytest.mark.case("C13")
def test_a_worker_is_started_in_the_background_when_something_is_due_and_ends_by_itself(
    project: Path,
) -> None:
    memory = with_turns(project, {"PYTHONPATH": str(ROOT / "src")})

    assert start_worker_if_due(memory._desk)
    until(lambda: memory.status().jobs == ())
    until(lambda: not is_held(project / ".git/backstory" / LOCK_NAME))

    assert len(memory.list()) == 1
    assert not start_worker_if_due(memory._desk)


@pytest.mark.case("C13")
def test_no_worker_is_started_where_one_is_at_work(project: Path) -> None:
    memory = with_turns(project, {})
    lock = WorkerLock(project / ".git/backstory" / LOCK_NAME)
    started: list[list[str]] = []
    lock.take(now_ms=5)

    began = start_worker_if_due(memory._desk, spawn=lambda command, *_: started.append([*command]))
    lock.release()

    assert (began, started) == (False, [])


@pytest.mark.slow
def test_a_worker_that_idles_for_ten_real_seconds_writes_nothing(project: Path) -> None:
    memory = with_turns(project, {})
    memory.settle()
    folder = project / ".git/backstory"
    with BackgroundWorker(memory):
        until(lambda: is_held(folder / LOCK_NAME))
        before = written_in(folder)
        time.sleep(10)
        after = written_in(folder)

    assert after == before


def test_a_program_that_lives_long_works_in_a_thread_and_ends_it(project: Path) -> None:
    memory = Memory.open(project, opening=Opening(works_inline=False, env={}))
    assert isinstance(memory, Memory)
    with BackgroundWorker(memory):
        for text in ("Where do receipts go?", "We use SQLite for the shop."):
            memory.complete_turn(memory.begin_turn(text), "OK.")
        until(lambda: len(memory.list()) == 1)

    assert not is_held(project / ".git/backstory" / LOCK_NAME)
    assert working.run_worker(memory, seconds=0).ran.total == 0


def test_what_was_killed_while_it_asked_is_asked_again_by_the_next(
    project: Path, server: ModelServer
) -> None:
    env = model_at(server)
    memory = with_turns(project, env)
    server.play(playing_forever(), server.says(a_reply()))
    with running(*WORK, "60", "-C", str(project), cwd=project, **env) as process:
        until(lambda: bool(server.seen))
        process.kill()
        process.wait(PATIENCE_S)
    server.released.set()
    _take_back_what_the_dead_one_held(memory._desk.store)

    with running(*WORK, "5", "-C", str(project), cwd=project, **env) as process:
        out, err = process.communicate(timeout=PATIENCE_S)

    assert json.loads(out)["failed"] == 0, err
    assert memory.status().jobs == ()
    assert len(server.seen) == 2
