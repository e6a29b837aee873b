"""The index is byte-stable, within its lines and bytes, and never drops what is pinned."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.inject import index_of, refuse_if_unpinnable
from backstory.inject.index_text import index_text
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import ItemId, ThreadId
from backstory.model.words import Kind, Status
from backstory.store import SqliteStore
from findable import a_discussion, an_item, keep

ITEMS = st.lists(
    st.builds(
        lambda number, title, statement, priority, kind: an_item(
            f"i_{number}",
            title=title or "t",
            statement=statement or "s",
            priority=priority,
            kind=kind,
            seq=number,
        ),
        st.integers(0, 10_000),
        st.text(max_size=300),
        st.text(max_size=600),
        st.integers(0, 100),
        st.sampled_from([kind for kind in Kind if kind is not Kind.DISCUSSION_CONTEXT]),
    ),
    max_size=12,
)


@pytest.mark.promise("R129")
@pytest.mark.case("C73")
@settings(max_examples=60)
@given(items=ITEMS, times=st.integers(1, 40))
def test_lines_and_bytes_are_never_exceeded(items: list[object], times: int) -> None:
    text = index_text([item for item in items for _ in range(times)])  # type: ignore[misc]

    assert len(text.splitlines()) <= 200
    assert len(text.encode("utf-8")) <= 25_000


@pytest.mark.promise("R129")
def test_the_same_memory_gives_the_same_bytes_in_any_order() -> None:
    items = [an_item(f"i_{n}", title=f"Rule {n}", seq=n, priority=n % 3) for n in range(20)]

    assert index_text(items) == index_text(items[::-1])


def test_pinned_and_weighty_items_come_first() -> None:
    text = index_text(
        [
            an_item("i_low", title="Low", priority=1, seq=1),
            an_item("i_high", title="High", priority=90, seq=2),
            an_item("i_pin", title="Pin", priority=1, seq=3, is_pinned=True),
        ]
    )

    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert [line.split("]")[0] for line in lines] == ["- [i_pin", "- [i_high", "- [i_low"]


@pytest.mark.case("C73")
def test_what_does_not_fit_is_counted() -> None:
    kinds = [kind for kind in Kind if kind is not Kind.DISCUSSION_CONTEXT]
    items = [an_item(f"i_{n}", title=f"Rule {n}", seq=n, kind=kinds[n % 7]) for n in range(500)]

    text = index_text(items)

    shown = sum(line.startswith("- [") for line in text.splitlines())
    assert f"\n{500 - shown} more: use recall\n" in text


@pytest.mark.case("C73")
def test_pinned_items_are_shown_or_refused_and_never_dropped() -> None:
    few = [an_item(f"i_{n}", title="字" * 150, seq=n, is_pinned=True) for n in range(30)]
    many = [an_item(f"i_{n}", title="字" * 150, seq=n, is_pinned=True) for n in range(200)]

    assert index_text(few).count(", pinned:") == 30
    with pytest.raises(IllegalOperationError, match="200 pinned items"):
        index_text(many)


def test_one_pin_too_many_is_refused_before_it_is_made(store: SqliteStore) -> None:
    keep(store, *(an_item(f"i_{n}", title="字" * 150, is_pinned=True) for n in range(30)))
    keep(store, an_item("i_next", title="Next"))
    with store.reading() as tables:
        refuse_if_unpinnable(tables, ItemId("i_next"))
    keep(store, *(an_item(f"j_{n}", title="字" * 150, is_pinned=True) for n in range(170)))

    with store.reading() as tables:
        with pytest.raises(IllegalOperationError):
            refuse_if_unpinnable(tables, ItemId("i_next"))
        assert "unpin" in index_of(tables)


def test_only_active_items_are_listed_and_no_discussion() -> None:
    text = index_text(
        [
            an_item("i_stale", status=Status.STALE),
            an_item("i_gone", status=Status.FORGOTTEN),
            a_discussion("i_talk", ThreadId("th_1")),
        ]
    )

    assert text == ""


def test_a_statement_that_begins_with_its_title_is_not_said_twice() -> None:
    text = index_text([an_item(title="Tests never sleep", statement="Tests never sleep.")])

    assert text.count("Tests never sleep") == 1
