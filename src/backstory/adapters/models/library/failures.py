"""From what the provider library raises to a typed failure with a bounded, masked diagnosis."""

import json

from pydantic_ai import exceptions

from backstory.adapters.models.library.transport import RedirectedError, ReplyTooLargeError
from backstory.adapters.models.masking import masked, without_echo
from backstory.model.job import FailureCause
from backstory.ports.model_client import Failure, ModelRequest, bounded_diagnosis

# Checked in order, the surer word first. What is not listed goes by its status.
_OF_TYPE: tuple[tuple[type[BaseException], FailureCause], ...] = (
    (exceptions.ContentFilterError, FailureCause.REFUSED),
    (exceptions.ModelContextWindowExceededError, FailureCause.TOO_LONG),
    (exceptions.OutputTokenLimitExceeded, FailureCause.TOO_LONG),
    (exceptions.ModelQuotaExceededError, FailureCause.QUOTA),
    (exceptions.ModelAuthenticationError, FailureCause.MISCONFIGURED),
    (exceptions.ModelNotFoundError, FailureCause.MISCONFIGURED),
    (exceptions.ModelRateLimitError, FailureCause.TRANSIENT),
    (exceptions.ModelUnavailableError, FailureCause.TRANSIENT),
    (exceptions.ModelServerError, FailureCause.TRANSIENT),
    (exceptions.ModelConnectionError, FailureCause.TRANSIENT),
    (exceptions.ModelRequestTimeout, FailureCause.TRANSIENT),
    (exceptions.UnexpectedModelBehavior, FailureCause.INVALID),
    (exceptions.UserError, FailureCause.MISCONFIGURED),
)
# RFC 9110: 408 and 409 may succeed when repeated, 413 says that the content is too large.
_SURE_STATUS = {
    408: FailureCause.TRANSIENT,
    409: FailureCause.TRANSIENT,
    413: FailureCause.TOO_LONG,
}
# Where the library has no word of its own for what a provider said.
_PLAIN_STATUS = {402: FailureCause.QUOTA, 429: FailureCause.TRANSIENT}
# Codes by which providers say that a policy, not an option, stopped the request.
_REFUSING = ("content_filter", "content_policy", "safety", "moderation")

_SUMMARIES = {
    FailureCause.TRANSIENT: "the model did not answer",
    FailureCause.QUOTA: "the account has no quota left",
    FailureCause.TOO_LONG: "the input is too long for the model",
    FailureCause.INVALID: "the server sent something that is no reply",
    FailureCause.REFUSED: "the model or its provider refused to answer",
    FailureCause.MISCONFIGURED: "the server does not accept the request",
    FailureCause.CAPPED: "a cap of this project is reached",
}


def failure_of(
    error: BaseException, *, request: ModelRequest, model: str, key: str | None
) -> Failure:
    """Class an error and keep what a person needs to find its cause."""
    status = getattr(error, "status_code", None)
    code = str(
        getattr(error, "provider_error_code", None)
        or getattr(error, "provider_error_type", None)
        or ""
    )
    cause = _cause_of(error, status=status, code=code)
    sent = (request.system, request.user)
    retry_after = getattr(error, "retry_after", None)
    return Failure(
        cause=cause,
        summary=_summary(cause, error, status=status),
        diagnosis=bounded_diagnosis(
            error_type=type(error).__name__,
            message=masked(_message_of(error), sent=sent, key=key),
            status=status,
            code=masked(code, sent=sent, key=key),
            body=masked(_body_text(getattr(error, "body", None)), sent=sent, key=key),
        ),
        model=model,
        retry_after_ms=None if retry_after is None else int(retry_after * 1_000),
    )


def _cause_of(error: BaseException, *, status: int | None, code: str) -> FailureCause:
    if any(word in code.lower() for word in _REFUSING):
        return FailureCause.REFUSED
    if status in _SURE_STATUS:
        return _SURE_STATUS[status]
    own = [type(one) for one in _chain(error)]
    if RedirectedError in own:
        return FailureCause.MISCONFIGURED
    if ReplyTooLargeError in own:
        return FailureCause.INVALID
    for kind, cause in _OF_TYPE:
        if isinstance(error, kind):
            return cause
    if status is None:
        return FailureCause.INVALID
    rest = FailureCause.TRANSIENT if status >= 500 else FailureCause.MISCONFIGURED
    return _PLAIN_STATUS.get(status, rest)


def _summary(cause: FailureCause, error: BaseException, *, status: int | None) -> str:
    said = f" (HTTP {status})" if status is not None else ""
    if isinstance(error, exceptions.ModelAuthenticationError):
        return f"the key was not accepted{said}"
    if isinstance(error, exceptions.ModelNotFoundError):
        return f"there is no such model or address{said}"
    if isinstance(error, exceptions.ModelRateLimitError):
        return f"too many requests for the account{said}"
    if isinstance(error, exceptions.ModelRequestTimeout | exceptions.ModelTimeoutError):
        return "the model took too long to answer"
    if isinstance(error, exceptions.ModelConnectionError):
        return "the connection to the model failed"
    return f"{_SUMMARIES[cause]}{said}"


def _message_of(error: BaseException) -> str:
    """Return the error's own words, without the body that the library puts into its message."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        words = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(words, str):
            return words
    if isinstance(error, exceptions.ModelHTTPError):
        return f"HTTP {error.status_code}"
    return ": ".join(dict.fromkeys(str(one) or type(one).__name__ for one in _chain(error)))


def _chain(error: BaseException) -> list[BaseException]:
    """Return an error and what caused it, outermost first."""
    chain = [error]
    while (cause := chain[-1].__cause__) is not None and cause not in chain:
        chain.append(cause)
    return chain


def _body_text(body: object) -> str:
    if body is None:
        return ""
    if isinstance(body, str):
        return _without_echo_text(body)
    return json.dumps(without_echo(body), ensure_ascii=False, default=str)


def _without_echo_text(body: str) -> str:
    try:
        return json.dumps(without_echo(json.loads(body)), ensure_ascii=False)
    except ValueError:
        return body
