"""What the path of every prompt loads is light."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hosting import HOOK, QUIET, SOURCE, Host, a_repository

HEAVY = {"pydantic", "typer", "rich", "click", "asyncio", "http", "ssl", "sqlite3", "email"}
READER_PATHS = ["backstory.store", "backstory.recall", "backstory.inject", "backstory.capture"]


@pytest.mark.parametrize("module", READER_PATHS)
def test_reading_memory_loads_nothing_slow(module: str) -> None:
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )

    assert not HEAVY & set(result.stdout.split())


# What a prompt may load beside the standard library, and what of that library is too slow.
HOOK_LIBRARIES = {"apsw", "snowballstemmer", "backstory_snowballstemmer", "backstory"}
SLOW = {"inspect", "subprocess", "tempfile", "shutil", "tomllib", "hashlib", "_hashlib", "secrets"}
SLOW |= {"base64", "random", "zipfile", "platformdirs", "importlib.resources", "importlib.util"}
SLOW |= {"typing", "threading", "urllib.parse", "ipaddress", "datetime", "struct", "unicodedata"}
UNNEEDED = (
    *("backstory.store.upkeep", "backstory.episodes", "backstory.extract", "backstory.api"),
    # What only a type checker reads, and records that a prompt has none of.
    *("backstory.ports.story", "backstory.ports.work", "backstory.ports.clock"),
    *("backstory.model.job", "backstory.model.candidate", "backstory.model.event"),
    # What is made or looked at by other calls, or for words that few prompts hold.
    *("backstory.capture.redact", "backstory.capture.patterns", "backstory.capture.folding"),
    *("backstory.recall.asking.time_rules", "backstory.recall.asking.spans"),
    *("backstory.record.events", "backstory.record.telling", "backstory.record.urgent"),
    *("backstory.inject.index_text", "backstory.inject.history", "backstory.inject.routing"),
    *("backstory.store.story.table", "backstory.store.story.runs", "backstory.store.episodes"),
)
UNNEEDED += ("backstory.speaking", "backstory.adapters.language")


@pytest.mark.case("C13", "C15", "C19")
@pytest.mark.case("C95")
def test_a_prompt_loads_what_it_needs_and_nothing_slow(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path))
    host.turn("We use pytest for all tests here. Please remember that.")
    payload = {
        "session_id": "s2",
        "cwd": str(host.project),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "Which test runner do we use, pytest?",
    }
    ran = subprocess.run(
        [HOOK[0], "-X", "importtime", *HOOK[1:], "--host", "claude-code"],
        input=json.dumps(payload),
        env={**os.environ, **QUIET},
        check=True,
        capture_output=True,
        text=True,
    )
    _, *rows = [line for line in ran.stderr.splitlines() if line.startswith("import time:")]
    loaded = {row.rpartition("|")[2].strip() for row in rows}
    packages = {name.split(".")[0] for name in loaded}

    assert {"backstory.recall.answer", "backstory.hooks.light.typed"} <= loaded
    assert not (HEAVY & packages) | (SLOW & loaded)
    assert not {name for name in loaded if name.startswith(UNNEEDED)}
    assert packages - set(sys.stdlib_module_names) <= HOOK_LIBRARIES


# What a client waits for before it lists what there is, beside the protocol's own library.
GREETING = """
import asyncio, json, sys
from pathlib import Path
from mcp import Client
import mcp.server.mcpserver
before = set(sys.modules)
from backstory.mcp.server import make_server
async def greet():
    async with Client(make_server(Path.cwd())) as client:
        await client.list_tools()
        await client.list_resources()
        await client.list_prompts()
asyncio.run(greet())
print(json.dumps(sorted(set(sys.modules) - before)))
"""
OURS_MAX = 45
NETWORK = {"http.client", "urllib.request", "smtplib", "socketserver", "ssl"}
WORKING = {"store", "api", "extract", "consolidate", "recall", "index", "wiring"}
# What the protocol's own library loads only when it is used.
ITS_OWN = {"mcp", "anyio", "rich"}


@pytest.mark.case("C18")
def test_a_server_greets_before_it_loads_a_model_a_store_or_a_network(tmp_path: Path) -> None:
    project = a_repository(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", GREETING],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = set(json.loads(ran.stdout))
    ours = {name for name in loaded if name.split(".")[0] == "backstory"}
    packages = {name.split(".")[0] for name in loaded}

    assert "backstory.mcp.tools" in ours
    assert len(ours) <= OURS_MAX
    assert not {name for name in ours if name.split(".")[1:2] and name.split(".")[1] in WORKING}
    assert not {name for name in ours if name.startswith("backstory.adapters.models")}
    assert packages - set(sys.stdlib_module_names) <= {"backstory"} | ITS_OWN
    assert not loaded & NETWORK
    assert [path.name for path in (project / ".git").iterdir()].count("backstory") == 0
