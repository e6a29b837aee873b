"""The server that offers a project's memory, over whichever transport it is run."""

from pathlib import Path

from backstory import __version__
from backstory.adapters.system import new_id
from backstory.mcp.asking import MemoryServer
from backstory.mcp.offers import offer_prompts, offer_resources
from backstory.mcp.quota import Quota
from backstory.mcp.tools import offer_tools
from backstory.mcp.workspace import Workspace

INSTRUCTIONS = (
    "Memory of this project, proved by the user's words. Recall before you decide something "
    "that may have been decided. It is no evidence about the code: read that. What the user "
    "says now wins. `project` names one where several are open."
)


def make_server(folder: Path) -> MemoryServer:
    """Return a server for the project that a directory lies in, or that a client has open.

    Its workspace is to be closed when nobody is served any more.
    """
    workspace = Workspace(folder)
    server = MemoryServer(
        "backstory",
        title="Backstory",
        instructions=None if workspace.is_off else INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    server.workspace = workspace
    server.quota = Quota()
    server.connection = new_id("mc")
    offer_tools(server)
    offer_resources(server)
    offer_prompts(server)
    return server
