"""A rule-made summary says what the message and the diff say, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.episodes.messages.prose import sentences
from backstory.episodes.summaries import SOLVED, summarize_commit

JWT = """auth: use JWT instead of server sessions

We switched from sessions to signed tokens because the API runs on several
hosts and sticky routing kept failing. Refresh tokens are not done yet, they
will be added in a later change.

    if (token.expired()) { return instead_of_this; }

- Prefer Ed25519 over RSA, since the keys are short.

Closes #12
"""


@pytest.mark.promise("R21", "R48")
def test_decision_comes_with_the_reason_of_the_time() -> None:
    summary = summarize_commit(JWT, ["src/auth/token.py"])

    assert summary.objective == "auth: use JWT instead of server sessions"
    assert [decision.decision for decision in summary.decisions] == [
        "use JWT instead of server sessions",
        "We switched from sessions to signed tokens",
        "Prefer Ed25519 over RSA",
    ]
    assert "because the API runs on several hosts" in summary.decisions[0].reason
    assert "because the API runs on several hosts" in summary.decisions[1].reason
    assert summary.decisions[2].reason == "since the keys are short."


def test_what_is_left_is_told_once_in_its_own_words() -> None:
    summary = summarize_commit(JWT, ["src/auth/token.py"])

    assert [todo.text for todo in summary.todos] == [
        "Refresh tokens are not done yet, they will be added in a later change."
    ]
    assert summary.todos[0].is_open


@pytest.mark.case("C54")
def test_a_file_that_is_only_mentioned_is_not_one_that_changed() -> None:
    message = "auth: read the key from src/config.py\n\nSee docs/keys.md and tests/test_auth.py."
    summary = summarize_commit(message, ["src/auth/token.py"])

    assert summary.changes == ("src/auth/token.py",)


@pytest.mark.promise("R48")
def test_problem_comes_with_its_solution() -> None:
    summary = summarize_commit(
        "fix: keep the socket open\n\nUploads of 0 bytes hang forever.\n\n"
        "Fix this by counting the chunk before the write.",
        ["lib/send.c"],
    )

    problem, solution = summary.problems[0].split(SOLVED)
    assert problem == "Uploads of 0 bytes hang forever."
    assert solution == "Fix this by counting the chunk before the write."


def test_chinese_message_is_summed_up_the_same_way() -> None:
    summary = summarize_commit(
        "缓存改用 Redis\n\n改用 Redis 而不是内存字典，因为多个进程要共享会话。\n"
        "集群模式尚未支持，后续再做。",
        ["app/cache.py"],
    )
    fixed = summarize_commit(
        "修复登录超时\n\n高峰期登录请求会超时。通过增加连接池解决。", ["app/login.py"]
    )

    assert summary.decisions[-1].decision == "改用 Redis 而不是内存字典"
    assert summary.decisions[-1].reason.startswith("因为多个进程要共享会话")
    assert [todo.text for todo in summary.todos] == ["集群模式尚未支持，后续再做。"]
    assert fixed.problems == (f"高峰期登录请求会超时。{SOLVED}通过增加连接池解决。",)


@pytest.mark.parametrize(
    "subject", ["用 JWT 代替 session", "JWT 取代 session", "以 JWT 替代 session"]
)
def test_chinese_subject_that_puts_one_in_the_place_of_another_is_a_decision(subject: str) -> None:
    summary = summarize_commit(f"auth: {subject}\n\n因为多台主机之间没有共享内存。", [])

    assert [(one.decision, one.reason) for one in summary.decisions] == [
        (subject, "因为多台主机之间没有共享内存。")
    ]


@pytest.mark.parametrize("subject", ["wip", "fix", "更新", ".", ""])
def test_subject_that_says_nothing_is_helped_by_the_files(subject: str) -> None:
    paths = ["a.py", "b.py", "c.py", "d.py"]

    objective = summarize_commit(subject, paths).objective

    assert objective.endswith("changes in a.py, b.py, c.py and 1 more")
    assert objective.startswith(subject)


def test_commit_of_nothing_still_has_an_objective() -> None:
    assert summarize_commit("", [], name="commit 1a2b3c4").objective == "commit 1a2b3c4"


@pytest.mark.promise("R180")
def test_ordinary_change_has_no_invented_decision_or_problem() -> None:
    summary = summarize_commit("docs: explain the log format\n\nWith an example.", ["doc/log.md"])

    assert summary.decisions == ()
    assert summary.problems == ()
    assert summary.todos == ()


def test_keywords_are_the_area_names_of_code_and_files() -> None:
    keywords = summarize_commit("pool: let maxIdle follow pool_size", ["src/pool.py"]).keywords

    assert keywords[:3] == ("pool", "maxIdle", "pool_size")


@pytest.mark.promise("R97", "R180")
@given(
    st.text(max_size=400),
    st.lists(st.text(min_size=1, max_size=20), max_size=5),
)
def test_every_sentence_of_a_summary_stands_in_the_message(text: str, paths: list[str]) -> None:
    summary = summarize_commit(text, paths)
    said = " ".join([text.strip().partition("\n")[0], *sentences(text), *text.split()])
    flat = "".join(said.split())

    assert summary.objective
    assert set(summary.changes) <= set(paths)
    for todo in summary.todos:
        assert "".join(todo.text.split()) in "".join(text.split()) + flat
