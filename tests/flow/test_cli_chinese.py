"""Whoever's locale is Chinese reads Chinese from first to last; everybody else what they read."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from backstory.cli import group
from backstory.cli.asking import confirmed
from backstory.model.words import Language
from backstory.speaking import speak
from commands import DECIDED, remembered, run
from projects import a_project

WIDTH = 100  # of the terminal that the tests have
STORE = ".git/backstory/memory.db"
# Two words of English in a row, which no command, path or name of ours is.
ENGLISH = re.compile(r"(?<![\w./=<-])[A-Za-z][a-z]+ [a-z]{2,}(?![\w./=-])")
# Commands, what was said, names of programs, and examples of commands.
NOT_OURS = re.compile(
    r"backstory [a-z-]+|`[^`]*`|“[^”]*”|MCP memory server|pull request|git rm|pip install.*"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


@pytest.fixture(autouse=True)
def chinese(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the locale be Chinese, and speak English again afterwards."""
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    yield
    speak(Language.ENGLISH)


def english_in(text: str, *said: str) -> list[str]:
    """Return what is English in a text, apart from what was said and examples of commands."""
    for words in (*said, DECIDED.rstrip(".")):
        text = text.replace(words, "…")
    lines = [line for line in text.splitlines() if not re.match(r"    \S|[+-]", line)]
    return ENGLISH.findall(NOT_OURS.sub("…", "\n".join(lines)))


def test_a_life_with_memory_is_told_in_chinese(project: Path) -> None:
    begun, kept = run("init", at=project), run("remember", DECIDED, at=project)
    asked = run("remember", "Shall we use Redis?", at=project)
    found = run("recall", "which database do we use?", at=project)
    nothing = run("recall", "who won the football match?", at=project)
    listed, status = run("list", at=project), run("status", at=project)

    assert "的记忆存放在" in begun.out
    assert re.fullmatch(r"m_\w+  决定  We decided .*database\n", kept.out)
    assert asked.out.endswith("    这是提问\n")
    assert "    按词语找到" in found.out
    assert nothing.out == "没有结果：没有内容与问题有共同的关键词。\n"
    assert listed.out == kept.out
    assert "记忆     决定：1 条有效" in status.out
    for ran in (begun, kept, found, nothing, listed, status):
        assert english_in(ran.out + ran.err) == [], ran.out
    assert english_in(asked.out, "Shall we use Redis") == []


def test_correcting_and_forgetting_are_told_in_chinese(project: Path) -> None:
    item = remembered(project)
    told = [
        run("pin", item, at=project),
        run("undo", at=project),
        run("show", item, at=project),
        run("why", "PostgreSQL", at=project),
        run("search", "PostgreSQL", at=project),
        run("forget", item, at=project),
        run("list", "--all", at=project),
        run("list", at=project),
        run("undo", at=project),
        run("erase", item, "--yes", at=project),
        run("new", at=project),
        run("todo", at=project),
        run("story", at=project),
        run("purpose", at=project),
        run("audit", at=project),
        run("work", at=project),
        run("reindex", at=project),
        run("review", at=project),
        run("cost", at=project),
        run("models", at=project),
        run("export", at=project),
        run("backfill", at=project),
    ]

    assert told[1].out.startswith(f"已撤销：固定 {item}\n")
    assert "（已遗忘）" in told[5].out
    for ran in told:
        assert ran.code == 0
        assert english_in(ran.out + ran.err) == [], ran.out


def test_agents_are_installed_and_looked_over_in_chinese(project: Path) -> None:
    shown = run("install", "codex", "--dry-run", at=project)
    again = run("uninstall", "--dry-run", at=project)
    doctor = run("doctor", at=project)
    off, on = run("off", at=project), run("on", "--session", "s1", at=project)

    assert "Codex 不运行你没有审查过的钩子。" in shown.out
    assert again.out == "无需改动。\n"
    assert doctor.out.endswith("一切正常。\n")
    assert off.out == f"已对编程助手关闭记忆，范围：{project}。\n"
    assert on.out == "已对编程助手开启记忆，范围：会话 s1。\n"
    for ran in (shown, again, doctor, off, on):
        assert english_in(ran.out + ran.err) == []


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["recal"], 2, "没有 'recal' 这个命令"),
        (["search"], 2, "缺少参数"),
        (["list", "--kind", "song"], 2, "不在可选值之中"),
        (["search", "x", "--limit", "0"], 2, "'--limit' 的值无效"),
        (["list", "--nothing"], 2, "没有 --nothing 这个选项"),
        (["purpose", "gardening"], 2, "不是用途；可选"),
        (["show", "m_unknown"], 1, "本项目中没有记忆 'm_unknown'"),
        (["clear"], 1, "0 条记忆、0 轮对话和 0 个事件"),
        (["undo"], 1, "没有可撤销的更改"),
        (["todo", "close", "x"], 2, "请指出哪项待办"),
    ],
)
def test_a_wrong_call_is_told_in_chinese(
    project: Path, words: list[str], code: int, told: str
) -> None:
    ran = run(*words, at=project)

    assert ran.code == code
    assert told in ran.err
    assert english_in(ran.err) == []


def test_programs_are_told_in_english(project: Path) -> None:
    ran = run("show", "m_unknown", "--json", at=project)

    assert ran.told["error"]["message"] == "there is no item 'm_unknown' in this project"
    assert "没有记忆" in ran.err
    assert run("status", "--json", at=project).told["health"] == "empty"


def test_a_damaged_store_is_told_in_chinese(project: Path) -> None:
    remembered(project)
    (project / STORE).write_bytes(b"")
    for log in project.glob(f"{STORE}-*"):
        log.unlink()

    status, listed, doctor = (run(word, at=project) for word in ("status", "list", "doctor"))

    assert "是空的（0 字节）：有程序清空了它" in status.out
    assert listed.code == 1
    assert "存储无法使用" in doctor.out
    for ran in (status, listed, doctor):
        assert english_in(ran.out + ran.err) == []


def test_a_sentence_that_is_put_together_ends_in_chinese(project: Path) -> None:
    (project / "closed.json").write_text(
        '[{"number": 1, "title": "无法登录", "state": "OPEN", "url": "https://example.org/1"}, {}]'
    )

    told = run("tickets", "import", str(project / "closed.json"), at=project).out

    assert told == "已记录 0 个已关闭的工单（共 0 个），1 个尚未关闭，1 个条目无法识别。\n"


@pytest.mark.parametrize("command", ["", *group._MODULES])
def test_no_english_is_left_in_the_help(project: Path, command: str) -> None:
    ran = run(*filter(None, [command, "--help"]), at=project)

    assert ran.code == 0
    assert ran.out.startswith("用法：backstory")
    assert english_in(ran.out) == []
    assert max(map(cell_len, ran.out.splitlines())) <= WIDTH


def test_settings_and_variable_choose_the_language(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_LANGUAGE", "en")
    english = run("todo", at=project)
    monkeypatch.setenv("BACKSTORY_LANGUAGE", "latin")
    wrong = run("todo", "--json", at=project)

    assert english.out == "Nothing is left open.\n"
    assert wrong.code == 2
    assert wrong.told["error"]["slug"] == "usage"
    assert "BACKSTORY_LANGUAGE 的值为 'latin'；应为：en 或 zh" in wrong.err


@pytest.mark.parametrize("words", [["--help"], ["status"], ["recall", "x"], ["show", "m_1"]])
def test_every_other_locale_reads_the_same_bytes(
    project: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    run("init", at=project)
    told = []
    for locale in ("en_US.UTF-8", "C", "de_DE.UTF-8", ""):
        monkeypatch.setenv("LANG", locale)
        told.append(run(*words, at=project))

    assert all(one == told[0] for one in told)
    assert told[0].out.isascii()


@pytest.mark.parametrize(
    ("typed", "is_yes"), [("是\n", True), ("Y\n", True), ("\n", False), ("也许\n否\n", False)]
)
@pytest.mark.parametrize("language", list(Language))
def test_yes_and_no_are_understood_in_both_languages(
    monkeypatch: pytest.MonkeyPatch, typed: str, is_yes: bool, language: Language
) -> None:
    speak(language)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert confirmed("Really?") is is_yes
