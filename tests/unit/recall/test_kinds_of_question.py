"""Words of time, open todos and the place of the work change what a question asks for."""

import pytest

from backstory.store import SqliteStore
from findable import DAY_MS, NOW_MS, an_episode, an_item, found, keep

YESTERDAY = {"started_at_ms": NOW_MS - DAY_MS, "ended_at_ms": NOW_MS - DAY_MS}
LAST_MONTH = {"started_at_ms": NOW_MS - 40 * DAY_MS, "ended_at_ms": NOW_MS - 40 * DAY_MS}


@pytest.fixture
def work(store: SqliteStore) -> SqliteStore:
    keep(
        store,
        an_episode(
            "new",
            objective="Fix the timezone bug in due dates",
            changes=("src/time/due.ts",),
            branch="time/SHM-311",
            tickets=("SHM-311",),
            **YESTERDAY,
        ),
        an_episode(
            "old",
            objective="Show opening hours in the branch timezone",
            todos=["document the zone data"],
            changes=("src/time/due.ts", "src/hours.ts"),
            tickets=("SHM-201",),
            **LAST_MONTH,
        ),
        an_item("utc", title="Timestamps are in UTC, whatever the timezone"),
        an_item("due", title="Due dates are local", paths=("src/time/due.ts",)),
        an_item("times", title="Time code has tests", paths=("src/time/",)),
    )
    return store


@pytest.mark.parametrize("text", ["yesterday's timezone fix", "昨天的 timezone 改动"])
def test_words_of_time_choose_among_episodes(work: SqliteStore, text: str) -> None:
    ids = found(work, text)

    assert ids[0] == "new"
    assert "old" not in ids


def test_a_time_alone_lists_what_was_going_on(work: SqliteStore) -> None:
    assert found(work, "what did we do yesterday?") == ["new"]


@pytest.mark.case("C123")
def test_the_newest_is_never_a_filler(work: SqliteStore) -> None:
    assert found(work, "what did we do about payroll yesterday?") == []
    assert found(work, "what did we do three years ago?") == []


@pytest.mark.parametrize(
    "text", ["what is left to do on the timezone?", "timezone 还有什么没做完", "timezone todos"]
)
def test_asking_for_todos_finds_only_what_left_some_open(work: SqliteStore, text: str) -> None:
    assert found(work, text) == ["old"]


def test_an_open_file_finds_episodes_then_items_of_the_file_then_of_its_folder(
    work: SqliteStore,
) -> None:
    assert found(work, files=("src/time/due.ts",)) == ["new", "old", "due", "times"]


def test_an_absolute_path_finds_the_file_inside_the_project(work: SqliteStore) -> None:
    assert found(work, files=("/home/a/project/src/hours.ts",)) == ["old"]


def test_branch_and_ticket_find_their_episode(work: SqliteStore) -> None:
    assert found(work, branch="time/SHM-311") == ["new"]
    assert found(work, ticket="SHM-201") == ["old"]
    assert found(work, "SHM-201") == ["old"]
    assert found(work, ticket="SHM-20") == []
    assert found(work, branch="time/SHM-3") == []


def test_where_the_work_is_decides_between_answers(work: SqliteStore) -> None:
    assert found(work, "timezone", files=("src/hours.ts",))[0] == "old"
    assert found(work, "timezone", ticket="SHM-311")[0] == "new"


def test_where_the_work_is_answers_a_message_without_a_subject(work: SqliteStore) -> None:
    assert found(work, "继续", ticket="SHM-311") == ["new"]
    assert found(work, "kubernetes ingress", ticket="SHM-311") == []
