"""A question finds what answers it, or nothing and the reason."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.index import index_entries
from backstory.model.ids import ThreadId
from backstory.model.recall import Question
from backstory.model.words import Kind, Lane, Scope, Status
from backstory.recall.asking.clauses import asked_of
from backstory.recall.weighing.judging import judge
from backstory.recall.weighing.lookup import look_up
from backstory.store import SqliteStore
from findable import NOW_MS, a_discussion, an_episode, an_item, answered, found, keep
from recorded import a_thread

LIBRARY = (
    an_item("db", title="主数据库选用 PostgreSQL", keywords=("数据库", "PostgreSQL")),
    an_item("vec", title="不引入向量数据库", statement="书名很短，向量检索的收益抵不过成本。"),
    an_item("cursor", title="List endpoints use cursor pagination", paths=("src/http/page.ts",)),
    an_item("sleep", title="Tests never sleep", statement="Use FakeClock to advance time."),
    an_item("limit", title="RateLimiter uses a sliding window", aliases=("rate limiter",)),
    an_item("deploy", title="Deploy with blue and green", statement="Keep the old one an hour."),
    an_item("memory", title="Passwords use argon2id", statement="64 MiB of memory are used."),
    an_item("renew", title="续借最多两次", aliases=("续借次数",)),
    an_item("lock", title="连续输错五次锁定账户"),
)


@pytest.fixture
def library(store: SqliteStore) -> SqliteStore:
    keep(store, *LIBRARY)
    return store


@pytest.mark.case("C116")
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("我们之前决定用什么数据库？", "db"),
        ("为什么不用向量数据库", "vec"),
        ("what did we decide about pagination?", "cursor"),
        ("paginated list", "cursor"),
        ("rate_limiter", "limit"),
        ("rateLimiter", "limit"),
        ("Tests never", "sleep"),
        ("FakeClock", "sleep"),
        ("fake_clock", "sleep"),
        ("續借", "renew"),
        ("续接次数", "renew"),
        ("锁", "lock"),
        ("curser pagination", "cursor"),
        ("passwrods", "memory"),
        ("argon2di", "memory"),
        ('"cursor pagination', "cursor"),
        ("page.ts", "cursor"),
        ("分页怎么做的", "cursor"),
        ("the sliding-window", "limit"),
    ],
)
def test_a_question_finds_its_answer_first(library: SqliteStore, text: str, first: str) -> None:
    assert found(library, text)[:1] == [first]


@pytest.mark.promise("R125")
@pytest.mark.case("C68", "C116")
@pytest.mark.parametrize(
    "text",
    [
        "the",
        "的",
        "deploy to the cloud",
        "数据不对怎么办",
        "什么是 memory leak",
        "please fix the bug",
        "继续",
        "qwxzv blorptangle",
        "%%% --- ***",
        "PaymentGatewayAdapter",
        "src/auth/saml.ts",
        "SHM-9999",
        "which font do the passwords use in print",
        "f3a9c0de77b1",
    ],
)
def test_a_question_about_something_else_finds_nothing(library: SqliteStore, text: str) -> None:
    answer = answered(library, text)

    assert answer.hits == ()
    assert answer.abstained_because


@pytest.mark.promise("R123")
@pytest.mark.parametrize("text", ["", "  \n", "\u200b"])
def test_no_question_is_no_answer(library: SqliteStore, text: str) -> None:
    assert answered(library, text).abstained_because == "nothing was asked"


def test_a_picture_beside_words_says_nothing_and_alone_is_looked_for(store: SqliteStore) -> None:
    keep(
        store,
        an_item("m1", title="✅ Releases are announced in the channel"),
        an_item("m2", title="The build server is in Frankfurt"),
    )

    assert [hit.entry.id for hit in answered(store, "✅").hits] == ["m1"]
    assert answered(store, "✅ fix the login form").hits == ()
    assert len(answered(store, "🤔 where is the build server").hits) == 1


def test_a_name_is_found_in_the_lane_that_it_was_asked_in(library: SqliteStore) -> None:
    lanes = {
        text: answered(library, text).hits[0].lane for text in ("Tests never sleep", "Tests ne")
    }

    assert lanes == {"Tests never sleep": Lane.EXACT, "Tests ne": Lane.PREFIX}
    assert answered(library, "sliding window").hits[0].lane is Lane.SUBSTRING
    assert answered(library, "src/http/page.ts").hits[0].lane is Lane.ANCHOR
    assert answered(library, "how do we do paging").hits[0].lane is Lane.TERMS


@pytest.mark.case("C122")
@pytest.mark.parametrize("path", ["src/aa.py", "other/src/a.py.bak", "src/a.pyc", "a.py/src"])
def test_a_path_never_matches_by_part_of_a_name(store: SqliteStore, path: str) -> None:
    keep(store, an_item("other", title="Something else", paths=(path,)))

    assert found(store, "src/a.py") == []
    assert found(store, files=("src/a.py",)) == []


@pytest.mark.promise("R121")
@pytest.mark.case("C57")
def test_superseded_retracted_forgotten_and_archived_items_are_never_found(
    store: SqliteStore,
) -> None:
    for status in (Status.SUPERSEDED, Status.RETRACTED, Status.FORGOTTEN, Status.ARCHIVED):
        keep(store, an_item(status.value, title="Tests never sleep", status=status))

    assert found(store, "Tests never sleep") == []


@pytest.mark.promise("R54")
@pytest.mark.case("C57")
def test_an_item_that_the_index_still_holds_is_hidden_once_it_is_superseded(
    store: SqliteStore,
) -> None:
    keep(store, an_item("old", title="Tests never sleep"))
    with store.writing() as tables:
        tables.items.undo_batch("b", now_ms=1)

    assert found(store, "Tests never sleep") == []


@pytest.mark.promise("R54")
def test_stale_items_are_found_and_flagged(store: SqliteStore) -> None:
    keep(store, an_item("old", title="Tests never sleep", status=Status.STALE))

    (hit,) = answered(store, "Tests never sleep").hits

    assert hit.is_stale


@pytest.mark.promise("R11")
def test_a_discussion_is_found_in_its_own_thread_and_marked(store: SqliteStore) -> None:
    here, there = ThreadId("th_1"), ThreadId("th_2")
    with store.writing() as tables:
        tables.threads.add(a_thread(here))
    keep(store, a_discussion("talk", here, title="Weighing Kafka against NATS"))

    assert found(store, "Kafka", thread_id=there) == []
    assert found(store, "Kafka") == []
    (hit,) = answered(store, "Kafka", thread_id=here).hits
    assert not hit.is_factual


@pytest.mark.promise("R120")
def test_what_was_promoted_to_the_user_is_found(store: SqliteStore) -> None:
    keep(store, an_item("mine", title="Answers are short", scope=Scope.USER))

    assert found(store, "short answers") == ["mine"]


def test_the_answer_is_at_most_five_items_and_three_episodes(store: SqliteStore) -> None:
    keep(store, *(an_item(f"i{n}", title=f"Cursor rule {n}") for n in range(9)))
    keep(store, *(an_episode(f"e{n}", objective=f"Cursor work {n}") for n in range(9)))

    ids = found(store, "cursor")

    assert len([name for name in ids if name[0] == "i"]) == 5
    assert len([name for name in ids if name[0] == "e"]) == 3


@pytest.mark.promise("R126")
@pytest.mark.case("C68")
def test_a_longer_question_does_not_match_by_a_short_common_word(library: SqliteStore) -> None:
    text = "I would like to keep the list of guests, and use an hour to write old cards " * 5

    assert found(library, text) == []


@pytest.mark.promise("R123")
def test_a_question_inside_a_long_message_is_answered(library: SqliteStore) -> None:
    noise = "The weather was fine and we walked along the river until the evening came. " * 5

    assert found(library, f"{noise}\nHow do list endpoints do cursor pagination?")[:1] == [
        "cursor"
    ]


@pytest.mark.case("C69")
def test_explaining_names_the_lane_and_what_removed_each_entry(library: SqliteStore) -> None:
    answer = answered(library, "deploy to the cloud", explain=True)

    (row,) = [row for row in answer.trace if row.entry_id == "deploy"]
    assert row.removed_by is not None
    assert "is needed" in row.removed_by


@pytest.mark.promise("R125")
def test_weight_orders_equals_and_never_lets_anything_in(store: SqliteStore) -> None:
    keep(
        store,
        an_item("low", title="Cursor pages", priority=10),
        an_item("high", title="Cursor pages", priority=90),
        an_item("other", title="Sliding windows", priority=100, is_pinned=True),
    )

    assert found(store, "cursor pages") == ["high", "low"]


def test_asking_why_prefers_decisions_with_reasons(store: SqliteStore) -> None:
    keep(
        store,
        an_item("fact", title="The token bucket is in limits.ts", kind=Kind.PROJECT_FACT),
        an_episode("e", objective="Replace the token bucket", decisions=[("window", "bursts")]),
    )

    assert found(store, "why did we replace the token bucket?")[0] == "e"


PRINTABLE = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80
).filter(str.strip)


@pytest.mark.case("C67")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(text=st.text(max_size=400))
def test_whatever_is_asked_there_is_an_answer_or_a_reason(library: SqliteStore, text: str) -> None:
    answer = answered(library, text, explain=True)

    assert bool(answer.hits) != bool(answer.abstained_because)


@pytest.mark.case("C67")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(title=PRINTABLE)
def test_whatever_is_stored_finds_itself(library: SqliteStore, title: str) -> None:
    item = an_item("self", title=title)
    question = Question(text=title)
    with library.writing() as tables:
        index_entries(tables, [item])
    with library.reading() as tables:
        asked = asked_of(title, question.cues, now_ms=NOW_MS)
        judged = judge(asked, look_up(tables, asked, question=question))

    assert "self" in {candidate.found.entry_id for candidate in judged.passed}
