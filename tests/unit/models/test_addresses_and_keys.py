"""A model's address is read strictly, and its key goes nowhere but there."""

import sys
from contextlib import suppress
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.models.addresses import PROVIDERS, address_of
from backstory.adapters.models.keys import KEY_VARIABLE, find_key
from backstory.adapters.models.ollama import OllamaClient
from backstory.adapters.models.opening import open_client
from backstory.model.errors import ModelAddressError, ModelKeyError


@pytest.fixture(autouse=True)
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """A key ring that is a dictionary."""
    kept: dict[tuple[str, str], str] = {}
    fake = ModuleType("keyring")
    fake.get_password = lambda service, user: kept.get((service, user))  # type: ignore[attr-defined]
    errors = ModuleType("keyring.errors")
    errors.KeyringError = RuntimeError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", fake)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return kept


def test_model_names_may_hold_colons_and_slashes():
    assert address_of("ollama:qwen3:8b").model == "qwen3:8b"
    assert address_of("openrouter:qwen/qwen3-coder").model == "qwen/qwen3-coder"


@pytest.mark.parametrize("name", ["", "openai", "openai:", ":m", "nobody:m", "open ai:m", "：m"])
def test_a_name_that_is_none_is_refused_with_the_providers(name):
    with pytest.raises(ModelAddressError, match="ollama"):
        address_of(name)


@pytest.mark.parametrize(
    "url",
    ["ftp://x", "example.com/v1", "http://", "http://u:p@h/v1", "http://[::1", "http://h:port"],
)
def test_a_base_url_that_is_none_is_refused(url):
    with pytest.raises(ModelAddressError):
        address_of("compatible:m", url)


def test_a_compatible_server_needs_its_address():
    with pytest.raises(ModelAddressError, match="base URL"):
        address_of("compatible:m")


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_an_address_or_a_clear_error(name, url):
    with suppress(ModelAddressError):
        address = address_of(name, url)

        assert address.name
        assert address.base_url.startswith(("http://", "https://"))


@pytest.mark.parametrize("url", ["http://localhost:1/v1", "http://127.0.0.1:1", "http://[::1]:1"])
def test_this_machine_is_local(url):
    assert address_of("compatible:m", url).is_local
    assert not address_of("openai:m").is_local


def test_own_variable_wins_over_the_providers():
    environ = {KEY_VARIABLE: "mine", "OPENAI_API_KEY": "theirs"}

    assert find_key(address_of("openai:m"), environ) == "mine"


def test_a_providers_key_is_not_sent_to_another_address():
    environ = {"OPENAI_API_KEY": "theirs"}

    assert find_key(address_of("openai:m"), environ) == "theirs"
    assert find_key(address_of("openai:m", "https://proxy.example.com/v1"), environ) is None


def test_key_ring_holds_keys_by_provider_or_address(keyring):
    keyring["backstory", "openai"] = "a"
    keyring["backstory", "https://proxy.example.com/v1"] = "b"

    assert find_key(address_of("openai:m"), {}) == "a"
    assert find_key(address_of("compatible:m", "https://proxy.example.com/v1"), {}) == "b"


def test_a_locked_key_ring_is_as_good_as_none(monkeypatch):
    def locked(service: str, user: str) -> str:
        raise RuntimeError("locked")

    monkeypatch.setattr(sys.modules["keyring"], "get_password", locked)

    assert find_key(address_of("ollama:m"), {}) is None


def test_a_missing_key_is_told_with_where_to_put_it():
    with pytest.raises(ModelKeyError, match="ANTHROPIC_API_KEY"):
        find_key(address_of("anthropic:m"), {})


@pytest.mark.case("C19")
def test_every_provider_opens_without_sending_anything():
    for provider in PROVIDERS.values():
        address = address_of(f"{provider.name}:m", provider.base_url or "http://localhost:9/v1")

        client = open_client(address, {KEY_VARIABLE: "k"})

        assert client.model == f"{provider.name}:m"


def test_without_the_extra_only_ollama_opens(monkeypatch):
    monkeypatch.setitem(sys.modules, "backstory.adapters.models.library.client", None)

    assert isinstance(open_client(address_of("ollama:m"), {}), OllamaClient)
    with pytest.raises(ModelAddressError, match="models"):
        open_client(address_of("lmstudio:m"), {})


def test_keys_are_not_shown_by_a_client():
    client = open_client(address_of("ollama:m"), {KEY_VARIABLE: "very-secret"})

    assert "very-secret" not in repr(client)
    assert "very-secret" not in repr(SimpleNamespace(client=client))
