"""Installing enters what each host needs; uninstalling leaves no trace of it."""

import json
import stat
import tomllib
from pathlib import Path

import pytest

from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import entries_for, hosts, vscode_folder
from backstory.model.errors import UnreadableInputError
from commands import run
from hosting import a_repository, state_of
from installing import PROGRAM, a_site, install, snapshot, uninstall

COMMENTED = """{
  // mine
  "permissions": {"allow": ["Bash(ls:*)"]},
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]} // keep
    ],
    "UserPromptSubmit": []
  },
  "mcpServers": {"other": {"command": "other"}},
}
"""
TOML = '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "other" # keep'


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return a user's home."""
    return a_site(tmp_path)


def fill(host: str, site: Site) -> None:
    """Put foreign content into every file that a host's entries go to."""
    for file in {e.file for e in entries_for(host, site) if not e.whole}:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TOML if file.suffix == ".toml" else COMMENTED)


@pytest.mark.case("C20")
@pytest.mark.parametrize("host", hosts())
@pytest.mark.parametrize("is_filled", [True, False])
def test_uninstalling_leaves_every_byte_as_it_was(host: str, site: Site, is_filled: bool) -> None:
    if is_filled:
        fill(host, site)
    before = snapshot(site)
    install(host, site)
    during = snapshot(site)
    uninstall(host, site)

    assert during != before
    assert snapshot(site) == before


@pytest.mark.parametrize("host", hosts())
def test_installing_twice_changes_nothing_more(host: str, site: Site) -> None:
    fill(host, site)
    install(host, site)

    assert install(host, site) == []


@pytest.mark.case("C20")
@pytest.mark.parametrize("host", hosts())
def test_what_others_added_later_stays_when_ours_goes(host: str, site: Site) -> None:
    fill(host, site)
    before = snapshot(site)
    install(host, site)
    for name in [name for name, text in before.items() if text is not None]:
        Path(name).write_text(Path(name).read_text().replace("mine", "theirs"))
    uninstall(host, site)

    assert snapshot(site) == {
        name: text and text.replace(b"mine", b"theirs") for name, text in before.items()
    }


def test_hooks_of_claude_code_have_its_shape(site: Site) -> None:
    install("claude-code", site)
    settings = json.loads((site.home / ".claude" / "settings.json").read_text())
    servers = json.loads((site.home / ".claude.json").read_text())
    prompt = settings["hooks"]["UserPromptSubmit"]

    assert prompt == [
        {
            "hooks": [
                {
                    "type": "command",
                    "command": f"{PROGRAM} hook --host claude-code --event UserPromptSubmit"
                    " || true",
                    "timeout": 5,
                }
            ]
        }
    ]
    assert settings["hooks"]["PostToolUseFailure"][0]["matcher"] == "Bash"
    assert servers["mcpServers"]["backstory"] == {"command": PROGRAM, "args": ["mcp"]}


def test_other_hosts_have_theirs(site: Site) -> None:
    for host in hosts():
        install(host, site)
    home = site.home
    gemini = json.loads((home / ".gemini" / "settings.json").read_text())
    cursor = json.loads((home / ".cursor" / "hooks.json").read_text())
    codex = tomllib.loads((home / ".codex" / "config.toml").read_text())
    vscode = json.loads((vscode_folder(site) / "mcp.json").read_text())
    opencode = json.loads((home / ".config" / "opencode" / "opencode.json").read_text())

    assert gemini["hooks"]["BeforeAgent"][0]["hooks"][0]["timeout"] == 5000
    assert (cursor["version"], set(cursor["hooks"])) == (
        1,
        {"sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop"},
    )
    assert codex["mcp_servers"]["backstory"] == {"command": PROGRAM, "args": ["mcp"]}
    assert vscode["servers"]["backstory"]["type"] == "stdio"
    assert opencode["mcp"]["backstory"]["command"] == [PROGRAM, "mcp"]


def test_codex_is_not_asked_for_more_time_than_it_gives(site: Site) -> None:
    install("codex", site)
    hooks = json.loads((site.home / ".codex" / "hooks.json").read_text())["hooks"]
    told = {event: group["hooks"][0]["timeout"] for event, (group,) in hooks.items()}

    assert told == {"SessionStart": 5, "UserPromptSubmit": 5, "Stop": 5, "SessionEnd": 3}


def test_toml_with_foreign_tables_still_reads(site: Site) -> None:
    fill("codex", site)
    install("codex", site)
    read = tomllib.loads((site.home / ".codex" / "config.toml").read_text())

    assert set(read["mcp_servers"]) == {"other", "backstory"}


def test_programs_of_cline_can_be_run(site: Site) -> None:
    install("cline", site)
    program = site.home / "Documents" / "Cline" / "Hooks" / "TaskStart"

    assert program.stat().st_mode & stat.S_IXUSR


def test_an_older_entry_of_ours_makes_room_for_the_new_one(site: Site) -> None:
    install("claude-code", site)
    moved = a_site(site.home, program="/new/backstory")
    install("claude-code", moved)
    settings = json.loads((site.home / ".claude" / "settings.json").read_text())

    assert len(settings["hooks"]["Stop"]) == 1
    assert "/new/backstory" in settings["hooks"]["Stop"][0]["hooks"][0]["command"]


def test_a_file_that_cannot_be_read_is_left_as_it_is_and_named(site: Site) -> None:
    file = site.home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"hooks": ')

    with pytest.raises(UnreadableInputError, match=r"settings\.json was left as it is"):
        install("claude-code", site)
    assert not (site.home / ".claude.json").exists()


def test_the_command_shows_the_change_and_makes_none_in_a_dry_run(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    shown = run("install", "cursor", "--scope", "project", "--dry-run", at=project)

    assert "+" in shown.out
    assert "backstory" in shown.out
    assert not (project / ".cursor").exists()


def test_the_command_installs_and_takes_out(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    installed = run("install", "claude-code", "--scope", "project", "--json", at=project)
    there = (project / ".claude" / "settings.json").exists()
    run("uninstall", "--scope", "project", at=project)

    assert installed.code == 0
    assert there
    assert not (project / ".claude" / "settings.json").exists()


def test_a_hook_is_started_without_the_command_line(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    run("install", "cursor", "--scope", "project", at=project)
    told = json.loads((project / ".cursor" / "hooks.json").read_text())
    command = told["hooks"]["stop"][0]["command"].split()

    assert command[1:3] == ["-I", "-S"]
    assert command[3].endswith("/backstory/hooks/start.py")
    assert command[4:10] == ["hook", "--host", "cursor", "--event", "stop", "||"]
    assert command[-7:] == ["hook", "--host", "cursor", "--event", "stop", "||", "true"]


def test_off_and_on_reach_as_far_as_they_say(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    told = run("off", "--json", at=project).told
    is_off = (state_of(project) / "off").exists()
    run("on", at=project)
    run("off", "--session", "s1", at=project)

    assert told == {"off": True, "reach": str(project)}
    assert is_off
    assert not (state_of(project) / "off").exists()
    assert list(state_of(project).glob("off-*"))


def test_an_unknown_agent_is_named(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    ran = run("install", "emacs", at=project)

    assert ran.code == 2
    assert "emacs" in ran.err
