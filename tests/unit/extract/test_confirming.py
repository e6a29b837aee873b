"""A yes binds to the one proposal of the answer right before it, with its corrections."""

import pytest

from backstory.extract import Window, extract
from backstory.model.candidate import Candidate
from backstory.model.words import Kind, Role
from saying import a_turn, accepted

PROPOSAL = "我建议缓存统一放到 Redis，过期时间一小时。"


def confirmed(answer: str, said: str) -> list[Candidate]:
    before = a_turn("How?", answer=answer, name="t0")
    return accepted(extract(Window(turns=(a_turn(said, name="t1"),), previous=before)))


# C105
@pytest.mark.case("C48", "C105")
@pytest.mark.parametrize(
    "said",
    [
        "行",
        "嗯",
        "对",
        "是的",
        "确认",
        "同意",
        "LGTM",
        "go ahead",
        "yes please",
        "👍",
        "就按你说的来",
    ],
)
def test_a_bare_yes_confirms_a_single_proposal(said: str) -> None:
    found = confirmed(PROPOSAL, said)

    assert [c.kind for c in found] == [Kind.PROJECT_DECISION]
    assert {q.role for q in found[0].quotes} == {Role.USER, Role.ASSISTANT}
    assert "Redis" in found[0].statement


@pytest.mark.case("C105")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("测试全部通过，代码已提交。", "好的"),
        ("Did you set the token?", "yes"),
        ("方案一：单体。方案二：微服务。你倾向哪个？", "好"),
        ("I can delete the build folder now, shall I?", "yes"),
        ("我建议先重启一下服务看看。", "好"),
        (PROPOSAL, "为什么不用 Memcached？"),
        (PROPOSAL, "我再想想"),
        (PROPOSAL, "不用了"),
        ("I suggest splitting the module.", "Interesting, let me think about it."),
    ],
)
def test_what_is_no_yes_or_no_proposal_confirms_nothing(answer: str, said: str) -> None:
    assert not confirmed(answer, said)


@pytest.mark.parametrize(
    ("said", "term"),
    [("好的，用方案二", "微服务"), ("option 1 please", "单体"), ("the second one", "微服务")],
)
def test_a_choice_confirms_the_option_it_names(said: str, term: str) -> None:
    found = confirmed("方案一：单体。方案二：微服务。", said)

    assert len(found) == 1
    assert term in found[0].statement


def test_several_options_become_several_decisions() -> None:
    answer = "三条建议：1. 失败五次锁定；2. 密码定期更换；3. 后台只走内网。"

    assert len(confirmed(answer, "1 和 3 采纳，2 不要。")) == 2


@pytest.mark.case("C48")
def test_a_correction_is_part_of_what_is_remembered() -> None:
    found = confirmed("I suggest running the server on port 8080.", "Yes, but on port 8081.")

    assert "8081" in found[0].statement
    assert "8080" not in found[0].statement


def test_an_answer_to_either_or_is_a_decision() -> None:
    found = confirmed("图片存本地还是存 OSS？", "OSS")

    assert len(found) == 1
    assert "OSS" in found[0].statement


FINDINGS = (
    "## Review\n\n1. A null check is missing\n2. `doIt2` says nothing\n3. No tests\n\nWhich?"
)


@pytest.mark.parametrize("said", ["fix 1 and 2", "tell me about 2", "先改 1"])
def test_a_number_after_a_list_of_findings_is_a_task(said: str) -> None:
    assert not confirmed(FINDINGS, said)


@pytest.mark.parametrize("said", ["Agreed, we go with 2 from now on.", "以后都按 2 来"])
def test_a_choice_that_is_said_to_hold_is_one_in_a_list_of_any_length(said: str) -> None:
    assert len(confirmed(FINDINGS, said)) == 1


def test_an_option_is_chosen_where_the_answer_favours_another_one() -> None:
    options = "Two ways:\n1. one file per user\n2. one table for all\n\nI recommend 1."

    assert len(confirmed(options, "2, please")) == 1


def test_a_yes_does_not_reach_over_a_turn() -> None:
    between = a_turn("先看样式", answer="样式修好了。", name="t1")
    window = Window(turns=(between, a_turn("同意", name="t2")), previous=None)

    assert not accepted(extract(window))


# C106
@pytest.mark.case("C106")
def test_turns_of_two_threads_do_not_share_a_window() -> None:
    other = a_turn("?", answer=PROPOSAL, name="t0", thread="other")

    with pytest.raises(ValueError, match="one thread"):
        Window(turns=(a_turn("同意"),), previous=other)


def test_a_yes_that_names_its_choice_confirms_no_other_part_of_the_answer() -> None:
    before = a_turn(
        "存储怎么选？",
        answer="结论：SQLite 足够。备份就是复制一个文件；代价是同一时刻只有一个写者。",
        name="t0",
    )
    reply = a_turn("定了，数据库就用 SQLite，一个文件够我们用了。")
    found = accepted(extract(Window(turns=(reply,), previous=before)))

    assert ["SQLite" in one.statement for one in found] == [True]
    assert all("写者" not in one.statement for one in found)
