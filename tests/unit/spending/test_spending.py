"""Caps hold, every call is in the book, and prices are known or said to be unknown."""

import tomllib
from dataclasses import dataclass, field, replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.models.addresses import PROVIDERS
from backstory.adapters.models.scripted import ScriptedClient, playing
from backstory.adapters.spending import NO_CAPS, Caps, MeteredClient
from backstory.adapters.spending.caps import Capped, Spent, capped_by, expected_tokens
from backstory.adapters.spending.prices import nano_usd
from backstory.model.job import Call, CallOutcome, CallPurpose, FailureCause, Usage
from backstory.model.limits import DAY_MS, HOUR_MS
from backstory.ports.model_client import Failure, ModelRequest, Reply

NOON_MS = 20_000 * DAY_MS + 12 * HOUR_MS


def a_request(**fields: object) -> ModelRequest:
    given = {"system": "s" * 100, "user": "u" * 900, "output_tokens_max": 600}
    return ModelRequest(purpose=CallPurpose.EXTRACT, schema={}, **(given | fields))


@dataclass
class Book:
    """A ledger in a list."""

    calls: list[Call] = field(default_factory=list)

    def add(self, call: Call) -> None:
        """Keep a call."""
        self.calls.append(call)

    def spent(self, *, since_ms: int, session: str | None = None) -> tuple[int, int]:
        """Add up what was spent."""
        kept = [
            call
            for call in self.calls
            if call.at_ms >= since_ms and session in {None, call.session}
        ]
        tokens = sum(call.usage.tokens for call in kept)
        return tokens, sum(call.nano_usd or 0 for call in kept)


def metered(
    inner: ScriptedClient, *, caps: Caps = NO_CAPS, now_ms: int = NOON_MS
) -> MeteredClient:
    return MeteredClient(inner=inner, ledger=Book(), caps=caps, clock=lambda: now_ms)


def a_reply(tokens: int = 1_000) -> Reply:
    usage = Usage(tokens_in=tokens - 10, tokens_out=10)
    return Reply(text="{}", usage=usage, model="openai:gpt-4o-mini")


@pytest.mark.parametrize("cause", [c for c in FailureCause if c is not FailureCause.CAPPED])
def test_every_call_is_in_the_book_whatever_came_of_it(cause):
    client = metered(playing([a_reply(), cause]))

    client.ask(a_request())
    client.ask(a_request())

    calls = client.ledger.calls
    assert [call.outcome for call in calls] == [CallOutcome.OK, CallOutcome(cause.value)]
    assert calls[0].usage.tokens == 1_000
    assert calls[0].purpose is CallPurpose.EXTRACT


def test_a_cut_reply_is_paid_for_too():
    client = metered(playing(["x" * 9_000]))

    client.ask(a_request())

    assert client.ledger.calls[0].outcome is CallOutcome.CUT


def test_a_server_that_counts_nothing_is_estimated():
    silent = replace(a_reply(), usage=Usage())

    client = metered(playing([silent]))
    client.ask(a_request())

    call = client.ledger.calls[0]
    assert call.is_estimated
    assert call.usage.tokens_in > 100


@pytest.mark.case("C27")
def test_a_backlog_drains_up_to_the_cap_and_goes_on_tomorrow():
    inner = playing([a_reply(1_000)])
    client = metered(inner, caps=Caps(day_tokens=10_000))

    outcomes = [client.ask(a_request()) for _ in range(40)]
    tomorrow = replace(client, clock=lambda: NOON_MS + DAY_MS).ask(a_request())

    assert len(inner.requests) == 11
    capped = outcomes[-1]
    assert isinstance(capped, Failure)
    assert capped.cause is FailureCause.CAPPED
    assert capped.retry_after_ms == 12 * HOUR_MS
    assert isinstance(tomorrow, Reply)


@pytest.mark.case("C27")
def test_one_session_cannot_spend_for_the_others():
    client = metered(playing([a_reply(1_000)]), caps=Caps(session_tokens=3_000))

    greedy = [client.for_session("a").ask(a_request()) for _ in range(9)]

    assert sum(isinstance(outcome, Reply) for outcome in greedy) == 3
    assert isinstance(client.for_session("b").ask(a_request()), Reply)


@pytest.mark.case("C27")
def test_a_call_beyond_its_cap_is_too_long_and_not_sent():
    inner = playing([a_reply()])

    outcome = metered(inner, caps=Caps(call_tokens=500)).ask(a_request())

    assert isinstance(outcome, Failure)
    assert outcome.cause is FailureCause.TOO_LONG
    assert inner.requests == []


def test_a_price_cap_holds():
    client = metered(playing([a_reply(1_000_000)]), caps=replace(NO_CAPS, day_nano_usd=10**8))
    client = replace(client, inner=ScriptedClient((a_reply(1_000_000),), "openai:gpt-4o-mini"))

    outcomes = [client.ask(a_request()) for _ in range(5)]

    assert sum(isinstance(outcome, Reply) for outcome in outcomes) == 1


CAP = st.none() | st.integers(0, 10_000)


CAPS = st.builds(Caps, call_tokens=CAP, session_tokens=CAP, day_tokens=CAP, day_nano_usd=CAP)


@given(CAPS, st.integers(0, 20_000), st.integers(0, 20_000))
def test_nothing_begins_beyond_a_cap(caps, today, in_session):
    call, day, price, session = (
        caps.call_tokens,
        caps.day_tokens,
        caps.day_nano_usd,
        caps.session_tokens,
    )
    spent = Spent(tokens=today, nano_usd=today)

    capped = capped_by(
        caps, a_request(), today=spent, session=Spent(tokens=in_session), now_ms=NOON_MS
    )

    is_over = (
        (call is not None and expected_tokens(a_request()) > call)
        or (day is not None and today >= day)
        or (price is not None and today >= price)
        or (session is not None and in_session >= session)
    )
    assert isinstance(capped, Capped) == is_over
    if capped is not None and capped.until_ms is not None:
        assert NOON_MS < capped.until_ms <= NOON_MS + DAY_MS


def test_list_prices_are_known_by_name_and_by_dated_name():
    million = Usage(tokens_in=1_000_000, tokens_out=1_000_000)

    assert nano_usd("anthropic:claude-opus-5", million) == 30 * 10**9
    assert nano_usd("anthropic:claude-opus-5-20260701", million) == 30 * 10**9
    assert nano_usd("anthropic:claude-opus-5-nova", million) is None
    assert nano_usd("ollama:qwen3", million) is None
    assert nano_usd("nobody", million) is None


def test_price_table_names_providers_that_exist_and_prices_that_make_sense():
    source = files("backstory.adapters.spending").joinpath("data/prices.toml")
    tables = tomllib.loads(source.read_text(encoding="utf-8"))

    assert set(tables) <= set(PROVIDERS)
    for models in tables.values():
        for into, out in models.values():
            assert 0 <= into <= out < 1_000
