"""Writes docs/python.md from the public names themselves; `make docs` runs it, a test compares."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any

import sfumato

TARGET = Path(__file__).parent.parent / "docs" / "python.md"
HEADER = """# Python

Made by `make docs` from the functions themselves. Every verb returns a `Release`; `sf.verify`
judges it. Errors are `sf.BadInput`, `sf.CannotBeMet`, `sf.NotVerified` and `sf.NotInstalled`, all
of them `sf.SfumatoError`. The examples below begin with:

```python
>>> from sfumato import *

```
"""


def reference() -> str:
    """The whole page: a section for every public name that is no error."""
    parts = [HEADER]
    for name in sorted(sfumato.__all__, key=str.lower):
        thing = getattr(sfumato, name)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        parts.append(f"\n## sf.{name}\n\n```\n{signature(name, thing)}\n```\n\n{told(thing)}")
    return "".join(parts)


def signature(name: str, thing: Any) -> str:
    """The call as one writes it: names and defaults, without types; a line for each when long."""
    parameters = inspect.signature(thing).parameters.values()
    shown, starred = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        shown.append(str(one.replace(annotation=inspect.Parameter.empty)))
    line = f"sf.{name}({', '.join(shown)})"
    return "\n".join(textwrap.wrap(line, 96, subsequent_indent="    "))


def told(thing: Any) -> str:
    """Its docstring as the page has it: paragraphs, and its example as code."""
    text = inspect.getdoc(thing) or ""
    before, mark, example = text.partition(">>> ")
    shown = f"{before.strip()}\n"
    if mark:
        shown += f"\n```python\n{mark}{example.rstrip()}\n\n```\n"
    return shown


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
