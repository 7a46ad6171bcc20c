#!/usr/bin/env python
"""Run a command of the project; start the embedded servers first when no database is configured."""

import os
import sys

#: Commands that need no servers; `up` starts them itself.
SERVERLESS = {
    "up",
    "bootstrap_database",
    "collectstatic",
    "help",
    "--help",
    "-h",
    "version",
    "--version",
}


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in SERVERLESS:
        from config.embedded import EmbeddedError, export_endpoints

        try:
            export_endpoints()
        except EmbeddedError as error:
            sys.exit(str(error))
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
