"""The command line: parse, call, show."""

from __future__ import annotations

import gc
import signal
import sys

# Cycles are rare here, and looking for them takes time for every object that is held: of a million
# short documents a third of all time, looked for after every 700 objects as Python does.
COLLECTED_AFTER = 500_000  # objects


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
    gc.set_threshold(COLLECTED_AFTER)
    sys.exit(run(sys.argv[1:]))
