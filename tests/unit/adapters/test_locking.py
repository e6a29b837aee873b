"""A lock is held by one, ends with its holder, and looking at it takes it from nobody."""

import os
from pathlib import Path

from backstory.adapters.locking import Owner, WorkerLock, is_held, owner_of


def test_a_lock_is_held_by_one_until_it_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "worker.lock"
    first, second = WorkerLock(path), WorkerLock(path)

    assert first.take(now_ms=7)
    assert not second.take(now_ms=8)
    assert is_held(path)
    assert owner_of(path) == Owner(pid=os.getpid(), taken_at_ms=7)
    first.release()
    first.release()
    assert not is_held(path)
    assert second.take(now_ms=9)
    second.release()
    assert owner_of(path) == Owner(pid=os.getpid(), taken_at_ms=9)


def test_looking_at_a_lock_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "worker.lock"

    assert not is_held(path)
    assert owner_of(path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_tells_no_owner_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "worker.lock"
    for text in ("", "{", "[]", '{"pid": "x"}', "\x00\xff"):
        path.write_text(text)

        assert owner_of(path) is None
        assert not is_held(path)
