"""Lasting words become candidates of the right kind; everything else becomes none."""

import pytest

from backstory.extract import Window, discussion_of, extract
from backstory.model.words import Intent, Kind, Role
from saying import a_turn, a_window, accepted

PREFERENCE, DECISION, CONVENTION = (
    Kind.USER_PREFERENCE,
    Kind.PROJECT_DECISION,
    Kind.CODE_CONVENTION,
)
FACT, REFERENCE, TOOL, FAILURE = (
    Kind.PROJECT_FACT,
    Kind.REFERENCE,
    Kind.TOOL_LESSON,
    Kind.FAILURE_LESSON,
)

LASTING = [
    ("以后跟我说话别用敬语。", PREFERENCE),
    ("往后报错先说原因，再给修复方案", PREFERENCE),
    ("Going forward please number the steps when you give me instructions.", PREFERENCE),
    ("I prefer a concrete example first.", PREFERENCE),
    ("Could you always tell me which file you changed?", PREFERENCE),
    ("我们最终选了 Kafka 做消息总线。", DECISION),
    ("定下来了，前端用 Svelte。", DECISION),
    ("We're moving off Heroku and onto Fly.io.", DECISION),
    ("I've decided we use Poetry for dependency management.", DECISION),
    ("團隊已經決定採用 NestJS 作為後端框架。", DECISION),
    ("提交信息必须用英文写。", CONVENTION),
    ("禁止在 controller 里直接写 SQL。", CONVENTION),
    ("All public functions must have docstrings.", CONVENTION),
    ("We always squash before merging.", CONVENTION),
    ("ｃｏｍｍｉｔ　信息一律用英文，这是规矩。", CONVENTION),
    ("we alwyas squash befroe merging in this project", CONVENTION),
    ("生产数据库每天凌晨三点备份，持续半小时。", FACT),
    ("Our biggest customer has no internet access.", FACT),
    ("背景：客户的防火墙只开了 443 端口。", FACT),
    ("部署手册在 wiki 首页的运维那一栏。", REFERENCE),
    ("The design tokens live in packages/theme/tokens.json.", REFERENCE),
    ("在 M1 上跑 docker build 得加 --platform linux/amd64，不然镜像起不来。", TOOL),
    ("jest needs --runInBand on CI or it runs out of memory.", TOOL),
    ("之前试过用 Lambda 跑，冷启动太慢，最后失败了，别再走这条路。", FAILURE),
    ("We tried caching permissions last year and it caused a breach, never again.", FAILURE),
    ("记住，部署前要通知运维。", CONVENTION),
    # C101
    ("项目统一使用 Python 3.10+", DECISION),
    ("用 Tab 不用空格", CONVENTION),
    ("Use tabs, not spaces", CONVENTION),
    ("不要在测试里 mock 数据库", CONVENTION),
    ("必须先跑测试", CONVENTION),
    ("数据库就用 Postgres", DECISION),
    ("We'll use Postgres", DECISION),
    ("Let's use SQLite", DECISION),
]


@pytest.mark.case("C101")
@pytest.mark.parametrize(("said", "kind"), LASTING)
def test_a_lasting_statement_becomes_one_candidate_of_its_kind(said: str, kind: Kind) -> None:
    found = accepted(extract(a_window(said)))

    assert [candidate.kind for candidate in found] == [kind]
    quote = found[0].quotes[0]
    assert said[quote.start : quote.end] == quote.text


NOTHING = [
    # work to go on with, and places to work at
    "Carry on with the parser.",
    "Put it into NOTES.md.",
    "两处都改成 Redis。",
    # questions, also without a mark (C102)
    "以后默认用中文回答可以吗？",
    "Can we switch to Postgres?",
    "如何取消订单？",
    "is there a reason we never cache this",
    "往后都要写文档吗",
    "If I wanted you to answer in French from now on, would you?",
    "如果我想让你以后都用英文回答，你做得到吗？",
    # C103: undecided, hypothetical or reported speech
    "We haven't decided to adopt Redis",
    "老板还没同意采用 Redis",
    "如果采用 Redis 会怎样",
    "帮我选择一个排序算法",
    "The app keeps crashing when I remove the cache",
    "I'm leaning towards Kafka.",
    "Maybe we should always squash.",
    "我同事说以后都用 Vue。",
    "The docs say you must always call init first.",
    "My neighbour reckons we must keep every log for a year.",
    # for this time only
    "这次先用中文写注释吧。",
    "Skip the tests for this commit.",
    "今天先不写测试。",
    # tasks and specifications
    "给每个函数都加上类型注解。",
    "Make sure every route has a test before you finish.",
    "用户必须先登录才能下单。",
    "The user should always see a confirmation dialog.",
    "输入为空时一律返回 null",
    # the state of the code, what was seen
    "The API always returns 500 when I send an empty body.",
    "main.py 有 300 行。",
    "每次保存都会触发两次请求。",
    # irony, words to be worked on, off the record
    "Oh great, let's just never test anything.",
    "帮我把这句话翻成英文：“我们决定全面停止使用短信验证码。”",
    'Reword this: "From now on we always use tabs here."',
    "别记这个：我以后只用 Vim。",
    "Off the record, we never write tests.",
    # not the speaker's words
    "Why does it fail?\n```\n# always use tabs, never spaces\n```",
    "What does this mean?\n> You must never share a client between threads.",
    "<system-reminder>Always reply in English.</system-reminder>",
    "总结一下下面这份文档：\n所有提交必须用英文。\n测试一律用 pytest。",
    "",
    "   \n",
    "👍",
]


@pytest.mark.promise("R79")
@pytest.mark.case("C49", "C102", "C103")
@pytest.mark.parametrize("said", NOTHING)
def test_what_does_not_last_becomes_nothing(said: str) -> None:
    assert not accepted(extract(a_window(said)))


@pytest.mark.parametrize(
    "said",
    [
        "If I ask for a review, always start with the summary.",
        "When you write SQL, always use capital keywords.",
        "如果我让你写文档，以后都先给大纲。",
    ],
)
def test_a_case_is_remembered_with_what_holds_in_it(said: str) -> None:
    (found,) = accepted(extract(a_window(said)))

    assert found.statement == said.rstrip(".。")


def test_each_part_of_a_stack_becomes_an_item_of_its_own() -> None:
    found = accepted(extract(a_window("技术栈定下来：后端用 Rust，前端用 Svelte，部署用 Nomad。")))

    assert [c.statement for c in found] == ["后端用 Rust", "前端用 Svelte", "部署用 Nomad"]


def test_each_rule_of_a_list_becomes_an_item_of_its_own() -> None:
    said = "几条规矩：\n1. 函数名用小写\n2. 单个文件不超过三百行\n3. 不许提交调试输出"
    found = accepted(extract(a_window(said)))

    assert [c.kind for c in found] == [CONVENTION] * 3


def test_a_wish_for_this_time_beside_a_rule_leaves_only_the_rule() -> None:
    said = "这次先用英文写，不过以后的注释一律用中文。"
    found = accepted(extract(a_window(said)))

    assert [c.statement for c in found] == ["不过以后的注释一律用中文"]


def test_a_change_of_mind_replaces() -> None:
    found = accepted(extract(a_window("改主意了，缓存换成 Valkey。")))

    assert [c.intent for c in found] == [Intent.REPLACE]


@pytest.mark.parametrize(
    "said",
    [
        "忘掉之前说的回答用表格那条要求。",
        "Drop the tabs rule, we don't follow it any more.",
        "缩进那条规矩作废吧",
        "Please forget what I told you about bullet points.",
    ],
)
def test_taking_back_is_a_retraction(said: str) -> None:
    found = accepted(extract(a_window(said)))

    assert [c.intent for c in found] == [Intent.RETRACT]


@pytest.mark.parametrize("said", ["Forget it, I found the typo.", "Drop the column legacy_flag."])
def test_everyday_forgetting_and_dropping_takes_nothing_back(said: str) -> None:
    assert not accepted(extract(a_window(said)))


def test_a_refused_statement_keeps_its_reasons() -> None:
    refused = extract(a_window("以后默认用中文回答可以吗？"))

    assert {reason.slug for verdict in refused for reason in verdict.reasons} == {"question"}


def test_a_secret_is_replaced_in_statement_and_quote() -> None:
    found = accepted(extract(a_window("记住测试库的密码是 Zq7-lemon-9921，每周一换。")))

    assert found
    assert "Zq7-lemon-9921" not in repr(found)
    assert "[REDACTED:password]" in found[0].quotes[0].text


def test_a_note_of_a_person_is_no_line_of_a_compiler() -> None:
    noted = accepted(extract(a_window("Note for later: we never deploy on Fridays here.")))

    assert [c.statement for c in noted] == ["we never deploy on Fridays here"]
    assert not accepted(extract(a_window("note: always use 'foo' in src/x.c:12: here")))


def test_weighing_is_found_apart_and_marked_by_its_kind() -> None:
    window = a_window("我在 MySQL 和 Postgres 之间纠结，再想想。")

    assert not accepted(extract(window))
    assert [c.kind for c in discussion_of(window)] == [Kind.DISCUSSION_CONTEXT]


def test_a_turn_of_five_million_characters_is_read_at_its_ends() -> None:
    filler = "The quick brown fox jumps over the lazy dog and runs on. " * 90_000
    said = "We never deploy on Fridays.\n" + filler + "\n以后提交信息一律用英文。"
    found = accepted(extract(Window(turns=(a_turn(said),))))

    assert len(found) == 2
    assert all(q.role is Role.USER for c in found for q in c.quotes)
