"""New commits become episodes by themselves: those since the last time, never all of history."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from backstory.adapters.git.backfill import (
    TIPS_KEPT,
    BackfillChoices,
    BackfillReport,
    backfill,
    tips_in,
)
from backstory.adapters.git.repository import GitRepository
from backstory.adapters.git.runner import BULK_SECONDS, Git
from backstory.model.limits import SECOND_MS
from backstory.ports.clock import Clock
from backstory.ports.store import Store

# How far commits were read before anybody asked for all of history.
CAUGHT_UP_KEPT = "caught_up_tips"

# More at once are no work of a session but another history: `backfill` reads those.
CAUGHT_UP_MAX = 5_000
_EVERYWHERE = ("--branches", "--remotes", "--tags")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """What a catch-up kept; `left` counts the commits that are too many for it."""

    report: BackfillReport
    left: int = 0


def catch_up(
    store: Store, root: Path, *, environ: Mapping[str, str], clock: Clock, since_ms: int
) -> CaughtUp:
    """Keep the commits that are new since the last time as episodes.

    Where history was never read, these are the commits since `since_ms`; what lies before is
    for `backfill`. Raises `VcsUnavailableError`.
    """
    vcs = GitRepository(root, environ=environ)
    with store.reading() as tables:
        is_filled = tables.meta.setting(TIPS_KEPT) is not None
        is_begun = tables.meta.setting(CAUGHT_UP_KEPT) is not None
    if is_filled:
        choices = BackfillChoices()
    else:
        left_out = () if is_begun else _before(Git(root, environ=environ), vcs, since_ms=since_ms)
        choices = BackfillChoices(kept_as=CAUGHT_UP_KEPT, left_out=left_out)
    waiting = _waiting(store, vcs, choices=choices)
    if waiting > CAUGHT_UP_MAX:
        return CaughtUp(report=BackfillReport(), left=waiting)
    return CaughtUp(report=backfill(store, vcs, clock=clock, choices=choices))


def _waiting(store: Store, vcs: GitRepository, *, choices: BackfillChoices) -> int:
    """Return how many commits would be read, counted a little beyond the bound."""
    with store.reading() as tables:
        kept = tables.meta.setting(choices.kept_as)
    seen = tips_in(kept) if kept is not None else tuple(choices.left_out)
    return sum(1 for _ in islice(vcs.listed(seen=seen), CAUGHT_UP_MAX + 1))


def _before(git: Git, vcs: GitRepository, *, since_ms: int) -> tuple[str, ...]:
    """Return the commits at which history is cut: the tips, and what new ones build on."""
    printed = git.ask(
        *("rev-list", "--boundary", f"--max-age={since_ms // SECOND_MS}", *_EVERYWHERE),
        seconds=BULK_SECONDS,
    )
    lines = printed.decode("ascii").split()
    new = {line for line in lines if not line.startswith("-")}
    cut = {line.removeprefix("-") for line in lines if line.startswith("-")}
    return tuple(sorted(cut | (set(vcs.tips().values()) - new)))
