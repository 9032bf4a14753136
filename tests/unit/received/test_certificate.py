"""A certificate is read whole or refused as damaged: no other error, whatever stands in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.certificate import sealed
from sfumato.core.certificate_model import Certificate as WrittenCertificate
from sfumato.core.errors import BadInput, NotVerified
from sfumato.pipeline import policy
from sfumato.pipeline.run import run
from sfumato.received.certificate import Certificate, check_seal, read, read_of_run
from support.json_places import STRANGE, changed, places

OLD = Path(__file__).parents[2] / "compat" / "v0_1"
TEXTS = ["calm and warm", "calm and cold", "calm and warm"]
RELEASE = sf.suppress(TEXTS, k=2)
VERB = RELEASE.certificate(sf.verify(TEXTS, RELEASE), key=b"0123456789abcdef")
RUN = json.loads((OLD / "composed" / "certificate.json").read_text())


def test_what_a_verb_wrote(tmp_path):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(VERB))
    found = read(path)
    assert (found.verb, found.is_of_table, found.format) == ("suppress", False, 2)
    assert found.claims == RELEASE.claims
    assert [one.holds for one in found.verdicts] == [True]
    assert found.hashes["input"].plain is None
    assert found.text_hash == VERB["hashes"]["release"]["sha256"]
    assert not found.is_private
    assert found.key is None


def test_what_a_run_of_format_1_wrote():
    found = read_of_run(OLD / "composed" / "certificate.json")
    assert found.format == 1
    assert [stage.verb for stage in found.stages] == [one["verb"] for one in RUN["stages"]]
    assert sum((stage.claims for stage in found.stages), ()) == found.claims


def test_a_private_certificate_holds_its_key(tmp_path):
    path = tmp_path / "private.json"
    path.write_text(json.dumps(RELEASE.certificate(private=True, key=b"0123456789abcdef")))
    found = read(path)
    assert found.is_private
    assert found.key == b"0123456789abcdef"
    assert "0123" not in repr(found)


@pytest.mark.parametrize("stated", [VERB, RUN], ids=["verb", "run"])
def test_what_stands_at_any_place_is_read_or_refused(stated, tmp_path):
    path, refused = tmp_path / "certificate.json", 0
    for place in list(places(stated))[1:]:
        for new in (None, *((one,) for one in STRANGE[:: 1 if stated is VERB else 4])):
            path.write_text(json.dumps(changed(stated, place, new)))
            try:
                read(path)
            except NotVerified:
                refused += 1
    assert refused > 100


@given(st.recursive(st.none() | st.integers() | st.text("ab"), st.lists) | st.binary())
def test_what_is_no_certificate_is_refused(tmp_path_factory, value):
    path = tmp_path_factory.getbasetemp() / "other.json"
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    with pytest.raises(NotVerified, match="is damaged"):
        read(path)


def test_deep_nesting_is_refused(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(NotVerified, match="is damaged"):
        read(tmp_path / "deep.json")


def test_a_certificate_that_is_not_there(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path / "absent.json")
    with pytest.raises(NotVerified, match="is damaged"):
        read_of_run(tmp_path / "absent.json")


def test_a_failed_verdict_is_told(tmp_path):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(changed(VERB, ("verdicts", 0, "holds"), (False,))))
    with pytest.raises(NotVerified, match="says that a claim does not hold"):
        read(path)


@pytest.mark.parametrize(
    ("stated", "keys", "must", "message"),
    [
        (VERB, (), False, None),
        (VERB, (b"k" * 16,), False, "has no seal"),
        (VERB, (), True, "has no seal"),
        (sealed(VERB, b"k" * 16), (), True, None),
        (sealed(VERB, b"k" * 16), (b"k" * 16, None), True, None),
        (sealed(VERB, b"k" * 16), (b"l" * 16,), False, "the key is another one"),
        (sealed(VERB, b"k" * 16), (b"k" * 16, b"l" * 16), True, "the key is another one"),
        ({**sealed(VERB, b"k" * 16), "warnings": ["none"]}, (), False, "not as it was written"),
        ({**VERB, "seal": 7}, (), False, "not as it was written"),
    ],
)
def test_the_seal(stated, keys, must, message):
    certificate = Certificate.read(stated, Path("certificate.json"))
    if message is None:
        check_seal(certificate, *keys, must=must)
        return
    with pytest.raises(NotVerified, match=message):
        check_seal(certificate, *keys, must=must)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("texts", ["ab ab ab", ["a b", "a c", "a b"]])
def test_what_is_written_is_what_is_read(texts, private):
    release = sf.suppress(texts, k=2)
    told = json.loads(json.dumps(release.certificate(sf.verify(texts, release), private=private)))
    assert WrittenCertificate.of(told).as_dict() == told
    assert list(WrittenCertificate.of(told).as_dict()) == list(told)


def test_a_run_s_certificates_are_read_as_they_were_written(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"t": "ab ab"}\n{"t": "ab"}\n{"t": null}\n')
    (tmp_path / "p.yaml").write_text(
        "{version: 1, input: {path: a.jsonl, columns: [t]}, "
        "stages: [{verb: suppress, k: 2}, {verb: suppress, k: 1}]}"
    )
    done = run(policy.read(tmp_path / "p.yaml"))
    for path in (done.folder, done.private):
        told = json.loads((path / "certificate.json").read_text("utf-8"))
        told.pop("seal", None)
        again = WrittenCertificate.of(told).as_dict()
        assert again == told
        assert list(again) == list(told)
        assert {claim["stage"] for claim in told["claims"]} == {1, 2}
