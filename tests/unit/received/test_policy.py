"""A published policy as receivers read it says what the steward's own reading of it says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sfumato.core.errors import NotVerified
from sfumato.core.method import options_of
from sfumato.methods import method
from sfumato.pipeline import policy as policies
from sfumato.pipeline.public_policy import public_policy
from sfumato.pipeline.steps import steps_of
from sfumato.received.policy import PublishedPolicy, read

INPUTS = Path(__file__).parents[2] / "golden" / "inputs"
POLICIES = sorted(path for path in INPUTS.glob("release-*.yaml") if "wrong" not in path.name)


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_both_readings_agree(path):
    own = policies.read(path).policy
    found = PublishedPolicy.of(public_policy(own))
    assert (found.read_as, found.encoding) == (own.input.read_as, own.input.encoding)
    assert (found.name, found.person) == (Path(own.input.path).name, own.input.person)
    assert found.columns == (None if own.input.columns is None else tuple(own.input.columns))
    expected = [(one.number, one.stage.verb, one.column) for one in steps_of(own)]
    assert [(one.number, one.verb, one.column) for one in found.steps] == expected
    for step, one in zip(found.steps, steps_of(own), strict=True):
        for option in options_of(method(step.verb).options, "policy"):
            if not option.about.secret and not option.about.is_file:
                assert step.settings[option.name] == getattr(one.stage, option.name), option.name
    assert [one.claim for one in found.demands] == [one.claim for one in own.claims]
    asked = [{k: getattr(one, k) for k in ("k", "l", "t", "count")} for one in own.claims]
    plain = [{k: v for k, v in one.items() if v is not None} for one in asked]
    assert [dict(one.asked) for one in found.demands] == plain


PLAIN = {"version": 1, "input": {"path": "a.txt"}, "stages": [{"verb": "suppress", "k": 4}]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 2},
        {"input": {}},
        {"input": None},
        {"stages": None},
        {"stages": [{"verb": "world-peace"}]},
        {"stages": [{"verb": "suppress", "K": 100}]},
        {"stages": ["suppress"]},
        {"claims": [{"k": 3}]},
        {"claims": [{"claim": "k-anonymity", "at_least": 3}]},
    ],
)
def test_a_damaged_policy_is_refused(wrong, tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text(yaml.safe_dump(PLAIN))
    assert read(path).steps[0].settings["k"] == 4
    path.write_text(yaml.safe_dump({**PLAIN, **wrong}))
    with pytest.raises(NotVerified, match="the policy is damaged"):
        read(path)


def test_only_secret_options_may_be_hidden():
    """Who writes `5 private entries` in place of k cannot have k left unread."""
    stage = {"verb": "suppress", "k": "5 private entries"}
    found = PublishedPolicy.of({**PLAIN, "stages": [stage]})
    assert found.steps[0].settings["k"] == "5 private entries"
    words = {"verb": "generalize", "words": "2 private entries"}
    found = PublishedPolicy.of({**PLAIN, "stages": [words]})
    default = next(o for o in options_of(method("generalize").options) if o.name == "words")
    assert found.steps[0].settings["words"] == default.default
