"""A pytest plugin: the compiled extensions of another folder take the place of the usual ones.

`make sanitize` builds them with sanitizers and names the folder in SFUMATO_EXTENSIONS.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

NAMES = ("_core", "_checks")


def load(folder: Path) -> None:
    """Loads both before anything else can."""
    for name in NAMES:
        full = f"sfumato.kernels.{name}"
        assert full not in sys.modules
        (path,) = folder.glob(f"{name}.*.so")
        loader = importlib.machinery.ExtensionFileLoader(full, str(path))
        spec = importlib.util.spec_from_file_location(full, path, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        loader.exec_module(module)


if "SFUMATO_EXTENSIONS" in os.environ:  # a search for doctests imports this too
    load(Path(os.environ["SFUMATO_EXTENSIONS"]))
