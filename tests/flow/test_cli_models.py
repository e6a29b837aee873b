"""Models are chosen, tried, asked and paid for from the command line, and no key is ever shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters import settings
from backstory.api import Opening
from backstory.model.limits import DIAGNOSIS_CHARS_MAX
from commands import run
from model_servers import ModelServer, serving
from modelled import a_reply
from projects import a_project

KEY = "sk-test-4f9a8b7c6d5e4f3a2b1c"
SAID = "We use SQLite for the shop. 记住：用中文回答。"


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BACKSTORY_MODEL_KEY", KEY)
    return settings.user_file()


@pytest.fixture
def project(tmp_path: Path, user_file: Path) -> Path:
    return a_project(tmp_path / "shop")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving("ollama") as running:
        yield running


def chosen(project: Path, server: ModelServer) -> None:
    ran = run("models", "set", "ollama:qwen3", "--url", server.url, at=project)
    assert ran.code == 0, ran.err


def heard(project: Path, *texts: str, named: str = "one") -> None:
    """Let a person say this to some host; the rules read it."""
    with Memory.open(project, opening=Opening(asks_model_at_close=False)) as memory:
        thread = memory.thread_for("x", named)
        for text in texts:
            memory.complete_turn(memory.begin_turn(text, thread=thread), "OK.")


def test_without_a_model_its_uses_and_first_steps_are_told(project: Path) -> None:
    ran = run("models", at=project)

    assert "nothing leaves this machine" in ran.out
    for way in ("ollama pull", "--url http://localhost", "ANTHROPIC_API_KEY"):
        assert way in ran.out
    assert run("models", "--json", at=project).told == {"model": None}


def test_a_key_that_is_missing_is_told_when_its_model_is_chosen_which_is_kept(
    project: Path, user_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BACKSTORY_MODEL_KEY")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setattr("backstory.adapters.models.keys.from_keyring", lambda _: None)

    ran = run("models", "set", "anthropic:claude-sonnet-4-5", at=project)
    as_json = run("models", "set", "anthropic:claude-sonnet-4-5", "--json", at=project).told
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with_key = run("models", "set", "anthropic:claude-sonnet-4-5", "--json", at=project)

    assert ran.code == 0
    assert "It cannot be asked yet" in ran.out
    assert "set ANTHROPIC_API_KEY or BACKSTORY_MODEL_KEY" in ran.out
    assert "ANTHROPIC_API_KEY" in as_json["key_missing"]
    assert with_key.told["key_missing"] is None
    assert KEY not in with_key.out
    assert "claude-sonnet-4-5" in user_file.read_text()


def test_a_model_is_chosen_and_given_up_again_in_the_users_file(
    project: Path, user_file: Path, server: ModelServer
) -> None:
    user_file.parent.mkdir(parents=True, exist_ok=True)
    user_file.write_text("review = true\n\n[privacy]\nredact_at_capture = false\n")

    chosen(project, server)
    told = run("models", "--json", at=project).told
    run("models", "set", "off", at=project)

    assert told["model"]["name"] == "ollama:qwen3"
    assert run("models", "--json", at=project).told == {"model": None}
    assert user_file.read_text().startswith(
        "review = true\n\n[privacy]\nredact_at_capture = false"
    )
    assert KEY not in user_file.read_text()


@pytest.mark.parametrize("words", [("set",), ("set", "gpt"), ("set", "compatible:x"), ("test",)])
def test_a_choice_that_cannot_be_is_told(project: Path, words: tuple[str, ...]) -> None:
    ran = run("models", *words, at=project)

    assert ran.code in (1, 2)
    assert ran.err


def test_one_tiny_call_shows_the_reply_what_it_took_and_what_the_server_takes(
    project: Path, server: ModelServer
) -> None:
    chosen(project, server)
    server.play(server.says('{"answer": "ready"}'))

    ran = run("models", "test", at=project)

    assert ran.code == 0
    assert 'reply    {"answer": "ready"}' in ran.out
    assert "takes a JSON schema" in ran.out
    assert len(server.seen) == 1
    [row] = run("cost", "--by", "purpose", "--json", at=project).told
    assert (row["name"], row["calls"], row["failed"]) == ("test", 1, 0)


def test_a_test_that_fails_says_why_and_exits_so(project: Path, server: ModelServer) -> None:
    chosen(project, server)
    server.play(server.fails(401, f"bad key {KEY}"))

    ran = run("models", "test", at=project)

    assert ran.code == 1
    assert "misconfigured" in ran.out
    assert KEY not in ran.out + ran.err


def test_work_asks_the_model_and_status_and_cost_tell_of_it(
    project: Path, server: ModelServer
) -> None:
    chosen(project, server)
    server.play(server.says(a_reply()))
    run("remember", SAID, at=project)
    heard(project, "Where do receipts go?", "Into the archive, fine.")

    told = run("work", "--json", at=project).told

    assert told["failed"] == 0
    assert len(server.seen) == 1
    status = run("status", at=project).out
    assert "model    ollama:qwen3; 1 call and" in status
    assert "0 turns waiting for it" in status
    [row] = run("cost", "--by", "project", "--json", at=project).told
    assert (row["name"], row["calls"]) == (str(project), 1)
    assert "1 call" in run("cost", at=project).out


def test_cost_sums_up_the_projects_that_are_named(project: Path, server: ModelServer) -> None:
    chosen(project, server)
    server.play(server.says('{"answer": "ready"}'))
    blog = a_project(project.parent / "blog")
    for place in (project, project, blog):
        run("models", "test", at=place)

    places = (str(project), str(blog))
    by_project = run("cost", *places, "--by", "project", "--json", at=project).told
    by_day = run("cost", *places, "--json", at=project).told
    by_purpose = run("cost", "--by", "purpose", "--json", at=blog).told

    assert [(row["name"], row["calls"]) for row in by_project] == [
        (str(project), 2),
        (str(blog), 1),
    ]
    assert [row["calls"] for row in by_day] == [3]
    assert [(row["name"], row["calls"]) for row in by_purpose] == [("test", 1)]
    assert run("cost", str(project / "nowhere"), at=project).code == 2


def test_turns_that_waited_go_on_when_the_same_model_is_set_again(
    project: Path, server: ModelServer
) -> None:
    chosen(project, server)
    heard(project, "Where do receipts go?", "Into the archive, fine.")

    off = run("models", "set", "off", at=project)
    heard(project, "Said while no model was asked.", "Nor was this.")
    status = run("status", at=project).out
    again = run("models", "set", "ollama:qwen3", "--url", server.url, at=project)
    server.play(server.says(a_reply()))
    run("work", at=project)

    assert "2 turns waiting for it: set again" in off.out
    assert "0 jobs waiting" in status
    assert "waiting for a model: none is asked now" in status
    assert "goes on with 2 turns that waited" in again.out
    assert "is not asked about (--history asks it) 2 turns" in again.out
    assert len(server.seen) == 1
    assert b"while no model was asked" not in server.seen[0].body
    assert "0 jobs waiting" in run("status", at=project).out


def test_another_model_is_not_asked_about_what_waited(project: Path, server: ModelServer) -> None:
    chosen(project, server)
    heard(project, "Where do receipts go?", "Into the archive, fine.")
    run("models", "set", "off", at=project)

    run("models", "set", "ollama:other", "--url", server.url, at=project)
    run("work", at=project)

    assert server.seen == []
    assert "0 turns waiting for it" in run("status", at=project).out


@pytest.mark.promise("R156")
def test_a_raw_error_is_shown_to_who_debugs_alone_literally_and_without_the_key(
    project: Path, server: ModelServer
) -> None:
    chosen(project, server)
    server.play(server.fails(503, f"[bold]overloaded[/bold] \x1b[31m {KEY} " + "x" * 30_000))
    heard(project, "Where do receipts go?", "Into the archive, fine.")

    run("work", at=project)
    plain, raw = run("status", at=project), run("status", "--debug", at=project)
    as_json = run("status", "--json", at=project)

    assert "overloaded" not in plain.out + as_json.out
    assert "[bold]overloaded[/bold]" in raw.out
    for shown in (plain.out, raw.out, as_json.out):
        assert KEY not in shown
        assert "\x1b" not in shown
    [job] = run("status", "--debug", "--json", at=project).told["jobs"]
    assert len(job["diagnosis"]) <= DIAGNOSIS_CHARS_MAX


def test_at_the_cap_status_says_so_in_a_line_and_capture_goes_on(
    project: Path, server: ModelServer, user_file: Path
) -> None:
    chosen(project, server)
    user_file.write_text(user_file.read_text() + "day_tokens = 1\n")
    server.play(server.says('{"answer": "ready"}'))
    run("models", "test", at=project)
    heard(project, "Where do receipts go?", "We use SQLite for the shop.")

    run("work", at=project)

    assert len(server.seen) == 1
    told = run("status", at=project).out
    assert "today's cap of 1 tokens is reached: nothing more is sent now" in told
    assert "2 turns waiting for it" in told


def test_status_says_in_a_line_when_a_silent_model_is_asked_again(
    project: Path, server: ModelServer
) -> None:
    chosen(project, server)
    server.play(server.fails(503, "overloaded"))
    for conversation in ("one", "two"):
        heard(project, "Where do receipts go?", "Into the archive, fine.", named=conversation)

    run("work", at=project)

    assert "the model does not answer; asked again at " in run("status", at=project).out


def test_turns_of_before_are_asked_about_only_when_that_is_wanted(
    project: Path, server: ModelServer
) -> None:
    server.play(server.says(a_reply()))
    heard(project, "Where do receipts go?", "Into the archive, fine.")

    chosen(project, server)
    run("work", at=project)
    asked_of_old = len(server.seen)
    heard(project, "And the tills?", "Fine.")
    wanted = run("models", "set", "ollama:qwen3", "--url", server.url, "--history", at=project)

    assert asked_of_old == 0
    assert "It is asked about" in wanted.out


def test_no_model_is_asked_where_the_project_says_so(project: Path, server: ModelServer) -> None:
    chosen(project, server)
    state = project / ".git/backstory"
    (state / "config.toml").write_text("[model]\nenabled = false\n")

    assert run("models", "--json", at=project).told == {"model": None}


@pytest.mark.promise("R151")
@pytest.mark.case("C85")
def test_a_projects_file_cannot_send_words_elsewhere(project: Path) -> None:
    run("status", at=project)
    file = project / ".git/backstory/config.toml"
    file.write_text('[model]\nname = "compatible:x"\nbase_url = "http://evil.example/v1"\n')

    ran = run("list", at=project)

    assert ran.code == 1
    assert "model.base_url can be set in" in ran.err


def test_secrets_are_found_where_they_are_and_never_shown(project: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    run("remember", f"记住：部署用 deploy.sh，token={token}", at=project)

    ran = run("audit", at=project)

    assert token not in ran.out
    assert "turn t_" in ran.out
    assert "in what was said, 0 possible secrets in what was made from it." in ran.out
    assert ran.code == 0
    [first, *_] = run("audit", "--json", at=project).told
    assert first["is_derived"] is False


def test_the_deep_scan_says_what_it_needs(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "detect_secrets.core.scan", None)

    ran = run("audit", "--deep", at=project)

    assert ran.code == 2
    assert "backstory[audit]" in ran.err
