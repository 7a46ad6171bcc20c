"""`python -m candor`, and the program `candor`."""

import sys


def main() -> None:
    """Run the command line, the MCP server or a hook; say how to get what it needs where that is missing."""
    if sys.argv[1:2] == ["mcp"]:  # by itself: it needs none of the command line's packages
        _serve()
        return
    if sys.argv[1:2] == ["hook"]:  # by itself, too: an agent waits until it ends
        from candor.hooks.program import main as run_hook

        run_hook(sys.argv[2:])
    try:
        from candor.cli import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit("The command line needs typer and rich: pip install 'candor[cli]'")
    app(prog_name="candor")


def _serve() -> None:
    try:
        from candor.mcp_server import main as serve
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "mcp_types"):
            raise
        sys.exit("The MCP server needs the MCP SDK: pip install 'candor[mcp]'")
    serve(sys.argv[2:])


if __name__ == "__main__":
    main()
