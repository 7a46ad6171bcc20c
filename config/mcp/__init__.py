"""The MCP server at `/mcp`: streamable HTTP, without sessions and without streams (SPEC I-02)."""

from config.mcp.views import mcp, protected_resource

__all__ = ["mcp", "protected_resource"]
