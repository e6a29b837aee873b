"""Where a model is asked: "provider:model" and a base URL. Pure: no environment, no network."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from backstory.model.errors import ModelAddressError


class Wire(StrEnum):
    """The wire format that a server speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"
    OLLAMA = "ollama"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Somebody who serves models: its wire, its usual address, and the name of its key."""

    name: str
    wire: Wire
    base_url: str | None  # None where only the user knows it
    key_names: tuple[str, ...] = ()  # environment variables that usually hold its key

    @property
    def needs_key(self) -> bool:
        """Whether no request succeeds without one."""
        return bool(self.key_names)


# Addresses and key names as each provider documents them; local servers listen where their own
# documentation says by default.
PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider(
            name="openai",
            wire=Wire.OPENAI,
            base_url="https://api.openai.com/v1",
            key_names=("OPENAI_API_KEY",),
        ),
        Provider(
            name="anthropic",
            wire=Wire.ANTHROPIC,
            base_url="https://api.anthropic.com",
            key_names=("ANTHROPIC_API_KEY",),
        ),
        Provider(
            name="google",
            wire=Wire.GOOGLE,
            base_url="https://generativelanguage.googleapis.com",
            key_names=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ),
        Provider(
            name="openrouter",
            wire=Wire.OPENAI,
            base_url="https://openrouter.ai/api/v1",
            key_names=("OPENROUTER_API_KEY",),
        ),
        Provider(
            name="deepseek",
            wire=Wire.OPENAI,
            base_url="https://api.deepseek.com",
            key_names=("DEEPSEEK_API_KEY",),
        ),
        Provider(
            name="qwen",
            wire=Wire.OPENAI,
            base_url="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            key_names=("DASHSCOPE_API_KEY", "ALIBABA_API_KEY"),
        ),
        Provider(name="ollama", wire=Wire.OLLAMA, base_url="http://localhost:11434"),
        Provider(name="lmstudio", wire=Wire.OPENAI, base_url="http://localhost:1234/v1"),
        Provider(name="vllm", wire=Wire.OPENAI, base_url="http://localhost:8000/v1"),
        Provider(name="llamacpp", wire=Wire.OPENAI, base_url="http://localhost:8080/v1"),
        Provider(name="compatible", wire=Wire.OPENAI, base_url=None),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAddress:
    """One model of one provider at one address. Build it with `address_of`."""

    provider: Provider
    model: str
    base_url: str

    @property
    def name(self) -> str:
        """What the user wrote: "provider:model"."""
        return f"{self.provider.name}:{self.model}"

    @property
    def is_usual(self) -> bool:
        """Whether the address is the provider's own, so that its usual key may be sent there."""
        return self.base_url == self.provider.base_url

    @property
    def is_local(self) -> bool:
        """Whether requests stay on this machine."""
        return urlsplit(self.base_url).hostname in {"localhost", "127.0.0.1", "::1"}


def address_of(name: str, base_url: str | None = None) -> ModelAddress:
    """Read "provider:model" and an optional base URL. Raises `ModelAddressError`."""
    provider_name, colon, model = name.strip().partition(":")
    provider = PROVIDERS.get(provider_name.lower())
    if not colon or not model.strip() or provider is None:
        known = ", ".join(PROVIDERS)
        raise ModelAddressError(f"{name!r} is not provider:model; providers are {known}")
    url = (base_url or provider.base_url or "").strip().rstrip("/")
    if not url:
        raise ModelAddressError(f"{provider.name} has no usual address: give a base URL too")
    _check_url(url)
    return ModelAddress(provider=provider, model=model.strip(), base_url=url)


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        hostname = parts.hostname
        _ = parts.port  # raises where it is no number
    except ValueError as error:
        raise ModelAddressError(f"the base URL is not one: {error}") from error
    if parts.scheme not in {"http", "https"} or not hostname:
        raise ModelAddressError("a base URL begins with http:// or https:// and names a host")
    if parts.username or parts.password:
        raise ModelAddressError("a base URL holds no user name or password: use a key")
