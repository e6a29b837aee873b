"""The scripted model plays its script in order and records what it was asked."""

from backstory.adapters.models.scripted import ScriptedClient, playing
from backstory.model.job import CallPurpose, FailureCause
from backstory.ports.model_client import Failure, Finish, ModelRequest, Reply


def a_request(**fields: int) -> ModelRequest:
    return ModelRequest(purpose=CallPurpose.TEST, system="s", user="u", schema={}, **fields)


def test_steps_are_played_in_order_and_the_last_one_stays():
    client = playing(["one", FailureCause.QUOTA, lambda request: f"three of {request.user}"])

    outcomes = [client.ask(a_request()) for _ in range(4)]

    texts = [getattr(outcome, "text", None) for outcome in outcomes]
    assert texts == ["one", None, "three of u", "three of u"]
    assert isinstance(outcomes[1], Failure)
    assert outcomes[1].cause is FailureCause.QUOTA
    assert len(client.requests) == 4


def test_without_a_script_nobody_answers():
    outcome = ScriptedClient().ask(a_request())

    assert isinstance(outcome, Failure)
    assert outcome.cause is FailureCause.TRANSIENT


def test_a_reply_beyond_the_output_limit_is_cut():
    outcome = playing(["x" * 1_000]).ask(a_request(output_tokens_max=100))

    assert isinstance(outcome, Reply)
    assert outcome.finish is Finish.LENGTH
    assert len(outcome.text) == 300
