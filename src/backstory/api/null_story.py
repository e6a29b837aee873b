"""The story of a memory that holds nothing."""

from collections.abc import Mapping, Sequence

from backstory.adapters.git.backfill import BackfillChoices, BackfillReport
from backstory.model.episode import Episode
from backstory.model.errors import NotFoundError
from backstory.model.ids import EpisodeId
from backstory.ports.story import LeftOpen
from backstory.wiring.story.learning import Learnt
from backstory.wiring.telling import EpisodeStory


class NullStory:
    """The part of `NullMemory` that knows no history."""

    def backfill(
        self, wanted: Sequence[str] = (), *, choices: BackfillChoices | None = None
    ) -> BackfillReport:
        """Read and keep nothing."""
        return BackfillReport(is_dry_run=bool(choices and choices.is_dry_run))

    def learn(self) -> Learnt:
        """Learn nothing."""
        return Learnt()

    def story(self, place: str = "", *, limit: int = 0) -> tuple[Episode, ...]:
        """Tell nothing."""
        return ()

    def ticket_titles(self, tickets: Sequence[str]) -> Mapping[str, str]:
        """Know none."""
        return {}

    def episode(self, name: str) -> EpisodeStory:
        """Raise `NotFoundError`."""
        raise self._no_episode(name)

    def begin_episode(
        self, objective: str, *, branch: str | None = None, tickets: Sequence[str] = ()
    ) -> Episode:
        """Raise `NotFoundError`: nothing can begin."""
        raise self._no_episode(objective)

    def end_episode(self) -> Episode:
        """Raise `NotFoundError`."""
        raise self._no_episode("")

    def summarize_episode(self, name: str) -> Episode:
        """Raise `NotFoundError`."""
        raise self._no_episode(name)

    def edit_episode(self, name: str, objective: str) -> Episode:
        """Raise `NotFoundError`."""
        raise self._no_episode(name)

    def forget_episode(self, name: str) -> EpisodeId:
        """Raise `NotFoundError`."""
        raise self._no_episode(name)

    def todos(self, *, with_done: bool = False) -> tuple[LeftOpen, ...]:
        """Return nothing."""
        return ()

    def add_todo(self, text: str, *, episode: str | None = None) -> LeftOpen:
        """Raise `NotFoundError`: nothing can be noted."""
        raise self._no_episode(text)

    def close_todo(self, episode: str, number: int, *, by: str | None = None) -> LeftOpen:
        """Raise `NotFoundError`."""
        raise self._no_episode(episode)

    def reopen_todo(self, episode: str, number: int) -> LeftOpen:
        """Raise `NotFoundError`."""
        raise self._no_episode(episode)

    def _no_episode(self, name: str) -> NotFoundError:
        return NotFoundError(f"memory is out of reach here, so there is no episode {name!r}")
