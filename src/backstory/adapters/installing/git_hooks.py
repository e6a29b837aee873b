"""Hooks of git as hints: they start a catch-up in the background, and nothing waits for it.

A hook that is missed loses nothing: the next session reads history anyway. So a foreign hook
keeps its file, its place and its exit code, and where there is a doubt nothing is entered.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.git.runner import environment
from backstory.adapters.installing.entries import (
    HASH_MARKS,
    SCRIPT_START,
    Entry,
    Site,
    marked,
    program_words,
)
from backstory.adapters.system import NO_WINDOW
from backstory.model.errors import UnreadableInputError, VcsUnavailableError

NAME = "git"
# A merge, a fast-forward, an amendment and a new branch each have one of their own: githooks(5).
EVENTS = ("post-commit", "post-merge", "post-rewrite", "post-checkout")
# Where pre-commit and lefthook put a hook that they find.
_PUT_ASIDE = ("", ".legacy", ".old")
_SHELL = re.compile(r"#!.*\b(?:ba|da|k|z|a)?sh\b")
_GIT_SECONDS = 10
# What `git rev-parse --local-env-vars` names (git 2.39), without asking it.
_LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT"
    " GIT_OBJECT_DIRECTORY GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE"
    " GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE GIT_PREFIX"
    " GIT_INTERNAL_SUPER_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A hook that a person has to see to: which, why, and what to do."""

    event: str
    because: str
    to_do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Where hooks go, and those that are left out."""

    entries: tuple[Entry, ...]
    left_out: tuple[LeftOut, ...]


def hooks_of(site: Site) -> Hooks:
    """Return the hooks of the project's repository, whichever program looks after them.

    Raises `VcsUnavailableError` where it is no repository.
    """
    folder = _folder(site)
    entries: list[Entry] = []
    left_out: list[LeftOut] = []
    for event in EVENTS:
        because, to_do = _doubt(folder / event, site)
        if because:
            left_out.append(LeftOut(event=event, because=because, to_do=to_do))
        else:
            entries.append(_entry(folder / event, site))
    return Hooks(entries=tuple(entries), left_out=tuple(left_out))


def hooks_to_remove(site: Site) -> list[Entry]:
    """Return every place where a hook of ours may be now."""
    folder = _folder(site)
    files = (folder / f"{event}{ending}" for event in EVENTS for ending in _PUT_ASIDE)
    return [_entry(file, site) for file in files]


def hint(site: Site) -> str:
    """Return the line that starts a catch-up."""
    words = " ".join(map(shlex.quote, program_words(site)))
    return f"{words} work --commits"


def _entry(file: Path, site: Site) -> Entry:
    return Entry(
        file=file,
        block=marked([*_lines(site, file.name)], HASH_MARKS),
        is_on_top=True,
        is_program=True,
        skeleton=SCRIPT_START,
    )


def _lines(site: Site, event: str) -> Iterator[str]:
    """Yield what the shell does, with none of the programs that take time from a commit."""
    program = shlex.quote(program_words(site)[0])
    yield "# `backstory uninstall git` removes this. It is a hint: nothing is lost without it."
    yield "("
    yield "  trap '' HUP INT"
    yield f"  command -v {program} || exit 0"
    if not event.startswith("post-rewrite"):
        # A rebase commits again and again; it calls post-rewrite once, when it is done.
        # Git names its directory where that is not this one: in a linked work tree, a submodule.
        yield '  at=${GIT_DIR:-.git}; [ -d "$at" ] || at=$(git rev-parse --git-dir)'
        yield '  [ -d "$at/rebase-merge" ] || [ -d "$at/rebase-apply" ] && exit 0'
    # In a linked work tree git exports where it is.
    yield f"  unset {_LOCAL_VARIABLES}"
    yield f"  exec nice -n 19 {hint(site)}"
    yield ") </dev/null >/dev/null 2>&1 &"


def _doubt(file: Path, site: Site) -> tuple[str, str]:
    """Return why a hook is not entered by itself and what to do, or twice ""."""
    by_hand = f"add `{hint(site)} >/dev/null 2>&1 &` to it yourself"
    real = Path(os.path.realpath(file))
    own = Path(os.path.realpath(_asked(site, "--git-common-dir")))
    if own not in real.parents:
        root = Path(os.path.realpath(_asked(site, "--show-toplevel")))
        if root not in real.parents:
            return f"{file.parent} serves other repositories, too", by_hand
        if not _is_ignored(site, real):
            return f"{file} belongs to what you publish", by_hand
    if not file.exists():
        return "", ""
    if not _SHELL.match(_beginning(file)):
        return f"{file} is no shell script", by_hand
    if os.access(file, os.X_OK):
        return "", ""
    return f"{file} may not be run, so git passes it over", "let it be run, or remove it"


def _beginning(file: Path) -> str:
    try:
        return file.read_bytes()[:200].decode("utf-8", "replace")
    except OSError as error:
        raise UnreadableInputError(f"{file} cannot be read: {error.strerror}") from error


def _folder(site: Site) -> Path:
    return _asked(site, "--git-path", "hooks")


def _top(site: Site) -> Path:
    assert site.project is not None  # hooks belong to a repository
    return site.project


def _asked(site: Site, *words: str) -> Path:
    """Return a place that git knows; it answers relative to where it was asked."""
    code, told = _git(site, "rev-parse", *words)
    if code:
        raise VcsUnavailableError(f"git hooks cannot be entered: {told}")
    return _top(site) / told


def _is_ignored(site: Site, file: Path) -> bool:
    return _git(site, "check-ignore", "-q", "--", str(file))[0] == 0


def _git(site: Site, *words: str) -> tuple[int, str]:
    """Ask git with the user's own settings: where hooks are is one of them."""
    try:
        ran = subprocess.run(
            ["git", *words],
            cwd=_top(site),
            env=environment(site.env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            creationflags=NO_WINDOW,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VcsUnavailableError(f"git cannot be asked for its hooks: {error}") from error
    output = ran.stdout if ran.returncode == 0 else ran.stderr
    return ran.returncode, os.fsdecode(output).strip("\n")
