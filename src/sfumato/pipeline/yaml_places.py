"""Where something stands in a YAML file: its path and its line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml


def line_of(node: yaml.Node | None, where: str) -> int:
    """The line of a place of the YAML, or of what it would stand in.

    >>> line_of(yaml.compose("version: 1\\nstages:\\n- verb: redact\\n"), "stages[0].verb")
    3
    >>> line_of(yaml.compose("version: 1\\nstages:\\n- verb: redact\\n"), "stages[0].terms")
    3
    """
    if node is None:
        return 1
    line = int(node.start_mark.line) + 1
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", where):
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == name]
            if not found:
                break
            node, line = found[0][1], int(found[0][0].start_mark.line) + 1
        elif isinstance(node, yaml.SequenceNode) and number and int(number) < len(node.value):
            node = node.value[int(number)]
            line = int(node.start_mark.line) + 1
        else:
            break
    return line


def yaml_path(loc: Sequence[object]) -> str:
    """A place in the YAML.

    >>> yaml_path(["stages", 0, "k"])
    'stages[0].k'
    """
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path
