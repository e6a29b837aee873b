"""`episode summarize` asks a model at once, about commits, sessions and what a person bounded."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.models.scripted import Step, playing
from backstory.api import Opening, working
from backstory.model.job import FailureCause
from backstory.model.limits import HOUR_MS
from backstory.model.words import Author, JobKind
from backstory.ports.model_client import ModelRequest
from backstory.wiring.work.clients import AskedModel
from commands import run
from git_repositories import FIRST_SECOND, Built, a_repository
from modelled import ENV, worked
from recorded import SettableClock

MESSAGE = "auth: use JWT instead of sessions\n\nBecause several hosts share no memory."
Answering = Callable[[Step], None]


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "shop")


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(FIRST_SECOND * 1000)


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opening = Opening(env={**repository.environ, **ENV}, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    def answer(step: Step) -> None:
        model = AskedModel(client=playing([step]))
        monkeypatch.setattr(working, "asked_model", lambda _: model)

    return answer


def a_summary(objective: str, quote: str = "use JWT instead of sessions") -> str:
    quotes = [{"source": "M1", "text": quote}]
    decision = {"decision": "Use JWT", "reason": "hosts share no memory", "quotes": quotes}
    lists = {"problems": [], "todos": [], "keywords": []}
    said = {"objective": objective, "decisions": [decision], "changes": ["src/auth"], **lists}
    return json.dumps(said)


def test_commit_is_summed_up_on_request_and_again(
    repository: Built, memory: Memory, answering: Answering
) -> None:
    sha = repository.commit(MESSAGE, src__auth="1\n")
    memory.backfill()

    answering(a_summary("Several hosts use JWT"))
    assert working.summarize(memory, sha[:10]) is None
    first = memory.episode(sha).episode.summary
    answering(a_summary("JWT for hosts", quote="never said"))
    assert working.summarize(memory, sha[:10]) is None

    after = memory.episode(sha)
    assert (first.author, first.objective) == (Author.MODEL, "Several hosts use JWT")
    assert after.episode.summary.objective == "JWT for hosts"
    assert after.dropped == {"no-quote": 1}
    assert "Use JWT" not in [one.decision for one in after.episode.summary.decisions]


@pytest.mark.promise("R97")
@pytest.mark.parametrize("step", [FailureCause.TRANSIENT, FailureCause.QUOTA, "no JSON"])
def test_model_that_is_down_leaves_the_summary_by_rule_and_a_plain_line(
    repository: Built, memory: Memory, answering: Answering, step: Step
) -> None:
    sha = repository.commit(MESSAGE, src__auth="1\n")
    memory.backfill()
    answering(step)

    ran = run("episode", "summarize", sha[:10], at=repository.root)

    assert ran.code == 0
    assert ran.err.startswith("By rule only: ")
    assert "auth: use JWT instead of sessions" in ran.out
    assert memory.episode(sha).episode.summary.author is Author.RULE


def test_without_a_model_the_summary_is_by_rule(repository: Built, memory: Memory) -> None:
    sha = repository.commit(MESSAGE, src__auth="1\n")
    memory.backfill()

    ran = run("episode", "summarize", sha[:10], at=repository.root)

    assert ran.err == "By rule only: no model is named.\n"
    assert "decided: use JWT instead of sessions" in ran.out


@pytest.mark.promise("R98")
def test_what_a_person_edited_stays_on_request_too(
    repository: Built, memory: Memory, answering: Answering
) -> None:
    sha = repository.commit(MESSAGE, src__auth="1\n")
    memory.backfill()
    memory.edit_episode(sha, "What it really was")
    answering(a_summary("Something else"))

    problem = working.summarize(memory, sha)

    assert "a person wrote" in str(problem)
    assert memory.episode(sha).episode.summary.objective == "What it really was"


def test_what_a_person_edits_while_the_model_is_asked_stays(
    repository: Built, memory: Memory, answering: Answering
) -> None:
    sha = repository.commit(MESSAGE, src__auth="1\n")
    memory.backfill()

    def edited(_request: ModelRequest) -> str:
        memory.edit_episode(sha, "What it really was")
        return a_summary("Something else")

    answering(edited)

    problem = working.summarize(memory, sha)

    assert problem == "it has changed meanwhile: ask once more"
    assert memory.episode(sha).episode.summary.objective == "What it really was"


def test_episode_ended_by_hand_waits_for_the_model(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    begun = memory.begin_episode("move to tokens")
    repository.commit(MESSAGE, src__auth="1\n")
    clock.advance(HOUR_MS)
    memory.backfill()
    memory.end_episode()
    assert JobKind.SUMMARIZE in [job.kind for job in memory.status().jobs]

    worked(memory, playing([a_summary("Several hosts use JWT")]))

    summary = memory.episode(begun.id).episode.summary
    assert (summary.author, summary.objective) == (Author.MODEL, "move to tokens")
    assert "Use JWT" in [one.decision for one in summary.decisions]


def test_merge_tells_and_sums_up_what_it_brought(repository: Built, memory: Memory) -> None:
    repository.commit("start", src__start="1\n")
    repository.git("switch", "--quiet", "--create", "feature/SHM-7-tokens")
    repository.commit(MESSAGE, src__auth="1\n")
    repository.commit("auth: issue tokens", src__tokens="1\n")
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "feature/SHM-7-tokens")
    memory.backfill()
    merge = repository.git("rev-parse", "HEAD")

    found = memory.episode(merge)
    summary = memory.summarize_episode(merge).summary

    assert [one.summary.objective for one in found.brought] == [
        "auth: use JWT instead of sessions",
        "auth: issue tokens",
    ]
    assert found.episode.tickets == ("SHM-7",)
    assert set(summary.changes) == {"src/auth", "src/tokens"}
    assert "use JWT instead of sessions" in [one.decision for one in summary.decisions]
    assert "brought 2 commits:" in run("episode", "show", merge, at=repository.root).out
    assert memory.summarize_episode(merge).summary.number == summary.number
