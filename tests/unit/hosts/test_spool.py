"""What waits in the spool is whole, and is taken in by whoever comes first."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from backstory.adapters.hosts import spool
from hosting import a_prompt

CALL = a_prompt("用 pytest 写测试。" * 10, at_ms=1_800_000_000_000)


@pytest.mark.case("C07")
def test_a_call_that_does_not_fit_on_the_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, room = os.write, [7, 5]

    def write_to_a_full_disk(file: int, content: bytes) -> int:
        if not room:
            raise OSError(28, "No space left on device")
        return write(file, content[: room.pop()])

    monkeypatch.setattr(os, "write", write_to_a_full_disk)
    with pytest.raises(OSError, match="No space"):
        spool.put(tmp_path, CALL)
    monkeypatch.undo()

    assert [*(tmp_path / "spool").iterdir()] == []
    assert [*spool.waiting(tmp_path)] == []


@pytest.mark.case("C07")
def test_a_call_is_written_whole_however_little_is_written_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, content: write(file, content[:50]))
    spool.put(tmp_path, CALL)
    monkeypatch.undo()

    assert [call for _, call in spool.waiting(tmp_path)] == [CALL]


def test_what_another_hook_has_taken_in_meanwhile_is_passed_over(tmp_path: Path) -> None:
    for at_ms in (1, 2, 3):
        spool.put(tmp_path, replace(CALL, at_ms=at_ms))
    waiting = spool.waiting(tmp_path)
    path, _ = next(waiting)
    for other in path.parent.iterdir():
        other.unlink()

    assert [*waiting] == []
    assert spool.count_bad(tmp_path) == 0
    spool.put_aside(path)
