"""Where the key of a model comes from: the environment or the system's key ring, nowhere else.

A provider's usual key is sent only to the provider's own address; another address needs a key
that was set for it. A key never stands in an argument, a file of ours, a log or an export.
"""

from collections.abc import Mapping

from backstory.adapters.models.addresses import ModelAddress
from backstory.model.errors import ModelKeyError

KEY_VARIABLE = "BACKSTORY_MODEL_KEY"
KEYRING_SERVICE = "backstory"


def find_key(address: ModelAddress, environ: Mapping[str, str]) -> str | None:
    """Return the key for an address, or None where the server needs none.

    BACKSTORY_MODEL_KEY wins; then the provider's own variables, for its own address only; then
    the key ring. Raises `ModelKeyError` where the provider needs a key and there is none.
    """
    names = (KEY_VARIABLE, *(address.provider.key_names if address.is_usual else ()))
    for name in names:
        if key := environ.get(name, "").strip():
            return key
    if kept := from_keyring(keyring_entry(address)):
        return kept
    if address.provider.needs_key and address.is_usual:
        raise ModelKeyError(
            f"{address.name} needs a key: set {address.provider.key_names[0]} or {KEY_VARIABLE},"
            f" or keep one in the key ring (service {KEYRING_SERVICE!r},"
            f" user {keyring_entry(address)!r})"
        )
    return None


def keyring_entry(address: ModelAddress) -> str:
    """Return the user name under which the key ring holds the key: provider and address."""
    return address.provider.name if address.is_usual else address.base_url


def from_keyring(entry: str) -> str | None:
    """Return what the key ring holds under a name, or None where it holds nothing or is none."""
    try:
        import keyring  # noqa: PLC0415 - optional, and slow to load
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        return None
    try:
        return keyring.get_password(KEYRING_SERVICE, entry) or None
    except KeyringError:
        # No key ring on this machine, or a locked one: the same as no entry.
        return None
