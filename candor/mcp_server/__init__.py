"""
The memory as an MCP server, for agents.

It asks the service by the same client and with the same key as everything else: the key decides the tenant
and what may be seen. `candor mcp` serves it over standard input and output, for an agent on this machine; the
service itself serves it at `/mcp`.
"""

from candor.mcp_server.program import main, options
from candor.mcp_server.server import build
from candor.mcp_server.tools import Conversation
from candor.mcp_server.watermarks import RemoteTools

__all__ = ["Conversation", "RemoteTools", "build", "main", "options"]
