"""A yes, a choice and a change are heard in the many words people have for them."""

import pytest

from backstory.extract import Window, extract
from backstory.extract.replies import is_assent
from backstory.model.candidate import Candidate
from backstory.model.words import Intent, Role
from saying import a_turn, a_window, accepted

PROPOSAL = "建议日志统一存到对象存储，保留三十天。"
PLAN = "I would bake the defaults into the image and keep them there for 30 days."


def confirmed(answer: str, said: str, *, asked: str = "How?") -> list[Candidate]:
    before = a_turn(asked, answer=answer, name="t0")
    found = accepted(extract(Window(turns=(a_turn(said, name="t1"),), previous=before)))
    return [c for c in found if any(q.role is Role.ASSISTANT for q in c.quotes)]


@pytest.mark.case("C105")
@pytest.mark.parametrize(
    "said",
    [
        "可", "准了", "行吧", "拍板", "没意见", "這樣辦", "沒問題", "照此执行", "这个可以有",
        "看过了，就按你说的方案来", "说得对，以后就这么要求", "行啊，安排上，以后就它了。",
        "我们讨论过了，采纳", "就存对象存储吧",
    ],
)  # fmt: skip
def test_a_chinese_yes_confirms(said: str) -> None:
    assert len(confirmed(PROPOSAL, said)) == 1


@pytest.mark.case("C105")
@pytest.mark.parametrize(
    "said",
    [
        "Yep", "Sold.", "Aye", "+1", "Fair enough, adopt that.", "Right you are. Adopt that.",
        "Love it, let's make that the policy.", "Agreed on both counts", "That's the ticket.",
        "That is acceptable. Please consider it approved.", "Why not?", "30 days it is",
    ],
)  # fmt: skip
def test_an_english_yes_confirms(said: str) -> None:
    assert len(confirmed(PLAN, said)) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (PROPOSAL, "嗯……这得问问财务，回头说"),
        (PROPOSAL, "知道了"),
        (PROPOSAL, "先放着，我问问老周"),
        (PROPOSAL, "不行不行"),
        (PLAN, "Noted, thanks! Will bring it to the team."),
        (PLAN, "Mm. Park it."),
        (PLAN, "Not sold on that."),
        ("你用的是手机还是电脑？", "手机"),
        ("Are you running the rev C board?", "Yes, rev C"),
        ("一百个关卡都校验完了，清单在 report.txt。", "好"),
        ("I would purge the 300 dead messages right away. OK?", "ok go"),
        ("我可以把七天前的临时文件清掉，要执行吗？", "嗯，清吧"),
    ],
)
def test_what_only_sounds_like_a_yes_confirms_nothing(answer: str, said: str) -> None:
    assert not confirmed(answer, said)


@pytest.mark.parametrize(
    ("answer", "said", "term"),
    [
        ("两条路：甲，每天增量备份到异地；乙，每周全量备份到本地。", "选甲", "增量"),
        ("请选：甲，全部同步调用；乙，扣库存异步。", "乙", "异步"),
        ("两条路：A 是关推荐位，B 是走静态兜底。我偏向 A。", "B 吧，关了要跳脚", "静态"),
        ("1. Filebeat 直推\n2. 走 Kafka 缓冲\n3. 用 Loki", "选2吧", "Kafka"),
        ("(a) CBOR; (b) JSON; (c) CSV. My vote goes to (b).", "(a), every byte counts", "CBOR"),
        ("Either a table in the database or the log collector.", "First one.", "table"),
        ("可选的有 Debian slim 和 Alpine。", "Debian 的吧", "Debian"),
        ("Would you rather have a single repo or two separate ones?", "Two, please", "Two"),
    ],
)
def test_a_choice_is_heard_by_letter_place_or_content(answer: str, said: str, term: str) -> None:
    found = confirmed(answer, said, asked="怎么做？")

    assert len(found) == 1
    assert term in found[0].statement


@pytest.mark.parametrize(
    ("answer", "said", "term"),
    [
        ("建议等级上限六十级，经验曲线用二次函数。", "曲线没意见，上限拉到八十级。", "八十"),
        ("建议前端用 zod，错误文案由前端维护。", "库都行，错误文案得后端出。", "后端"),
        ("建议统一转成 AVIF。", "AVIF 有些浏览器打不开，用 WebP，其他照旧", "WebP"),
        (
            "I suggest GPL-3.0 for the code and CC-BY for the docs.",
            "CC-BY yes. Code should be MIT though.",
            "MIT",
        ),
        (
            "Proposal: keep chats for two years and purge attachments after ninety days.",
            "Happy with the first one. Attachments need to go after thirty days.",
            "thirty",
        ),
    ],
)
def test_taking_one_part_and_changing_another_remembers_the_change(
    answer: str, said: str, term: str
) -> None:
    found = confirmed(answer, said)

    assert len(found) == 1
    assert term in found[0].statement


def test_a_plan_asked_for_is_an_offer_without_saying_so() -> None:
    answer = "Loans last two weeks and can be extended once."

    assert confirmed(answer, "Agreed", asked="Draft the loan rules for the equipment.")
    assert not confirmed(answer, "Agreed", asked="Where is the loan table read?")


def test_a_long_text_is_no_bare_yes() -> None:
    assert is_assent("好的,没问题")
    assert not is_assent("好" * 10_000)


@pytest.mark.parametrize(
    "said",
    [
        "“周五不许上线”这条作废，领导说没必要卡。",
        "改之前先截图那个流程免了吧，现在有自动对比了。",
        "关于缩进的那个要求过时了",
        "Our decision on the private cloud is off, wipe it.",
        "Scratch the rule about two approvals.",
        "No need to ask before installing packages any more.",
        "You can let go of the lock file requirement.",
    ],
)
def test_a_rule_is_taken_back_in_many_words(said: str) -> None:
    found = accepted(extract(a_window(said)))

    assert [c.intent for c in found] == [Intent.RETRACT]


@pytest.mark.parametrize("said", ["删掉那条日志。", "Remove the firewall rule for port 22."])
def test_removing_a_thing_takes_no_rule_back(said: str) -> None:
    assert not [c for c in accepted(extract(a_window(said))) if c.intent is Intent.RETRACT]
