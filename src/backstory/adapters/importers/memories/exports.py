"""Memories in JSON: the file of the MCP reference memory server, and exports of mem0."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from backstory.adapters.importers.memories.proposals import Proposal, is_statement, kind_named

SERVER, MEM0 = "server-memory", "mem0"

_Record = Mapping[str, Any]
_WORDS = ("memory", "text", "data", "content")
_LISTS = ("results", "memories")


def server_records(text: str) -> list[tuple[int, _Record]]:
    """Return entities and relations with their lines, or nothing where it is no such file.

    The server writes one object a line; some versions wrote one object of two lists.
    """
    whole = _json(text)
    if isinstance(whole, dict) and isinstance(whole.get("entities"), list):
        lists = (("entity", whole["entities"]), ("relation", whole.get("relations")))
        found = [{"type": kind, **one} for kind, part in lists for one in _objects(part)]
        return [(0, one) for one in found if _is_entity(one) or _is_relation(one)]
    records = [(number, _json(line)) for number, line in enumerate(text.splitlines(), 1)]
    return [
        (number, one)
        for number, one in records
        if isinstance(one, dict) and (_is_entity(one) or _is_relation(one))
    ]


def mem0_records(text: str) -> list[_Record]:
    """Return the memories of an export, or nothing where it is none."""
    whole = _json(text)
    if isinstance(whole, dict):
        whole = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), None)
    return [one for one in _objects(whole) if "id" in one and _words(one)]


def of_server(text: str, file: Path) -> Iterator[Proposal]:
    """Yield each observation with the entity that it is about, and each relation."""
    for number, record in server_records(text):
        kind = kind_named("user" if record.get("name") == "default_user" else "")
        for statement in _statements(record):
            if is_statement(statement):
                place = f"{file}:{number}" if number else str(file)
                yield Proposal(statement=statement, kind=kind, program=SERVER, place=place)


def of_mem0(text: str, file: Path) -> Iterator[Proposal]:
    """Yield each memory of an export."""
    for record in mem0_records(text):
        statement = _words(record)
        if is_statement(statement):
            kind = kind_named(_category(record))
            yield Proposal(statement=statement, kind=kind, program=MEM0, place=str(file))


def _statements(record: _Record) -> Iterator[str]:
    if _is_relation(record):
        relation = str(record["relationType"]).replace("_", " ")
        yield f"{record['from']} {relation} {record['to']}"
        return
    observations = record.get("observations")
    for said in observations if isinstance(observations, list) else []:
        name = str(record["name"]).replace("_", " ")
        is_named = name.lower() in str(said).lower() or name == "default user"
        yield str(said).strip() if is_named else f"{name}: {str(said).strip()}"


def _category(record: _Record) -> object:
    names, about = record.get("categories"), record.get("metadata")
    if names:
        return names[0] if isinstance(names, list) else names
    return about.get("category") if isinstance(about, dict) else None


def _objects(found: object) -> list[_Record]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _is_entity(record: _Record) -> bool:
    return record.get("type") == "entity" and isinstance(record.get("name"), str)


def _is_relation(record: _Record) -> bool:
    return record.get("type") == "relation" and {"from", "to", "relationType"} <= record.keys()


def _words(record: _Record) -> str:
    values = (record.get(name) for name in _WORDS)
    return next((value.strip() for value in values if isinstance(value, str)), "")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
