"""What the user takes back or replaces in words that point, and what must stay all the same."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from backstory.model.words import Status

_TURN_MS = 60_000


class _Clock:
    """A clock that each turn moves on."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


def _active_after(said: list[str], tmp_path: Path) -> list[str]:
    """Return the active statements after these turns of one thread, oldest first."""
    root = tmp_path / "project"
    (root / ".backstory").mkdir(parents=True)
    clock = _Clock()
    with Memory.open(root, opening=Opening(clock=clock)) as memory:
        for words in said:
            clock.now_ms += _TURN_MS
            memory.complete_turn(memory.begin_turn(words), "Okay.")
        memory.settle()
        items = memory.list(statuses=(Status.ACTIVE,))
    return sorted(item.revision.statement for item in items)


@pytest.mark.parametrize(
    "said",
    [
        ["In this repo every public function needs a docstring.", "Actually, scrap that."],
        ["Our commit subjects are always imperative.", "Why is it red?", "Forget that rule."],
        ["金额计算一律用 Decimal，这是规矩。", "刚才这条不要了。"],
        ["今后提交信息一律用英文写。", "这条规矩先取消吧，我再想想。"],
    ],
)
def test_a_withdrawal_that_only_points_takes_back_what_was_said_before(
    said: list[str], tmp_path: Path
) -> None:
    assert _active_after(said, tmp_path) == []


@pytest.mark.parametrize(
    "said",
    [
        # Two rules could be meant.
        ["以后提交信息一律用英文写。\n以后测试名一律用英文写。", "这条规矩取消吧。"],
        # What is scrapped is the work on the button, which was said last.
        ["We always run the formatter before a commit. Now add a button.", "Scrap that."],
        # Of another part of the project.
        [
            "In payments module, amounts are always integer cents.",
            "Drop the cents rule for reports service.",
        ],
        ["支付模块的金额一律用整数分。", "报表模块用整数分那条取消。"],
        ["我们约定枚举值全大写。", "Forget it, I'll do it myself."],
    ],
)
def test_a_withdrawal_that_could_mean_something_else_takes_nothing_back(
    said: list[str], tmp_path: Path
) -> None:
    before = _active_after(said[:1], tmp_path / "before")
    assert before != []
    assert _active_after(said, tmp_path / "after") == before


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (["We use Electron.", "Scratch that, we're on Tauri now."], "Tauri"),
        (["状态管理选 Redux，已经定了。", "改主意了，用 Zustand。"], "Zustand"),
        (["Write the new modules in Java.", "Hmm no, new modules are in Kotlin."], "Kotlin"),
        (["表名用复数。", "表名还是统一改成单数。"], "单数"),
        (
            ["文档工具我们定 VuePress。", "VuePress 没人维护了，文档站换成 VitePress。"],
            "VitePress",
        ),
    ],
)
def test_a_change_is_linked_to_what_it_replaces_by_the_words_around_it(
    said: list[str], kept: str, tmp_path: Path
) -> None:
    active = _active_after(said, tmp_path)
    assert len(active) == 1
    assert kept in active[0]


@pytest.mark.parametrize(
    "said",
    [
        ["订单服务我们用 PostgreSQL。", "日志服务我们现在用 ClickHouse。"],
        [
            "The orders service uses PostgreSQL, decided.",
            "The logging service uses ClickHouse now.",
        ],
        ["We always squash merge.", "This release branch keeps its merge commit, just this once."],
        ["Logs are JSON throughout this repository.", "Also, logs are now kept for thirty days."],
        ["数据库改用 Postgres，SQLite 不用了。", "三处都改成 Postgres。"],
        [
            "We use Postgres for the database.",
            "In the reports module, change it to Postgres as well.",
        ],
    ],
)
def test_a_statement_about_something_else_replaces_nothing(
    said: list[str], tmp_path: Path
) -> None:
    before = _active_after(said[:1], tmp_path / "before")
    assert before != []
    assert set(before) <= set(_active_after(said, tmp_path / "after"))
