"""Texts that come with the package, read by what imported the module that asks for them.

`importlib.resources` does the same and loads zip archives, compression and temporary files
first, for which every prompt would wait.
"""

from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import PurePath
from typing import cast


def packaged_text(spec: ModuleSpec, name: str) -> str:
    """Return a text file that lies beside a module: the caller hands over its `__spec__`."""
    # Every loader that a package is installed with reads files so.
    loader = cast("SourceFileLoader", spec.loader)
    return loader.get_data(str(PurePath(spec.origin or "").parent / name)).decode("utf-8")
