"""A folder with the lists that tell the verbs of the secret."""

from __future__ import annotations

import tempfile

import pytest

from adversarial.search import SECRET

SIDE = {
    "terms.txt": "chest\ncrest\nasthma\nangina\n",
    "secret.txt": f"{SECRET}\n",
    "upper.txt": f"{SECRET.upper()}\n",
    "words.txt": f"{SECRET}\nasthma\n",
    "ontology.csv": "asthma,disease\ncough,disease\n",
    "secret.yaml": f"name: secret\ndeny: {{PERSON: [{SECRET}]}}\n",
    "key": "a key of more than sixteen bytes\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the lists, whose temporary files are its own."""
    (tmp_path / "work").mkdir()
    (tmp_path / "temporary").mkdir()
    for name, content in SIDE.items():
        (tmp_path / "work" / name).write_text(content)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "work"
