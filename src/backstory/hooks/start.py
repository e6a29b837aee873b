"""Where a hook begins: `python -I -S …/backstory/hooks/start.py hook --host H --event E`.

A host waits for it at every prompt, so nothing is loaded that is not needed: no site packages
but those beside Backstory, no command line, and stand-ins for what is slow in the standard
library. It is one short file, for Python keeps no compiled form of the file that it is given.
docs/decisions/0012 tells what each of this saves.
"""

import gc
import os.path
import sys


def main(words: list[str]) -> None:
    """Answer one call of a hook, and end the process. `words` are those after `hook`."""
    gc.disable()  # the process ends before anything would be worth collecting
    from backstory.hooks import typed  # noqa: PLC0415 - the paths are known only now

    sys.modules.setdefault("typing", typed)
    from backstory.hooks import records  # noqa: PLC0415 - as above, and typed

    sys.modules.setdefault("dataclasses", records)
    from backstory.hooks.main import run  # noqa: PLC0415 - after what it is to find in place

    run(words)
    # Everything is written and closed; taking Python down in good order would take longer.
    sys.stderr.flush()
    os._exit(0)


def _make_importable() -> None:
    """Let Backstory and what is beside it be imported, without looking for other packages."""
    path = os.path  # pathlib would be loaded before the paths are known
    beside = path.abspath(__file__)
    for _ in ("start.py", "hooks", "backstory"):
        beside = path.dirname(beside)
    environment = path.dirname(path.dirname(sys.executable))
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = [beside, path.join(environment, "lib", version, "site-packages")]
    sys.path += places
    if not any(path.isdir(path.join(place, "apsw")) for place in places):
        import site  # noqa: PLC0415 - an unusual installation: all that Python knows of

        site.main()


if __name__ == "__main__":
    _make_importable()
    main(sys.argv[2:])
