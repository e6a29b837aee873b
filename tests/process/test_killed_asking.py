"""A worker that is killed between any two statements leaves all of a result or none of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.adapters.models.scripted import playing
from backstory.model.words import CandidateState, JobState, Kind
from backstory.store import SqliteStore
from modelled import a_memory, a_proposal, a_reply, by_purpose, say, worked

ROOT = Path(__file__).parents[2]
SAID = (("Where do receipts go?", "Archive."), ("Our customers are schools in Bavaria.", "OK."))

# Kills itself before the nth statement that follows the model's answer.
KILLED = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [sys.argv[3]]
from backstory.adapters.models.scripted import playing
from backstory.model.words import Kind
from modelled import a_memory, a_proposal, a_reply, by_purpose, worked
nth, count, is_counting = int(sys.argv[2]), 0, False
memory = a_memory(Path(sys.argv[1]))
def trace(cursor, sql, bindings):
    global count
    count += is_counting
    if count == nth:
        os.kill(os.getpid(), signal.SIGKILL)
    return True
memory._desk.store.connection().exec_trace = trace
found = a_proposal("Our customers are schools in Bavaria", kind=Kind.PROJECT_FACT, turn="T2")
def answer(request):
    global is_counting
    is_counting = True
    return a_reply(found)
worked(memory, playing([by_purpose(answer)]))
print(count)
"""


def _run(folder: Path, nth: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(nth), str(ROOT / "tests")],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.case("C06")
@pytest.mark.parametrize("nth", [1, 3, 5, 8, 12, 17, 25, 40])
def test_a_result_is_kept_whole_or_not_at_all_wherever_its_worker_is_killed(
    tmp_path: Path, nth: int
) -> None:
    memory = a_memory(tmp_path)
    say(memory, *SAID)

    ended = _run(tmp_path, nth)

    assert ended.returncode in (0, -9), ended.stderr
    with memory._desk.store.reading() as tables:
        unasked = sum(tables.turns.threads_unasked().values())
        assert tables.connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    made = [one for one in memory.proposals() if one.proposer.startswith("model:")]
    assert (unasked, len(made)) in ((2, 0), (0, 1))
    _give_back_leases(memory._desk.store)

    found = a_proposal("Our customers are schools in Bavaria", turn="T2", kind=Kind.PROJECT_FACT)
    worked(memory, playing([by_purpose(a_reply(found))]))

    assert [i.revision.statement for i in memory.list()] == [
        "Our customers are schools in Bavaria"
    ]
    assert not [job for job in memory.status().jobs if job.state is JobState.OPEN]
    made = [one for one in memory.proposals() if one.proposer.startswith("model:")]
    assert [one.state for one in made] == [CandidateState.ACCEPTED]


def _give_back_leases(store: SqliteStore) -> None:
    with store.writing() as tables:
        tables.connection.execute("UPDATE job SET due_at_ms = 0 WHERE lease_token IS NOT NULL")
