"""The part of the library that imports, exports, clears, rebuilds and reports."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from backstory import index
from backstory.adapters.hosts import spool
from backstory.adapters.importers import (
    FileReport,
    ImportChoices,
    ImportReport,
    import_file,
    sessions_for,
    transcripts_in,
)
from backstory.adapters.sources import shell_lines
from backstory.adapters.views import remove_views
from backstory.api.reviewing import Reviewing
from backstory.model.answers import StatusReport
from backstory.model.errors import NotConfirmedError, StoreUnavailableError
from backstory.model.ids import ThreadId
from backstory.model.words import JobKind
from backstory.ports.store_rows import Expense, Grouping
from backstory.store import (
    Cleared,
    Finding,
    clear_store,
    restore_export,
    scrub,
    write_export,
    write_export_to,
)
from backstory.wiring.reports import reporting
from backstory.wiring.reports.auditing import SecretFound, found_secrets
from backstory.wiring.reports.checking import findings_of
from backstory.wiring.story.rewording import reword_commits

_HEADLESS = "a script ran it, with nobody at the keyboard (--headless takes it)"


class Upkeep(Reviewing):
    """The memory as a whole."""

    def import_sessions(
        self,
        paths: Sequence[str | Path] = (),
        *,
        choices: ImportChoices | None = None,
    ) -> ImportReport:
        """Record the sessions in these files or directories; without any, the project's own.

        Importing again adds nothing. What was recorded is read by rule before this returns, for
        a minute at most. Of the project's own sessions, those that a script ran with nobody at
        the keyboard are passed over, unless `choices` or the settings want them.
        Raises `UnreadableInputError` where a file that was named is no session.
        """
        desk = self._desk
        choices = replace(choices or ImportChoices(), taken=desk.taken)
        report = ImportReport(is_dry_run=choices.is_dry_run)
        transcripts = [path for given in paths for path in transcripts_in(Path(given))]
        if not paths:
            transcripts, report.files = self._found(choices)
        for path in transcripts:
            report.files.append(
                import_file(desk.store, path, clock=desk.clock, ids=desk.ids, choices=choices)
            )
        if not choices.is_dry_run:
            self.settle()
        return report

    def export(self, path: str | Path | None = None) -> Path:
        """Write everything as one new JSON file and return where it is; never overwrites."""
        desk = self._desk
        if path is not None:
            return write_export_to(desk.store, Path(path), now_ms=desk.clock())
        return write_export(desk.store, folder=desk.exports, now_ms=desk.clock())

    def import_(self, path: str | Path) -> dict[str, int]:
        """Fill this empty memory from an export: the same items, evidence and statuses.

        Returns how many rows each table got. Raises `UnreadableInputError` with everything that
        is wrong with the file, and `UsageError` where memory is not empty.
        """
        rows = restore_export(self._desk.store, Path(path))
        index.reindex(self._desk.store)
        return dict(rows)

    def clear(self, *, confirm: bool = False) -> Cleared:
        """Delete all that is remembered and said, and begin a new generation.

        What hooks and shells have left to be recorded goes as well. Exports stay. Without
        `confirm` it raises `NotConfirmedError`, which says what would go.
        """
        desk = self._desk
        if not confirm:
            raise NotConfirmedError(reporting.what_would_go(desk))
        remove_views(desk.views)
        spool.throw_away(desk.project.state_dir)
        shell_lines.throw_away(desk.project.state_dir / spool.FOLDER_NAME, now_ms=desk.clock())
        thread_id = ThreadId(desk.ids("t"))
        return clear_store(desk.store, host=desk.host, thread_id=thread_id, now_ms=desk.clock())

    def reindex(self) -> int:
        """Build the index anew from what is stored, and return how many entries it holds."""
        if not index.is_current(self._desk.store):
            reword_commits(self._desk)
        entries = index.reindex(self._desk.store)
        self._catch_up()
        return entries

    def scrub(self) -> bool:
        """Rewrite the store's file so that nothing that was deleted is left in it.

        Returns False where another program still reads it: try again when it has ended.
        """
        return scrub(self._desk.store)

    def kept(self, name: str) -> str | None:
        """Return what was kept under a name, or None."""
        with self._desk.store.reading() as tables:
            return tables.meta.setting(name)

    def keep(self, name: str, value: str | None) -> None:
        """Keep a small text under a name; None removes it."""
        with self._desk.store.writing() as tables:
            tables.meta.set_setting(name, value)

    def view_folder(self) -> Path | None:
        """Return where JSON views for other programs are written."""
        return self._desk.views

    def status(self, *, debug: bool = False) -> StatusReport:
        """Return health and counts. Nothing is written.

        With `debug` jobs that failed tell the error as it came, beside its plain words.
        """
        return reporting.status_of(self._desk, debug=debug)

    def expenses(self, by: Grouping | str = Grouping.DAY) -> tuple[Expense, ...]:
        """Return what calls to models have cost, by day, purpose, model or session.

        A day is named by its number since 1970, in UTC.
        """
        with self._desk.store.reading() as tables:
            return tables.calls.expenses(Grouping(by))

    def audit(self, *, deep: bool = False) -> tuple[SecretFound, ...]:
        """Look for secrets in all that is stored, and tell where they are, never what they are.

        With `deep` the detectors of `detect-secrets` look as well; raises `UsageError` where
        that is not installed.
        """
        return found_secrets(self._desk.store, deep=deep)

    def check(self) -> tuple[Finding, ...]:
        """Look the store over from end to end, and return everything that is wrong."""
        return findings_of(self._desk)

    def close(self) -> None:
        """Give waiting jobs their one try, and let go of the store.

        Where the settings name a model, it is asked once about each conversation that waits for
        it, for a minute in all; what fails or is left is tried again later, and a
        `RuntimeWarning` says so. No model is asked that does not answer at present, or where
        the memory was opened without it. While nothing can be written, as on a full disk, what
        waits goes on waiting.
        """
        desk = self._desk
        try:
            if desk.works_inline and not desk.store.is_read_only:
                self._settle_at_end()
        except StoreUnavailableError:
            pass  # nobody asked for it, and what was asked for is done
        finally:
            desk.store.close()

    def _settle_at_end(self) -> None:
        self.settle()
        if self._desk.asks_model_at_close and self._desk.choices.asks_model:
            self._ask_what_waits()

    def _ask_what_waits(self) -> None:
        with self._desk.store.reading() as tables:
            if tables.jobs.next_due_ms(kinds=(JobKind.PROPOSE,)) is None:
                return
        # What asks a model takes long to load.
        from backstory.wiring.work.worker import Worker  # noqa: PLC0415

        ran = Worker(self._desk).settle(even_silent=False).ran
        if ran.total > ran.done:
            warnings.warn(
                "not all that waited could be done: it is tried again later, and "
                "`backstory status` says why",
                RuntimeWarning,
                stacklevel=4,
            )

    def _found(self, choices: ImportChoices) -> tuple[list[Path], list[FileReport]]:
        """Return the project's sessions, and reports of those that are passed over."""
        wanted = choices.headless
        if wanted is None:
            wanted = self._desk.choices.takes_headless
        taken: list[Path] = []
        passed_over: list[FileReport] = []
        for session in sessions_for(self._desk.project, env=self._desk.env):
            if session.is_headless and not wanted:
                report = FileReport(path=session.path, host=session.host)
                report.passed_over_because = _HEADLESS
                passed_over.append(report)
            else:
                taken.append(session.path)
        return taken, passed_over
