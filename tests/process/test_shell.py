"""A real shell writes down what is typed at its prompt, and disturbs nobody."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.sources.shell_lines import TypedCommand, typed_in
from backstory.adapters.sources.snippets import snippet
from backstory.model.words import EventKind
from commands import run
from hosting import a_repository
from projects import an_opening

BEFORE = {
    "bash": "HISTCONTROL=ignoreboth\n",
    "zsh": "setopt HIST_IGNORE_SPACE HIST_IGNORE_DUPS\n",
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a memory."""
    folder = a_repository(tmp_path / "shop")
    Memory.open(folder, opening=an_opening()).close()
    return folder


@pytest.fixture(params=["bash", "zsh"])
def shell(request: pytest.FixtureRequest) -> str:
    """Return a shell that is there."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


def typed(shell: str, lines: str, *, at: Path, ignored: tuple[str, ...] = (), **env: str) -> str:
    """Type lines into an interactive shell, and return what it showed."""
    setup = at.parent / f"setup.{shell}"
    setup.write_text(snippet(shell, ignored=ignored, switch=at.parent / "off"))
    text = f"{BEFORE[shell]}. {setup}\n{lines}"
    done = subprocess.run(
        START[shell],
        cwd=at,
        input=text,
        env={**os.environ, "PS1": "> ", "PROMPT": "> ", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=30,
        check=False,
    )
    return done.stdout


def written(project: Path) -> list[TypedCommand]:
    """Return what was written down."""
    file = project / ".git/backstory/spool/shell.lines"
    lines = list(typed_in(file)) if file.exists() else []
    assert None not in lines
    return [line for line in lines if line is not None]


def test_a_command_is_written_down_with_how_it_ended(shell: str, project: Path) -> None:
    typed(shell, "false\n(exit 7)\necho 中文 ✓\n", at=project)
    lines = written(project)

    assert [(x.command, x.exit_code) for x in lines] == [
        ("false", 1),
        ("(exit 7)", 7),
        ("echo 中文 ✓", 0),
    ]
    assert {x.folder for x in lines} == {str(project)}
    assert {x.branch for x in lines} == {"main"}
    assert all(0 < x.begun_at_ms <= x.ended_at_ms for x in lines)


def test_the_same_command_again_is_written_down_again(shell: str, project: Path) -> None:
    typed(shell, "false\nfalse\nfalse\n", at=project)

    assert [x.command for x in written(project)] == ["false"] * 3


def test_a_command_of_several_lines_is_one(shell: str, project: Path) -> None:
    typed(shell, "echo 'a\nb'\nfor i in 1 2; do\ntrue\ndone\n", at=project)
    first, second = [x.command for x in written(project)]

    assert first == "echo 'a\nb'"
    assert second.startswith("for i in 1 2")


def test_what_begins_with_a_space_or_matches_a_pattern_is_not_written(
    shell: str, project: Path
) -> None:
    lines = " export KEY=secret\nssh me@host true\nmy vault open\nfalse\n"
    typed(shell, lines, at=project, ignored=("ssh *", "*vault*", "[!a-z]*", "$(boom", "it's"))

    assert [x.command for x in written(project)] == ["false"]


def test_what_is_typed_into_other_programs_is_not_written(shell: str, project: Path) -> None:
    typed(shell, "read x\nmy secret answer\ncat <<END\nhidden\nEND\n", at=project)

    assert "my secret answer" not in [x.command for x in written(project)]
    assert len(written(project)) == 2


def test_the_exit_code_and_the_last_word_are_as_they_were(shell: str, project: Path) -> None:
    lines = '(exit 3)\necho "code $?"\necho one two\necho "word $_"\n'
    shown = typed(shell, lines, at=project)

    assert "code 3" in shown
    assert "word two" in shown or shell == "zsh"  # where every hook changes it


@pytest.mark.parametrize(
    "env",
    [
        {"BACKSTORY_OFF": "1"},
        {"BACKSTORY_CAPTURE_SHELL": "false"},
        {"BACKSTORY_PURPOSE": "code_audit"},
    ],
)
def test_where_memory_is_off_nothing_is_written(
    shell: str, project: Path, env: dict[str, str]
) -> None:
    typed(shell, "false\n", at=project, **env)

    assert not (project / ".git/backstory/spool").exists()


@pytest.mark.parametrize("switch", ["shop/.git/backstory/off", "off"])
def test_a_switch_of_the_project_or_the_machine_is_respected(
    shell: str, project: Path, switch: str
) -> None:
    (project.parent / switch).touch()
    typed(shell, "false\n", at=project)

    assert not (project / ".git/backstory/spool").exists()


def test_a_project_without_a_memory_records_nothing(shell: str, tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "other")
    shown = typed(shell, "false\n", at=folder)

    assert not (folder / ".git/backstory").exists()
    assert "backstory" not in shown.replace(f"{shell}", "")


@pytest.mark.promise("R153")
def test_the_first_time_in_a_project_is_told_and_no_other(shell: str, project: Path) -> None:
    assert "is recorded from now on" in typed(shell, "false\n", at=project)
    assert "is recorded" not in typed(shell, "false\n", at=project)


def test_files_are_for_their_owner_alone_and_a_full_disk_is_no_noise(
    shell: str, project: Path
) -> None:
    typed(shell, "umask 022\nfalse\n", at=project)
    spool = project / ".git/backstory/spool"

    assert spool.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in spool.iterdir())

    (spool / "shell.lines").unlink()
    (spool / "shell.lines").symlink_to("/dev/full")
    shown = typed(shell, "false\n", at=project)

    assert "space" not in shown
    assert "error" not in shown


def test_a_linked_work_tree_and_a_plain_folder_are_found(shell: str, tmp_path: Path) -> None:
    main = a_repository(tmp_path / "main")
    Memory.open(main, opening=an_opening()).close()
    private = main / ".git/worktrees/second"
    private.mkdir(parents=True)
    (private / "HEAD").write_text("ref: refs/heads/fix\n")
    (private / "commondir").write_text("../..\n")
    tree = tmp_path / "second" / "src"
    tree.mkdir(parents=True)
    (tree.parent / ".git").write_text(f"gitdir: {private}\n")
    plain = tmp_path / "plain"
    plain.mkdir()
    run("init", at=plain)
    typed(shell, f"cd src && false\ncd {plain} && false\n", at=tree.parent)

    (line,) = written(main)
    assert (line.branch, line.folder) == ("fix", str(tree))
    assert (plain / ".backstory/spool/shell.lines").exists()


def test_what_was_typed_becomes_events_once(shell: str, project: Path) -> None:
    typed(shell, "pytest --nothing-like-it\nls\nmake secrets API_KEY=sk-ant-x1\n", at=project)
    with Memory.open(project, opening=an_opening()) as memory:
        assert memory.take_in_shell() == 2
        assert memory.take_in_shell() == 0
        exported = memory.export().read_text()

    assert f'"kind": "{EventKind.TEST_RUN}"' in exported
    assert '"ls"' not in exported
    assert not list((project / ".git/backstory/spool").glob("shell*.*"))


def test_bash_keeps_what_others_put_around_the_prompt(project: Path) -> None:
    lines = (
        "PROMPT_COMMAND='echo \"[$? ${PIPESTATUS[*]}]\"'\n. ../setup.bash\n"
        "unset __backstory_bang\n. ../setup.bash\nfalse | (exit 4)\n"
    )
    typed("bash", "", at=project)
    shown = typed("bash", lines, at=project)

    assert "[4 1 4]" in shown


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let shells find a home without files of anybody."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HISTFILE", str(tmp_path / "home/history"))


@pytest.mark.parametrize("link", ["spool", "spool/shell.lines", "spool/shell-told"])
def test_a_link_in_the_folder_of_a_memory_is_not_written_through(
    shell: str, tmp_path: Path, link: str
) -> None:
    """Whoever unpacks somebody else's folder may get a memory with it, and links."""
    folder, theirs = tmp_path / "unpacked", tmp_path / "theirs"
    (folder / ".backstory").mkdir(parents=True)
    (folder / ".backstory/memory.db").touch()
    if link == "spool":
        theirs.mkdir()
    else:
        (folder / ".backstory/spool").mkdir()
        theirs.write_text("before\n")
    (folder / ".backstory" / link).symlink_to(theirs)
    typed(shell, "make\n", at=folder)

    assert not theirs.is_dir() or [*theirs.iterdir()] == []
    assert theirs.is_dir() or theirs.read_text() == "before\n"
    assert not (folder / ".backstory/spool/shell.lines").is_file() or link == "spool/shell.lines"
