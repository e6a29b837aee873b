"""Who may speak to a server on this machine's own network: programs that know the token.

A web page may reach it too, by a name that leads to 127.0.0.1 (DNS rebinding), so the Host and
Origin of each request are checked before its token, as the transport's specification asks:
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping

LOOPBACK = "127.0.0.1"

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class Guard:
    """Lets a request through that comes from this machine and holds the token (ASGI)."""

    def __init__(self, app: App, *, token: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost", "[::1]")}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403 or 401."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # a web socket is not answered, and closed for it
        status = self._refusal(_headers_of(scope))
        if status is None:
            await self._app(scope, receive, send)
        else:
            await _refuse(status, send)

    def _refusal(self, headers: Mapping[str, str]) -> int | None:
        origin = headers.get("origin")
        if headers.get("host") not in self._hosts:
            return 403
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return 403
        scheme, _, given = headers.get("authorization", "").partition(" ")
        is_right = hmac.compare_digest(given.strip().encode(), self._token)
        return None if scheme.lower() == "bearer" and is_right else 401


def _headers_of(scope: Message) -> dict[str, str]:
    headers = scope["headers"]
    assert isinstance(headers, list | tuple)
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


async def _refuse(status: int, send: Send) -> None:
    body = b"forbidden\n" if status == 403 else b"a token is needed\n"
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="backstory"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
