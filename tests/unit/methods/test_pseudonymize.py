"""What pseudonymize promises: consistency, shape, dates that keep their intervals, a way back."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.methods.pseudonyms import save_mapping, undo
from sfumato.methods.pseudonyms.dates import shifted
from sfumato.methods.pseudonyms.mapping import decrypt, encrypt, mapping_bytes
from sfumato.recognizers import checks

KEY = b"thirty-two bytes of a secret key"
NOTES = [
    "Dr. Smith saw Mr. John Smith on 06/17/2021. MRN: 2589145. SSN: 482-43-1338.",
    "Patient: John Smith\nSeen by Dr. J. Smith on July 1, 2021 and 2021-07-03.",
    "Mrs. Mary Jones, aged 44, mary.jones80@mail.com, 713-524-9968, card 4111 1111 1111 1111.",
    "SMITH was here; Dr. K. Smith too. Call +44 20 7946 0958. IBAN GB82 WEST 1234 5698 7654 32.",
]


def found(texts, *terms):
    """Spans of every occurrence of (term, label) pairs, for tests that need no recogniser."""
    return [
        sf.Span(i, match.start(), match.end(), label)
        for i, text in enumerate(texts)
        for term, label in terms
        for match in re.finditer(re.escape(term), text)
    ]


def test_two_runs_with_one_key_agree_and_with_another_do_not():
    one, again = (sf.pseudonymize(NOTES, key=KEY).data for _ in range(2))
    assert one == again
    assert sf.pseudonymize(NOTES, key=KEY[::-1]).data != one
    assert sf.pseudonymize(NOTES).data != sf.pseudonymize(NOTES).data
    assert sf.pseudonymize(NOTES, key=KEY, seed=1).data != one


def test_the_order_of_documents_does_not_matter():
    forward = sf.pseudonymize(NOTES, key=KEY, dates="keep").data
    backward = sf.pseudonymize(NOTES[::-1], key=KEY, dates="keep").data
    assert forward == backward[::-1]


def test_variants_of_a_name_stay_variants_of_one_name():
    texts = ["Dr. Smith, John Smith, J. Smith, SMITH, Smith's, John, Mary Smith"]
    spans = found(texts, ("Dr. Smith", "PERSON"), ("John Smith", "PERSON"), ("J. Smith", "PERSON"))
    spans += [sf.Span(0, 33, 38, "PERSON"), sf.Span(0, 40, 45, "PERSON")]
    spans += [sf.Span(0, 49, 53, "PERSON"), sf.Span(0, 55, 65, "PERSON")]
    release = sf.pseudonymize(texts, spans, KEY)
    doctor, full, initial, capitals, plain, first, other = release.data[0].split(", ")
    family = doctor.removeprefix("Dr. ")
    assert family not in ("Smith", doctor)
    assert full == f"{first} {family}"
    assert initial == f"{first[0]}. {family}"
    assert capitals == family.upper()
    assert plain == f"{family}'s"
    assert other.endswith(f" {family}")
    assert other != full
    assert sf.verify(texts, release)[0].holds


def test_gender_is_kept_where_it_is_known():
    from sfumato.methods.pseudonyms.lists import GIVEN

    texts = ["Mary Jones met James Hill and Mrs. Xanthe Lowe."]
    names = ("Mary Jones", "PERSON"), ("James Hill", "PERSON"), ("Mrs. Xanthe Lowe", "PERSON")
    words = sf.pseudonymize(texts, found(texts, *names), KEY).data[0].split()
    assert set(words[0].split("-")) <= set(GIVEN["en"]["female"])
    assert set(words[3].split("-")) <= set(GIVEN["en"]["male"])
    assert set(words[7].split("-")) <= set(GIVEN["en"]["female"])


def test_surrogates_keep_type_and_shape():
    release = sf.pseudonymize(NOTES, key=KEY)
    for change in release.changes:
        old = NOTES[change.document][change.start : change.stop]
        new = change.replacement
        assert new != old
        if change.reason in ("MRN", "SSN", "CREDIT_CARD", "IBAN", "PHONE"):
            assert [(c.isdigit(), c.isalpha()) for c in old] == [
                (c.isdigit(), c.isalpha()) for c in new
            ]
        if change.reason == "CREDIT_CARD":
            assert checks.card(new)
        if change.reason == "IBAN":
            assert checks.iban(new)
        if change.reason == "EMAIL":
            assert new.endswith("@example.org")
            assert re.fullmatch(r"[a-z]+\.[a-z]+\d\d@example.org", new)
        if change.reason == "SSN":
            assert not checks.ssn(new)
    assert {change.reason for change in release.changes} >= {"MRN", "SSN", "IBAN", "PHONE", "EMAIL"}


def test_a_name_in_a_mailbox_is_the_name_elsewhere():
    release = sf.pseudonymize(["Mrs. Mary Jones, mary.jones80@mail.com"], key=KEY)
    first, last, box = re.fullmatch(r"Mrs\. (\S+) (\S+), (\S+)", release.data[0]).groups()
    local = f"{first.lower().replace('-', '')}.{last.lower()}"
    assert re.fullmatch(rf"{local}\d\d@example\.org", box)


def test_dates_of_a_person_keep_their_intervals():
    texts = ["On 06/17/2021 and 06/20/2021.", "On July 1, 2021.", "On 06/17/2021."]
    release = sf.pseudonymize(texts, key=KEY, groups=["ann", "ann", "bob"])
    moved = re.findall(r"(\d\d)/(\d\d)/(\d{4})", " ".join(release.data))
    first, second, other = (date(int(y), int(m), int(d)) for m, d, y in moved)
    assert (second - first).days == 3
    assert first != date(2021, 6, 17)
    assert other != first
    assert sf.verify(texts, release)[0].holds
    kept = sf.pseudonymize(texts, key=KEY, dates="keep")
    assert kept.data == texts
    assert sf.pseudonymize(texts, key=KEY, dates="label").data[1] == "On [DATE]."


def test_day_first_is_told_by_the_corpus():
    texts = ["On 17/06/2021 and 05/06/2021."]
    moved = sf.pseudonymize(texts, key=KEY).data[0]
    (d1, m1, y1), (d2, m2, y2) = re.findall(r"(\d\d)/(\d\d)/(\d{4})", moved)
    assert (date(int(y1), int(m1), int(d1)) - date(int(y2), int(m2), int(d2))).days == 12


@settings(max_examples=200)
@given(
    st.dates(date(1900, 1, 1), date(2060, 1, 1)),
    st.integers(-364, 364),
    st.sampled_from(["%m/%d/%Y", "%Y-%m-%d", "%B %d, %Y", "%d %B %Y", "%d-%b-%Y", "%Y.%m.%d"]),
)
def test_shifted_dates_are_the_calendars(day, days, form):
    from datetime import datetime, timedelta

    moved = shifted(day.strftime(form), days, day_first=False)
    assert datetime.strptime(moved, form).date() == day + timedelta(days)


@settings(max_examples=100)
@given(st.lists(st.text("ab é", max_size=12), min_size=1, max_size=4), st.data())
def test_undone_gives_the_original(texts, data):
    spans = []
    for number, text in enumerate(texts):
        for start in range(0, len(text) - 2, 4):
            label = data.draw(st.sampled_from(["PERSON", "MRN", "WARD", "EMAIL", "LOCATION"]))
            spans.append(sf.Span(number, start, start + 3, label))
    release = sf.pseudonymize(texts, spans, KEY)
    places = mapping_with_a_quick_key(release)
    assert undo(release.data, places, KEY) == texts
    assert all(verdict.holds for verdict in sf.verify(texts, release))


def mapping_with_a_quick_key(release):
    return mapping_bytes(release, KEY)


@pytest.fixture(autouse=True)
def _quick_scrypt(monkeypatch):
    """The real cost is for one test only: here it would take a minute."""
    import hashlib

    genuine = hashlib.scrypt
    monkeypatch.setattr(hashlib, "scrypt", lambda *a, **k: genuine(*a, **{**k, "n": 2}))


def test_undo_takes_fewer_texts_in_another_order_but_no_other_text(tmp_path):
    release = sf.pseudonymize(NOTES, key=KEY)
    save_mapping(release, tmp_path / "map", KEY)
    assert (tmp_path / "map").stat().st_mode & 0o777 == 0o600
    chosen = tuple(release.data[i] for i in (3, 1))
    assert undo(chosen, tmp_path / "map", KEY) == (NOTES[3], NOTES[1])
    with pytest.raises(sf.BadInput, match="document 1"):
        undo([release.data[0], release.data[1] + "."], tmp_path / "map", KEY)
    with pytest.raises(sf.BadInput, match="key"):
        undo(release.data, tmp_path / "map", KEY[::-1])


def test_a_mapping_with_one_bit_flipped_is_refused():
    sealed = encrypt(b"who is who", KEY)
    assert decrypt(sealed, KEY) == b"who is who"
    for place in range(len(sealed)):
        spoilt = bytearray(sealed)
        spoilt[place] ^= 1 << place % 8
        with pytest.raises(sf.BadInput):
            decrypt(bytes(spoilt), KEY)
    with pytest.raises(sf.BadInput):
        decrypt(sealed[:-1], KEY)


def test_nothing_of_the_original_is_legible_in_the_mapping():
    release = sf.pseudonymize(NOTES, key=KEY)
    assert b"Smith" not in mapping_bytes(release, KEY)
    assert mapping_bytes(release, KEY) != mapping_bytes(release, KEY)


def test_the_certificate_claims_no_anonymity():
    release = sf.pseudonymize(NOTES, key=KEY)
    stated = release.certificate(sf.verify(NOTES, release))
    assert "anonymity is not claimed" in stated["claims"][0]["statement"]
    assert "anonymity" in stated["not_protected"][0]


def test_verification_rejects_inconsistent_surrogates():
    texts = ["Ann Ho", "Ann Ho", "Bob Li"]
    spans = [sf.Span(i, 0, 6, "PERSON") for i in range(3)]
    release = sf.pseudonymize(texts, spans, KEY)
    for wrong in ("Other Name", release.data[0]):
        number = 1 if wrong == "Other Name" else 2
        new = list(release.changes.replacements)
        new[number] = wrong
        data = list(release.data)
        data[number] = wrong
        spoilt = replace(release, data=data, changes=replace(release.changes, replacements=new))
        assert not sf.verify(texts, spoilt)[0].holds


def test_verification_rejects_dates_that_move_unequally():
    texts = ["On 06/17/2021 and 06/20/2021."]
    release = sf.pseudonymize(texts, key=KEY)
    new = [release.changes.replacements[0], "01/01/2020"]
    data = [f"On {new[0]} and {new[1]}."]
    spoilt = replace(release, data=data, changes=replace(release.changes, replacements=new))
    assert not sf.verify(texts, spoilt)[0].holds


def test_two_thousand_people_get_two_thousand_names():
    endings = itertools.islice(itertools.product("abcdefghijklmnopqrst", repeat=3), 2000)
    texts = [f"Dr. Q{''.join(ending)}" for ending in endings]
    release = sf.pseudonymize(texts, key=KEY)
    assert len(set(release.data)) == 2000
    assert sf.verify(texts, release)[0].holds


def test_presidio_results_and_frames_are_taken():
    import pandas

    results = [[{"entity_type": "PERSON", "start": 0, "end": 6, "score": 0.85}]]
    column = pandas.Series(["Ann Ho is here", None], index=[5, 7])
    release = sf.pseudonymize(column, [*results, []], KEY)
    assert list(release.data.index) == [5, 7]
    assert not release.data[5].startswith("Ann Ho")
    assert release.data[5].endswith(" is here")


@pytest.mark.parametrize("name", ["salem", "NY", "Salem", "SALEM", "Springfield Hospital"])
def test_places_are_replaced_in_any_case(name):
    texts = [f"from {name} today"]
    released = sf.pseudonymize(texts, [sf.Span(0, 5, 5 + len(name), "LOCATION")], KEY).data[0]
    assert name.split()[0] not in released
    assert released.endswith("Hospital today") == name.endswith("Hospital")


def test_groups_may_be_numbers():
    texts = ["On 06/17/2021.", "On 06/17/2021."]
    together = sf.pseudonymize(texts, key=KEY, groups=[7, 7]).data
    apart = sf.pseudonymize(texts, key=KEY, groups=[7, 8]).data
    assert together[0] == together[1] == apart[0] != apart[1]


@pytest.mark.parametrize("language", ["rules-en", "rules-es"])
@pytest.mark.parametrize("seed", range(12))
def test_dates_of_every_form_are_verified(language, seed):
    texts = ["25-Mar-09, 3-Feb-2019, 12-mar-2010, 6/7/21, 2021.07.03, May 2004, 31/12/1999"]
    texts += ["28 de febrero de 2012, June 28th, 2021, 5 May 1988, 01-01-2001"]
    release = sf.pseudonymize(texts, language, KEY, groups=["a", "a"], seed=seed)
    assert release.loss["dates_shifted"] >= 8
    verdict = sf.verify(texts, release)[0]
    assert verdict.holds, verdict
