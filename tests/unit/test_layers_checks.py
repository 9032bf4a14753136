"""Verification shares no code with what it verifies."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_compiled_checks_include_only_each_other():
    folder = ROOT / "cpp" / "checks"
    own = {path.name for path in folder.iterdir()}
    included = [
        (path.name, name)
        for path in folder.iterdir()
        for name in re.findall(r"#\s*include\s*[\"<]([^\">]+)", path.read_text())
    ]
    local = [(path, name) for path, name in included if name.endswith((".hpp", ".inc", ".cpp"))]
    assert ("module.cpp", "count.hpp") in local
    assert [(path, name) for path, name in local if name not in own] == []


def test_their_python_face_imports_only_them_and_numpy():
    imported = set()
    for node in ast.walk(ast.parse((ROOT / "src/sfumato/kernels/checks.py").read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
    libraries = {"__future__", "collections", "contextlib", "dataclasses", "itertools", "numpy"}
    libraries |= {"tempfile", "typing"}
    others = {name for name in imported if name.split(".")[0] not in libraries}
    assert others == {"sfumato.kernels._checks"}
