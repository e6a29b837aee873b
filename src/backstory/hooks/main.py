"""One call of the hook, from what the host hands over to what it is answered.

What is no concern of memory, such as the tools that an agent uses all the time, ends here, and
nothing more is loaded for it.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from backstory.adapters.hosts.answers import Answer
from backstory.adapters.hosts.payloads import call_of
from backstory.adapters.system import system_clock
from backstory.hooks.reply import Reply, end_in_time
from backstory.hooks.visit import Visit

# A host's own limit of a prompt is far below; what is above is no payload of a host.
_PAYLOAD_BYTES_MAX = 32 * 1024 * 1024
_TOO_LATE = "it took too long"


def run(words: Sequence[str]) -> None:
    """Answer one call. Whatever happens, the process ends well and within a second."""
    visit = Visit(reply=Reply(), env=os.environ)
    timer = end_in_time(visit.reply, when_late=lambda: _end_late(visit))
    try:
        _serve(words, visit)
    except Exception as error:  # noqa: BLE001 - the host goes on without memory
        sys.stderr.write(f"backstory: memory was passed over: {error}\n")
        # A name of a class, since a message may hold what was said.
        visit.passed_over(getattr(error, "slug", type(error).__name__))
    visit.save()
    visit.reply.send()
    timer.cancel()


def _end_late(visit: Visit) -> None:
    visit.save()
    visit.passed_over(_TOO_LATE)


def _serve(words: Sequence[str], visit: Visit) -> None:
    call = call_of(
        # Programs of Windows put a mark before what they pipe.
        sys.stdin.buffer.read(_PAYLOAD_BYTES_MAX).decode("utf-8", "replace").lstrip("\ufeff"),
        host=_option(words, "--host").replace("-", "_"),
        event=_option(words, "--event"),
        folder=os.getcwd(),  # noqa: PTH109 - pathlib is not loaded yet
        at_ms=system_clock(),
    )
    if call is None:
        visit.reply.text = "{}\n"
        return
    visit.call = call
    visit.say(call, Answer())
    _load_pathlib()
    from backstory.hooks.attending import attend  # noqa: PLC0415 - see above

    silence = attend(call, visit)
    if silence is None:
        return
    if silence.is_counted:
        visit.passed_over(silence.because)
    if silence.notice:
        visit.say(call, Answer(notice=silence.notice))


def _load_pathlib() -> None:
    """Load `pathlib` without `urllib.parse`, which it wants for one function and takes longer.

    It makes the address of a file, which no hook needs. Whoever else asks for the module gets it.
    """
    wanted = "urllib.parse"  # until Python 3.12
    if wanted in sys.modules:
        return
    stand_in = ModuleType(wanted)
    vars(stand_in).update(quote_from_bytes=_quoted)
    sys.modules[wanted] = stand_in
    import pathlib  # noqa: F401, PLC0415 - see above

    del sys.modules[wanted]


def _quoted(text: bytes) -> str:
    quoted: str = import_module("urllib.parse").quote_from_bytes(text)
    return quoted


def _option(words: Sequence[str], name: str) -> str:
    """Return what follows an option, or ""."""
    for place, word in enumerate(words):
        if word == name:
            return "".join(words[place + 1 : place + 2])
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=")
    return ""
