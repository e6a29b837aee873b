"""Importing what other programs recorded: Claude Code, Codex, Gemini CLI and SpecStory."""

from backstory.adapters.importers.discovery import FoundSession, sessions_for, transcripts_in
from backstory.adapters.importers.load import ImportChoices, import_file
from backstory.adapters.importers.report import Fault, FileReport, ImportReport

__all__ = [
    "Fault",
    "FileReport",
    "FoundSession",
    "ImportChoices",
    "ImportReport",
    "import_file",
    "sessions_for",
    "transcripts_in",
]
