"""The command line: parse, call, show."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and exits with its code; failures print one line and no user text."""
    from .app import run

    sys.exit(run(sys.argv[1:]))
