"""Whatever stands in the files of a release folder: it is judged or refused, nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

import sfumato as sf
from sfumato.core.certificate import sealed
from sfumato.core.errors import SfumatoError
from sfumato.pipeline.folder import sums
from support.json_places import STRANGE, changed, places

OLD = Path(__file__).parents[2] / "compat" / "v0_1"


@pytest.fixture(params=["composed", "table", "parts"])
def folder(request, tmp_path):
    """A folder whose certificate is of format 1, so that its seal is quickly made anew."""
    shutil.copytree(OLD / request.param, tmp_path / "release")
    return tmp_path / "release"


def outcomes(folder, file, stated, written):
    """What is found with something else at each place, and hashes that fit."""
    found = []
    for number, place in enumerate(list(places(stated))[1:]):
        new = None if number % 2 else (STRANGE[number % len(STRANGE)],)
        (folder / file).write_text(written(changed(stated, place, new)))
        (folder / "SHA256SUMS").write_bytes(sums(folder))
        try:
            found.append(bool(sf.verify(folder)))
        except SfumatoError as problem:
            found.append(problem.exit_code)
    return found


def test_in_the_certificate(folder):
    stated = json.loads((folder / "certificate.json").read_text())

    def written(one):
        return json.dumps(sealed(one, b"x" * 16) if one.get("format") == 1 else one)

    found = outcomes(folder, "certificate.json", stated, written)
    assert found.count(4) > 50


def test_in_the_policy(folder):
    stated = yaml.safe_load((folder / "policy.yaml").read_text())
    found = outcomes(folder, "policy.yaml", stated, yaml.safe_dump)
    assert found.count(4) > 3
