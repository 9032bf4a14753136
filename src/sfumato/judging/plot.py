"""Figures: Vega-Lite dictionaries, drawn as SVG by vl-convert (extra `report`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import NotInstalled

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, never fetched


def svg(figure: Mapping[str, Any]) -> str:
    """A figure as SVG. Cost: one run of the drawing engine, a second or so."""
    try:
        import vl_convert
    except ImportError:
        raise NotInstalled(
            "figures are drawn by vl-convert", where="plot", remedy="pip install 'sfumato[report]'"
        ) from None
    drawn: str = vl_convert.vegalite_to_svg({"$schema": SCHEMA, **figure})
    return drawn
