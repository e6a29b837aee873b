"""A model on the loopback interface that keeps what it is sent and understands nothing."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer

from backstory.adapters.rehearsal.replies import Wire, reply_to

_HOST = "127.0.0.1"
_LOOK_EVERY_S = 0.02
# An agent's first request, with its tools and instructions, is some hundred kilobytes.
_BODY_BYTES_MAX = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Where the model listens, and the bodies that it was sent, in order."""

    url: str
    sent: list[str] = field(default_factory=list)


@contextmanager
def listening(wire: Wire, *, said: str) -> Iterator[Listener]:
    """Run a model on a free port until the block ends."""

    class Requests(_Requests):
        form = wire
        words = said

    with _Server((_HOST, 0), Requests) as server:
        listener = Listener(url=f"http://{_HOST}:{server.server_port}")
        Requests.sent = listener.sent
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": _LOOK_EVERY_S}, daemon=True
        )
        thread.start()
        try:
            yield listener
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def server_bind(self) -> None:
        """Take a port, and ask nobody how this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = _HOST, self.server_address[1]

    def handle_error(self, *_: object) -> None:
        """Say nothing of an agent that hangs up or speaks no HTTP."""


class _Requests(BaseHTTPRequestHandler):
    """Answers one request."""

    form: Wire
    words: str
    sent: list[str]
    server_version = "Backstory"
    sys_version = ""

    def do_POST(self) -> None:
        """Keep what was sent, and answer with the same words as ever."""
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(min(length, _BODY_BYTES_MAX))
        self.sent.append(body.decode("utf-8", "replace"))
        self._answer()

    def do_GET(self) -> None:
        """Answer where an agent looks for what there is."""
        self._answer()

    def _answer(self) -> None:
        reply = reply_to(self.form, self.path, said=self.words)
        self.send_response(200)
        self.send_header("content-type", reply.content_type)
        self.send_header("content-length", str(len(reply.body)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(reply.body)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing of it: this is no server that somebody watches."""
