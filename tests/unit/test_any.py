"""`Any` stands where no type can be known, and nowhere else: its number by package never grows.

What is left, and why: docs/architecture.md, "Types". `python tests/unit/test_any.py` counts.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sfumato"
# `.`: the modules beside the packages.
MOST = {
    "engines": 75,
    "studio": 59,
    "formats": 56,
    "methods": 46,
    "core": 28,
    "recognizers": 21,
    ".": 19,
    "pipeline": 14,
    "verification": 8,
    "cli": 8,
    "kernels": 3,
    "received": 3,
    "judging": 1,
    "metrics": 1,
    "ontologies": 1,
    "claims": 1,
    "schema": 0,
    "examples": 0,
    "attacks": 0,
    "reports": 0,
}


def counted() -> Counter[str]:
    """How often the name `Any` is used in each package; its imports are not counted."""
    found: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        names = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))))
        uses = sum(isinstance(one, ast.Name) and one.id == "Any" for one in names)
        found[parts[0] if len(parts) > 1 else "."] += uses
    return found


def test_any_does_not_spread():
    grown = {name: count for name, count in counted().items() if count > MOST[name]}
    assert not grown, "give a type, a Protocol, or object that is told apart by isinstance"


if __name__ == "__main__":
    for name, count in counted().most_common():
        print(f"{count:4} {name}")
    print(f"{counted().total():4} in all")
