"""Fixtures for all tests, and how long hypothesis may take: a busy machine is no failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from sfumato.core import certificate

settings.register_profile(
    "sfumato",
    deadline=None,
    max_examples=int(os.environ.get("SFUMATO_EXAMPLES", "100")),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,  # whether a change lands is no matter of chance
    # tools/mutate.py asks whether a test fails, not for the smallest case that it fails on.
    phases=[Phase.explicit, Phase.generate] if "SFUMATO_SHRINK" in os.environ else list(Phase),
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


# Where the real cost of a guess belongs to what is tested, or stands in what was recorded.
REAL_KEYS = (
    *("golden", "compat", "docs", "unit/core", "unit/studio", "unit/pipeline/test_resume"),
    "adversarial/test_killed",
)


@pytest.fixture(autouse=True, scope="module")
def cheap_keys(request):
    """Keys stretched little: thousands of certificates are written, a tenth of a second each."""
    before = certificate.COST["n"]
    here = request.path.as_posix()
    if not any(f"/tests/{name}" in here for name in REAL_KEYS):
        certificate.COST["n"] = 16
    yield
    certificate.COST["n"] = before


# What is tested apart from the core: see the Makefile.
APART = ("adversarial", "apart", "browser", "compat", "docs", "fuzz", "golden", "papers", "spark")
OUTSIDE = ("test_databases.py", "test_libreoffice.py", "test_office.py", "test_service.py")


def pytest_collection_modifyitems(items):
    """Marks these folders, and what needs real data, a browser, an office or a server."""
    for item in items:
        here = item.path.as_posix()
        needs = any(item.get_closest_marker(name) for name in ("data", "browser"))
        if needs or item.path.name in OUTSIDE or any(f"/tests/{name}/" in here for name in APART):
            item.add_marker(pytest.mark.apart)
