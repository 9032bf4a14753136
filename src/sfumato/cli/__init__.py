"""The command line: parse, call, show."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Runs the command line and exits with its code; failures print one line and no user text."""
    from .app import EndSignal, run

    def end(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends at once
        raise EndSignal(number)

    for name in ("SIGTERM", "SIGHUP"):  # an end that is asked for, a terminal that was closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
    sys.exit(run(sys.argv[1:]))
