"""Cursors: how far each transcript was read, kept until it is read further."""

from dataclasses import replace

from backstory.ports.store import Store
from backstory.ports.store_rows import Cursor


def test_a_cursor_is_replaced_by_the_next_one_of_its_file(store: Store) -> None:
    cursor = Cursor(
        path="/home/a/会话.jsonl",
        host="claude_code",
        fingerprint="f",
        byte_offset=10,
        line=2,
        bad_lines=1,
        carry='{"k": 1}',
    )
    further = replace(cursor, byte_offset=99, line=7)
    with store.writing() as tables:
        assert tables.cursors.get(cursor.path) is None
        tables.cursors.put(cursor, now_ms=1)
        tables.cursors.put(further, now_ms=2)

    with store.reading() as tables:
        assert tables.cursors.get(cursor.path) == further
        assert tables.cursors.listed() == (further,)
