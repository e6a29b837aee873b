"""The `backstory` command: from words to an exit code."""

import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from backstory import __version__


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `backstory` and exit: 0 done, 1 fixable, 2 wrong call, 3 a bug, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"]:
        # An agent waits for it at every prompt: nothing of the command line is loaded.
        importlib.import_module("backstory.hooks.start").main(words[1:])
        return
    if words == ["mcp"] and importlib.util.find_spec("mcp") is not None:
        # As agents start it, who wait for it, too.
        importlib.import_module("backstory.mcp.wire").run()
    _settle_streams()
    if words == ["--version"]:
        # Before anything is loaded, so that it takes no longer than Python itself.
        sys.stdout.write(f"backstory {__version__}\n")
        return
    sys.exit(_run(words or ["--help"]))


def _run(words: list[str]) -> int:
    failures = importlib.import_module("backstory.cli.failures")
    as_json = "--json" in _options(words)
    speaking = importlib.import_module("backstory.speaking")
    try:
        _choose_language(speaking)
        group = importlib.import_module("backstory.cli.group")
        code = group.command_line().main(words, prog_name="backstory", standalone_mode=False)
    except SystemExit as ended:
        # How typer ends where the reader of its help has gone, which is no failure.
        code = 0 if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except KeyboardInterrupt:
        code = failures.EXIT_INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last stop before a person sees it
        code = failures.report(error, as_json=as_json)
    if code == failures.EXIT_INTERRUPTED:
        failures.notice(speaking.said("interrupted. What was acknowledged is kept."))
    return code if isinstance(code, int) else 0


def _choose_language(speaking: ModuleType) -> None:
    """Speak as the user's settings ask; as their locale does while those are not understood."""
    language = importlib.import_module("backstory.adapters.language")
    speaking.speak(language.language_of_locale(os.environ))
    speaking.speak(language.language_in_force(os.environ))


def _options(words: list[str]) -> list[str]:
    """Return the words that may be options: those before a bare `--`."""
    return words[: words.index("--")] if "--" in words else words


def _settle_streams() -> None:
    """Write UTF-8 whatever the locale says, and let nobody's closed output be an error."""
    if sys.stdout is None:  # it was closed by who started us
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Half characters, which no encoding has, become what JSON writes for them.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    main()
