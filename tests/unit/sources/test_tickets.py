"""A ticket of any tracker comes in one form, and one closing is one event."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.sources.tickets import Ticket, closing_event, ticket_of
from backstory.adapters.sources.tickets.reading import tickets_in, tickets_of
from backstory.model.errors import UnreadableInputError

CLOSED = "2026-03-01T10:00:00Z"
CLOSED_MS = 1_772_359_200_000
GITHUB = {
    "number": 12,
    "title": "Login fails 登录失败",
    "state": "CLOSED",
    "closedAt": CLOSED,
    "url": "https://github.com/acme/shop/issues/12",
    "body": "Always use tabs.",
    "labels": [{"name": "bug"}],
}
LINEAR = {
    "identifier": "ENG-4",
    "title": "Pay",
    "state": {"type": "completed"},
    "completedAt": CLOSED,
    "url": "https://linear.app/acme/issue/ENG-4",
}
JIRA = {
    "key": "SHOP-7",
    "self": "https://acme.atlassian.net/rest/api/2/issue/10002",
    "fields": {
        "summary": "Ship",
        "status": {"statusCategory": {"key": "done"}},
        "resolutiondate": "2026-03-01T11:00:00.000+0100",
    },
}


@pytest.mark.parametrize(
    ("row", "tracker", "key", "title", "url"),
    [
        (GITHUB, "github", "#12", "Login fails 登录失败", GITHUB["url"]),
        (LINEAR, "linear", "ENG-4", "Pay", LINEAR["url"]),
        (JIRA, "jira", "SHOP-7", "Ship", "https://acme.atlassian.net/browse/SHOP-7"),
    ],
)
def test_a_closed_ticket_of_each_tracker_is_read(
    row: dict[str, object], tracker: str, key: str, title: str, url: str
) -> None:
    wanted = Ticket(tracker=tracker, key=key, title=title, url=url, closed_at_ms=CLOSED_MS)

    assert ticket_of(row) == wanted


@pytest.mark.parametrize(
    "row",
    [
        {**GITHUB, "state": "OPEN"},
        {**GITHUB, "closedAt": None},
        {**LINEAR, "state": {"type": "started"}},
        {**LINEAR, "state": "In Progress"},
        {**JIRA, "fields": {"status": {"statusCategory": {"key": "indeterminate"}}}},
        {**JIRA, "fields": {}},
    ],
)
def test_a_ticket_that_is_open_closes_nothing(row: dict[str, object]) -> None:
    ticket = ticket_of(row)

    assert ticket is not None
    assert closing_event(ticket, origin="tickets") is None


def test_other_spellings_of_a_closed_ticket_are_read() -> None:
    rest = {"number": 12, "state": "closed", "closed_at": CLOSED, "html_url": GITHUB["url"]}
    merged = {"number": 13, "state": "MERGED", "mergedAt": CLOSED, "title": "x"}
    flat = {"identifier": "ENG-5", "status": "Done", "completedAt": CLOSED}
    tickets = [ticket_of(row) for row in (rest, merged, flat)]

    assert [ticket.closed_at_ms for ticket in tickets if ticket] == [CLOSED_MS] * 3


def test_one_closing_has_one_key_whoever_tells_it() -> None:
    told = ticket_of(GITHUB)
    again = ticket_of({"number": 12, "state": "closed", "closed_at": CLOSED, "url": GITHUB["url"]})
    later = ticket_of({**GITHUB, "closedAt": "2026-03-02T10:00:00Z"})
    keys = []
    for ticket in (told, again, later):
        assert ticket is not None
        event = closing_event(ticket, origin="tickets")
        assert event is not None
        keys.append(event.source_key)

    assert keys[0] == keys[1] != keys[2]


def test_a_title_is_one_bounded_line_without_secrets() -> None:
    title = "a\nb\x1b[31m\u202e token ghp_" + "a1B2" * 9 + " long" * 200
    ticket = ticket_of({**GITHUB, "title": title})

    assert ticket is not None
    assert ticket.title.startswith("a b [31m token [REDACTED:")
    assert len(ticket.title) <= 300
    assert ticket.title.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GITHUB, LINEAR]),
        json.dumps({"data": {"team": {"issues": {"nodes": [GITHUB, LINEAR]}}}}),
        json.dumps({"issues": [GITHUB, LINEAR], "total": 2}),
        f"{json.dumps(GITHUB)}\n\n{json.dumps(LINEAR)}\n",
        "\ufeff" + json.dumps([GITHUB, LINEAR, {"name": "no ticket"}, 7]),
    ],
)
def test_a_list_of_tickets_is_found_wherever_it_lies(text: str) -> None:
    read = tickets_of(text.encode(), name="x")

    assert [ticket.key for ticket in read.tickets] == ["#12", "ENG-4"]


def test_one_ticket_alone_is_a_list_of_one() -> None:
    assert len(tickets_of(json.dumps(JIRA).encode(), name="x").tickets) == 1
    assert tickets_of(b"[]", name="x").tickets == ()


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe", b'[{"name": "x"}]', b"[" * 100_000])
def test_what_holds_no_tickets_is_refused_with_its_name(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "closed.json"
    file.write_bytes(raw)

    with pytest.raises(UnreadableInputError, match=r"closed\.json"):
        tickets_in(file)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError, match="nowhere"):
        tickets_in(tmp_path / "nowhere")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [*GITHUB, *LINEAR, *JIRA, "status", "merged_at", "statusCategory", "closed_at"]
)


@given(st.dictionaries(NAMES, VALUES))
def test_no_object_breaks_the_reader(row: dict[str, object]) -> None:
    ticket = ticket_of(row)

    assert ticket is None or ticket.title.isprintable()
