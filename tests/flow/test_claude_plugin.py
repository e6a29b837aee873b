"""The plugin for Claude Code enters what `backstory install claude-code` enters, and no more."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from backstory.adapters.installing.hosts import entries_for
from installing import a_site
from source_tree import ROOT

MARKETPLACE = ROOT / "integrations"
PLUGIN = MARKETPLACE / "claude-code"
MARKDOWN = sorted((*PLUGIN.glob("commands/*.md"), *PLUGIN.glob("skills/*/SKILL.md")))


def told(place: str) -> Any:
    """Return a file of the plugin."""
    return json.loads((PLUGIN / place).read_text(encoding="utf-8"))


def test_its_hooks_and_server_are_those_that_install_enters(tmp_path: Path) -> None:
    entries = entries_for("claude-code", a_site(tmp_path, program="backstory"))
    hooks = {entry.path[-1]: [entry.value] for entry in entries if entry.is_in_list}
    (server,) = [entry.value for entry in entries if not entry.is_in_list]

    assert told("hooks/hooks.json")["hooks"] == hooks
    assert told(".mcp.json")["mcpServers"] == {"backstory": server}


def test_its_manifest_and_the_marketplace_name_the_same_plugin() -> None:
    manifest = told(".claude-plugin/plugin.json")
    shop = json.loads((MARKETPLACE / ".claude-plugin" / "marketplace.json").read_text())
    (offered,) = shop["plugins"]

    assert re.fullmatch(r"[a-z][a-z0-9-]*", manifest["name"])
    assert (offered["name"], offered["description"]) == (
        manifest["name"],
        manifest["description"],
    )
    assert (MARKETPLACE / offered["source"]).resolve() == PLUGIN


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.stem)
def test_its_commands_and_its_skill_say_what_they_are_for(path: Path) -> None:
    head, body = path.read_text(encoding="utf-8").removeprefix("---\n").split("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())

    assert fields["description"]
    assert body.strip()
    assert fields.get("name", path.parent.name) == path.parent.name


@pytest.mark.slow
@pytest.mark.parametrize("folder", [PLUGIN, MARKETPLACE], ids=["plugin", "marketplace"])
def test_claude_code_finds_it_valid(folder: Path, tmp_path: Path) -> None:
    program = shutil.which("claude")
    if program is None:
        pytest.skip("no `claude` on the path: npm package @anthropic-ai/claude-code 2.1.332")
    ran = subprocess.run(
        [program, "plugin", "validate", folder],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Validation passed" in ran.stdout
