"""`python -m candor`, and the program `candor`."""

import sys


def main() -> None:
    """Run the command line; say how to get it where its packages are missing."""
    try:
        from candor.cli import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit("The command line needs typer and rich: pip install 'candor[cli]'")
    app(prog_name="candor")


if __name__ == "__main__":
    main()
