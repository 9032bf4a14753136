"""Every entry of the compiled extensions, with arrays of wrong types, forms and lengths."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.entries import entries, value, wrong
from fuzz.mutations import EXAMPLES

EXTENSIONS = ("_core", "_checks")
PROGRAM = Path(__file__).with_name("entries.py")


def overloads(extension):
    """Entries by their names: an array of another type may be right for another overload."""
    found = {}
    for entry in entries(extension):
        found.setdefault(entry.name, []).append(entry)
    return found


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_arrays_of_another_form_are_refused(extension):
    module, tried = importlib.import_module(f"sfumato.kernels.{extension}"), 0
    for name, listed in overloads(extension).items():
        entry = listed[0]
        for place, one in enumerate(entry.arguments):
            if one.kind != "array":
                continue
            for _, array in wrong(one):
                given = [value(random.Random(0), each) for each in entry.arguments]
                given[place] = array
                tried += 1
                with pytest.raises(TypeError):
                    getattr(module, name)(*given)
    assert tried > 90


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_no_arguments_end_the_process(extension):
    """Lengths that do not fit, nothing at all, and numbers out of range: an error, or a result."""
    command = [sys.executable, str(PROGRAM), extension, str(EXAMPLES), str(EXAMPLES)]
    if "SFUMATO_EXTENSIONS" in os.environ:
        command.append("sanitized")
    environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment)
    last = (done.stdout.splitlines() or [""])[-1]
    assert done.returncode == 0, f"{last}\n{done.stderr[-3000:]}"
    assert last.startswith("done")
