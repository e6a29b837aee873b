"""Erasing removes the bytes: no file beside the store holds them, but those that it names."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.model.candidate import Draft, Quote, Reason, Refused
from backstory.model.errors import NotFoundError
from backstory.model.ids import ItemId, TurnId
from backstory.model.words import JobKind, Kind, Role
from backstory.ports.store_rows import Tombstone
from backstory.store import SqliteStore, erase_item, open_store, write_export
from backstory.store.upkeep.blanking import blank_json, blank_span, filler
from backstory.store.upkeep.scrub import scrub
from recorded import THREAD, begun, files_in, remembered, said, with_thread

CANARY = "the canary-4711 sings at 夜"
TEXT = f"Remember: {CANARY}, and we indent with tabs."
SPAN = (10, 10 + len(CANARY))


def _canary_item(store: SqliteStore, text: str = TEXT) -> tuple[ItemId, TurnId]:
    with_thread(store)
    turn_id = said(store, text, answer=f"I will remember that {CANARY}.")
    item_id = remembered(store, "m_1", statement=f"Note that {CANARY}", turn_id=turn_id, span=SPAN)
    return item_id, turn_id


@pytest.mark.promise("R154")
@pytest.mark.case("C62")
def test_no_file_holds_the_words_after_they_were_erased(path: Path, store: SqliteStore) -> None:
    item_id, turn_id = _canary_item(store)
    quote = Quote(role=Role.USER, start=SPAN[0] + 4, end=SPAN[1], text=CANARY[4:], turn_id=turn_id)
    draft = Draft(kind=Kind.PROJECT_FACT, statement=CANARY, quotes=(quote,))
    refused = Refused(draft=draft, reasons=(Reason(slug="s", message=f"not: {CANARY}"),))
    failed = begun(store, "next")
    with store.writing() as tables:
        tables.candidates.add(refused, thread_id=THREAD, now_ms=0)
        tables.turns.fail(failed, f"cannot read {CANARY}", now_ms=0)
        tables.jobs.enqueue(
            JobKind.EXTRACT, THREAD, payload=f'{{"say": "{CANARY}"}}', due_at_ms=0, now_ms=0
        )
        lease = tables.jobs.claim(now_ms=0, lease_ms=9)
        assert lease is not None
        tables.jobs.retry(lease, error=f"bad: {CANARY}", due_at_ms=9, now_ms=0)
        tables.turn_texts.put([(1, "canary 4711 sings", "canary 4711")])
        tables.items.add_tombstone(
            Tombstone(item_id=item_id, claim_key="x|canary", fingerprint="f", turn_seq=1, at_ms=0)
        )

    erasure = erase_item(store, item_id)

    assert erasure.is_scrubbed
    assert erasure.spans == 1
    assert erasure.copies == ()
    for words in (b"canary", b"4711", "夜".encode()):
        assert [name for name, content in files_in(path.parent).items() if words in content] == []


def test_what_stands_beside_the_words_stays_in_its_place(store: SqliteStore) -> None:
    item_id, turn_id = _canary_item(store)
    tabs = TEXT.index("we indent")
    other = remembered(
        store, "m_2", statement="Indent with tabs.", turn_id=turn_id, span=(tabs, len(TEXT))
    )

    erasure = erase_item(store, item_id)

    with store.reading() as tables:
        turn = tables.turns.get(turn_id)
        story = tables.items.story(other)
    assert turn is not None
    assert story is not None
    assert turn.user_text == (f"Remember: {filler(len(CANARY))}, and we indent with tabs.")
    (evidence,) = story.evidence
    assert evidence.quote.text == turn.user_text[evidence.quote.start : evidence.quote.end]
    assert erasure.also_blanked == ()


def test_another_item_that_the_same_words_prove_stays_and_is_named(store: SqliteStore) -> None:
    item_id, turn_id = _canary_item(store)
    other = remembered(store, "m_2", statement="Remember.", turn_id=turn_id, span=(0, 20))

    erasure = erase_item(store, item_id)

    with store.reading() as tables:
        story = tables.items.story(other)
        turn = tables.turns.get(turn_id)
    assert erasure.also_blanked == (other,)
    assert story is not None
    assert turn is not None
    assert story.evidence[0].quote.text == turn.user_text[:20]


@pytest.mark.case("C62")
def test_exports_and_set_aside_files_that_hold_the_words_are_named(
    path: Path, store: SqliteStore
) -> None:
    item_id, _ = _canary_item(store)
    export = write_export(store, folder=path.parent / "exports", now_ms=0)
    copy = path.with_name("memory.db.before-schema-2")
    copy.write_bytes(b"x" * (1024 * 1024 - 5) + CANARY.encode())
    (path.parent / "exports" / "other.json").write_text("{}")

    erasure = erase_item(store, item_id)

    assert erasure.copies == (copy, export)


def test_an_unknown_item_is_not_erased(store: SqliteStore) -> None:
    with pytest.raises(NotFoundError, match="m_x"):
        erase_item(store, ItemId("m_x"))


def test_an_erased_item_leaves_no_row_and_cannot_be_undone(store: SqliteStore) -> None:
    item_id, turn_id = _canary_item(store)
    erase_item(store, item_id)

    with store.reading() as tables:
        assert tables.items.get(item_id) is None
        assert tables.items.changes() == ()
        assert tables.items.of_turn(turn_id) == ()
        assert tables.connection.execute("PRAGMA foreign_key_check").fetchall() == []


@given(text=st.text(), start=st.integers(0, 50), length=st.integers(0, 50))
def test_blanking_moves_no_offset(text: str, start: int, length: int) -> None:
    blanked = blank_span(text, start=start, end=start + length)

    assert len(blanked) == len(text)
    assert blanked[:start] == text[:start]
    assert blanked[start + length :] == text[start + length :]


@given(words=st.text(min_size=12), around=st.text())
def test_words_are_blanked_in_json_however_it_writes_them(words: str, around: str) -> None:
    import json

    for ascii_only in (True, False):
        text = json.dumps({"a": [around + words]}, ensure_ascii=ascii_only)
        blanked = json.loads(blank_json(text, [words]))["a"][0]
        assert len(blanked) == len(around + words)
        assert words not in blanked or words in filler(len(words))


def test_a_reader_elsewhere_delays_the_scrubbing_but_not_the_erasing(
    path: Path, store: SqliteStore
) -> None:
    item_id, _ = _canary_item(store)
    reader = open_store(path, now_ms=0)
    store.connection().set_busy_timeout(1)

    with reader.reading() as tables:
        tables.turns.last_seq()
        erasure = erase_item(store, item_id)

    assert not erasure.is_scrubbed
    with store.reading() as tables:
        assert tables.items.get(item_id) is None
    assert scrub(store)
    assert [name for name, held in files_in(path.parent).items() if b"canary" in held] == []
    reader.close()
