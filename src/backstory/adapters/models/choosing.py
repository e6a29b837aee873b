"""From the settings to the model that is asked and what may be spent on it."""

from dataclasses import dataclass

from backstory.adapters.models.addresses import ModelAddress, address_of
from backstory.adapters.settings import Choices, Settings
from backstory.adapters.spending.caps import NO_CAPS, Caps

_NANO = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """The model that the settings name, and its caps."""

    address: ModelAddress
    caps: Caps


def chosen_model(choices: Choices) -> ChosenModel | None:
    """Return the model to ask, or None where none is named or it is off.

    A model named in the environment takes its address from there too, never the one that a file
    gives for another. Raises `ModelAddressError` where the name or address cannot be used.
    """
    if not choices.asks_model:
        return None
    named = choices.stated if choices.stated.model else choices.filed
    address = address_of(named.model or "", named.model_url)
    # A model on this machine costs nobody anything, so that it has no caps but those asked for.
    usual = NO_CAPS if address.is_local else Caps()
    return ChosenModel(address=address, caps=_capped(usual, choices))


def _capped(usual: Caps, choices: Choices) -> Caps:
    dollars = _said(choices, "day_usd")
    day_nano_usd = None if dollars is None else round(dollars * _NANO)
    return Caps(
        call_tokens=_cap(_said(choices, "call_tokens"), usual.call_tokens),
        session_tokens=_cap(_said(choices, "session_tokens"), usual.session_tokens),
        day_tokens=_cap(_said(choices, "day_tokens"), usual.day_tokens),
        day_nano_usd=_cap(day_nano_usd, usual.day_nano_usd),
    )


def _said(choices: Choices, field: str) -> float | None:
    places: tuple[Settings, ...] = (choices.stated, choices.filed)
    return next((v for place in places if (v := getattr(place, field)) is not None), None)


def _cap(said: float | None, usual: int | None) -> int | None:
    if said is None:
        return usual
    return int(said) or None
