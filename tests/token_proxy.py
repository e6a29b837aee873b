"""A way to a guarded server for clients that cannot be told a token: it adds it for them."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def with_token(port: int, token: str) -> Iterator[int]:
    """Listen until the block ends, and return the port that passes requests on to `port`.

    What a request says of its host and origin is passed on as it is, but that its own port
    becomes the server's.
    """
    given = {**os.environ, "TO_PORT": str(port), "TO_TOKEN": token}
    with subprocess.Popen(
        [sys.executable, __file__], env=given, stdout=subprocess.PIPE, text=True
    ) as proxy:
        try:
            assert proxy.stdout is not None
            yield int(proxy.stdout.readline())
        finally:
            proxy.kill()


async def listen(port: int, token: str) -> None:
    """Pass on until this process is killed; the port is the first line that it prints."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            own = writer.get_extra_info("sockname")[1]
            back.write(with_header(head, token, ports=(own, port)))
            sending = asyncio.ensure_future(pump(reader, back))
            await pump(there, writer)
            sending.cancel()
        back.close()
        writer.close()

    server = await asyncio.start_server(pass_on, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def with_header(head: bytes, token: str, *, ports: tuple[int, int]) -> bytes:
    """Return the beginning of a request with the token in it."""
    own, other = (str(port).encode() for port in ports)
    head = re.sub(rb"(?im)^((?:host|origin): .*):" + own + rb"\r$", rb"\1:" + other + b"\r", head)
    # One request a connection, so that only its beginning has to be read.
    head = re.sub(rb"(?im)^connection: .*\r\n", b"", head)
    first, rest = head.split(b"\r\n", 1)
    added = f"Connection: close\r\nAuthorization: Bearer {token}\r\n".encode()
    return first + b"\r\n" + added + rest


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what comes until nothing does."""
    with suppress(ConnectionError):
        while part := await reader.read(65_536):
            writer.write(part)
            await writer.drain()


if __name__ == "__main__":
    asyncio.run(listen(int(os.environ["TO_PORT"]), os.environ["TO_TOKEN"]))
