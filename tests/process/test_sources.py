"""What runs in the foreground records while it runs, and ends when it is told to."""

import hashlib
import hmac
import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from commands import run
from projects import a_project

SECRET = "hush"


@contextmanager
def running(*words: str, at: Path, **env: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command until it is told to end, and see that it ends well."""
    process = subprocess.Popen(
        [sys.executable, "-m", "backstory.cli.app", *words],
        cwd=at,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def save_until_told(path: Path, process: subprocess.Popen[str]) -> None:
    """Save a file again and again: the system begins to notify a moment after it was asked."""
    for number in range(100):
        path.write_text(f"x = {number}\n")
        if select.select([process.stdout], [], [], 0.3)[0]:
            return


def events(project: Path) -> int:
    with Memory.open(project, opening=Opening()) as memory:
        return memory.status().events


@pytest.mark.promise("R66", "R75")
def test_saved_files_are_recorded_while_somebody_watches(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    (project / "src").mkdir()
    (project / "src/a.py").write_text("x = 1\n")
    with running("watch", at=project) as process:
        assert "saved files are recorded in 2 folders" in line_of(process)

        save_until_told(project / "src/a.py", process)
        assert line_of(process) == "saved  src/a.py\n"

        (project / "src/new.py.part").write_text("y")
        (project / "src/new.py.part").rename(project / "src/新.py")
        assert line_of(process) == "saved  src/新.py\n"

    assert events(project) == 2
    (project / "src/b.py").write_text("x = 3\n")
    assert events(project) == 2


def deliver(process: subprocess.Popen[str], *, number: int, port: int) -> tuple[int, str]:
    """Deliver that a ticket is closed; return the answer's status and what is told of it."""
    issue = {"number": number, "state": "closed", "closed_at": "2026-03-01T10:00:00Z"}
    body = json.dumps({"action": "closed", "issue": issue}).encode()
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    headers = {"X-GitHub-Event": "issues", "X-Hub-Signature-256": f"sha256={digest}"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", "/github", body, headers)
    status = connection.getresponse().status
    connection.close()
    return status, line_of(process)


def port_of(process: subprocess.Popen[str]) -> int:
    found = re.search(r"http://127\.0\.0\.1:(\d+)/github\.", line_of(process))
    assert found
    return int(found.group(1))


def test_signed_deliveries_are_recorded_until_it_ends(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    env = {"BACKSTORY_WEBHOOK_GITHUB_SECRET": SECRET}
    with running("webhooks", "--port", "0", at=project, **env) as process:
        told = deliver(process, number=1, port=port_of(process))

        assert told == (200, "github: #1 closed\n")

    assert events(project) == 1


def test_what_has_run_for_long_is_silent_as_soon_as_memory_is_off_or_isolated(
    tmp_path: Path,
) -> None:
    project = a_project(tmp_path / "shop")
    env = {"BACKSTORY_WEBHOOK_GITHUB_SECRET": SECRET}
    with running("webhooks", "--port", "0", at=project, **env) as process:
        port = port_of(process)
        run("off", at=project)
        off = deliver(process, number=1, port=port)
        run("on", at=project)
        run("purpose", "code_audit", at=project)
        isolated = deliver(process, number=2, port=port)
        run("purpose", "coding", at=project)
        again = deliver(process, number=3, port=port)

        assert off == (503, "github: memory is off for this project\n")
        assert isolated == (503, "github: memory is isolated for code_audit\n")
        assert again == (200, "github: #3 closed\n")

    assert events(project) == 1
