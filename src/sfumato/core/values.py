"""Values whose type no checker can know, named by what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

Data: TypeAlias = Any
"""Texts, sequences or a table, in a list, an array or a frame of any library."""
JsonObject: TypeAlias = dict[str, Any]
"""JSON or YAML as it is written, and as it was read before anybody has looked at it."""
JsonValues: TypeAlias = Mapping[str, Any]
"""The same, for whoever only reads it; also parameters, counts and figures by their names."""
Array: TypeAlias = "NDArray[Any]"
"""An array of whatever numbers its maker chose."""
