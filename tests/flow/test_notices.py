"""What a hook tells a person is in their language; what it tells a model is what it was."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from backstory.api import Memory
from commands import DECIDED, run
from hosting import Host, a_repository, context_of
from projects import a_project

CHINESE = {"LC_ALL": "zh_CN.UTF-8"}


def started(project: Path, *, session: str = "s1", **env: str) -> Any:
    """Let a session begin whose person reads Chinese, and return the answer."""
    host = Host(project, session=session, env={**CHINESE, **env})
    return host.fire("SessionStart", source="startup")


def test_isolation_is_told_in_chinese(tmp_path: Path) -> None:
    project = a_repository(tmp_path)
    told = started(project, BACKSTORY_PURPOSE="evaluation")["systemMessage"]
    host = Host(project, session="s2", env=CHINESE)
    asked = host.fire("UserPromptSubmit", prompt="/review it", prompt_id="p1")["systemMessage"]

    assert told == "Backstory：用途为 evaluation，记忆处于隔离状态；既不读取也不写入。"
    assert asked == "Backstory：/review 在隔离状态下运行；记忆既不读取也不写入。"


def test_a_memory_that_is_likely_meant_is_told_in_chinese(tmp_path: Path) -> None:
    first, clone = a_project(tmp_path / "shop"), tmp_path / "shop-2"
    run("remember", DECIDED, at=first)
    subprocess.run(["git", "clone", "--quiet", str(first), str(clone)], check=True)
    told = started(clone)["systemMessage"]

    assert told.startswith(f"Backstory：这里看起来像 {first}，它已有记忆：`backstory relink ")


def test_what_waits_is_told_in_chinese(tmp_path: Path) -> None:
    project = a_repository(tmp_path)
    with Host(project).memory() as memory:
        assert isinstance(memory, Memory)
        memory.entrust("Deploys happen on Tuesdays.")
    told = started(project)["systemMessage"]

    assert told == "Backstory：1 条提议等待你批准：`backstory review`。"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_setting_decides_before_the_locale(tmp_path: Path, language: str) -> None:
    project = a_repository(tmp_path)
    told = started(project, BACKSTORY_LANGUAGE=language, BACKSTORY_PURPOSE="evaluation")

    assert told["systemMessage"].isascii() == (language == "en")


def test_what_a_model_is_shown_is_the_same_in_every_language(tmp_path: Path) -> None:
    project = a_repository(tmp_path)
    run("remember", DECIDED, at=project)
    shown = [
        context_of(Host(project, session=name, env=env).fire("SessionStart", source="startup"))
        for name, env in (("s1", {"LC_ALL": "C.UTF-8"}), ("s2", CHINESE))
    ]

    assert "PostgreSQL" in shown[0]
    assert shown[0] == shown[1]
