"""The project's story is told, recalled where the work is, corrected and closed by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Note, NullMemory, Opening
from backstory.model.episode import Episode
from backstory.model.errors import NotFoundError, UsageError, VcsUnavailableError
from backstory.model.item import Item
from backstory.model.recall import Recalled
from backstory.model.words import Kind, Status
from backstory.ports.vcs import NotInClone, Rewritten
from commands import run
from git_repositories import Built, a_repository
from projects import a_project

NOW_MS = 1_800_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop")
    for n in range(30):
        built.commit(f"filler: note {n}", **{f"notes__{n}": "x\n"})
    return built


@pytest.fixture
def memory(repository: Built) -> Iterator[Memory]:
    opening = Opening(env=repository.environ, clock=lambda: NOW_MS)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def objectives(recalled: Recalled) -> list[str]:
    return [hit.entry.summary.objective for hit in recalled.hits if isinstance(hit.entry, Episode)]


@pytest.mark.promise("R29")
def test_why_question_finds_the_reason_of_the_time(repository: Built, memory: Memory) -> None:
    repository.commit(
        "auth: use JWT instead of sessions\n\nBecause several hosts share no memory.",
        src__auth="1\n",
    )
    memory.backfill()

    (hit,) = memory.recall("why JWT rather than sessions?").hits

    assert isinstance(hit.entry, Episode)
    assert hit.entry.summary.decisions[0].decision == "use JWT instead of sessions"
    assert hit.entry.summary.decisions[0].reason == "Because several hosts share no memory."
    assert hit.origin == "episode"


@pytest.mark.promise("R29")
def test_chinese_why_question_finds_the_reason_of_the_time(
    repository: Built, memory: Memory
) -> None:
    repository.commit(
        "认证：用 JWT 而不是 session\n\n因为多台主机之间不共享内存。", src__auth="1\n"
    )
    memory.backfill()

    assert objectives(memory.recall("为什么用 JWT 而不是 session")) == [
        "认证：用 JWT 而不是 session"
    ]


@pytest.mark.promise("R29")
@pytest.mark.parametrize(
    ("said", "asked", "reason"),
    [
        (
            "We use JWT rather than sessions because several hosts share no memory.",
            "why JWT rather than sessions?",
            "because several hosts share no memory",
        ),
        (
            "决定了：鉴权用 JWT 而不是 session。因为多台主机之间不共享内存。",
            "为什么用 JWT 而不是 session",
            "因为多台主机之间不共享内存",
        ),
    ],
)
def test_why_question_finds_the_reason_that_was_said(
    memory: Memory, said: str, asked: str, reason: str
) -> None:
    memory.complete_turn(memory.begin_turn(said), "OK")
    memory.settle()

    (hit,) = memory.recall(asked).hits

    assert isinstance(hit.entry, Item)
    assert hit.entry.revision.detail == reason
    quoted = [proof.quote.text for proof in memory.show(hit.entry.id).evidence]
    assert reason in quoted


def test_a_reason_that_is_said_later_joins_its_decision(memory: Memory) -> None:
    for said in (
        "We use JWT rather than sessions.",
        "We use JWT rather than sessions, since hosts share no memory.",
    ):
        memory.complete_turn(memory.begin_turn(said), "OK")
        memory.settle()

    (item,) = memory.list()

    assert item.revision.detail == "since hosts share no memory"


@pytest.mark.promise("R133")
@pytest.mark.promise("R136")
def test_file_alone_recalls_what_it_left_open_first(repository: Built, memory: Memory) -> None:
    repository.commit("pool: bound the queue\n\nMetrics are not done yet.", src__pool="1\n")
    repository.commit("pool: rename a field", src__pool="2\n")
    memory.backfill()

    found = objectives(memory.recall(files=["src/pool"]))
    absolute = objectives(memory.recall(files=[str(repository.root / "src/pool")]))

    assert found == ["pool: bound the queue", "pool: rename a field"]
    assert absolute == found
    assert objectives(memory.recall(files=["src/poo", "other/src/pool"])) == []


@pytest.mark.promise("R133")
@pytest.mark.parametrize(
    "cue", ["auth/login.py", "login.py", "auth/login", "Login", "src/auth", "auth/", "src"]
)
def test_part_of_a_path_is_the_place_that_it_names(
    repository: Built, memory: Memory, cue: str
) -> None:
    repository.commit("auth: ask for a second factor", **{"src__auth__login.py": "1\n"})
    repository.commit("pool: bound the queue", src__pool="1\n")
    memory.backfill()

    found = objectives(memory.recall(files=[cue]))

    assert "auth: ask for a second factor" in found
    assert ("pool: bound the queue" in found) == (cue == "src")
    assert objectives(memory.recall(files=["gin.py", "uth/login.py", "log"])) == []


@pytest.mark.promise("R133")
def test_renamed_file_brings_what_it_was_before(repository: Built, memory: Memory) -> None:
    repository.commit("pool: bound the queue", src__pool="".join(f"{n}\n" for n in range(40)))
    repository.git("mv", "src/pool", "src/workers")
    repository.git("commit", "--quiet", "--message", "rename what holds the workers")
    memory.backfill()

    for cue in ("src/workers", "workers"):
        assert "pool: bound the queue" in objectives(memory.recall(files=[cue]))


@pytest.mark.promise("R136")
def test_what_went_wrong_at_a_file_is_told_before_what_was_merely_done(
    repository: Built, memory: Memory
) -> None:
    repository.commit("pool: fix the crash on shutdown\n\nIt crashed twice.", src__pool="1\n")
    repository.commit("pool: rename a field", src__pool="2\n")
    memory.backfill()

    found = objectives(memory.recall(files=["src/pool"]))

    assert found == ["pool: fix the crash on shutdown", "pool: rename a field"]


def test_what_shares_far_less_than_the_best_is_left_out(repository: Built, memory: Memory) -> None:
    repository.commit("retry: back off with jitter when the gateway throttles", src__a="1\n")
    repository.commit("docs: explain the gateway", src__b="1\n")
    memory.backfill()

    found = objectives(memory.recall("why back off with jitter when the gateway throttles?"))

    assert found == ["retry: back off with jitter when the gateway throttles"]


@pytest.mark.promise("R133")
def test_branch_ticket_and_commit_are_places(repository: Built, memory: Memory) -> None:
    repository.git("switch", "--quiet", "--create", "feature/SHM-7-cart")
    sha = repository.commit("cart: keep the order of lines", src__cart="1\n")
    repository.git("switch", "--quiet", "main")
    memory.backfill()
    wanted = ["cart: keep the order of lines"]

    by_branch = memory.recall(branch="feature/SHM-7-cart")

    assert objectives(by_branch) == wanted
    assert "it is not merged yet: feature/SHM-7-cart" in by_branch.hits[0].reasons
    assert "NOT MERGED YET" in memory.context(branch="feature/SHM-7-cart").relevant
    assert objectives(memory.recall(ticket="SHM-7")) == wanted
    assert objectives(memory.recall(f"what was {sha[:9]} for?")) == wanted


@pytest.mark.promise("R180")
def test_nothing_shared_is_an_honest_nothing(repository: Built, memory: Memory) -> None:
    memory.backfill()

    assert memory.recall("how does the kubernetes ingress retry?").hits == ()
    assert memory.recall(files=["no/such/file"]).hits == ()


@pytest.mark.promise("R135")
def test_three_episodes_at_the_most_reach_an_agent(repository: Built, memory: Memory) -> None:
    for n in range(6):
        repository.commit(f"pool: step {n}", src__pool=f"{n}\n")
    memory.backfill()

    context = memory.context(files=["src/pool"])

    assert len(objectives(memory.recall("pool step", files=["src/pool"]))) == 3
    assert context.relevant.count("pool: step") == 3


@pytest.mark.promise("R21")
def test_story_of_a_place_is_told_in_time(repository: Built, memory: Memory) -> None:
    lines = "".join(f"{n}\n" for n in range(20))
    repository.commit("cart: start", src__old=lines)
    repository.git("mv", "src/old", "src/new")
    repository.commit("cart: move")
    memory.backfill()

    assert [e.summary.objective for e in memory.story("src/new")] == ["cart: start", "cart: move"]
    assert [e.summary.objective for e in memory.story("src")] == ["cart: start", "cart: move"]
    assert [e.summary.objective for e in memory.story(limit=1)] == ["cart: move"]
    assert memory.story("nowhere") == ()


@pytest.mark.promise("R47")
@pytest.mark.promise("R69")
def test_begun_episode_is_summed_up_from_what_was_committed(
    repository: Built, memory: Memory
) -> None:
    moment = {"now_ms": (1_700_000_000 + 60 * 30) * 1000 + 1}
    opening = Opening(env=repository.environ, clock=lambda: moment["now_ms"])
    with Memory.open(repository.root, opening=opening) as dated:
        assert isinstance(dated, Memory)
        begun = dated.begin_episode("move to tokens", branch="main", tickets=["SHM-1"])
        with pytest.raises(UsageError, match="still open"):
            dated.begin_episode("another")
        repository.commit("auth: issue tokens", src__auth="1\n")
        dated.backfill()
        moment["now_ms"] += 3_600_000

        ended = dated.end_episode()

        assert ended.id == begun.id
        assert ended.summary.objective == "move to tokens"
        assert ended.summary.changes == ("src/auth",)
        with pytest.raises(NotFoundError):
            dated.end_episode()


def test_edited_episode_keeps_a_persons_words(repository: Built, memory: Memory) -> None:
    sha = repository.commit("wip", src__auth="1\n")
    memory.backfill()

    edited = memory.edit_episode(sha[:10], "auth: first try at tokens")

    assert edited.summary.author == "human"
    assert memory.episode(sha).episode.summary.objective == "auth: first try at tokens"
    assert memory.backfill().commits_new == 0
    assert memory.episode(sha).episode.summary.number == 2


@pytest.mark.parametrize("said", ["我们用钱塘", "We use Oslo"])
def test_an_episode_in_a_persons_words_is_named_as_one_that_still_tells_an_item(
    repository: Built, memory: Memory, said: str
) -> None:
    sha, other = repository.commit("wip", src__auth="1\n"), repository.commit("x", src__b="1\n")
    memory.backfill()
    memory.edit_episode(sha, f"auth: {said}")
    memory.edit_episode(other, "auth: first try at tokens")
    (item,) = memory.remember(said).items

    assert [one.commits for one in memory.still_told(item.id)] == [(sha,)]


def test_rebased_commit_is_told_once_and_lost_one_is_said_to_be_lost(
    repository: Built, memory: Memory
) -> None:
    repository.git("switch", "--quiet", "--create", "side")
    old = repository.commit("cart: keep the order", src__cart="1\n")
    lost = repository.commit("cart: a detour", src__detour="1\n")
    memory.backfill()
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.git("switch", "--quiet", "main")
    repository.commit("ahead", src__other="1\n")
    repository.git("rebase", "--quiet", "main", "side")
    new = repository.git("rev-parse", "HEAD")
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "--quiet", "--prune=now")
    memory.backfill()

    assert objectives(memory.recall(files=["src/cart"])) == ["cart: keep the order"]
    assert [e.commits for e in memory.story("src/cart")] == [(new,)]
    assert memory.episode(old).became == (Rewritten(sha=old, into=new),)
    assert memory.episode(lost).became == (NotInClone(sha=lost),)
    shown = run("episode", "show", lost[:10], at=repository.root).out
    assert "not found in this clone" in shown


def test_amended_commit_is_told_once_and_its_old_form_says_what_took_its_place(
    repository: Built, memory: Memory
) -> None:
    old = repository.commit("cart: keep its order", src__cart="1\n")
    memory.backfill()
    author = {"GIT_COMMITTER_DATE": "1800000000 +0000"}
    repository.git("commit", "--quiet", "--amend", "-m", "cart: keep the order", **author)
    new = repository.git("rev-parse", "HEAD")
    memory.backfill()

    assert [e.summary.objective for e in memory.story("src/cart")] == ["cart: keep the order"]
    assert "cart: keep its order" not in [e.summary.objective for e in memory.story()]
    assert objectives(memory.recall("cart: keep the order")) == ["cart: keep the order"]
    shown = run("episode", "show", memory.episode(old).episode.id, at=repository.root).out
    assert "cart: keep its order" in shown
    assert f"rewritten as {new[:10]}" in shown


def test_of_the_forms_of_a_change_the_merged_one_is_told(
    repository: Built, memory: Memory
) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    old = repository.commit("cart: keep its order", src__cart="1\n")
    memory.backfill()
    author = {"GIT_COMMITTER_DATE": "1800000000 +0000"}
    repository.git("commit", "--quiet", "--amend", "-m", "cart: keep the order", **author)
    memory.backfill()
    repository.git("checkout", "--quiet", "main")
    repository.minutes += 1
    repository.git("cherry-pick", old)
    memory.backfill()

    merged = "cart: keep its order"
    assert [e.summary.objective for e in memory.story("src/cart")] == [merged]
    assert objectives(memory.recall("cart: keep the order")) == [merged]


def test_commits_of_one_moment_that_change_nothing_are_no_forms_of_each_other(
    repository: Built, memory: Memory
) -> None:
    repository.commit("release: 1.0")
    repository.minutes -= 1
    repository.commit("release: 1.1")
    memory.backfill()

    told = {e.summary.objective for e in memory.story()}
    assert {"release: 1.0", "release: 1.1"} <= told


def test_a_change_that_was_taken_back_and_made_again_is_told_each_time(
    repository: Built, memory: Memory
) -> None:
    repository.commit("cart: keep the order", src__cart="1\n")
    repository.minutes += 1
    repository.git("revert", "--no-edit", "HEAD")
    repository.commit("cart: keep the order, at last", src__cart="1\n")
    memory.backfill()

    assert [e.summary.objective for e in memory.story("src/cart")] == [
        "cart: keep the order",
        'Revert "cart: keep the order"',
        "cart: keep the order, at last",
    ]


def test_forgotten_episode_is_nowhere(repository: Built, memory: Memory) -> None:
    sha = repository.commit("auth: an embarrassing detour", src__auth="1\n")
    memory.backfill()

    memory.forget_episode(sha)
    memory.backfill()

    assert memory.recall("embarrassing detour").hits == ()
    assert memory.recall(files=["src/auth"]).hits == ()
    assert memory.story("src/auth") == ()
    with pytest.raises(NotFoundError):
        memory.episode(sha)


@pytest.mark.promise("R51")
def test_todo_is_listed_added_and_closed_by_an_episode(repository: Built, memory: Memory) -> None:
    repository.commit("pool: bound it\n\nMetrics are not done yet.", src__pool="1\n")
    done = repository.commit("pool: metrics", src__pool="2\n")
    memory.backfill()
    (left,) = memory.todos()

    closed = memory.close_todo(left.episode_id, left.number, by=done[:10])
    added = memory.add_todo("rotate the tokens")

    assert left.todo.text == "Metrics are not done yet."
    assert closed.todo.closed_by == memory.episode(done).episode.id
    assert [one.todo.text for one in memory.todos()] == ["rotate the tokens"]
    assert [one.todo.is_open for one in memory.todos(with_done=True)] == [True, False]
    with pytest.raises(NotFoundError):
        memory.close_todo(left.episode_id, left.number)
    assert added.number == 1


def test_story_survives_export_and_import(
    repository: Built, memory: Memory, tmp_path: Path
) -> None:
    repository.commit("auth: use JWT instead of sessions", src__auth="1\n")
    memory.backfill()
    exported = memory.export(tmp_path / "all.json")
    with Memory.init(a_project(tmp_path / "other")) as other:
        assert isinstance(other, Memory)
        other.import_(exported)

        assert objectives(other.recall("JWT sessions")) == ["auth: use JWT instead of sessions"]
        assert objectives(other.recall(files=["src/auth"])) == [
            "auth: use JWT instead of sessions"
        ]


@pytest.mark.promise("R47", "R99")
def test_events_of_a_session_that_is_over_become_a_lesson_and_an_episode(
    repository: Built, memory: Memory
) -> None:
    hour = 3_600_000
    for minute, (command, code) in enumerate(
        [("npm test", 1), ("pnpm install", 0), ("pnpm test", 0)]
    ):
        memory.record_event(
            "command",
            {"command": command, "exit_code": code},
            at_ms=NOW_MS - 2 * hour + minute * 60_000,
            branch="main",
        )
    memory.record_event("command", {"command": "make", "exit_code": 0}, at_ms=NOW_MS - 60_000)

    learnt = memory.learn()

    assert (learnt.events, learnt.episodes, learnt.lessons) == (3, 1, 1)
    (item,) = memory.list()
    assert item.kind == "tool_lesson"
    assert item.revision.statement == "Use `pnpm test`: `npm test` exits with code 1"
    assert [proof.quote.role for proof in memory.show(item.id).evidence] == ["event", "event"]
    (told,) = memory.story("main")
    assert told.summary.objective == "3 commands"
    assert told.summary.problems == ("`npm test` failed → `pnpm test`",)
    assert memory.learn().events == 0


def test_item_is_stale_while_the_file_that_it_cites_is_gone_or_much_changed(
    repository: Built, memory: Memory
) -> None:
    lines = "".join(f"line {n}\n" for n in range(20))
    repository.commit("start", src__auth=lines, src__pool=lines)
    note = Note(
        kind=Kind.PROJECT_DECISION,
        title="Tokens",
        statement="Tokens live here",
        paths=("src/auth",),
    )
    other = Note(kind=Kind.PROJECT_FACT, title="Else", statement="Elsewhere", paths=("no/file",))
    cited, elsewhere = memory.add_item(note), memory.add_item(other)
    memory.backfill()

    def status() -> Status:
        memory.backfill()
        return memory.show(cited).item.status

    assert status() is Status.ACTIVE
    repository.commit("small change", src__auth=lines + "more\n")
    assert status() is Status.ACTIVE
    repository.commit("rewrite", src__auth="nothing of it\n")
    assert status() is Status.STALE
    repository.commit("back", src__auth=lines)
    assert status() is Status.ACTIVE
    repository.git("rm", "--quiet", "src/auth")
    repository.commit("gone")
    assert status() is Status.STALE
    assert memory.recall("tokens").hits[0].is_stale
    assert memory.show(elsewhere).item.status is Status.ACTIVE


def test_project_without_git_says_so(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with Memory.init(tmp_path / "plain") as memory:
        assert isinstance(memory, Memory)
        with pytest.raises(VcsUnavailableError, match="not a git repository"):
            memory.backfill()


def test_isolated_purpose_has_no_story(repository: Built, memory: Memory) -> None:
    memory.backfill()

    isolated = Memory.open(repository.root, purpose="code_audit")

    assert isinstance(isolated, NullMemory)
    assert isolated.story() == ()
    assert isolated.todos() == ()
    assert isolated.backfill().commits_new == 0


def test_commands_tell_the_same_story(repository: Built, memory: Memory) -> None:
    sha = repository.commit("pool: bound it\n\nMetrics are not done yet.", src__pool="1\n")
    at = repository.root

    assert "Kept 31 new commits" in run("backfill", at=at).out
    assert run("backfill", "--json", at=at).told["commits_new"] == 0
    assert run("story", "src/pool", at=at).out.splitlines()[0].endswith("pool: bound it")
    assert run("story", "src/pool", "--json", at=at).told[0]["commits"] == [sha]
    assert "left #1: Metrics are not done yet." in run("episode", "show", sha[:9], at=at).out
    (left,) = run("todo", "--json", at=at).told
    assert run("todo", "close", left["id"], at=at).out.rstrip().endswith("(done)")
    assert run("todo", at=at).out == "Nothing is left open.\n"
    assert run("todo", "add", "rotate the tokens", at=at).code == 0
    assert run("episode", "begin", "move to tokens", at=at).code == 0
    assert run("episode", "end", at=at).out.startswith("move to tokens")
    assert run("episode", "edit", sha[:9], "pool:", "bounded", at=at).out.startswith(
        "pool: bounded"
    )
    assert run("episode", "forget", sha[:9], at=at).out.startswith("Forgotten: e_")
    assert run("story", "src/pool", at=at).out.startswith("Nothing is told of src/pool yet.")


@pytest.mark.parametrize(
    "words",
    [
        ("episode", "show"),
        ("episode", "edit"),
        ("todo", "close"),
        ("todo", "close", "no-number"),
        ("todo", "add"),
        ("episode", "begin"),
    ],
)
def test_calls_that_make_no_sense_are_told_so(
    repository: Built, memory: Memory, words: tuple[str, ...]
) -> None:
    assert run(*words, at=repository.root).code == 2
