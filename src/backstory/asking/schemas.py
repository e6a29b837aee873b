"""JSON schemas as providers take them strictly: every member required, none beside them. Pure."""

from collections.abc import Iterable

Schema = dict[str, object]

TEXT: Schema = {"type": "string"}


def one_of(words: Iterable[str]) -> Schema:
    """Return the schema of a closed set of words."""
    return {"type": "string", "enum": [str(word) for word in words]}


def list_of(entry: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": entry}


def closed(**members: Schema) -> Schema:
    """Return the schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
