"""Every entry of the compiled extensions, with arrays of wrong types, forms and lengths."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fuzz.entries import ALLOWED, entries, value, wrong
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


def told(function, given):
    """What a call gives, so that two can be compared, or which error it raises."""
    try:
        return str(function(*given))
    except ALLOWED as problem:
        return type(problem).__name__


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_arrays_that_are_given_are_not_written_to(extension):
    """Read-only ones give the same result as others, and what was given is as it was."""
    module, tried, held = importlib.import_module(f"sfumato.kernels.{extension}"), 0, 0
    for entry in entries(extension):
        if entry.methods:
            continue  # what a class prints is its address
        drawn = random.Random(entry.name)
        for _ in range(8):
            given = [value(drawn, one) for one in entry.arguments]
            arrays = [
                array
                for array, one in zip(given, entry.arguments, strict=True)
                if isinstance(array, np.ndarray) and not one.written
            ]
            before = [one.copy() for one in arrays]
            with np.printoptions(threshold=sys.maxsize):
                first = told(getattr(module, entry.name), given)
                assert all(map(np.array_equal, arrays, before)), entry.name
                for one in arrays:
                    one.flags.writeable = False
                second = told(getattr(module, entry.name), given)
            tried += 1
            held += first == second
            assert first == second or "object at" in first, entry.name
    assert held > tried / 2


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
