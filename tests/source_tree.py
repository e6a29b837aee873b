"""The project's own files, as the rules in tests/rules read them."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "backstory"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One Python file: where it is, its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path from the repository's root, with slashes."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    """Return the Python files under these folders, or the file where it is one."""
    paths = [
        path
        for folder in folders
        for path in ([ROOT / folder] if (ROOT / folder).is_file() else _python_files(folder))
    ]
    texts = [(path, path.read_text(encoding="utf-8")) for path in paths]
    return tuple(Module(path, text, ast.parse(text, str(path))) for path, text in texts)


def _python_files(folder: str) -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*.py") if "__pycache__" not in p.parts)


def source() -> tuple[Module, ...]:
    """Return what is shipped."""
    return modules("src")


def tooling() -> tuple[Module, ...]:
    """Return the scripts around it: they are read by people too."""
    return modules(
        "scripts/check", "scripts/concepts", "scripts/reference", "bench", "conftest.py"
    )


def checks() -> tuple[Module, ...]:
    """Return the tests."""
    return modules("tests")


def functions(module: Module) -> Iterator[Function]:
    """Yield every function and method, nested ones too."""
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            yield node


def place(module: Module, node: ast.stmt | ast.expr | ast.ExceptHandler) -> str:
    """Say where something is, in the form that editors jump to."""
    return f"{module.name}:{node.lineno}"


@cache
def files() -> tuple[Path, ...]:
    """Return every file that is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(path for path in paths if path.is_file())


def pages() -> tuple[Path, ...]:
    """Return the pages of documentation."""
    roots = (ROOT / name for name in ("README.md", "README.zh-CN.md", "AGENTS.md"))
    return (*roots, *sorted((ROOT / "docs").rglob("*.md")))


def listed(problems: list[str]) -> str:
    """Put each problem on a line of its own, so that none is cut off."""
    return "\n".join(["", *problems])
