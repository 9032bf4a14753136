"""What all property tests share."""

from __future__ import annotations

import pytest

from sfumato.core import certificate


@pytest.fixture(autouse=True, scope="module")
def cheap_keys():
    """Keys stretched little: thousands of certificates are written here."""
    before = certificate.COST["n"]
    certificate.COST["n"] = 16
    yield
    certificate.COST["n"] = before
