"""A claim is what two wordings of one statement share, and what two different ones do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract.claims import claim_of
from backstory.extract.claims.slots import slot_lexicon
from backstory.model.candidate import Claim
from backstory.model.words import Kind


def the_claim(statement: str, kind: Kind = Kind.PROJECT_DECISION) -> Claim:
    claim = claim_of(statement, kind=kind)
    assert claim is not None
    return claim


def key(statement: str) -> str:
    return the_claim(statement).key(Kind.PROJECT_DECISION)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We'll use Postgres", "改为采用 SQLite"),
        ("数据库就用 Postgres", "Let's switch to MySQL"),
        ("文件存储就放本地磁盘", "文件存储换成对象存储"),
        ("We're using Webpack for the build", "the build moves to Vite"),
        ("UI 库就定 Ant Design 了", "还是 switch 到 MUI"),
        ("我们的发布节奏定为两周一次", "We release weekly"),
        ("Use tabs, not spaces", "缩进用 4 个空格"),
        ("End all function names with '_g'", "函数名一律以 _x 结尾"),
        ("For variables, use snake_case", "变量用小驼峰"),
        ("以后用中文回答", "Answer me in English"),
        ("项目统一使用 Python 3.10+", "We require Python 3.12"),
        ("max line length is 100", "行宽改成 120"),
        ("消息队列用 Kafka", "use Redis for the job queue"),
        ("提交信息写中文", "commit messages in English please"),
    ],
)
def test_two_choices_for_one_slot_share_a_key_and_differ_in_value(one: str, other: str) -> None:
    assert key(one) == key(other)
    assert the_claim(one).value != the_claim(other).value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("main DB is Postgres", "the kiosk's offline DB is SQLite"),
        ("use Redis for caching", "use Redis for the job queue"),
        ("Function names start with 'x_'", "Method names start with 'x_'"),
        ("Function names start with 'x_'", "Function names end with '_x'"),
        ("use Postgres", "use Postgres advisory locks for the scheduler"),
        ("use pytest", "use pytest fixtures for the set-up of tests"),
        ("docstrings in functions", "docstrings in methods"),
        ("Answer in Chinese", "Write comments in Chinese"),
        ("the API timeout is 30 seconds", "port 8080"),
        ("MySQL for the billing service", "MySQL for the search service"),
        ("tests in src/a/ use pytest", "tests in src/b/ use pytest"),
        (
            "the billing service listens on port 1005",
            "the search service listens on port 1042",
        ),
        (
            "The billing service keeps its sessions in Redis cluster A with port 1005",
            "The search service keeps its sessions in Redis cluster B with port 1042",
        ),
        ("账单服务监听端口 1005", "搜索服务监听端口 1042"),
    ],
)
def test_two_different_matters_have_two_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ensure that all your methods have docstrings", "Use docstrings in methods"),
        ("不要在测试里 mock 数据库", "测试里不要 mock 数据库"),
        ("We use Postgres", "采用 PostgreSQL"),
        ("專案資料庫用 Postgres", "数据库用 Postgres"),
        ("Ｕｓｅ Ｐｏｓｔｇｒｅｓ", "use postgres"),
    ],
)
def test_two_wordings_of_one_statement_make_one_claim(one: str, other: str) -> None:
    assert the_claim(one) == the_claim(other)


@pytest.mark.parametrize(
    ("statement", "subject", "place", "value"),
    [
        ("End all function names '_h'", "function name", "end", "_h"),
        (
            "When naming arguments, end the variable name with '_e'",
            "function argument name",
            "end",
            "_e",
        ),
        ("Method names start with 'a_', variables are short", "method name", "start", "a_"),
        ("use the suffix '_y' for variables", "variable name", "end", "_y"),
        ("变量统一加前缀 m_", "variable name", "start", "m_"),
        ("分支名以 feat/ 开头", "branch name", "start", "feat/"),
    ],
)
def test_a_rule_for_names_tells_whose_where_and_what(
    statement: str, subject: str, place: str, value: str
) -> None:
    claim = the_claim(statement)

    assert (claim.subject, claim.attribute, claim.value) == (subject, place, value)


def test_a_quoted_name_that_no_rule_is_about_is_no_affix() -> None:
    claim = the_claim("Start using the '@validate' decorator from the 'pedantic' module")

    assert claim.attribute == ""


def test_a_reason_is_no_part_of_a_claim() -> None:
    plain = the_claim("Import the 'locale' module")

    assert the_claim("Import the 'locale' module, even if you don't need it") == plain
    assert the_claim("Import the 'locale' module because it is cheap") == plain


def test_a_rejected_name_is_not_the_chosen_one() -> None:
    assert the_claim("用 Tab 不用空格").value == "tabs"
    assert the_claim("pnpm instead of npm").value == "pnpm"
    assert the_claim("switch from MySQL to Postgres").value == "postgresql"
    assert the_claim("Replace Jest with Vitest").value == "vitest"
    assert the_claim("把 MySQL 换成 Postgres").value == "postgresql"


@pytest.mark.parametrize(
    "said", ["Redis 那套不做了", "Redis 这套方案废弃了", "Redis 已经不用了", "Redis is gone"]
)
def test_what_is_given_up_is_ruled_out(said: str) -> None:
    claim = the_claim(said)

    assert claim.value == "redis"
    assert claim.is_negative


def test_ruling_a_name_out_leaves_the_choice_open() -> None:
    negative = the_claim("最终决定不使用向量检索")

    assert negative.is_negative
    assert negative.value == "vector search"
    assert key("不使用向量检索") != key("使用向量检索")
    assert key("Don't use MySQL") != key("Don't use Oracle DB")


def test_two_names_chosen_together_fill_no_slot() -> None:
    both = the_claim("We support MySQL and Postgres")

    assert both.subject != "database"


def test_a_retraction_names_its_topic_without_a_value() -> None:
    topic = the_claim("缩进那条规矩作废吧")

    assert (topic.subject, topic.value) == ("indentation", "")


def test_an_ordinary_word_is_no_name() -> None:
    assert the_claim("Always go to the changelog first").subject != "language"
    assert the_claim("Express errors in plain words").subject != "web framework"
    assert the_claim("just make it fast in black and white").subject != "formatter"


def test_a_statement_about_a_place_keeps_the_place() -> None:
    assert the_claim("Use tabs in web/assets/ only").paths == ("web/assets",)
    assert the_claim("input and/or output are checked").paths == ()


def test_a_discussion_makes_no_claim() -> None:
    assert claim_of("weighing Redis against Kafka", kind=Kind.DISCUSSION_CONTEXT) is None


@given(st.text(max_size=300))
def test_any_text_makes_a_claim_or_none(text: str) -> None:
    claim = claim_of(text, kind=Kind.PROJECT_FACT)

    assert claim is None or claim.subject


@given(
    st.sampled_from(["postgres", "MySQL", "sqlite3"]),
    st.sampled_from(["We use {} now", "数据库用 {}", "Let's go with {} for the database"]),
    st.sampled_from(["switch to {}", "改为采用 {}", "the database is {}"]),
)
def test_a_claim_does_not_depend_on_the_wording(name: str, one: str, other: str) -> None:
    assert the_claim(one.format(name)) == the_claim(other.format(name))


def test_every_spelling_of_the_lexicon_is_folded_and_known_once_in_its_slot() -> None:
    lexicon = slot_lexicon()

    for spelling, fillings in lexicon.fillings.items():
        assert spelling == spelling.lower()
        slots = [filling.slot.name for filling in fillings]
        assert len(slots) == len(set(slots)), spelling
