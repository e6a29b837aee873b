"""What is noted of a model's summary: which model made it and what of it was dropped."""

import json
from collections import Counter
from collections.abc import Sequence

from backstory import index
from backstory.episodes.stage import COMMIT_ORIGIN
from backstory.model.episode import Episode
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.words import Status
from backstory.ports.store import Tables
from backstory.segment.terms import search_terms

# Where what a model said of an episode is noted: which model, and what was dropped.
SUMMED_KEPT = "summary/"

_AT_ONE_TIME_MAX = 20
# A text of fewer terms ("yes", "可以") stands in anything.
_TERMS_MIN = 2


def summed_by(tables: Tables, episode_id: EpisodeId) -> tuple[str, dict[str, int]] | None:
    """Return which model summed an episode up, and what of it was dropped, by reason."""
    kept = tables.meta.setting(f"{SUMMED_KEPT}{episode_id}")
    if kept is None:
        return None
    noted = json.loads(kept)
    return str(noted["model"]), Counter({str(k): int(n) for k, n in noted["dropped"].items()})


def withdraw(tables: Tables, episode_id: EpisodeId) -> None:
    """Take back what a model said of an episode; what the rules found is the summary again."""
    name = f"{SUMMED_KEPT}{episode_id}"
    kept = tables.meta.setting(name)
    if kept is None:
        return
    tables.episodes.withdraw_model(episode_id, todos=json.loads(kept)["todos"])
    tables.meta.set_setting(name, None)
    index_again(tables, episode_id)


def withdraw_around(tables: Tables, item_id: ItemId) -> None:
    """Take back what a model said of the episodes in whose time an item was said.

    For who forgets or erases the item: its words may stand in other words there.
    """
    story = tables.items.story(item_id)
    for evidence in story.evidence if story is not None else ():
        at_ms = evidence.said_at_ms
        for episode_id in tables.episodes.within(at_ms, at_ms + 1, limit=_AT_ONE_TIME_MAX):
            withdraw(tables, episode_id)


def withdraw_retracted(tables: Tables, touched: Sequence[ItemId]) -> None:
    """Take back what a model said around the items that their user has just taken back."""
    for item in tables.items.many(touched):
        if item.status is Status.RETRACTED:
            withdraw_around(tables, item.id)


def edited_with(tables: Tables, item_id: ItemId) -> tuple[Episode, ...]:
    """Return the episodes whose objective, in a person's own words, says what an item says.

    What a person wrote is theirs: they are told of it, and nothing is changed.
    """
    story = tables.items.story(item_id)
    if story is None:
        return ()
    said = [story.item.revision.statement, *(one.quote.text for one in story.evidence)]
    wanted = {text.strip(" .!。！").casefold() for text in said}
    wanted = {words for words in wanted if len(search_terms(words)) >= _TERMS_MIN}
    episodes = tables.episodes.many(tables.episodes.by_people())
    return tuple(
        one for one in episodes if any(w in one.summary.objective.casefold() for w in wanted)
    )


def index_again(tables: Tables, episode_id: EpisodeId) -> None:
    """Index an episode as it is now, unless its story finds it."""
    episode = tables.episodes.get(episode_id)
    if episode is not None and episode.origin != COMMIT_ORIGIN:
        index.index_entries(tables, [episode])
