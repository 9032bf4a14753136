"""Public certificates confirm no guess; private ones can be checked."""

from __future__ import annotations

import hashlib
import hmac
import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.certificate import digest, key_under, keyed_digest

NOTES = ["flu in May"] * 3 + ["flu in Nowhere"]


def test_public_hashes_are_keyed_and_the_release_is_plain():
    release = sf.suppress(NOTES, k=3, groups=["ann", "bob", "eve", "joe"])
    public = release.certificate()
    assert public["hashes"]["release"] == {"sha256": digest(release.data).hexdigest()}
    plain = {digest(NOTES).hexdigest(), digest(["ann", "bob", "eve", "joe"]).hexdigest()}
    assert not any(value in json.dumps(public) for value in plain)
    key = key_under(release.key, public)
    expected = hmac.new(key, digest(NOTES).digest(), hashlib.sha256).hexdigest()
    assert public["hashes"]["input"] == {"hmac-sha256": expected}


def test_private_holds_the_key_and_the_plain_values():
    release = sf.suppress(NOTES, k=3, groups=["ann", "bob", "eve", "joe"])
    private = release.certificate(private=True)
    assert bytes.fromhex(private["key"]) == release.key
    assert private["private"]["groups"] == ["ann", "bob", "eve", "joe"]
    assert private["hashes"]["input"]["sha256"] == digest(NOTES).hexdigest()


def test_a_given_key_makes_certificates_repeatable():
    first, second = (sf.suppress(NOTES, k=3).certificate(key=b"k" * 32) for _ in range(2))
    assert first == second
    assert sf.suppress(NOTES, k=3).certificate(key=b"x" * 32) != first


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_digests_tell_collections_apart(one, other):
    assert (digest(one).hexdigest() == digest(other).hexdigest()) == (one == other)
    assert (keyed_digest(b"k", one) == keyed_digest(b"k", other)) == (one == other)


def test_numbers_of_numpy_are_written_too():
    release = sf.redact("a dog", ["dog", "cat"], k=np.int64(2))
    assert json.loads(json.dumps(release.certificate()))["parameters"]["k"] == 2
