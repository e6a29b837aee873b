"""What holds for every test: no real home, no network, and documentation that runs.

Python blocks of the READMEs and docs/ run in order, page by page, in an empty git repository of
their own. `console` blocks run each line after `$ ` in a shell there (`> ` continues a line) and
compare what it prints: `…` stands for whatever differs from run to run (a line that is `…` alone,
for any number of lines), and `exit: N` follows the output of a command that fails. In a command
`m_…` is the last name of that form that was printed, and `c_…` likewise. Pages in Chinese
(README.zh-CN.md and `….zh.md`) are run by somebody who is told things in Chinese.
"""

import os
import pwd
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from doctest import ELLIPSIS
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).resolve().parent

# The home directory of whoever runs the tests, however it is found, before it is hidden.
_REAL_HOMES = {str(Path.home()), pwd.getpwuid(os.getuid()).pw_dir} - {"/", ""}
# Python itself, this repository and temporary files may well lie inside it.
_ALLOWED = (str(ROOT), sys.prefix, sys.base_prefix, tempfile.gettempdir(), "/dev")
_PATH_EVENTS = {"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename"}
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


# A busy machine is no fault of the code; what is to be quick is measured in bench/.
settings.register_profile("backstory", settings.default, deadline=None)
settings.load_profile("backstory")


class ForbiddenInTestsError(RuntimeError):
    """A test reached for the real home directory or for a network."""


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _PATH_EVENTS and isinstance(arguments[0], str | bytes):
        path = os.path.abspath(os.fsdecode(arguments[0]))  # noqa: PTH100 - Path is ten times slower
        if any(_is_below(path, home) for home in _REAL_HOMES) and not any(
            _is_below(path, folder) for folder in _ALLOWED
        ):
            raise ForbiddenInTestsError(f"a test may not touch the real home directory: {path}")
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        _refuse_network(arguments[1])


def _refuse_network(address: tuple[Any, ...]) -> None:
    if address[0] not in _LOOPBACK:
        raise ForbiddenInTestsError(f"a test may not use the network: {address}")


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run an empty home, and make reaching for the real one an error.

    Not a fixture, because the blocks of the documentation have none that applies by itself.
    """
    home = tempfile.TemporaryDirectory(prefix="home-")
    config.add_cleanup(home.cleanup)
    for name in [name for name in os.environ if name.startswith(("BACKSTORY_", "XDG_", "GIT_"))]:
        del os.environ[name]
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        if os.environ.get(name, "").startswith("zh"):  # what is compared is English
            os.environ[name] = "C.UTF-8"
    os.environ |= {
        "HOME": home.name,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A. Tester",
        "GIT_AUTHOR_EMAIL": "tester@example.org",
        "GIT_COMMITTER_NAME": "A. Tester",
        "GIT_COMMITTER_EMAIL": "tester@example.org",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "TERM": "dumb",
    }
    sys.addaudithook(_guard)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the blocks of each page back in their order: a page is one story."""
    blocks = [item for item in items if item.nodeid.split("::")[0].endswith(".md")]
    in_order = iter(sorted(blocks, key=lambda item: (str(item.path), item.location[1] or 0)))
    items[:] = [next(in_order) if item in blocks else item for item in items]


def _begin_page(namespace: dict[str, Any]) -> None:
    namespace["_folder"] = folder = tempfile.TemporaryDirectory(prefix="page-")
    namespace["_back"] = Path.cwd()
    project = Path(folder.name) / "shop"
    project.mkdir()
    os.chdir(project)
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], check=True)


def _begin_chinese_page(namespace: dict[str, Any]) -> None:
    _begin_page(namespace)
    os.environ["BACKSTORY_LANGUAGE"] = "zh"


def _end_page(namespace: dict[str, Any]) -> None:
    os.environ.pop("BACKSTORY_LANGUAGE", None)
    os.chdir(namespace["_back"])
    namespace["_folder"].cleanup()


def _run_console(example: Example) -> str | None:
    """Run a console block, and say where its output differs, if it does."""
    names = example.namespace.setdefault("_names", {})
    for written, expected in _commands(example.parsed):
        if written.startswith("cd "):
            os.chdir(written.removeprefix("cd ").strip())
            continue
        command = written
        for prefix, name in names.items():
            command = command.replace(f"{prefix}…", name)
        shown = _output(command)
        names |= {name[:2]: name for name in re.findall(r"\b[a-z]_[a-z0-9]{6,}", shown)}
        if not re.fullmatch(_pattern(expected), "\n" + shown):
            return f"$ {written}\nprinted\n{shown}\nbut the page says\n{expected}"
    return None


def _output(command: str) -> str:
    result = subprocess.run(
        ["bash", "-c", command], check=False, text=True, capture_output=True, timeout=60
    )
    shown = result.stdout + result.stderr
    return _tidy(f"{shown}\nexit: {result.returncode}" if result.returncode else shown)


def _commands(block: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.rstrip("\n").split("\n")
        end = next((n for n, x in enumerate(lines) if n and not x.startswith(">")), len(lines))
        command = "\n".join([lines[0], *(line[2:] for line in lines[1:end])])
        yield command, _tidy("\n".join(lines[end:]))


def _tidy(output: str) -> str:
    return re.sub(r"\n\n+", "\n", "\n".join(x.rstrip() for x in output.strip("\n").split("\n")))


def _pattern(expected: str) -> str:
    return "".join(
        r"(?:\n.*)*" if line.strip() == "…" else "\n" + re.escape(line).replace("…", ".*")
        for line in expected.split("\n")
    )


def _documents(setup: Callable[[dict[str, Any]], None], *patterns: str, but: str = "") -> Sybil:
    return Sybil(
        parsers=[
            PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
            CodeBlockParser(language="console", evaluator=_run_console),
            SkipParser(),
        ],
        patterns=patterns,
        exclude=but,
        path=str(ROOT),
        setup=setup,
        teardown=_end_page,
    )


pytest_collect_file = (
    _documents(_begin_page, "README.md", "docs/**/*.md", but="*.zh.md")
    + _documents(_begin_chinese_page, "README.zh-CN.md", "docs/**/*.zh.md")
).pytest()
