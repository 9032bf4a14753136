"""Rules about the sources themselves."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_checks_include_nothing_of_what_they_judge():
    own = {path.name for path in (ROOT / "cpp/checks").iterdir()}
    for path in (ROOT / "cpp/checks").iterdir():
        for name in re.findall(r'#include "([^"]+)"', path.read_text()):
            assert name in own, f"{path.name} includes {name}"
    for path in (ROOT / "cpp").glob("*.[hc]pp"):
        assert "checks/" not in path.read_text(), path.name
