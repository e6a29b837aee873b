"""The guards that keep tests to themselves do guard."""

import os
import pwd
import socket
import tempfile
from pathlib import Path

import pytest

REAL_HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)


@pytest.mark.skipif(str(REAL_HOME) == "/", reason="everything would lie below it")
@pytest.mark.parametrize("name", [".config/backstory/config.toml", ".gitconfig"])
def test_reaching_for_the_real_home_is_an_error(name: str) -> None:
    with pytest.raises(RuntimeError, match="real home"):
        (REAL_HOME / name).open()


def test_home_of_a_test_is_a_temporary_one() -> None:
    assert Path.home() != REAL_HOME
    assert Path.home().is_relative_to(tempfile.gettempdir())


@pytest.mark.promise("R151")
@pytest.mark.case("C19")
def test_reaching_for_a_network_is_an_error() -> None:
    with socket.socket() as client, pytest.raises(RuntimeError, match="network"):
        client.connect(("192.0.2.1", 80))
