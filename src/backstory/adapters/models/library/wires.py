"""From an address to a model of the provider library, and the shapes in which it is asked."""

import httpx2
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.settings import ModelSettings

from backstory.adapters.models.addresses import ModelAddress, Wire
from backstory.adapters.models.shapes import Shape
from backstory.ports.model_client import ModelRequest

# Servers on this machine take any key, but the library insists on one.
_NO_KEY = "none"
# The library's own name for a provider, where it is another than ours.
_LIBRARY_NAMES = {"qwen": "alibaba"}


def model_at(address: ModelAddress, *, key: str | None, http: httpx2.AsyncClient) -> Model:
    """Return the library's model for an address. Raises ImportError where an SDK is missing."""
    match address.provider.wire:
        case Wire.ANTHROPIC:
            return _anthropic(address, key or _NO_KEY, http=http)
        case Wire.GOOGLE:
            return _google(address, key or _NO_KEY, http=http)
        case Wire.OPENAI if address.provider.name == "openai":
            return _openai(address, key or _NO_KEY, http=http)
        case Wire.OLLAMA:
            raise UserError("Ollama has a client of its own")
        case Wire.OPENAI:
            return _compatible(address, key or _NO_KEY, http=http)


def _anthropic(address: ModelAddress, key: str, *, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 - an SDK a provider
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    provider = AnthropicProvider(api_key=key, base_url=address.base_url, http_client=http)
    return AnthropicModel(address.model, provider=provider)


def _google(address: ModelAddress, key: str, *, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415 - an SDK a provider
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    provider = GoogleProvider(api_key=key, base_url=address.base_url, http_client=http)
    return GoogleModel(address.model, provider=provider)


def _openai(address: ModelAddress, key: str, *, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - an SDK a provider
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    provider = OpenAIProvider(api_key=key, base_url=address.base_url, http_client=http)
    return OpenAIChatModel(address.model, provider=provider)


def _compatible(address: ModelAddress, key: str, *, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - an SDK a provider
    from pydantic_ai.models.openrouter import OpenRouterModel  # noqa: PLC0415
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415

    provider = OpenAICompatibleProvider(
        address.provider.name,
        api_key=key,
        base_url=address.base_url,
        http_client=http,
        profile=lambda _name: _compatible_profile(address),
    )
    if address.provider.name == "openrouter":
        return OpenRouterModel(address.model, provider=provider)
    return OpenAIChatModel(address.model, provider=provider)


def _compatible_profile(address: ModelAddress) -> ModelProfile:
    """Return what a compatible server is taken to support until it says otherwise.

    What the library knows of a provider wins over the hope for a schema; `max_tokens` is the name
    of the output limit that every such server knows.
    """
    from pydantic_ai.providers import infer_provider_class  # noqa: PLC0415 - beside its SDK

    hoped = ModelProfile(supports_json_schema_output=True, supports_json_object_output=True)
    name = _LIBRARY_NAMES.get(address.provider.name, address.provider.name)
    try:
        known = infer_provider_class(name).model_profile(address.model)
    except (ValueError, ImportError):
        known = None
    return merge_profile(
        hoped, known, OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
    )


def shapes_of(model: Model, address: ModelAddress) -> tuple[Shape, ...]:
    """Return the shapes that a model is known or hoped to take, strictest first."""
    shapes = [Shape.PROMPT]
    if model.profile.get("supports_json_object_output"):
        shapes.insert(0, Shape.OBJECT)
        if address.provider.wire is Wire.OPENAI and not address.provider.needs_key:
            shapes.insert(0, Shape.BARE_SCHEMA)
    if model.profile.get("supports_json_schema_output"):
        shapes.insert(0, Shape.SCHEMA)
    return tuple(shapes)


def parameters_for(request: ModelRequest, shape: Shape) -> ModelRequestParameters:
    """Return what the library needs to ask for a shape. There are never any tools in it."""
    if shape is Shape.PROMPT:
        return ModelRequestParameters(output_mode="text")
    reply = OutputObjectDefinition(
        json_schema=dict(request.schema), name=request.schema_name, strict=True
    )
    return ModelRequestParameters(
        output_mode="native" if shape is Shape.SCHEMA else "prompted",
        output_object=reply,
        # The prompt says itself what the reply looks like.
        prompted_output_template=False,
    )


def settings_for(
    request: ModelRequest, model: Model, *, temperature: float | None, shape: Shape
) -> ModelSettings:
    """Return one attempt, bounded in time, without reasoning, as steady as the model can be."""
    seconds = request.timeout_ms / 1_000
    settings = ModelSettings(
        max_tokens=request.output_tokens_max,
        timeout=seconds,
        request_timeout=seconds,
        max_retries=0,
        thinking=False,
        framing_announcement="never",
    )
    if temperature is not None and not model.profile.get("thinking_always_enabled"):
        settings["temperature"] = temperature
    if shape is Shape.BARE_SCHEMA:
        # The library knows no such form; what is given here takes the place of what it writes.
        form = {"type": "json_object", "schema": dict(request.schema)}
        settings["extra_body"] = {"response_format": form}
    return settings
