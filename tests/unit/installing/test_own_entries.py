"""What installing wrote is told apart from what people wrote that calls Backstory, too."""

from pathlib import Path

import pytest

from backstory.adapters.installing.entries import Site, is_our_command, is_our_file, is_ours
from backstory.adapters.installing.hosts import entries_for, hosts
from installing import PROGRAM, a_site

LAUNCHER = ("/opt/a b/bin/python3", "-I", "-S", "/opt/a b/lib/backstory/hooks/start.py")
PYTHON = "'/opt/a b/python3' -P -m backstory.cli.app"
CALL = "hook --host cline --event TaskStart"
# As each version entered them.
LINES = [
    f"{PROGRAM} {CALL} || true",
    f"'/opt/back story/bin/backstory' {CALL} || true",
    f"/opt/python3 -P -m backstory.cli.app {CALL} || true",
    f"/opt/python3 -I -S /opt/backstory/hooks/start.py {CALL} || true",
    f"/opt/python3 -I -S /opt/backstory/hooks/start.py {CALL} || {PROGRAM} {CALL} || true",
]
THEIRS = [
    f"{PROGRAM} {CALL}",
    f"{PROGRAM} {CALL} || true; say done",
    f"{PROGRAM} {CALL} | tee log || true",
    f"cd /src/backstory && ./run {CALL} || true",
    f"$(which backstory) {CALL} || true",
    f"/opt/backstory/run {CALL} || true",
    f"say backstory || {PROGRAM} {CALL} || true",
    f"nice {PROGRAM} {CALL} || true",
    f"say 'unended {CALL} || true",
    "true",
    "",
]


def sites(home: Path) -> list[Site]:
    """Return a home with each form of program."""
    launched = Site(
        home=home, env={}, project=None, program=PROGRAM, has_mcp=True, launcher=LAUNCHER
    )
    return [a_site(home), a_site(home, program=PYTHON), launched]


@pytest.mark.parametrize("line", LINES)
def test_lines_of_every_version_are_ours(line: str) -> None:
    assert is_our_command(line)
    assert is_our_file(f"#!/bin/sh\n{line}\n")
    assert is_ours({"type": "command", "command": line, "timeout": 5})
    assert is_ours({"type": "command", "bash": line, "timeoutSec": 5})


@pytest.mark.parametrize("line", THEIRS)
def test_a_person_s_own_line_is_theirs(line: str) -> None:
    assert not is_our_command(line)
    assert not is_our_file(f"#!/bin/sh\n{line}\n")
    assert not is_ours({"hooks": [{"type": "command", "command": line}]})


@pytest.mark.parametrize("host", hosts())
def test_whatever_is_entered_is_known_again(host: str, tmp_path: Path) -> None:
    for site in sites(tmp_path):
        for entry in entries_for(host, site):
            assert not entry.whole or is_our_file(entry.whole)
            assert entry.value is None or is_ours(entry.value)


def test_a_script_that_calls_the_hook_among_others_is_a_person_s() -> None:
    line = LINES[0]

    assert not is_our_file(f"#!/bin/sh\necho mine\n{line}\n")
    assert not is_our_file(f"#!/bin/bash\n{line}\n")
    assert not is_our_file(f"#!/bin/sh\n{line}\nexec backstory hook\n")
    assert not is_our_file("// calls `backstory hook`\nconst PROGRAM = [];\n")
    assert not is_our_file("")


def test_an_older_plugin_of_opencode_is_ours() -> None:
    head = "// Made by `backstory install opencode`; `backstory uninstall opencode` removes it.\n"

    assert is_our_file(f'{head}\nconst PROGRAM = ["{PROGRAM}"];\n\nfunction tell() {{}}\n')
    assert not is_our_file(f"// {head}")


def test_a_server_of_ours_may_have_what_a_person_added() -> None:
    assert is_ours({"command": PROGRAM, "args": ["mcp"], "env": {"A": "1"}})
    assert is_ours({"type": "local", "command": [PROGRAM, "mcp"], "enabled": True})
    assert not is_ours({"command": "node", "args": ["backstory.js"], "type": "mcp"})
    assert not is_ours({"command": "other", "args": ["mcp"]})
    assert not is_ours(["backstory", "mcp"])
