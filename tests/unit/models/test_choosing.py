"""The settings name a model, its address and its caps; what they cannot name safely is refused."""

import tomllib
from pathlib import Path

import pytest

from backstory.adapters.models.addresses import address_of
from backstory.adapters.models.choosing import chosen_model
from backstory.adapters.models.keeping import keep_model
from backstory.adapters.settings import Choices, Settings, settings_in, settings_of
from backstory.adapters.spending import NO_CAPS, Caps
from backstory.model.errors import SettingsError, UsageError


def test_no_model_is_chosen_where_none_is_named_or_it_is_off() -> None:
    named = Settings(model="ollama:qwen3")

    assert chosen_model(Choices()) is None
    assert chosen_model(Choices(filed=Settings(model="ollama:q", is_model_on=False))) is None
    assert chosen_model(Choices(filed=named, stated=Settings(is_model_on=False))) is None
    off = Settings(model="ollama:q", is_model_on=False)
    assert chosen_model(Choices(filed=off, stated=Settings(is_model_on=True))) is None


def test_a_model_elsewhere_has_caps_and_one_on_this_machine_those_asked_for() -> None:
    local = chosen_model(Choices(filed=Settings(model="ollama:qwen3", day_tokens=9)))
    far = chosen_model(Choices(filed=Settings(model="anthropic:x", day_usd=0.5, call_tokens=0)))

    assert local is not None
    assert far is not None
    assert local.caps == Caps(
        call_tokens=None, session_tokens=None, day_tokens=9, day_nano_usd=None
    )
    assert (far.caps.day_nano_usd, far.caps.call_tokens) == (500_000_000, None)
    assert far.caps.day_tokens == Caps().day_tokens
    assert NO_CAPS.day_tokens is None


def test_the_address_of_one_model_is_never_used_for_another() -> None:
    filed = Settings(model="compatible:x", model_url="http://localhost:8000/v1")

    chosen = chosen_model(Choices(filed=filed, stated=Settings(model="anthropic:y")))

    assert chosen is not None
    assert chosen.address.is_usual


def test_variables_name_model_and_caps_and_are_read_strictly() -> None:
    env = {"BACKSTORY_MODEL_NAME": "ollama:q", "BACKSTORY_MODEL_DAY_USD": "1.5"}

    stated = settings_of(env | {"BACKSTORY_MODEL_SESSION_TOKENS": "7"})

    assert (stated.model, stated.day_usd, stated.session_tokens) == ("ollama:q", 1.5, 7)
    for name, value in (("DAY_TOKENS", "-1"), ("DAY_USD", "inf"), ("CALL_TOKENS", "many")):
        with pytest.raises(UsageError, match=name):
            settings_of({f"BACKSTORY_MODEL_{name}": value})


@pytest.mark.case("C85")
def test_a_projects_file_may_switch_the_model_off_and_no_more(tmp_path: Path) -> None:
    own, project = tmp_path / "own.toml", tmp_path / "project.toml"
    own.write_text('[model]\nname = "ollama:q"\nenabled = true\n')
    project.write_text("[model]\nenabled = false\n")

    assert settings_in(own, project).is_model_on is False
    own.write_text('[model]\nname = "ollama:q"\nenabled = false\n')
    project.write_text("[model]\nenabled = true\n")
    assert settings_in(own, project).is_model_on is False
    project.write_text('[model]\nname = "ollama:r"\nday_tokens = 0\n')
    with pytest.raises(SettingsError, match=r"model\.name can be set in .*model\.day_tokens"):
        settings_in(own, project)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "review = true\n",
        "# mine\n[model]  # the model\nname = 'old:x'\nday_tokens = 5 # few\n\n[import]\n",
        "[privacy]\nredact_at_capture = true",
    ],
)
def test_choosing_changes_the_lines_of_the_model_and_no_others(
    tmp_path: Path, before: str
) -> None:
    file = tmp_path / "config" / "config.toml"
    if before:
        file.parent.mkdir()
        file.write_text(before, encoding="utf-8")
    kept = tomllib.loads(before)

    keep_model(file, address_of("compatible:qwen", "http://localhost:8000/v1"))
    table = tomllib.loads(file.read_text())
    keep_model(file, None)

    assert table.pop("model") == {
        **{k: v for k, v in kept.pop("model", {}).items() if k != "name"},
        "name": "compatible:qwen",
        "base_url": "http://localhost:8000/v1",
    }
    assert table == kept
    assert "name" not in tomllib.loads(file.read_text()).get("model", {})
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    "text", ['model.name = "old:x"\n', 'model = {name = "x:y"}\n', "[model\n"]
)
def test_a_file_that_is_written_otherwise_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)

    with pytest.raises(SettingsError):
        keep_model(file, address_of("ollama:q"))

    assert file.read_text() == text
