"""Points that are listed in one message are statements of their own; a list of tasks is none."""

import pytest

from backstory.extract import Window, extract
from backstory.model.candidate import Candidate, Refused
from backstory.model.words import Kind
from saying import a_turn, a_window, accepted

RULES_BELOW = """Please follow these from now on:
1. Use pathlib, not os.path
2. Type every public function
3. Don't catch bare Exception"""
RULES_IN_LINE = "Our rules: 1) snake_case for columns 2) UTC everywhere 3) no nullable booleans"
RULES_WITH_COMMAS = (
    "Ground rules for the parser: no recursion, tables stay short, every token gets a name."
)

LISTS: list[tuple[str, tuple[str, ...]]] = [
    (RULES_WITH_COMMAS, ("no recursion", "tables stay short", "every token gets a name")),
    (
        "规矩就三个，第一提交要小，第二评审要快，第三主干要绿。",
        ("提交要小", "评审要快", "主干要绿"),
    ),
    (RULES_IN_LINE, ("snake_case for columns", "UTC everywhere", "no nullable booleans")),
    (
        "这个仓库的约定：1、变量不用拼音2、函数不超过五十行3、金额都用分存",
        ("变量不用拼音", "函数不超过五十行", "金额都用分存"),
    ),
    (RULES_BELOW, ("pathlib, not os.path", "Type every public function", "bare Exception")),
    (
        "咱们组写 SQL 的约定\n1. 关键字大写\n2. 别用子查询\n3. 每个 join 都写清条件",
        ("关键字大写", "别用子查询", "每个 join 都写清条件"),
    ),
    (
        "几条规矩说一下，配置走环境变量，容器里不写本地文件，端口统一 8080。",
        ("配置走环境变量", "容器里不写本地文件", "端口统一 8080"),
    ),
]


def kept_of(said: str) -> list[Candidate]:
    return accepted(extract(a_window(said)))


@pytest.mark.parametrize(("said", "points"), LISTS)
def test_each_point_of_a_list_of_rules_is_a_rule(said: str, points: tuple[str, ...]) -> None:
    found = kept_of(said)

    assert [candidate.kind for candidate in found] == [Kind.CODE_CONVENTION] * len(points)
    for candidate, point in zip(found, points, strict=True):
        assert point in candidate.statement


@pytest.mark.parametrize(
    "said",
    [
        "Three things to do: rename the flag, drop the old endpoint, update the changelog.",
        "有三个地方要改：\n1. 登录按钮居中\n2. 密码框加眼睛图标\n3. 错误提示换成红色",
        "Please do these:\n- move the parser into its own file\n- delete the dead branch",
    ],
)
def test_a_list_of_tasks_leaves_nothing(said: str) -> None:
    assert kept_of(said) == []


def test_what_only_goes_on_from_a_statement_is_part_of_it() -> None:
    (kept,) = kept_of("remember: production deploys need two approvals, mine isn't enough")

    assert kept.statement.endswith("mine isn't enough")


def test_what_a_rule_is_not_stays_with_what_it_is() -> None:
    (kept,) = kept_of("Whatever you do, dashboards live in the sandbox org, not in the main one.")

    assert "sandbox" in kept.statement
    assert "main one" in kept.statement


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("这次随便点没事，提交信息还是得带工单号，这点一直不变。", "工单号"),
        ("每次跑长任务之前先跟我打声招呼。", "打声招呼"),
        ("我们不打算自己维护登录了，统一接 Keycloak。", "Keycloak"),
        ("升级必须先备份，这是规矩。", "备份"),
    ],
)
def test_words_of_a_refusal_that_mean_something_else_refuse_nothing(said: str, kept: str) -> None:
    assert any(kept in candidate.statement for candidate in kept_of(said))


def test_a_secret_alone_is_nothing_to_keep() -> None:
    assert kept_of("My Datadog key is dd-9f3e7710ab44c1d2aa.") == []


def test_a_reason_is_no_fact_beside_what_it_explains() -> None:
    found = kept_of(
        "We tried sharding by tenant last year and it fell over because two tenants hold "
        "half of the rows."
    )

    assert [candidate.kind for candidate in found] == [Kind.FAILURE_LESSON]


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("怎么迁移稳妥？", "1. 起一个新实例\n2. 切只读流量\n3. 切写流量", "好，做第一步"),
        ("How do we migrate?", "1. start a new instance\n2. move the reads", "ok, do step 1"),
        (
            "How should I word the release note?",
            "I suggest: adds offline maps and a faster search everywhere.",
            "Good",
        ),
        ("release note 怎么写？", "建议写：新增离线地图，搜索统一提速。", "好的"),
    ],
)
def test_going_on_with_a_step_or_liking_a_text_decides_nothing(
    asked: str, answer: str, said: str
) -> None:
    previous = a_turn(asked, answer=answer, name="t0")
    verdicts = extract(Window(turns=(a_turn(said),), previous=previous))

    assert all(isinstance(verdict, Refused) for verdict in verdicts)


def test_an_announcement_alone_is_refused() -> None:
    assert kept_of("Just three house rules.") == []
