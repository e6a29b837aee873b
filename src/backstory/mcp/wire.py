"""The wire of a server that speaks over standard input and output: nothing else may touch it."""

import importlib
import io
import os
import sys
from pathlib import Path


def run() -> None:
    """Serve the directory that this process was started in; what `backstory mcp` is for agents."""
    seal = Seal()  # before anything is loaded that could print
    importlib.import_module("backstory.mcp.stdio").serve(Path.cwd(), seal)


class Seal:
    """Keeps whatever prints (a library, a child process) off the wire, from now on.

    The client's end of standard output is kept aside, and descriptor 1 is the log's instead.
    """

    def __init__(self) -> None:
        sys.stdout.flush()
        if isinstance(sys.stdout, io.TextIOWrapper):
            # As with `python -u`: nothing may stay in a buffer, be lost when the process ends,
            # or go out when the descriptor is the wire again.
            bare = io.FileIO(1, "w", closefd=False)
            sys.stdout = io.TextIOWrapper(
                bare,
                encoding=sys.stdout.encoding,
                errors="backslashreplace",
                write_through=True,
            )
        self._wire = os.dup(1)
        os.dup2(2, 1)

    def hand_over(self) -> None:
        """Put the wire back, for the protocol's own library, which seals it in the same way."""
        os.dup2(self._wire, 1)
        os.close(self._wire)
