"""The files of other programs: one module for each, and telling them apart."""

from backstory.adapters.importers.formats.detection import Format, Reader, detect

__all__ = ["Format", "Reader", "detect"]
