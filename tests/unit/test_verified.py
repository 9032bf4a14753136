"""`verify=True`: a wrong release never leaves a verb silently; `sf.run` always verifies."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.methods import METHODS
from sfumato.verified_verbs import verifying

from ..contract.verbs import VERBS


@pytest.mark.parametrize("verb", VERBS, ids=[one.name for one in VERBS])
def test_every_verb_takes_verify(verb: Any) -> None:
    function = getattr(sf, verb.name)
    assert inspect.signature(function).parameters["verify"].default is False


def test_right_releases_leave() -> None:
    notes = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
    assert sf.suppress(notes, k=3, verify=True).data == sf.suppress(notes, k=3).data
    several = sf.suppress(texts=notes, k=[2, 3], verify=True)
    assert list(several) == [2, 3]
    people = pl.DataFrame({"id": [1, 2], "age": [30, 40]})
    posts = pl.DataFrame({"id": [1, 2], "town": ["x", "y"]})
    schema = {"person": "id", "columns": {"age": {"kind": "number"}, "town": {}}}
    joined = sf.anonymize({"people": people, "posts": posts}, schema, k=2, verify=True)
    assert joined.data.height == 2


@pytest.mark.parametrize("verb", list(METHODS))
def test_a_wrong_release_raises(verb: str) -> None:
    notes = ["Ann has flu.", "Bob has flu.", "Eve has flu."]

    def wrong(texts: list[str], k: int = 3) -> sf.Release:
        return replace(sf.suppress(texts, k=k), data=texts)

    with pytest.raises(sf.NotVerified, match="substring-k-anonymity") as told:
        verifying(wrong)(notes, verify=True)
    assert "Ann" not in str(told.value)
    assert verifying(wrong)(notes).data == notes
    with pytest.raises(sf.BadInput, match="verify"):
        getattr(sf, verb)(notes, verify="yes")


def test_a_policy_from_python(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("abracadabra")
    policy = tmp_path / "release.yaml"
    policy.write_text("{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}")
    done = sf.run(policy, tmp_path / "out")
    assert [verdict["holds"] for verdict in done.told["verdicts"]] == [True]
    assert all(verdict.holds for verdict in sf.verify(tmp_path / "out"))
    with pytest.raises(sf.BadInput, match="policy"):
        sf.run({"version": 1})  # type: ignore[arg-type]
    policy.write_text("{version: 1, input: {path: b.txt}, stages: [{verb: suppress, k: 2}]}")
    with pytest.raises(sf.BadInput):
        sf.run(policy, tmp_path / "other")
