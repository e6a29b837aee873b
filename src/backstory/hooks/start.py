"""Where a hook begins: `python -I -S …/backstory/hooks/start.py hook --host H --event E`.

A host waits for it at every prompt, so nothing is loaded that is not needed: no site packages
but those beside Backstory, no command line, and stand-ins for what is slow in the standard
library. It is one short file, for Python keeps no compiled form of the file that it is given.
docs/decisions/0012 tells what each of this saves.
"""

import gc
import os.path
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader


def main(words: list[str]) -> None:
    """Answer one call of a hook, and end the process. `words` are those after `hook`."""
    gc.disable()  # the process ends before anything would be worth collecting
    from backstory.hooks.light import typed  # noqa: PLC0415 - the paths are known only now

    sys.modules.setdefault("typing", typed)
    from backstory.hooks.light import named, records  # noqa: PLC0415 - as above, and typed

    sys.modules.setdefault("dataclasses", records)
    sys.modules["enum"] = named  # it has loaded the standard module, and hands out the rest of it
    from backstory.hooks.main import run  # noqa: PLC0415 - after what it is to find in place

    run(words)
    # Everything is written and closed; taking Python down in good order would take longer.
    sys.stderr.flush()
    os._exit(0)


class _Finder:
    """Finds Backstory's own modules where their names say.

    Python would list each directory first, and then look for five sorts of file.
    """

    @staticmethod
    def find_spec(
        name: str, places: Sequence[str] | None = None, *_target: object
    ) -> ModuleSpec | None:
        """Return how to load a module, or None for one that Python has to look for."""
        if places is None or not name.startswith("backstory."):
            return None
        place = f"{places[0]}{os.sep}{name.rpartition('.')[2]}"
        for file, inner_places in (
            (f"{place}.py", None),
            (f"{place}{os.sep}__init__.py", [place]),
        ):
            if os.path.isfile(file):  # noqa: PTH113 - pathlib is not loaded yet
                spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file)
                spec.submodule_search_locations = inner_places
                spec.has_location = True
                return spec
        return None


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
    sys.meta_path.insert(0, _Finder)
    if not any(path.isdir(path.join(place, "apsw")) for place in places):
        import site  # noqa: PLC0415 - an unusual installation: all that Python knows of

        site.main()


if __name__ == "__main__":
    _make_importable()
    main(sys.argv[2:])
