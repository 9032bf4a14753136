"""Charts as SVG that stands in a page with a strict policy: no script, no style, no font file."""

from __future__ import annotations

import json
import re
from typing import Any

from ..core.errors import NotInstalled

# Inline styles are forbidden by the page's policy; what they say here is not needed.
_STYLE = re.compile(r' style="[^"]*"')
_SIZE = re.compile(r'<svg ([^>]*?)width="([\d.]+)" height="([\d.]+)"')


def svg(chart: dict[str, Any]) -> str:
    """A Vega-Lite dictionary as SVG, drawn by vl-convert.

    Cost: 0.1 to 0.5 s for the first chart of a process, some milliseconds for each other.
    >>> svg({"data": {"values": []}, "mark": "bar"})[:4]
    '<svg'
    """
    try:
        import vl_convert
    except ImportError:
        raise NotInstalled(
            "charts are drawn by vl-convert, which is not installed",
            remedy="pip install 'sfumato[report]'",
        ) from None
    drawn: str = vl_convert.vegalite_to_svg(json.dumps(chart), vl_version="5.20")
    return _STYLE.sub("", drawn)


def natural_size(drawn: str) -> tuple[float, float]:
    """Width and height the SVG was drawn for.

    >>> natural_size('<svg class="a" width="30" height="40.5">')
    (30.0, 40.5)
    """
    found = _SIZE.search(drawn)
    return (float(found[2]), float(found[3])) if found else (0.0, 0.0)
