"""Names by the tagger, by lists, and English together."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.kernels import tagger
from sfumato.recognizers import ROLES, recognizer
from sfumato.recognizers.names import DATA, TYPES, English, Lists, Model, Names
from sfumato.recognizers.overlaps import cover, resolve


def told(find, text):
    return {(span.label, text[span.start : span.stop]) for span in find([text])}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please call Agnieszka Kowalczyk tomorrow.", ("PERSON", "Agnieszka Kowalczyk")),
        ("I spoke with Chidi Okonkwo about the invoice.", ("PERSON", "Chidi Okonkwo")),
        ("We moved from Lisbon last year.", ("LOCATION", "Lisbon")),
        ("please ask maria jensen about it", ("PERSON", "maria jensen")),
        ("SHE WORKS FOR HOFFMANN LOGISTICS GMBH", ("ORGANIZATION", "HOFFMANN LOGISTICS GMBH")),
        ("My uncle is a Norwegian citizen.", ("NATIONALITY", "Norwegian")),
        ("Send it to 27 Acacia Avenue, Leeds, please.", ("ADDRESS", "27 Acacia Avenue, Leeds")),
        ("Zoë O’Hara-Müller was there.", ("PERSON", "Zoë O’Hara-Müller")),
        ("😀😀 Thanks Maria Jensen! 😀", ("PERSON", "Maria Jensen")),
    ],
)  # fmt: skip
def test_names_are_found(text, expected):
    assert expected in told(Names(), text)


@pytest.mark.parametrize(
    "text",
    [
        "The table is in the kitchen and the water is cold.",
        "How do I change my password?",
        "A randomised, placebo-controlled trial of aspirin in adults with diabetes.",
        "",
        " \n\n\t",
    ],
)
def test_plain_text_stays_plain(text):
    assert told(Names(), text) == set()


def test_the_names_are_public_names():
    text = "Ask Maria Jensen of Oslo, a Norwegian nurse, at 713-524-9968."
    both = told(recognizer("en"), text)
    assert {
        ("PERSON", "Maria Jensen"),
        ("NATIONALITY", "Norwegian"),
        ("PHONE", "713-524-9968"),
    } <= both
    covered = {text.index(value) + i for _, value in both for i in range(len(value))}
    for name in ("names-en", "lists-en", "rules-en"):
        for _, value in told(recognizer(name), text):
            assert covered >= set(range(text.index(value), text.index(value) + len(value)))
    assert ("LOCATION", "Oslo") in told(recognizer("lists-en"), text)
    assert set(TYPES) <= ROLES.keys()


def test_scores_say_how_sure_it_is():
    spans = Names()(["Dear Maria Jensen, thank you.", "Ask Vex."])
    assert all(0 <= span.score <= 1 for span in spans)
    assert spans[0].score > 0.9


def test_more_is_found_with_a_larger_lean():
    texts = ["Ask Vex about it, or brill, or the tall one."]
    few, many = (sum(s.stop - s.start for s in Names(lean=lean)(texts)) for lean in (-3.0, 3.0))
    assert few < many


def test_texts_are_read_alone_and_together_alike():
    texts = ["Maria Jensen left Oslo.", "", "Ask Chidi Okonkwo."] * 5
    together = [(s.document, s.start, s.stop) for s in Names()(texts)]
    alone = [(d, s.start, s.stop) for d, text in enumerate(texts) for s in Names()([text])]
    assert together == alone


@pytest.mark.parametrize("name", ["names-en", "lists-en", "en"])
@pytest.mark.parametrize(
    "text",
    ["\x00Maria Jensen\x00", "\ud800 Maria Jensen \udfff", "A" * 200_000, "Maria Jensen " * 20_000],
)
def test_hostile_texts_are_read(name, text):
    spans = recognizer(name)([text])
    assert all(0 <= span.start < span.stop <= len(text) for span in spans)


def test_a_long_line_is_read_in_linear_time():
    line = "Maria Jensen of Oslo met Mr. Ho. "

    def seconds(times):
        start = time.process_time()
        Names()([line * times])
        return time.process_time() - start

    seconds(1)
    assert seconds(40_000) < 150 * max(seconds(2_000), 0.01)  # 400 times if by its square


def test_progress_is_told():
    seen = []
    Names()(["Maria Jensen. " * 300_000], lambda stage, share: seen.append((stage, share)))
    assert {stage for stage, _ in seen} == {"names-en"}
    assert all(0 <= share <= 1 for _, share in seen)


def test_the_files_are_small_and_load_quickly():
    sizes = [path.stat().st_size for path in DATA.glob("names-en.*")]
    assert len(sizes) == 2
    assert sum(sizes) < 10_000_000
    code = (
        "import time; from sfumato.recognizers import names; start = time.process_time(); "
        "names.english(); names.english().weights.kernel; names.english().lexicon.kernel; "
        "print(time.process_time() - start)"
    )
    run = [sys.executable, "-c", code]
    best = min(float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(3))
    assert best < 0.1


def test_weights_and_lexicon_that_do_not_belong_together_are_refused(tmp_path, monkeypatch):
    from sfumato.recognizers import names

    for path in DATA.glob("names-en.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    names.write_lexicon(tmp_path / "names-en.lexicon", tagger.lexicon({"ann": 1}))
    monkeypatch.setattr(names, "DATA", tmp_path)
    with pytest.raises(sf.BadInput, match="do not belong together"):
        names.english.__wrapped__()


@pytest.mark.parametrize("file", ["names-en.lexicon", "names-en.weights"])
def test_damaged_files_are_refused(tmp_path, monkeypatch, file):
    from sfumato.recognizers import names

    for path in DATA.glob("names-en.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    data = bytearray((tmp_path / file).read_bytes())
    data[-100] ^= 1
    (tmp_path / file).write_bytes(data)
    monkeypatch.setattr(names, "DATA", tmp_path)
    with pytest.raises(sf.BadInput, match="damaged"):
        names.english.__wrapped__()


def test_a_model_of_ones_own_is_used():
    texts = ["Mr. Ho left.", "Mr. Oak left.", "We left."] * 6
    at = np.array([d for d in range(18) if d % 3 < 2])
    stops = np.where(at % 3 == 0, 6, 7)
    marks = tagger.Marks(at, np.full(12, 4), stops, np.zeros(12, np.int32))
    lexicon = tagger.lexicon({})
    model = Model(("NAME",), lexicon, tagger.train(texts, lexicon, 1, marks), 0.0, "")
    assert told(Names(model=model), "Mr. Po left.") == {("NAME", "Po")}
    assert "Po" not in repr(Names(model=model))


def test_lists_need_capitals_and_no_usual_words():
    assert told(Lists(), "in germany and Germany") == {("LOCATION", "Germany")}
    assert told(Lists(), "A nice reading in May") == set()
    assert told(Lists(), "with Wei Zhang and Fatima Haddad") == {
        ("PERSON", "Wei Zhang"),
        ("PERSON", "Fatima Haddad"),
    }


spans = st.lists(
    st.builds(
        lambda start, size, score: sf.Span(0, start, min(start + size, 12), "A", score),
        st.integers(0, 11),
        st.integers(1, 12),
        st.sampled_from([0.5, 0.9]),
    ),
    max_size=6,
)


@given(spans)
def test_nothing_found_is_lost_when_spans_are_joined(found):
    kept = cover(found)
    assert all(one.stop <= two.start for one, two in pairwise(kept))
    covered, wanted = ({i for s in some for i in range(s.start, s.stop)} for some in (kept, found))
    assert covered == wanted
    if len(resolve(found)) == len(found):
        assert kept == resolve(found)


def test_english_keeps_what_each_of_its_parts_finds():
    text = "Dr. Maria Jensen, 27 Acacia Avenue, Leeds LS1 4DY; born in Bergen on 4 May 1971."
    covered = {i for span in English()([text]) for i in range(span.start, span.stop)}
    for name in ("rules-en", "names-en", "lists-en"):
        for span in recognizer(name)([text]):
            letters = {i for i in range(span.start, span.stop) if text[i].isalnum()}
            assert letters <= covered


def test_organisations_get_surrogates_and_nationalities_stay():
    text = "The Norwegian office of Hoffmann Logistics GmbH"
    spans = [sf.Span(0, 4, 13, "NATIONALITY"), sf.Span(0, 24, 47, "ORGANIZATION")]
    released = sf.pseudonymize([text], recognizer=spans, key="a key of sixteen bytes").data[0]
    assert "Norwegian" in released
    assert "Hoffmann" not in released
    assert "ORGANIZATION-" not in released


@pytest.mark.parametrize(
    ("file", "digest"),
    [
        ("names-en.lexicon", "0dae315253365c90f5b0f0d15ba9f155ba2498770b36446193bb56beaf1860ea"),
        ("names-en.weights", "ef27062603393ec10df2f804c238089b024b6ff618701a1257b5c116c2d1b1fd"),
    ],
)
def test_the_files_are_those_that_the_command_makes(file, digest):
    """tools/make_names_model.py gives these bytes; other weights are made so as well."""
    content = (DATA / file).read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    assert len(content) < 10_000_000
