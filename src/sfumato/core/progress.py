"""How long work reports itself."""

from collections.abc import Callable

# Called with the name of what is being done and the share done, in [0, 1].
Progress = Callable[[str, float], None]
