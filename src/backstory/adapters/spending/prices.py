"""What a call costs by the provider's list price, where it is known."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from backstory.model.job import Usage

# Dollars for a million tokens are so many billionths of a dollar for one.
_NANO_PER_TOKEN = 1_000
# What may follow a model's name without making it another model: a date, a build, "latest".
_DATED = re.compile(r"(-latest|-preview|[-@]\d{4,8}(-\d{2})*)")


def nano_usd(model: str, usage: Usage) -> int | None:
    """Return the price of a call in billionths of a US dollar, or None where it is not known.

    Args:
        model: "provider:model", as it was configured.
        usage: the tokens that the server counted.
    """
    price = _price_of(model)
    if price is None:
        return None
    per_token_in, per_token_out = price
    return round(
        (usage.tokens_in * per_token_in + usage.tokens_out * per_token_out) * _NANO_PER_TOKEN
    )


def _price_of(model: str) -> tuple[float, float] | None:
    provider, _, name = model.partition(":")
    prices = _table().get(provider, {})
    if name in prices:
        return prices[name]
    begins = [known for known in prices if name.startswith(known)]
    longest = max(begins, key=len, default="")
    if longest and _DATED.fullmatch(name[len(longest) :]):
        return prices[longest]
    return None


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, tuple[float, float]]]:
    source = files("backstory.adapters.spending").joinpath("data/prices.toml")
    tables = tomllib.loads(source.read_text(encoding="utf-8"))
    return {
        provider: {name: (float(price[0]), float(price[1])) for name, price in models.items()}
        for provider, models in tables.items()
    }
