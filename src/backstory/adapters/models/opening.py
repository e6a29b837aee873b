"""From what the user configured to a client that can be asked."""

from collections.abc import Mapping

from backstory.adapters.models.addresses import ModelAddress, Wire
from backstory.adapters.models.keys import find_key
from backstory.model.errors import ModelAddressError
from backstory.ports.model_client import ModelClient


def open_client(address: ModelAddress, environ: Mapping[str, str]) -> ModelClient:
    """Return the client of an address, with the key that belongs to it.

    Raises `ModelKeyError` where a needed key is missing, and `ModelAddressError` where the extra
    `models` is not installed. Nothing is sent.
    """
    key = find_key(address, environ)
    if address.provider.wire is Wire.OLLAMA:
        from backstory.adapters.models.ollama import OllamaClient  # noqa: PLC0415 - http.client

        return OllamaClient(address, key=key)
    try:
        from backstory.adapters.models.library.client import LibraryClient  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ModelAddressError(
            f"{address.name} needs the extra: pip install 'backstory[models]'"
        ) from error
    return LibraryClient(address, key=key)
