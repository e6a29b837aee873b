"""`ModelClient` over pydantic-ai: OpenAI and its kin, Anthropic and Google by one adapter.

Each request makes its own connection and event loop and leaves nothing behind, so a client may be
used from any thread that runs no event loop itself.
"""

import asyncio
import warnings
from collections.abc import Sequence
from importlib.metadata import version

import httpx2
from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.messages import (
    ModelRequest as LibraryRequest,
)
from pydantic_ai.models import Model

from backstory.adapters.models.addresses import ModelAddress
from backstory.adapters.models.library.failures import failure_of
from backstory.adapters.models.library.transport import (
    RedirectedError,
    ReplyTooLargeError,
    open_http,
)
from backstory.adapters.models.library.wires import (
    model_at,
    parameters_for,
    settings_for,
    shapes_of,
)
from backstory.adapters.models.shapes import ATTEMPTS_MAX, Ladder
from backstory.model.job import FailureCause, Usage
from backstory.ports.model_client import (
    Failure,
    Finish,
    ModelRequest,
    Outcome,
    Reply,
    bounded_diagnosis,
)

# What the library raises for what a server does. The last line is what a body of an unforeseen
# form ends in, somewhere inside an SDK.
_FROM_THE_LIBRARY = (
    *(exceptions.AgentRunError, exceptions.UserError, httpx2.HTTPError, OSError),
    *(RedirectedError, ReplyTooLargeError),
    *(ValueError, TypeError, AttributeError, LookupError, AssertionError),
)


class LibraryClient:
    """A model at an address, with a memory for which shapes its server refuses."""

    def __init__(self, address: ModelAddress, *, key: str | None = None) -> None:
        self._address = address
        self._key = key
        self.ladder = Ladder()

    @property
    def model(self) -> str:
        """Its name, "provider:model"."""
        return self._address.name

    def ask(self, request: ModelRequest) -> Outcome:
        """Send a request; where the server rejects its shape, ask again in the next looser one.

        Each attempt has the request's timeout; a rejected one costs no tokens.
        """
        _silence_library()
        return asyncio.run(self._ask(request))

    async def _ask(self, request: ModelRequest) -> Outcome:
        agent = f"backstory/{version('backstory')}"
        async with open_http(timeout_ms=request.timeout_ms, user_agent=agent) as http:
            try:
                model = model_at(self._address, key=self._key, http=http)
            except (ImportError, exceptions.UserError) as error:
                return self._unusable(error)
            for _ in range(ATTEMPTS_MAX - 1):
                outcome = await self._attempt(model, request)
                offered = shapes_of(model, self._address)
                if not (isinstance(outcome, Failure) and self.ladder.loosen(outcome, offered)):
                    return outcome
            return await self._attempt(model, request)

    async def _attempt(self, model: Model, request: ModelRequest) -> Outcome:
        shape = self.ladder.shape(shapes_of(model, self._address))
        settings = settings_for(request, model, temperature=self.ladder.temperature, shape=shape)
        try:
            response = await model_request(
                model,
                _messages(request),
                model_settings=settings,
                model_request_parameters=parameters_for(request, shape),
                instrument=False,
            )
        except _FROM_THE_LIBRARY as error:
            return failure_of(error, request=request, model=self.model, key=self._key)
        return self._outcome_of(response)

    def _outcome_of(self, response: ModelResponse) -> Outcome:
        usage = Usage(
            tokens_in=response.usage.input_tokens, tokens_out=response.usage.output_tokens
        )
        if response.finish_reason == "content_filter":
            details = response.provider_details or {}
            words = str(details.get("refusal") or details.get("finish_reason") or "")
            return self._failure(
                FailureCause.REFUSED, "the model refused to answer", words=words, usage=usage
            )
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        finish = Finish.LENGTH if response.finish_reason == "length" else Finish.STOP
        if not text.strip() and finish is Finish.STOP:
            return self._failure(FailureCause.INVALID, "the model answered nothing", usage=usage)
        return Reply(text=text, usage=usage, model=self.model, finish=finish)

    def _failure(
        self, cause: FailureCause, summary: str, *, words: str = "", usage: Usage
    ) -> Failure:
        return Failure(
            cause=cause,
            summary=summary,
            diagnosis=bounded_diagnosis(error_type=cause.value, message=words or summary),
            model=self.model,
            usage=usage,
        )

    def _unusable(self, error: Exception) -> Failure:
        summary = "the model library is missing: pip install 'backstory[models]'"
        if isinstance(error, exceptions.UserError):
            summary = "the model cannot be set up"
        return Failure(
            cause=FailureCause.MISCONFIGURED,
            summary=summary,
            diagnosis=bounded_diagnosis(error_type=type(error).__name__, message=str(error)),
            model=self.model,
        )


def _messages(request: ModelRequest) -> Sequence[ModelMessage]:
    system = SystemPromptPart(content=request.system)
    return [LibraryRequest(parts=[system, UserPromptPart(content=request.user)])]


def _silence_library() -> None:
    """Keep the library's warnings off stderr: what they tell of, `backstory models test` shows."""
    warnings.filterwarnings("ignore", module=r"pydantic_ai\.")
