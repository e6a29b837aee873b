"""`backstory models` and `backstory cost`: the language model that is asked, and what it costs."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backstory.api import Memory
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import (
    Screen,
    colon,
    counted,
    joined,
    label,
    one_line,
    print_json,
    stopped,
    strung,
)
from backstory.model.answers import ModelReport
from backstory.model.errors import NoProjectError, UsageError
from backstory.model.limits import DAY_MS
from backstory.ports.store_rows import Expense, Grouping
from backstory.speaking import retold, said

if TYPE_CHECKING:
    from backstory.adapters.models.addresses import ModelAddress
    from backstory.wiring.work.choosing import TurnsLeft

_NANO = 1_000_000_000
_HELP = (
    "No model is asked: memory is made by rules alone, and nothing leaves this machine.",
    "A model finds more: what is decided over several turns, lessons, background.",
    "What is said is then sent to it, with secrets replaced. Any of these will do:",
    "",
    "  Ollama on this machine, which needs no key and costs nothing:",
    "    ollama pull qwen3:8b",
    "    backstory models set ollama:qwen3:8b",
    "  A server that speaks OpenAI's format (LM Studio, vLLM, llama.cpp, ...):",
    "    pip install 'backstory[models]'",
    "    backstory models set compatible:NAME --url http://localhost:8000/v1",
    "  Anthropic, and likewise openai, google, openrouter, deepseek, qwen:",
    "    pip install 'backstory[models]'",
    "    export ANTHROPIC_API_KEY=...",
    "    backstory models set anthropic:MODEL",
    "",
    "Then `backstory models test`. `backstory models set off` asks none again.",
)


class Action(StrEnum):
    """What to do about models."""

    LIST = "list"
    TEST = "test"
    SET = "set"


class CostBy(StrEnum):
    """By what costs are summed up."""

    DAY = "day"
    PROJECT = "project"
    PURPOSE = "purpose"
    MODEL = "model"
    SESSION = "session"


def models(
    invocation: Invocation,
    action: Annotated[Action, typer.Argument(help="list, test or set.")] = Action.LIST,
    name: Annotated[str | None, typer.Argument(help="With `set`: provider:model, or off.")] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="With `set`: where it is asked.")
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="With `set`: ask it about what was said before, too.")
    ] = False,
) -> None:
    """Show, try or choose the language model that is asked.

    `test` makes one tiny call. `set` writes your settings file; keys come from the environment
    or the key ring and are never written.
    """
    match action:
        case Action.LIST:
            _list(invocation)
        case Action.TEST:
            _test(invocation)
        case Action.SET:
            _set(invocation, name, url=url, history=history)


def cost(
    invocation: Invocation,
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR]...", help="Directories of projects; this one by default."),
    ] = None,
    by: Annotated[CostBy, typer.Option("--by", help="What to sum up by.")] = CostBy.DAY,
) -> None:
    """Show what calls to models have cost in this project, or in several together.

    Each project has its own book, and no list of projects is kept: name those that are wanted.
    Prices are the providers' list prices, where they are known.
    """
    places = [replace(invocation, project=folder) for folder in folders or ()] or [invocation]
    by_name: dict[str, list[dict[str, Any]]] = {}
    for row in (row for place in places for row in _rows(place, by)):
        by_name.setdefault(row["name"], []).append(row)
    rows = [_summed(parts, name) for name, parts in by_name.items()]
    if by is CostBy.DAY:
        rows.sort(key=lambda row: row["name"])
    if invocation.as_json:
        print_json(rows)
        return
    screen = Screen()
    for row in rows:
        tokens = said(f"{row['tokens_in']:,} tokens in, {row['tokens_out']:,} out")
        failed = (said(f"{row['failed']} failed"),) if row["failed"] else ()
        calls = counted(row["calls"], "call")
        screen.line(f"{row['name']}  {strung([calls, *failed, tokens, _price(row)])}")
    if not rows:
        screen.line(said("No model was asked yet."))


COMMANDS = {
    "models": Command(
        run=models,
        examples=(
            "backstory models",
            "backstory models set ollama:qwen3:8b",
            "backstory models test",
        ),
    ),
    "cost": Command(
        run=cost,
        examples=("backstory cost --by purpose", "backstory cost ~/shop ~/blog --by project"),
        isolated_answer=[],
    ),
}


def _list(invocation: Invocation) -> None:
    with opened(invocation) as memory:
        report = memory.status().model
    if invocation.as_json:
        print_json({"model": report})
    elif report is None:
        for line in _HELP:
            words = line.lstrip()
            Screen().line(line[: len(line) - len(words)] + said(words))
    else:
        tell_model(Screen(), report)


def tell_model(screen: Screen, report: ModelReport) -> None:
    """Write which model is asked, what it cost today and what waits for it."""
    calls = counted(report.calls_today, "call")
    spent = said(f"{calls} and {report.tokens_today:,} tokens today")
    waiting = said(f"{counted(report.waiting_turns, 'turn')} waiting for it")
    told = stopped([one_line(report.name), spent, waiting])
    screen.line(f"{label('model')}{told}", indent=9)
    if report.silent_until_ms is not None:
        moment = datetime.fromtimestamp(report.silent_until_ms / 1000, tz=UTC)
        told = said(f"the model does not answer; asked again at {moment:%H:%M} UTC")
        screen.line("         ", (told, "yellow"), indent=9)
    if report.capped:
        told = said("nothing more is sent now, and memory is made by rules")
        told = f"{colon(retold(one_line(report.capped)))}{told}"
        screen.line("         ", (told, "yellow"), indent=9)


def _test(invocation: Invocation) -> None:
    from backstory.adapters.spending.prices import nano_usd  # noqa: PLC0415
    from backstory.api.working import try_model  # noqa: PLC0415 - loads what asks a model
    from backstory.ports.model_client import Failure  # noqa: PLC0415

    with opened(invocation) as memory:
        assert isinstance(memory, Memory)
        tried = try_model(memory)
        if tried is None:
            raise UsageError("no model is chosen: `backstory models` says how to choose one")
    model, outcome = tried
    ladder = getattr(model.client, "ladder", None)
    refused = frozenset() if ladder is None else ladder.refused
    told: dict[str, Any] = {
        "model": outcome.model,
        "tokens_in": outcome.usage.tokens_in,
        "tokens_out": outcome.usage.tokens_out,
    }
    if isinstance(outcome, Failure):
        told |= {"ok": False, "cause": outcome.cause, "error": outcome.summary}
    else:
        price = nano_usd(outcome.model, outcome.usage)
        usd = None if price is None else price / _NANO
        told |= {"ok": True, "reply": outcome.text, "refused_formats": refused, "usd": usd}
    if invocation.as_json:
        print_json(told)
    else:
        _tell_test(Screen(), told)
    if not told["ok"]:
        raise typer.Exit(1)


def _tell_test(screen: Screen, told: dict[str, Any]) -> None:
    screen.line(f"{label('model')}{one_line(str(told['model']))}")
    if not told["ok"]:
        error = f"{colon(said(str(told['cause'])))}{retold(one_line(told['error']))}"
        screen.line(label("failed"), (error, "red"), indent=9)
        return
    screen.line(f"{label('reply')}{one_line(str(told['reply']))[:200]}", indent=9)
    price = said("no known price") if told["usd"] is None else f"${told['usd']:.6f}"
    tokens = said(f"{told['tokens_in']} in, {told['tokens_out']} out")
    screen.line(f"{label('tokens')}{stopped([tokens, price])}")
    refused = told["refused_formats"]
    formats = joined(sorted(map(str, refused))) if isinstance(refused, frozenset) else ""
    taken = said(f"refuses {formats}") if formats else said("takes a JSON schema")
    screen.line(f"{label('formats')}{taken}")


def _set(invocation: Invocation, name: str | None, *, url: str | None, history: bool) -> None:
    from backstory.adapters.models.addresses import address_of  # noqa: PLC0415
    from backstory.adapters.settings import user_file  # noqa: PLC0415
    from backstory.api.working import choose_model  # noqa: PLC0415 - loads what asks a model

    if name is None:
        raise UsageError("say which: `backstory models set provider:model`, or off")
    address = None if name == "off" else address_of(name, url)
    try:
        with opened(invocation) as memory:
            kept = memory if isinstance(memory, Memory) else None
            left = choose_model(address, memory=kept, with_history=history)
    except NoProjectError:
        left = choose_model(address, memory=None)
    missing = None if address is None else _missing_key(address)
    if invocation.as_json:
        print_json(
            {
                "model": None if address is None else address.name,
                "file": user_file(),
                "key_missing": missing,
                "turns_before": left.before,
                "turns_waiting": left.waiting,
            }
        )
    elif address is None:
        _tell_off(Screen(), left, file=user_file())
    else:
        _tell_set(Screen(), address, left=left, missing=missing, history=history)


def _missing_key(address: "ModelAddress") -> str | None:
    """Return what is to be done about the key that a model needs, or None where it is there."""
    from backstory.adapters.models.keys import find_key  # noqa: PLC0415
    from backstory.model.errors import ModelKeyError  # noqa: PLC0415

    try:
        find_key(address, os.environ)
    except ModelKeyError as error:
        return str(error)
    return None


def _tell_off(screen: Screen, left: "TurnsLeft", *, file: Path) -> None:
    screen.line(said(f"No model is asked any more ({file})."))
    if left.waiting:
        waiting = counted(left.waiting, "turn")
        screen.line(said(f"{waiting} waiting for it: set again, the same model goes on with it."))


def _tell_set(
    screen: Screen,
    address: "ModelAddress",
    *,
    left: "TurnsLeft",
    missing: str | None,
    history: bool,
) -> None:
    from backstory.adapters.settings import user_file  # noqa: PLC0415

    where = said("on this machine") if address.is_local else said(f"at {address.base_url}")
    told = said(f"{one_line(address.name)} will be asked, {where} ({user_file()}).")
    screen.line(told, indent=2)
    if missing is not None:
        head = colon(said("It cannot be asked yet"))
        screen.line((head, "yellow"), retold(one_line(missing)), indent=2)
    if left.before:
        before = counted(left.before, "turn")
        if history:
            told = said(f"It is asked about {before} that were said before.")
        else:
            told = said(
                f"It is not asked about (--history asks it) {before} that were said before."
            )
        screen.line(told)
    if left.waiting:
        waiting = counted(left.waiting, "turn")
        screen.line(said(f"It goes on with {waiting} that waited for it."))
    screen.line(said("Next: `backstory models test` makes one tiny call."))


def _rows(place: Invocation, by: CostBy) -> list[dict[str, Any]]:
    with opened(place) as memory:
        expenses = memory.expenses(Grouping.MODEL if by is CostBy.PROJECT else Grouping(by.value))
        project = memory.status().project
    return [_row(one, _label(one, by, project=project)) for one in expenses]


def _label(one: Expense, by: CostBy, *, project: str) -> str:
    if by is CostBy.PROJECT:
        return project
    if by is not CostBy.DAY:
        return one.name or "-"
    return f"{datetime.fromtimestamp(int(one.name) * DAY_MS / 1000, tz=UTC):%Y-%m-%d}"


def _row(one: Expense, label: str) -> dict[str, Any]:
    return {
        "name": one_line(label),
        "calls": one.calls,
        "failed": one.failed,
        "tokens_in": one.usage.tokens_in,
        "tokens_out": one.usage.tokens_out,
        "usd": one.nano_usd / _NANO,
        "unpriced_calls": one.unpriced,
        "estimated_calls": one.estimated,
        "duration_ms": one.duration_ms,
    }


def _summed(rows: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    numbers = [key for key in rows[0] if key != "name"]
    return {
        "name": one_line(name),
        **{key: sum(row[key] for row in rows) for key in numbers},
    }


def _price(row: dict[str, Any]) -> str:
    if row["unpriced_calls"] == row["calls"]:
        return said("no known price")
    told, unpriced = f"${row['usd']:.4f}", row["unpriced_calls"]
    return strung([told, said(f"{unpriced} without a known price")]) if unpriced else told
