"""Questions that wait for a person's yes or no."""

import typer

from backstory.speaking import said

_YES = frozenset({"y", "yes", "是"})
_NO = frozenset({"n", "no", "否", ""})


def confirmed(question: str, *, err: bool = False) -> bool:
    """Ask until yes or no is answered, in either language; a line without a word is a no.

    Raises `typer.Abort` where the person ends it, or nobody is there to answer.
    """
    while True:
        answer = typer.prompt(
            f"{question} [y/N]", default="", show_default=False, err=err, value_proc=str
        )
        word = answer.strip().lower()
        if word in _YES | _NO:
            return word in _YES
        typer.echo(said("Error: invalid input"), err=err)
