"""A transaction keeps all of itself or nothing, and says why where it cannot."""

import threading
from collections.abc import Callable

import pytest

from backstory.model.errors import IllegalOperationError, LeaseLostError, UnreadableInputError
from backstory.model.turn import OpenTurn
from backstory.ports.store import Store, Tables
from recorded import THREAD, a_thread, a_turn, begun, with_thread


def test_what_was_written_is_read_by_the_next_transaction(store: Store) -> None:
    with_thread(store)

    with store.reading() as tables:
        assert tables.threads.get(THREAD) == a_thread()


@pytest.mark.promise("R160")
def test_an_error_inside_takes_everything_of_the_transaction_back(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.writing() as tables:
        _add_twice(tables, lambda: 1 / 0)

    with store.reading() as tables:
        assert tables.threads.listed() == ()


def test_a_broken_rule_of_the_store_takes_everything_back_and_is_told(store: Store) -> None:
    with pytest.raises(IllegalOperationError), store.writing() as tables:
        _add_twice(tables, lambda: None)

    with store.reading() as tables:
        assert tables.threads.listed() == ()


def _add_twice(tables: Tables, between: Callable[[], object]) -> None:
    tables.threads.add(a_thread())
    between()
    tables.threads.add(a_thread())


@pytest.mark.case("C67")
def test_half_of_a_character_is_refused_and_nothing_is_kept(store: Store) -> None:
    with_thread(store)

    with pytest.raises(UnreadableInputError, match="U\\+D83D at place 3"):
        begun(store, "cut\ud83d")

    with store.reading() as tables:
        assert tables.turns.last_seq() == 0


def test_a_reader_sees_one_state_while_another_thread_writes(store: Store) -> None:
    with_thread(store)

    with store.reading() as tables:
        before = tables.turns.last_seq()
        writer = threading.Thread(target=_write_and_close, args=(store,))
        writer.start()
        writer.join()
        assert tables.turns.last_seq() == before

    with store.reading() as tables:
        assert tables.turns.last_seq() == before + 1


def _write_and_close(store: Store) -> None:
    begun(store)
    store.close()


def test_settings_are_kept_replaced_and_removed(store: Store) -> None:
    with store.writing() as tables:
        tables.meta.set_setting("purpose", "code_audit")
        tables.meta.set_setting("purpose", "coding")
        tables.meta.set_setting("review", "1")
        tables.meta.set_setting("review", None)

    with store.reading() as tables:
        assert tables.meta.setting("purpose") == "coding"
        assert tables.meta.setting("review") is None
        assert tables.meta.generation() == 1
        assert tables.meta.created_at_ms() == 0
        assert tables.meta.project_id()


@pytest.mark.promise("R162")
def test_a_lost_lease_takes_back_what_was_written_beside_it(store: Store) -> None:
    with_thread(store)
    turn = begun(store)
    with store.writing() as tables:
        tables.turns.complete(turn, "done", now_ms=1)

    with pytest.raises(LeaseLostError), store.writing() as tables:
        _write_and_complete(tables, turn)

    with store.reading() as tables:
        assert tables.turns.last_seq() == 1


def _write_and_complete(tables: Tables, turn: OpenTurn) -> None:
    tables.turns.add_finished(a_turn("beside it"), "", now_ms=2)
    tables.turns.complete(turn, "again", now_ms=2)
