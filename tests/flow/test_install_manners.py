"""What installing owes to files that are not its own: their form, their links, their owners."""

import json
import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from backstory.adapters.installing import changes
from backstory.adapters.installing.copies import alone
from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import entries_for, hosts, is_present
from backstory.adapters.installing.notes import is_folder_trusted, passed_over, switched_off
from backstory.adapters.installing.writing import write_all
from backstory.model.errors import UnreadableInputError
from commands import run
from hosting import a_repository
from installing import PROGRAM, a_site, copies, install, snapshot, uninstall

FORMS = {
    "a byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "line ends of Windows": '{\r\n    "a": {},\r\n    "b": [ ]\r\n}\r\n',
    "tabs": '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "x": 1 }\n\t\t]\n\t}\n}',
    "no line end": '{"hooks": {}}',
    "empty parts with room": '{ "hooks": {  }, "mcpServers": {\n} }\n',
    "an empty list": '{"hooks": {"Stop": [ ]}}\n',
    "nothing": "",
    "an object without parts": "{ }\n",
    "comments only": "{\n  // nothing yet\n}\n",
}

# As Codex 0.171.0 wrote it when it was told to trust the hooks that are entered here.
REVIEWED = {
    "session_start": "cbefb26e68f1e2bf4cad12500e6b7fbe0c7407269681e48acfaa4db695da9d37",
    "user_prompt_submit": "5c0bc15fd8d8b5e24ab3367cd3be2d111ebf56eb24dffab398f76b037a8e3075",
    "stop": "402e1a8cf6277f60e5d9463c6ff4b31ad9eafea5302c643da997518a46378ce2",
    "session_end": "2a4cbd451ac63550d586134adb9738049cb78de0c89023458a6affcaf2612236",
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return a user's home."""
    return a_site(tmp_path)


@pytest.fixture
def settings(site: Site) -> Path:
    """Return the settings of Claude Code."""
    file = site.home / ".claude" / "settings.json"
    file.parent.mkdir()
    return file


@pytest.mark.parametrize("form", FORMS)
def test_a_file_comes_back_in_its_own_form(form: str, settings: Path, site: Site) -> None:
    settings.write_bytes(FORMS[form].encode())
    before = snapshot(site)
    install("claude-code", site)
    uninstall("claude-code", site)

    assert snapshot(site) == before


@pytest.mark.parametrize("form", [form for form, text in FORMS.items() if "{" in text])
def test_an_edit_meanwhile_is_all_that_stays(form: str, settings: Path, site: Site) -> None:
    text = FORMS[form]
    settings.write_bytes(text.encode())
    install("claude-code", site)
    settings.write_bytes(settings.read_bytes() + b"// theirs\n")
    uninstall("claude-code", site)

    assert settings.read_bytes() == text.encode() + b"// theirs\n"


@pytest.mark.case("C20")
@pytest.mark.parametrize("host", hosts())
def test_in_a_project_every_byte_comes_back_too(host: str, tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    site = a_site(tmp_path, project=project)
    before = snapshot(site)
    install(host, site)
    during = snapshot(site)
    uninstall(host, site)

    assert during != before
    assert snapshot(site) == before


def test_directories_that_were_there_stay_even_where_they_are_empty(site: Site) -> None:
    (site.home / ".cursor").mkdir()
    before = snapshot(site)
    install("cursor", site)
    uninstall("cursor", site)

    assert snapshot(site) == before


def test_an_edit_between_two_installs_is_not_lost(settings: Path, site: Site) -> None:
    settings.write_text('{\n  "model": "a"\n}\n')
    install("claude-code", site)
    settings.write_text(settings.read_text().replace('"a"', '"b"'))
    newer = a_site(site.home, program="/new/backstory")
    install("claude-code", newer)
    uninstall("claude-code", newer)

    assert settings.read_text() == '{\n  "model": "b"\n}\n'


def test_a_hook_that_a_person_put_beside_ours_stays(settings: Path, site: Site) -> None:
    install("claude-code", site)
    told = json.loads(settings.read_text())
    told["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    settings.write_text(json.dumps(told, indent=2))
    uninstall("claude-code", site)

    assert json.loads(settings.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    }


def test_what_a_person_added_to_our_server_survives_a_newer_install(site: Site) -> None:
    install("cursor", site)
    file = site.home / ".cursor" / "mcp.json"
    told = json.loads(file.read_text())
    told["mcpServers"]["backstory"]["env"] = {"BACKSTORY_HEADLESS": "1"}
    file.write_text(json.dumps(told))
    install("cursor", a_site(site.home, program="/new/backstory"))

    assert json.loads(file.read_text())["mcpServers"]["backstory"] == {
        "command": "/new/backstory",
        "args": ["mcp"],
        "env": {"BACKSTORY_HEADLESS": "1"},
    }


def test_a_settings_file_that_is_a_link_stays_one(settings: Path, site: Site) -> None:
    real = site.home / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    settings.symlink_to(real)
    install("claude-code", site)
    is_entered = "backstory" in real.read_text()
    uninstall("claude-code", site)

    assert is_entered
    assert settings.is_symlink()
    assert real.read_text() == "{}\n"


def test_a_link_to_nothing_yet_stays_a_link(settings: Path, site: Site) -> None:
    settings.symlink_to(site.home / "later.json")
    install("claude-code", site)
    uninstall("claude-code", site)

    assert settings.is_symlink()
    assert not (site.home / "later.json").exists()


def test_the_rights_of_a_file_stay(settings: Path, site: Site) -> None:
    settings.write_text("{}")
    settings.chmod(0o640)
    install("claude-code", site)

    assert settings.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("host", "place", "text", "reason"),
    [
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"backstory": {"url": "x"}}}', "not ours"),
        ("codex", ".codex/config.toml", "[mcp_servers.backstory]\ncommand = 'x'\n", "not ours"),
        ("codex", ".codex/config.toml", "model = \n", "no TOML"),
        ("codex", ".codex/config.toml", "mcp_servers = {}\n", "cannot be added"),
        ("gemini", ".gemini/settings.json", '{"hooks": [', "no JSON"),
        ("gemini", ".gemini/settings.json", '{"hooks": 1}', "no object"),
        ("cline", "Documents/Cline/Hooks/TaskStart", "#!/bin/sh\necho mine\n", "your own"),
    ],
)
def test_what_cannot_be_edited_is_named_and_nothing_is_touched(
    host: str, place: str, text: str, reason: str, site: Site
) -> None:
    file = site.home / place
    file.parent.mkdir(parents=True)
    file.write_text(text)
    before = snapshot(site)

    with pytest.raises(UnreadableInputError, match=rf"{file.name} was left as it is.*{reason}"):
        install(host, site)
    assert snapshot(site) == before


@pytest.mark.case("C45")
def test_a_file_of_lines_of_windows_gets_such_lines(site: Site) -> None:
    file = site.home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(b'model = "m"\r\n')
    install("codex", site)
    entered = file.read_bytes()
    file.write_bytes(entered + b"[mcp_servers.later]\r\n")
    uninstall("codex", site)

    assert entered.count(b"\n") == entered.count(b"\r\n")
    assert tomllib.loads(entered.decode())["mcp_servers"]["backstory"]["args"] == ["mcp"]
    assert file.read_bytes() == b'model = "m"\r\n[mcp_servers.later]\r\n'


def test_a_file_that_changed_while_a_person_looked_is_not_overwritten(
    settings: Path, site: Site
) -> None:
    settings.write_text("{}\n")
    made = changes.installing(entries_for("claude-code", site), copies=copies(site))
    settings.write_text('{"new": 1}\n')

    with pytest.raises(UnreadableInputError, match="changed by another program"):
        write_all(made, copies=copies(site))
    assert settings.read_text() == '{"new": 1}\n'


def test_two_installs_at_once_are_as_good_as_one(settings: Path, site: Site) -> None:
    settings.write_text('{\n  "a": 1\n}\n')
    made = changes.installing(entries_for("claude-code", site), copies=copies(site))
    with alone(copies(site)):
        others = [
            threading.Thread(target=write_all, args=(made,), kwargs={"copies": copies(site)})
            for _ in range(2)
        ]
        for other in others:
            other.start()
        assert settings.read_text() == '{\n  "a": 1\n}\n'
    for other in others:
        other.join(timeout=10)
    told = json.loads(settings.read_text())
    uninstall("claude-code", site)

    assert len(told["hooks"]["Stop"]) == 1
    assert settings.read_text() == '{\n  "a": 1\n}\n'


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, site: Site) -> None:
    (site.home / ".cursor").write_text("a file, not a directory")

    with pytest.raises(UnreadableInputError, match="cannot be written"):
        install("cursor", site)


def test_copilot_and_vscode_share_one_file_of_hooks(site: Site) -> None:
    install("vscode", site)
    (file,) = {e.file for e in entries_for("copilot", site) if e.is_in_list}
    told = json.loads(file.read_text())

    assert file == site.home / ".copilot" / "hooks" / "backstory.json"
    assert told["version"] == 1
    assert told["hooks"]["userPromptSubmitted"] == [
        {
            "type": "command",
            "bash": f"{PROGRAM} hook --host copilot --event userPromptSubmitted || true",
            "timeoutSec": 5,
        }
    ]
    assert not is_present("copilot", site)


def test_windsurf_is_told_by_rules_what_hooks_cannot_show(tmp_path: Path, site: Site) -> None:
    own = site.home / ".codeium" / "windsurf" / "memories" / "global_rules.md"
    own.parent.mkdir(parents=True)
    own.write_text("Answer in Chinese.")
    install("windsurf", site)
    project = a_site(tmp_path, project=a_repository(tmp_path / "shop"))
    install("windsurf", project)
    rules = tmp_path / "shop" / ".windsurf" / "rules" / "backstory.md"

    assert own.read_text().startswith("Answer in Chinese.\n\n<!-- >>> backstory >>> -->\n")
    assert "`recall`" in own.read_text()
    assert rules.read_text().startswith("---\ntrigger: always_on\n---\n")


def test_the_settings_that_opencode_has_are_the_ones_that_are_edited(site: Site) -> None:
    folder = site.home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").write_text('{\n  // mine\n  "mcp": {}\n}\n')
    install("opencode", site)

    assert "backstory" in (folder / "opencode.jsonc").read_text()
    assert not (folder / "opencode.json").exists()


def test_the_command_line_of_cline_gets_the_server_where_it_is_used(site: Site) -> None:
    file = site.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
    install("cline", site)
    is_made = file.exists()
    file.parents[2].mkdir()
    is_found = is_present("cline", site)
    install("cline", site)
    server = json.loads(file.read_text())["mcpServers"]["backstory"]
    uninstall("cline", site)

    assert not is_made
    assert is_found
    assert server == {"timeout": 60, "command": PROGRAM, "args": ["mcp"]}
    assert not file.exists()


@pytest.mark.parametrize(
    ("host", "place", "text", "told"),
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "features"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "switches"),
        (
            "gemini",
            ".gemini/settings.json",
            '{"hooksConfig": {"disabled": ["backstory-BeforeAgent"]}}',
            "disables backstory-BeforeAgent",
        ),
    ],
)
def test_a_switch_of_the_host_that_stops_hooks_is_told(
    host: str, place: str, text: str, told: str, site: Site
) -> None:
    file = site.home / place
    file.parent.mkdir(parents=True)
    is_told_before = switched_off(host, site)
    file.write_text(text)

    assert is_told_before == []
    assert told in switched_off(host, site)[0]


def trust(site: Site, reviews: Mapping[str, str]) -> None:
    """Write what Codex writes when a person trusts hooks."""
    hooks, config = site.home / ".codex" / "hooks.json", site.home / ".codex" / "config.toml"
    with config.open("a") as file:
        for event, digest in reviews.items():
            file.write(
                f'\n[hooks.state."{hooks}:{event}:0:0"]\ntrusted_hash = "sha256:{digest}"\n'
            )


def test_hooks_of_codex_wait_until_a_person_has_reviewed_them(site: Site) -> None:
    install("codex", site)
    before = passed_over(site)
    trust(site, REVIEWED)
    after = passed_over(site)
    install("codex", a_site(site.home, program="/new/bin/backstory"))

    events = "SessionStart, UserPromptSubmit, Stop, SessionEnd"
    assert before == [f"never reviewed: {events}"]
    assert after == []
    assert passed_over(site) == [f"changed since the review: {events}"]


def test_a_hook_of_codex_is_found_beside_another_and_where_a_person_switched_it_off(
    site: Site,
) -> None:
    install("codex", site)
    file = site.home / ".codex" / "hooks.json"
    told = json.loads(file.read_text())
    told["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "say done"})
    file.write_text(json.dumps(told))
    trust(site, REVIEWED)
    config = site.home / ".codex" / "config.toml"
    digest = REVIEWED["session_end"]
    config.write_text(config.read_text().replace(f'{digest}"', f'{digest}"\nenabled = false'))

    # The place of a hook is a part of its name: it was trusted where the other one is now.
    assert passed_over(site) == [
        "never reviewed: Stop",
        "switched off in /hooks: SessionEnd",
    ]


def test_codex_reads_a_project_s_files_where_its_folder_is_trusted(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    site = a_site(tmp_path, project=project)
    install("codex", site)
    before = is_folder_trusted(site)
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text(
        f'[projects."{project}"]\ntrust_level = "trusted"\n'
    )

    assert tomllib.loads((project / ".codex" / "config.toml").read_text())["mcp_servers"] == {
        "backstory": {"command": PROGRAM, "args": ["mcp"]}
    }
    assert not before
    assert is_folder_trusted(site)
    assert is_folder_trusted(a_site(tmp_path))


def test_the_command_says_what_each_agent_asks_of_a_person(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    shown = run("install", "codex", "cline", "--scope", "project", at=project)

    assert "start `codex` in a terminal" in shown.out
    assert "switched on in its settings" in shown.out


def test_a_broken_file_without_us_is_in_nobody_s_way_out(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    run("install", "cursor", "--scope", "project", at=project)
    (project / ".gemini").mkdir()
    (project / ".gemini" / "settings.json").write_text("{")
    ran = run("uninstall", "--scope", "project", at=project)

    assert ran.code == 0
    assert not (project / ".cursor").exists()
    assert (project / ".gemini" / "settings.json").read_text() == "{"


def test_one_broken_file_stops_the_whole_of_it(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    (project / ".gemini").mkdir()
    (project / ".gemini" / "settings.json").write_text("{")
    ran = run("install", "cursor", "gemini", "--scope", "project", at=project)

    assert ran.code == 1
    assert "settings.json was left as it is" in ran.err
    assert sorted(path.name for path in project.iterdir()) == [".gemini", ".git"]
