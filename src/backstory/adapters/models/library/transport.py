"""HTTP for models: one connection a request, no redirects, no endless reply."""

from collections.abc import AsyncIterator

import httpx2

# A reply of 6,000 tokens is some 30 KB; an error page is not much more.
REPLY_BYTES_MAX = 4_000_000
_CONNECT_SECONDS_MAX = 10.0


class ReplyTooLargeError(Exception):
    """A server sent more than any reply can be."""


class RedirectedError(Exception):
    """A server wants the request sent elsewhere, where nobody said it may go."""


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream
        self._left = REPLY_BYTES_MAX

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise ReplyTooLargeError(f"the server sent more than {REPLY_BYTES_MAX} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    if response.has_redirect_location:
        # The SDKs ask for redirects to be followed, whatever the client says.
        raise RedirectedError(f"the server answered {response.status_code}, a redirect")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _BoundedStream(response.stream)


def open_http(*, timeout_ms: int, user_agent: str) -> httpx2.AsyncClient:
    """Return an HTTP client for one request; close it afterwards.

    It follows no redirect: the conversation and the key go to the address that the user named and
    to no other. Proxies are taken from the environment, as every HTTP tool does.
    """
    seconds = timeout_ms / 1_000
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS_MAX), pool=None),
        follow_redirects=False,
        # Not compressed, so that the bound counts what has to be held.
        headers={"user-agent": user_agent, "accept-encoding": "identity"},
        event_hooks={"response": [_bound]},
    )
