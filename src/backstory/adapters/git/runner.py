"""Runs the git program so that it disturbs nobody: no hooks, pager, prompts, locks or network."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from backstory.adapters.system import NO_WINDOW
from backstory.model.errors import VcsUnavailableError

if sys.platform == "linux":
    import fcntl

# Somebody may be waiting; a repository that answers later is one to go on without.
ASK_SECONDS = 2.0
# A batch of history is read beside other work; this only ends what hangs.
BULK_SECONDS = 600.0

_CHUNK_BYTES = 1 << 16
# What Linux lets anybody have (pipe(7)): git runs some hundred commits ahead.
_PIPE_BYTES = 1 << 20
_ERROR_CHARS_MAX = 500

# Settings of the user or the repository that would run programs, reach out, or change the output.
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.quotePath": "false",
    "credential.helper": "",
    "protocol.allow": "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "log.showSignature": "false",
    "log.mailmap": "false",
    "diff.renameLimit": "1000",
    "color.ui": "false",
}


class Git:
    """The git program in one repository."""

    def __init__(self, root: Path, *, program: str = "git", environ: Mapping[str, str]) -> None:
        self._root = root
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        self._command = [program, "--no-pager", "--no-optional-locks", *settings]
        self._environment = environment(environ)

    def ask(self, *arguments: str, given: bytes = b"", seconds: float = ASK_SECONDS) -> bytes:
        """Return what git prints. Raises `VcsUnavailableError` where it fails."""
        code, output, complaint = self.attempt(*arguments, given=given, seconds=seconds)
        if code:
            raise VcsUnavailableError(f"git {arguments[0]} failed in {self._root}: {complaint}")
        return output

    def attempt(
        self, *arguments: str, given: bytes = b"", seconds: float = ASK_SECONDS
    ) -> tuple[int, bytes, str]:
        """Return git's exit code, what it prints, and its complaint in one line."""
        try:
            done = subprocess.run(
                [*self._command, *arguments],
                cwd=self._root,
                env=self._environment,
                input=given,
                capture_output=True,
                creationflags=NO_WINDOW,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise VcsUnavailableError(
                f"git {arguments[0]} took more than {seconds:g} seconds in {self._root}"
            ) from error
        except OSError as error:
            raise self._not_run(error) from error
        return done.returncode, done.stdout, _line(done.stderr)

    def stream(
        self, *arguments: str, given: bytes = b"", seconds: float = BULK_SECONDS
    ) -> Iterator[bytes]:
        """Yield what git prints, piece by piece. Raises `VcsUnavailableError` where it fails."""
        with tempfile.TemporaryFile() as complaints:
            process = self._started(arguments, complaints)
            clock = threading.Timer(seconds, process.kill)
            clock.start()
            try:
                yield from _pieces(process, given)
                code = process.wait()
            finally:
                clock.cancel()
                _end(process)
            if code:
                complaints.seek(0)
                reason = _line(complaints.read()) or f"it was ended after {seconds:g} seconds"
                raise VcsUnavailableError(f"git {arguments[0]} failed in {self._root}: {reason}")

    def _started(
        self, arguments: Sequence[str], complaints: IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                [*self._command, *arguments],
                cwd=self._root,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                creationflags=NO_WINDOW,
            )
        except OSError as error:
            raise self._not_run(error) from error

    def _not_run(self, error: OSError) -> VcsUnavailableError:
        if not self._root.is_dir():
            return VcsUnavailableError(f"there is no directory {self._root}")
        return VcsUnavailableError(f"git cannot be run ({error.strerror}); is it installed?")


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which git asks nobody and fetches nothing.

    Every `GIT_` variable is dropped: in a hook of a linked work tree they name another repository.
    """
    kept = {key: value for key, value in environ.items() if not key.startswith("GIT_")}
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_OPTIONAL_LOCKS": "0",
        # Missing objects of a partial clone stay missing: by name since git 2.44, and for
        # older ones because no protocol is allowed.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
    }


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None and not pipe.closed:
            pipe.close()


def _pieces(process: "subprocess.Popen[bytes]", given: bytes) -> Iterator[bytes]:
    """Hand git its input, then yield its output; it reads all of the one before the other."""
    assert process.stdin is not None
    assert process.stdout is not None
    _widen(process.stdout.fileno())
    try:
        process.stdin.write(given)
        process.stdin.close()
    except BrokenPipeError:
        # Git gave up early; its exit code says why.
        pass
    while piece := os.read(process.stdout.fileno(), _CHUNK_BYTES):
        yield piece


def _widen(pipe: int) -> None:
    """Let git run ahead while what it printed is worked on, where the system can do that."""
    if sys.platform == "linux":
        # A user may own only so many pages of pipes: the plain size is slower, not wrong.
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _line(complaint: bytes) -> str:
    return " ".join(complaint.decode("utf-8", "replace").split())[:_ERROR_CHARS_MAX]
