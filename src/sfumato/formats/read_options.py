"""What was asked of a file: its format, its text columns, and what the format's name says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.formats.form import Form

if TYPE_CHECKING:
    from sfumato.formats.source import Columns

_PLAIN = Form(None)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source was read: its format, its text columns, and what the format's name says."""

    format: str
    columns: Columns = None
    said: Form = _PLAIN
