"""The fields of an entry that are searched, as bits of a posting. Pure."""

from enum import IntFlag


class Field(IntFlag):
    """Where in an entry a term stands."""

    TITLE = 1  # of an item; the objective of an episode
    ALIAS = 2
    KEYWORD = 4
    STATEMENT = 8
    DETAIL = 16
    PATH = 32
    DECISION = 64
    REASON = 128
    PROBLEM = 256
    TODO = 512
    BRANCH = 1024
    TICKET = 2048


# Plain numbers: they are compared with every posting read.
NAMES = int(Field.TITLE | Field.ALIAS | Field.KEYWORD)
PLACES = int(Field.PATH | Field.BRANCH | Field.TICKET)
TEXTS = sum(Field) - PLACES
