"""What the stages of a project are run with, and what runs those that need no model."""

from functools import partial

from backstory.adapters.instructions import written_lines
from backstory.jobs import Runners
from backstory.pipeline import Surroundings, runners
from backstory.wiring.desk import Desk
from backstory.wiring.story.summed import withdraw_retracted


def surroundings_of(desk: Desk) -> Surroundings:
    """Return what the stages have to know of a project."""
    return Surroundings(
        is_reviewed=desk.is_reviewed,
        after_change=withdraw_retracted,
        written=partial(written_lines, desk.project),
    )


def rules_for(desk: Desk, *, is_model_asked: bool) -> Runners:
    """Return what runs each kind of job by rule. With `is_model_asked` a model reads it too."""
    return runners(
        desk.store,
        clock=desk.clock,
        ids=desk.ids,
        surroundings=surroundings_of(desk),
        is_model_asked=is_model_asked,
    )
