"""What holds for every verb."""

from __future__ import annotations

import contextlib
import copy
import inspect
import json
import pickle
import socket
from dataclasses import replace

import pytest

import sfumato as sf
from contract.verbs import MARKER, NAMES, PEOPLE, SCHEMA, VERBS

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


NEEDED = {
    "anonymize": {"schema": SCHEMA},
    "redact": {"terms": NAMES},
    "sanitize": {"patterns": ["ab"]},
}


def same(one, other):
    return one.equals(other) if hasattr(one, "equals") else one == other


@pytest.fixture(params=VERBS, ids=lambda verb: verb.name)
def verb(request):
    return request.param


def test_input_is_unchanged(verb):
    sample = copy.deepcopy(verb.sample)
    verb.run(sample)
    assert same(sample, verb.sample)


def test_same_input_same_bytes(verb):
    first, second = verb.run(verb.sample), verb.run(verb.sample)
    assert same(first.data, second.data)
    assert list(first.changes) == list(second.changes)
    assert dict(first.loss) == dict(second.loss)
    key = bytes(32)
    assert first.certificate(key=key) == second.certificate(key=key)


def test_claims_hold(verb):
    release = verb.run(verb.sample)
    assert release.claims
    assert all(verdict.holds for verdict in sf.verify(verb.sample, release))


def test_empty_input(verb):
    if verb.empty is None:
        with pytest.raises(sf.CannotBeMet):
            verb.run(verb.sample[:0])
        return
    release = verb.run(verb.empty)
    assert release.data == verb.empty
    assert not release.changes
    assert all(verdict.holds for verdict in sf.verify(verb.empty, release))


def test_the_kind_of_the_input_comes_back(verb):
    assert type(verb.run(verb.sample).data) is type(verb.sample)


def test_planted_violations_are_rejected(verb):
    release = verb.run(verb.sample)
    spoilt = list(verb.spoil(release))
    assert spoilt
    for data in spoilt:
        verdicts = sf.verify(verb.sample, replace(release, data=data))
        assert not all(verdict.holds for verdict in verdicts)
        assert MARKER not in repr([verdict.as_dict() for verdict in verdicts])


def test_no_user_text_in_messages(verb):
    for call in verb.refused:
        with pytest.raises(sf.SfumatoError) as caught:
            call()
        assert MARKER not in str(caught.value)
        assert MARKER not in repr(caught.value)


ODD = (5, -1, 1.5, 2**70, float("nan"), True, "x", b"x", [], [[1]], {}, {"x": "y"}, object())


def test_parameters_of_any_type_are_used_or_refused(verb):
    """Whatever a parameter is given, nothing but a SfumatoError comes out."""
    function = getattr(sf, verb.name)
    _, *names = inspect.signature(function).parameters
    needed = NEEDED.get(verb.name, {})
    data = PEOPLE if verb.name == "anonymize" else "ab cd ab"
    for name in names:
        for value in ODD:
            with contextlib.suppress(sf.SfumatoError):
                function(data, **{**needed, name: value})


NO_TEXTS = [one for one in ODD if one not in ("x", [])]


@pytest.mark.parametrize("value", NO_TEXTS, ids=lambda value: repr(value).split(" at ")[0])
def test_texts_of_another_type_are_refused(verb, value):
    needed = NEEDED.get(verb.name, {})
    with pytest.raises(sf.BadInput):
        getattr(sf, verb.name)(value, **needed)


def test_no_user_text_in_printed_forms_and_public_certificates(verb):
    release = verb.run(verb.sample)
    verdicts = sf.verify(verb.sample, release)
    public = json.dumps(release.certificate(verdicts))
    assert MARKER not in repr(release)
    assert MARKER not in public
    assert release.key.hex() not in public
    with pytest.raises(TypeError):
        pickle.dumps(release)


def test_certificates_are_lists_of_claims_and_verdicts_and_json(verb):
    release = verb.run(verb.sample)
    verdicts = sf.verify(verb.sample, release)
    for private in (False, True):
        certificate = json.loads(json.dumps(release.certificate(verdicts, private=private)))
        assert [claim["name"] for claim in certificate["claims"]]
        assert all(verdict["holds"] is True for verdict in certificate["verdicts"])
        assert ("key" in certificate) is private
        assert ("sha256" in certificate["hashes"]["input"]) is private


def test_no_network(verb, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("network")

    monkeypatch.setattr(socket, "socket", refuse)
    release = verb.run(verb.sample)
    sf.verify(verb.sample, release)


def test_notebook_form(verb):
    page = verb.run(verb.sample)._repr_html_()
    assert page.startswith("<div>")
    assert "<mark>" in page
