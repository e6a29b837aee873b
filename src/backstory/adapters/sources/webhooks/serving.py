"""The door: an HTTP server on the loopback interface that takes signed deliveries."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer

from backstory.adapters.sources.tickets import Ticket
from backstory.adapters.sources.webhooks.deliveries import RefusedError, is_signed, ticket_in
from backstory.model.errors import BackstoryError
from backstory.ports.clock import Clock

HOST = "127.0.0.1"
# The payload of a ticket is some ten kilobytes; GitHub's own limit for any event is 25 MB.
BODY_BYTES_MAX = 5 * 1024 * 1024
_SECONDS = 5.0  # for one request; requests wait for each other
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What the server asks and tells.

    `secrets` holds the secret of each tracker that is served, `keep` records a closed ticket
    and says whether it was new, `tell` gets a line for whoever watches.
    """

    secrets: Mapping[str, str]
    keep: Callable[[Ticket], bool]
    tell: Callable[[str], None]
    clock: Clock


def make_server(door: Door, *, port: int) -> HTTPServer:
    """Listen on the loopback interface; port 0 takes a free one."""

    class Endpoint(_Endpoint):
        served = door

    class Server(HTTPServer):
        timeout = _LOOK_EVERY_S

        def handle_error(self, *_: object) -> None:
            door.tell("a request broke off")

    return Server((HOST, port), Endpoint)


def serve(server: HTTPServer, *, is_stopped: Callable[[], bool]) -> None:
    """Answer one request after another until it is stopped."""
    with server:
        while not is_stopped():
            server.handle_request()


class _Endpoint(BaseHTTPRequestHandler):
    """Answers one request."""

    served: Door
    timeout = _SECONDS
    server_version = "Backstory"
    sys_version = ""

    def do_POST(self) -> None:
        """Take a delivery."""
        tracker = self.path.strip("/")
        try:
            told = self._take(tracker)
        except RefusedError as refused:
            self.served.tell(f"{tracker[:20]!r}: {refused.status}, {refused.reason}")
            self._answer(refused.status, refused.reason)
        except BackstoryError as error:
            # Its sender tries again later.
            self.served.tell(f"{tracker}: {error}")
            self._answer(503, "nothing can be recorded now")
        else:
            self._answer(200, told)

    def do_GET(self) -> None:
        """Say that there is nothing to see."""
        self._answer(404 if self.path.strip("/") not in self.served.secrets else 405, "POST only")

    do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_GET  # noqa: N815 - as above

    def _take(self, tracker: str) -> str:
        secret = self.served.secrets.get(tracker)
        if not secret:
            raise RefusedError(404, "there is nothing here")
        body = self._body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not is_signed(tracker, headers, body=body, secret=secret):
            raise RefusedError(401, "the signature is wrong or missing")
        ticket = ticket_in(tracker, headers, body=body, now_ms=self.served.clock())
        if ticket is None or ticket.closed_at_ms is None:
            return "nothing to record"
        is_new = self.served.keep(ticket)
        told = f"{ticket.key} closed" if is_new else f"{ticket.key} closed, known already"
        self.served.tell(f"{tracker}: {told}")
        return told

    def _body(self) -> bytes:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()):
            raise RefusedError(411, "the length of the body is not told")
        if int(length) > BODY_BYTES_MAX:
            raise RefusedError(413, f"a body has {BODY_BYTES_MAX:,} bytes at most")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise RefusedError(400, "the body is cut short")
        return body

    def _answer(self, status: int, told: str) -> None:
        text = f"{told}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class
        """Say nothing: what matters is told elsewhere, and a request may hold anything."""
