"""The part of the library that answers questions and hands text to an agent."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from backstory import inject, recall
from backstory.adapters.git import GitRepository
from backstory.api.conversation import Conversation
from backstory.model.answers import Context
from backstory.model.errors import NotFoundError, StoreUnavailableError
from backstory.model.ids import ItemId, ThreadId, meant
from backstory.model.limits import RECALL_EPISODES_MAX, RECALL_ITEMS_MAX
from backstory.model.recall import Cues, Question, Reading, Recalled, TurnHit
from backstory.ports.store import Tables
from backstory.wiring.recalling import recalled
from backstory.wiring.story.current.branching import unmerged

SEARCH_HITS_MAX = 10
_CATCH_UP_TURNS = 100  # indexed in one short transaction


class Finding(Conversation):
    """Recall, reading, search over raw turns, and the text for an agent."""

    def recall(
        self,
        text: str = "",
        *,
        files: Sequence[str] = (),
        branch: str | None = None,
        ticket: str | None = None,
        thread: ThreadId | None = None,
        explain: bool = False,
    ) -> Recalled:
        """Return what answers a question, best first, or nothing and the reason.

        At most five items and three episodes. `files`, `branch` and `ticket` say where the
        work is; they suffice without words. Nothing is written.
        """
        cues = Cues(files=tuple(files), branch=branch, ticket=ticket)
        return self._recalled(text, cues, thread=thread, explain=explain)

    def search(self, text: str, *, limit: int = SEARCH_HITS_MAX) -> tuple[TurnHit, ...]:
        """Return the raw turns that hold the words, best first: for a person, or on request.

        What it finds is what was said, not what is remembered; it is never injected by itself.
        """
        self._catch_up()
        with self._desk.store.reading() as tables:
            return recall.search(tables, text, limit=limit)

    def read(self, item_id: str, *, thread: ThreadId | None = None) -> Reading:
        """Return one visible item in full, with at most three of its sources.

        A discussion is visible from its own thread only.

        Raises `NotFoundError` where there is none, or none that may be shown to an agent.
        """
        with self._desk.store.reading() as tables:
            reading = recall.read(tables, self._resolve(tables, item_id), thread_id=thread)
            if reading is None:
                raise NotFoundError(f"no item {item_id} can be read: it is unknown or not active")
            found = unmerged(tables, [reading.item.id], vcs=self._repository())
        return replace(reading, unmerged=found.get(reading.item.id))

    def context(
        self,
        prompt: str = "",
        *,
        files: Sequence[str] = (),
        branch: str | None = None,
        ticket: str | None = None,
        thread: ThreadId | None = None,
    ) -> Context:
        """Return the text for an agent, and log what was shown in this thread.

        What the thread has been shown before is not repeated unless it changed. Without a
        thread nothing is logged.
        """
        cues = Cues(files=tuple(files), branch=branch, ticket=ticket)
        asks = bool(prompt.strip()) or not cues.is_empty
        found = self._recalled(prompt, cues, thread=thread) if asks else None
        with self._desk.store.reading() as tables:
            index = inject.index_of(tables)
            relevant = inject.relevant_of(tables, found, thread_id=thread) if found else None
        if relevant is None:
            return Context(index=index, relevant="")
        if thread is not None and relevant.shown:
            with self._desk.store.writing() as tables:
                inject.log_shown(tables, relevant, thread_id=thread, now_ms=self._desk.clock())
        return Context(index=index, relevant=relevant.text)

    def routing(self, thread: ThreadId | None = None) -> str:
        """Return what a host needs to route a request: at most 4,000 characters."""
        with self._desk.store.reading() as tables:
            return inject.routing_of(tables, thread_id=thread)

    def _recalled(
        self, text: str, cues: Cues, *, thread: ThreadId | None, explain: bool = False
    ) -> Recalled:
        question = Question(
            text=text,
            cues=cues,
            thread_id=thread,
            items_max=RECALL_ITEMS_MAX,
            episodes_max=RECALL_EPISODES_MAX,
        )
        with self._desk.store.reading() as tables:
            return recalled(
                tables,
                question,
                now_ms=self._desk.clock(),
                root=self._desk.project.root,
                explain=explain,
                vcs=self._repository(),
            )

    def _repository(self) -> GitRepository | None:
        project = self._desk.project
        if project.common_dir is None:
            return None
        return GitRepository(project.root, environ=self._desk.env)

    def _catch_up(self) -> None:
        """Index the turns that search has not seen, unless the store can only be read now."""
        store = self._desk.store
        if store.is_read_only:
            return
        # A full disk: what was indexed before is found all the same.
        with suppress(StoreUnavailableError):
            while self._index_turns():
                pass

    def _index_turns(self) -> int:
        with self._desk.store.writing() as tables:
            return recall.catch_up(tables, limit=_CATCH_UP_TURNS)

    def _resolve(self, tables: Tables, name: str) -> ItemId:
        """Return the item that an id, or enough of its beginning, means."""
        name = name.strip()
        return meant(name, tables.items.find(name), what="item")
