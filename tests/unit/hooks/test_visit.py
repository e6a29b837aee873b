"""A hook that ends saves what it owes, whichever of its threads ends it."""

import threading
from pathlib import Path

import pytest

from backstory.adapters.hosts import spool
from backstory.adapters.hosts.calls import HostCall
from backstory.adapters.project import Project, ProjectKind
from backstory.hooks.reply import Reply
from backstory.hooks.visit import Visit
from hosting import a_prompt

CALL = a_prompt("Use pytest.", at_ms=1)


def test_nobody_ends_the_process_while_a_call_is_being_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end, order = threading.Event(), threading.Event(), list[str]()

    def put(state_dir: Path, call: HostCall) -> None:
        begun.set()
        may_end.wait(10)
        order.append("saved")

    def end() -> None:
        visit.save()
        order.append("ended")

    monkeypatch.setattr(spool, "put", put)
    project = Project(
        root=tmp_path,
        state_dir=tmp_path,
        kind=ProjectKind.PLAIN,
        work_tree=tmp_path,
        common_dir=None,
    )
    visit = Visit(reply=Reply.__new__(Reply), env={}, call=CALL, project=project, is_owed=True)
    first, late = threading.Thread(target=end), threading.Thread(target=end)
    first.start()
    assert begun.wait(10)
    late.start()
    late.join(0.2)
    may_end.set()
    first.join(10)
    late.join(10)

    assert order == ["saved", "ended", "ended"]
