"""The tables of a store inside one transaction, a family at a time.

A family is loaded when it is asked for: a hook needs few of them.
"""

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from backstory.store.candidates import SqliteCandidates
    from backstory.store.cursors import SqliteCursors
    from backstory.store.episodes import SqliteEpisodes
    from backstory.store.injections import SqliteInjections
    from backstory.store.items import SqliteItems
    from backstory.store.meta import SqliteMeta
    from backstory.store.postings import SqlitePostings
    from backstory.store.raw.events import SqliteEvents
    from backstory.store.raw.periods import SqlitePeriods
    from backstory.store.raw.threads import SqliteThreads
    from backstory.store.raw.turns import SqliteTurns
    from backstory.store.story.branches import SqliteBranches
    from backstory.store.story.cited import SqliteCitedFiles
    from backstory.store.story.order import SqliteStoryOrder
    from backstory.store.story.table import SqliteStory
    from backstory.store.story.titles import SqliteTicketTitles
    from backstory.store.turn_texts import SqliteTurnTexts
    from backstory.store.work.calls import SqliteCalls
    from backstory.store.work.jobs import SqliteJobs


class SqliteTables:
    """Gives each family of tables; lives no longer than its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> apsw.Connection:
        """The connection itself; for the store's own modules only."""
        return self._connection

    @property
    def meta(self) -> "SqliteMeta":
        """What the store knows of itself."""
        from backstory.store.meta import SqliteMeta

        return SqliteMeta(self._connection)

    @property
    def threads(self) -> "SqliteThreads":
        """Conversations."""
        from backstory.store.raw.threads import SqliteThreads

        return SqliteThreads(self._connection)

    @property
    def turns(self) -> "SqliteTurns":
        """What was said."""
        from backstory.store.raw.turns import SqliteTurns

        return SqliteTurns(self._connection)

    @property
    def events(self) -> "SqliteEvents":
        """What happened outside the conversation."""
        from backstory.store.raw.events import SqliteEvents

        return SqliteEvents(self._connection)

    @property
    def jobs(self) -> "SqliteJobs":
        """Work to be done later."""
        from backstory.store.work.jobs import SqliteJobs

        return SqliteJobs(self._connection)

    @property
    def calls(self) -> "SqliteCalls":
        """Calls to models."""
        from backstory.store.work.calls import SqliteCalls

        return SqliteCalls(self._connection)

    @property
    def candidates(self) -> "SqliteCandidates":
        """Proposals and refusals."""
        from backstory.store.candidates import SqliteCandidates

        return SqliteCandidates(self._connection)

    @property
    def items(self) -> "SqliteItems":
        """What is remembered."""
        from backstory.store.items import SqliteItems

        return SqliteItems(self._connection)

    @property
    def episodes(self) -> "SqliteEpisodes":
        """Stretches of development."""
        from backstory.store.episodes import SqliteEpisodes

        return SqliteEpisodes(self._connection)

    @property
    def story(self) -> "SqliteStory":
        """Commits as episodes."""
        from backstory.store.story.table import SqliteStory

        return SqliteStory(self._connection)

    @property
    def story_order(self) -> "SqliteStoryOrder":
        """The numbers of commits' episodes, and the runs in which they are found."""
        from backstory.store.story.order import SqliteStoryOrder

        return SqliteStoryOrder(self._connection)

    @property
    def cited(self) -> "SqliteCitedFiles":
        """The files that entries cite."""
        from backstory.store.story.cited import SqliteCitedFiles

        return SqliteCitedFiles(self._connection)

    @property
    def branches(self) -> "SqliteBranches":
        """The branches that are not merged."""
        from backstory.store.story.branches import SqliteBranches

        return SqliteBranches(self._connection)

    @property
    def ticket_titles(self) -> "SqliteTicketTitles":
        """What trackers call their tickets."""
        from backstory.store.story.titles import SqliteTicketTitles

        return SqliteTicketTitles(self._connection)

    @property
    def periods(self) -> "SqlitePeriods":
        """What was said and happened in a period."""
        from backstory.store.raw.periods import SqlitePeriods

        return SqlitePeriods(self._connection)

    @property
    def postings(self) -> "SqlitePostings":
        """The derived index of items and episodes."""
        from backstory.store.postings import SqlitePostings

        return SqlitePostings(self._connection)

    @property
    def turn_texts(self) -> "SqliteTurnTexts":
        """The derived full text of raw turns."""
        from backstory.store.turn_texts import SqliteTurnTexts

        return SqliteTurnTexts(self._connection)

    @property
    def cursors(self) -> "SqliteCursors":
        """How far transcripts have been read."""
        from backstory.store.cursors import SqliteCursors

        return SqliteCursors(self._connection)

    @property
    def injections(self) -> "SqliteInjections":
        """What was shown to an agent."""
        from backstory.store.injections import SqliteInjections

        return SqliteInjections(self._connection)
