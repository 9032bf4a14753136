"""What comes after the headers of a request: not too much, and not too slowly.

An upload counts its own bytes. Everything else is a form, which is held in memory as a whole.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]

LARGEST = 32 << 20  # bytes of a form: 20,000 decisions of a review have 4 million
SLOWEST = 60.0  # seconds between two parts of a body
GONE: Message = {"type": "http.disconnect"}


class Body:
    """The body of one request; once it is refused, the application sees a client that left."""

    def __init__(self, receive: Receive, *, is_file: bool):
        self._receive, self._is_file = receive, is_file
        self._size, self._is_whole = 0, False
        self.refused: tuple[int, str] | None = None

    def declared(self, length: str | None) -> None:
        """Refuses a form whose header tells that it is too large, before anything is read."""
        if length is not None and length.isdecimal():
            self._take(int(length))
            self._size = 0

    async def receive(self) -> Message:
        """The next part."""
        if self.refused is not None:
            return GONE
        if self._is_whole:  # only that the client left can come now, whenever it does
            return await self._receive()
        try:
            found = await asyncio.wait_for(self._receive(), SLOWEST)
        except TimeoutError:
            self.refused = 408, f"nothing came for {SLOWEST:.0f} seconds"
            return GONE
        self._is_whole = not found.get("more_body", False)
        self._take(len(found.get("body", b"")))
        return found if self.refused is None else GONE

    def _take(self, size: int) -> None:
        self._size += size
        if not self._is_file and self._size > LARGEST:
            self.refused = 413, f"a form has at most {LARGEST >> 20} MB"
