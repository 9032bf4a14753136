"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; tests that use it are marked `data`."""
    folder = Path(os.environ.get("SFUMATO_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set SFUMATO_DATA to their folder")
    return folder
