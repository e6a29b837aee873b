"""What a model is shown of an episode is bounded, and holds no part of a secret."""

import pytest

from backstory.episodes.model.material import SourceKind, material_of
from backstory.episodes.sessions import Session
from backstory.model.event import Event
from backstory.model.ids import EventId
from backstory.model.words import EventKind

SECRET = "ghp_" + "a1B2" * 9


def a_commit(subject: str) -> Event:
    return Event(
        id=EventId("ev_1"),
        seq=1,
        kind=EventKind.COMMIT,
        at_ms=0,
        recorded_at_ms=0,
        payload={"sha": "a" * 40, "subject": subject},
        text=subject,
        origin="git",
        thread_id=None,
        turn_id=None,
        branch=None,
    )


@pytest.mark.promise("R150")
@pytest.mark.parametrize("room", range(0, 240, 7))
def test_a_secret_that_lies_across_a_cut_is_not_shown_in_part(room: int) -> None:
    session = Session(events=(a_commit(f"{'x' * room} {SECRET} is the token"),))

    material = material_of(session, messages=[], diff="", paths=[])

    (shown,) = [one.text for one in material.sources if one.kind is SourceKind.EVENT]
    assert SECRET[:8] not in shown
    assert len(shown) <= 200
