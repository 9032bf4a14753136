"""What a process may take, and that it ends with the one that started it."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

EVERY = 0.5  # seconds


def limit(memory: int | None = None, seconds: int | None = None) -> None:
    """Limits this process; where the system has no such limits, the server's clock remains."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold texts
        if memory is not None:
            # Of data, not of addresses: what draws charts reserves many it never uses.
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def end_with(parent: int) -> None:
    """Ends this process once its parent is gone, killed or not: nothing goes on unwatched."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
