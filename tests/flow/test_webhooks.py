"""A delivery is taken only with the right signature, and what it closes is recorded once."""

import hashlib
import hmac
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.sources.tickets import closing_event
from backstory.adapters.sources.webhooks.deliveries import is_signed
from backstory.adapters.sources.webhooks.serving import BODY_BYTES_MAX, Door, make_server, serve
from backstory.model.errors import StoreUnavailableError
from commands import run
from hosting import a_repository
from projects import an_opening

NOW_MS = 1_772_359_200_000
SECRET = "It's a Secret to Everybody"
CLOSED_AT = "2026-03-01T10:00:00Z"
ISSUE = {
    "action": "closed",
    "issue": {
        "number": 12,
        "title": "登录失败",
        "state": "closed",
        "closed_at": CLOSED_AT,
        "html_url": "https://github.com/acme/shop/issues/12",
    },
}
REQUEST = {
    "action": "closed",
    "number": 13,
    "pull_request": {
        "number": 13,
        "title": "Pay",
        "state": "closed",
        "merged": True,
        "merged_at": CLOSED_AT,
        "closed_at": CLOSED_AT,
        "html_url": "https://github.com/acme/shop/pull/13",
    },
}
LINEAR = {
    "action": "update",
    "type": "Issue",
    "data": {
        "identifier": "ENG-1",
        "title": "x",
        "state": {"type": "completed"},
        "completedAt": CLOSED_AT,
    },
    "updatedFrom": {"stateId": "s"},
    "url": "https://linear.app/acme/issue/ENG-1",
    "webhookTimestamp": NOW_MS - 5_000,
}
JIRA = {
    "timestamp": NOW_MS,
    "webhookEvent": "jira:issue_updated",
    "issue": {
        "key": "SHOP-7",
        "self": "https://acme.atlassian.net/rest/api/2/issue/1",
        "fields": {"summary": "Ship", "status": {"statusCategory": {"key": "done"}}},
    },
    "changelog": {"items": [{"field": "status", "toString": "Done"}]},
}
NAMES = {
    "github": ("X-Hub-Signature-256", "sha256="),
    "linear": ("Linear-Signature", ""),
    "jira": ("X-Hub-Signature", "sha256="),
}


@dataclass
class Client:
    """Sends deliveries to a server that runs beside the test."""

    port: int
    memory: Memory
    told: list[str] = field(default_factory=list)

    def send(self, place: str, body: bytes, *, method: str = "POST", **headers: str) -> int:
        """Send any bytes, and return the status of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(
                method, place, body, {k.replace("_", "-"): v for k, v in headers.items()}
            )
            return connection.getresponse().status
        finally:
            connection.close()

    def deliver(self, tracker: str, payload: object, *, event: str = "issues") -> int:
        """Send a delivery as its tracker signs it."""
        body = json.dumps(payload).encode()
        return self.send(
            f"/{tracker}", body, X_GitHub_Event=event, **{NAMES[tracker][0]: signed(tracker, body)}
        )

    def events(self) -> int:
        """Return how many events are recorded."""
        return self.memory.status().events


def signed(tracker: str, body: bytes, *, secret: str = SECRET) -> str:
    return NAMES[tracker][1] + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """Return a client of a server that serves all trackers of a project."""
    memory = Memory.open(a_repository(tmp_path / "shop"), opening=an_opening(NOW_MS))
    assert isinstance(memory, Memory)
    told: list[str] = []
    door = Door(
        secrets=dict.fromkeys(NAMES, SECRET),
        keep=lambda ticket: memory.record_events([closing_event(ticket, origin="webhooks")]) == 1,
        tell=told.append,
        clock=lambda: NOW_MS,
    )
    server = make_server(door, port=0)
    stop = threading.Event()
    thread = threading.Thread(target=serve, args=(server,), kwargs={"is_stopped": stop.is_set})
    thread.start()
    with memory:
        yield Client(port=server.server_address[1], memory=memory, told=told)
        stop.set()
        thread.join()


def test_the_signature_is_that_of_githubs_own_example() -> None:
    told = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    headers = {"x-hub-signature-256": told}

    assert is_signed("github", headers, body=b"Hello, World!", secret=SECRET)
    assert not is_signed("github", headers, body=b"Hello, World?", secret=SECRET)


@pytest.mark.promise("R66")
@pytest.mark.parametrize(
    ("tracker", "event", "payload", "key"),
    [
        ("github", "issues", ISSUE, "#12"),
        ("github", "pull_request", REQUEST, "#13"),
        ("linear", "", LINEAR, "ENG-1"),
        ("jira", "", JIRA, "SHOP-7"),
    ],
)
def test_a_closed_ticket_is_recorded_once_however_often_it_is_delivered(
    client: Client, tracker: str, event: str, payload: object, key: str
) -> None:
    first = client.deliver(tracker, payload, event=event)
    again = client.deliver(tracker, payload, event=event)

    assert (first, again) == (200, 200)
    assert client.events() == 1
    assert client.told == [f"{tracker}: {key} closed", f"{tracker}: {key} closed, known already"]


@pytest.mark.parametrize(
    ("tracker", "event", "payload"),
    [
        ("github", "ping", {"zen": "x"}),
        ("github", "issues", {**ISSUE, "action": "opened"}),
        ("github", "issues", {"action": "closed", "issue": 7}),
        ("github", "issue_comment", ISSUE),
        ("github", "pull_request", {**REQUEST, "pull_request": {"number": 1, "merged": False}}),
        ("linear", "", {**LINEAR, "updatedFrom": {"title": "y"}}),
        ("linear", "", {**LINEAR, "type": "Comment"}),
        ("jira", "", {**JIRA, "changelog": {"items": [{"field": "summary"}]}}),
        ("jira", "", {**JIRA, "issue": {"key": "SHOP-7", "fields": {"status": {}}}}),
    ],
)
def test_what_closes_nothing_is_taken_and_not_recorded(
    client: Client, tracker: str, event: str, payload: object
) -> None:
    assert client.deliver(tracker, payload, event=event) == 200
    assert client.events() == 0


@pytest.mark.parametrize("tracker", list(NAMES))
@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "é",
        signed("github", b"{}"),
        signed("linear", json.dumps(ISSUE).encode(), secret="another"),
        signed("github", json.dumps(ISSUE).encode(), secret="another"),
    ],
)
def test_a_wrong_signature_is_refused_before_anything_is_read(
    client: Client, tracker: str, signature: str
) -> None:
    body = json.dumps(ISSUE).encode()
    status = client.send(
        f"/{tracker}", body, X_GitHub_Event="issues", **{NAMES[tracker][0]: signature}
    )

    assert status == 401
    assert client.events() == 0


def test_an_old_delivery_of_linear_is_refused(client: Client) -> None:
    for sent_at_ms in (NOW_MS - 61_000, NOW_MS + 61_000, None):
        assert client.deliver("linear", {**LINEAR, "webhookTimestamp": sent_at_ms}) == 401

    assert client.events() == 0


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(client: Client, body: bytes) -> None:
    headers = {"X-Hub-Signature-256": signed("github", body)}

    assert client.send("/github", body, X_GitHub_Event="issues", **headers) == 400


def test_other_places_and_methods_are_refused(client: Client) -> None:
    assert client.send("/", b"{}") == 404
    assert client.send("/github/../x", b"{}") == 404
    assert client.send("/nowhere", b"", method="GET") == 404
    assert client.send("/github", b"", method="GET") == 405


def test_a_body_without_a_length_or_beyond_the_limit_is_not_read(client: Client) -> None:
    assert client.send("/github", b"", Content_Length="-1") == 411
    assert client.send("/github", b"", Content_Length="x") == 411
    assert client.send("/github", b"", Content_Length=str(BODY_BYTES_MAX + 1)) == 413
    assert client.deliver("github", ISSUE) == 200


def test_a_store_that_cannot_be_written_asks_to_try_again(tmp_path: Path) -> None:
    def refuse(_: object) -> bool:
        raise StoreUnavailableError("the disk is full")

    door = Door(secrets={"github": SECRET}, keep=refuse, tell=str, clock=lambda: NOW_MS)
    server = make_server(door, port=0)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    with Memory.open(a_repository(tmp_path / "a"), opening=an_opening()) as memory:
        assert isinstance(memory, Memory)
        client = Client(port=server.server_address[1], memory=memory)

        assert client.deliver("github", ISSUE) == 503
    thread.join()
    server.server_close()


def test_without_a_secret_the_door_stays_shut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.cli.commands.sources.webhooks.from_keyring", lambda _: None)
    ran = run("webhooks", at=a_repository(tmp_path / "shop"))

    assert ran.code == 2
    assert "BACKSTORY_WEBHOOK_GITHUB_SECRET" in ran.err


def test_a_port_that_is_taken_is_told(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_WEBHOOK_GITHUB_SECRET", SECRET)
    ran = run("webhooks", "--port", str(client.port), at=a_repository(tmp_path / "other"))

    assert ran.code == 1
    assert f"port {client.port}" in ran.err
