"""Fixtures for all tests, and how long hypothesis may take: a busy machine is no failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "sfumato",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,  # whether a change lands is no matter of chance
)
settings.load_profile("sfumato")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("SFUMATO_DATA", ROOT / ".." / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; SFUMATO_DATA names another folder")
    return folder.resolve()
