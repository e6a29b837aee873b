"""The command as a real program: its streams, signals, locales and what it loads."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from projects import a_project, memory_of, say

SAID = "以后提交信息一律用中文写。"
BACKSTORY = [sys.executable, "-m", "backstory.cli.app"]
HEAVY = {"typer", "rich", "pydantic", "apsw", "platformdirs", "asyncio", "sqlite3"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository whose memory holds a Chinese rule."""
    folder = a_project(tmp_path / "shop")
    with memory_of(folder) as memory:
        say(memory, SAID)
    return folder


def ran(*words: str | bytes, at: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*BACKSTORY, *words], cwd=at, env=environment(**env), capture_output=True, check=False
    )


def environment(**env: str) -> dict[str, str]:
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONIO"))}
    source = str(Path(__file__).parents[2] / "src")
    return {**plain, "PYTHONPATH": source, **env}


@pytest.mark.case("C67")
@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "C.UTF-8", "PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
def test_output_is_utf8_whatever_the_locale_says(project: Path, env: dict[str, str]) -> None:
    listed = ran("list", at=project, **env)
    as_json = ran("list", "--json", at=project, **env)
    helped = ran("recall", "--help", at=project, **env)

    assert "以后提交信息一律用中文写" in listed.stdout.decode("utf-8")
    assert json.loads(as_json.stdout.decode("utf-8"))[0]["statement"] == SAID.rstrip("。")
    assert "提交信息用什么语言" in helped.stdout.decode("utf-8")
    assert (listed.stderr, as_json.stderr, helped.returncode) == (b"", b"", 0)


@pytest.mark.case("C67")
def test_chinese_arguments_are_understood_in_the_c_locale(project: Path) -> None:
    found = ran("recall", "提交信息用什么语言？", at=project, LC_ALL="C")

    assert "convention" in found.stdout.decode("utf-8")


def test_arguments_that_are_no_text_are_a_wrong_call(project: Path) -> None:
    told = ran("remember", b"caf\xe9", at=project, LC_ALL="C.UTF-8")

    assert told.returncode == 2
    assert "not UTF-8 text" in told.stderr.decode("utf-8")


@pytest.mark.case("C45")
def test_paths_may_be_any_bytes(project: Path) -> None:
    copy = os.fsencode(project.parent) + b"/caf\xe9.json"

    exported = ran("export", copy, at=project, LC_ALL="C.UTF-8")
    as_json = ran("export", copy + b"2", "--json", at=project, LC_ALL="C.UTF-8")

    assert (exported.returncode, as_json.returncode) == (0, 0)
    assert Path(os.fsdecode(copy)).exists()
    assert json.loads(as_json.stdout)["path"].endswith(".json2")


@pytest.mark.parametrize("words", [["list", "--all"], ["list", "--json"], ["--help"]], ids=str)
def test_a_reader_that_has_gone_is_no_error(project: Path, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    told = subprocess.run(
        [*BACKSTORY, *words],
        cwd=project,
        env=environment(),
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)

    assert told.returncode == 0
    assert told.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has such a file")
@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["show", "x", "--json"]], ids=str)
def test_a_full_disk_behind_the_output_is_told(project: Path, words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        told = subprocess.run(
            [*BACKSTORY, *words],
            cwd=project,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert told.returncode == 1
    assert told.stderr.startswith(b"backstory: ")
    assert b"Traceback" not in told.stderr


def test_closed_streams_stop_no_command(project: Path) -> None:
    told = subprocess.run(
        ["sh", "-c", '"$@" >&- 2>&- <&-', "sh", *BACKSTORY, "remember", "Use tabs in Go, always."],
        cwd=project,
        env=environment(),
        check=False,
    )

    assert told.returncode == 0
    assert b"Use tabs in Go" in ran("search", "tabs", at=project).stdout


def test_an_error_that_nobody_can_read_still_has_its_code(project: Path) -> None:
    told = subprocess.run(
        ["sh", "-c", '"$@" 2>&-', "sh", *BACKSTORY, "show", "m_none"],
        cwd=project,
        env=environment(),
        check=False,
    )

    assert told.returncode == 1


def test_an_interrupted_command_says_so_and_keeps_what_it_had(project: Path) -> None:
    # The editor stands for anything that takes long.
    script = project.parent / "editor"
    script.write_text("#!/bin/sh\necho started >&2\nexec sleep 60\n")
    script.chmod(0o755)
    (item,) = json.loads(ran("list", "--json", at=project).stdout)
    leads, follows = os.openpty()
    process = subprocess.Popen(
        [*BACKSTORY, "edit", item["id"]],
        cwd=project,
        env=environment(EDITOR=str(script)),
        stdin=follows,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # What runs the tests in the background may have its interruptions ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"started\n"

    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    os.close(leads)
    os.close(follows)

    assert process.returncode == 130
    assert b"interrupted" in told
    assert b"Traceback" not in told
    assert "以后提交信息" in ran("list", at=project).stdout.decode()


def test_version_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from backstory.cli.app import main; main(['--version']); "
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    first, loaded = told.stdout.splitlines()

    assert first.startswith("backstory ")
    assert not HEAVY & set(loaded.split())


def test_a_command_loads_its_own_module_alone(project: Path) -> None:
    code = (
        "import sys; from backstory.cli.app import _run; _run(['list']); "
        "print(*(name for name in sys.modules if name.startswith('backstory.cli.commands.')))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout.splitlines()[-1] == "backstory.cli.commands.looking"


def test_completion_knows_commands_options_and_kinds(project: Path) -> None:
    def completed(line: str) -> list[str]:
        words = line.split(" ")
        env = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        told = ran(at=project, _BACKSTORY_COMPLETE="complete_bash", **env)
        return told.stdout.decode().split()

    assert completed("backstory re") == [
        *("remember", "recall", "review", "reindex", "relink"),
    ]
    assert completed("backstory list --st") == ["--status"]
    assert "project_decision" in completed("backstory list --kind ")


def test_several_commands_at_once_lose_nothing(project: Path) -> None:
    words = [f"Always use library number {n} for module {n}." for n in range(4)]
    processes = [
        subprocess.Popen(
            [*BACKSTORY, "remember", text, "--json"],
            cwd=project,
            env=environment(),
            stdout=subprocess.PIPE,
        )
        for text in words
    ]
    told = [json.loads(process.communicate()[0]) for process in processes]

    assert [process.returncode for process in processes] == [0] * len(words)
    made = {item["id"] for answer in told for item in answer["items"]}
    kept = json.loads(ran("list", "--json", at=project).stdout)
    assert made <= {item["id"] for item in kept}


@pytest.mark.case("C17")
def test_json_goes_to_one_stream_and_words_to_the_other(project: Path) -> None:
    told = ran("show", "m_none", "--json", at=project)

    assert json.loads(told.stdout)["error"]["slug"] == "not-found"
    assert told.stderr.startswith(b"backstory: there is no item")
