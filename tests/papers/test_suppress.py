"""The substrings paper's examples, and the claim on real texts."""

from __future__ import annotations

import json
import re

import pytest
import zstandard

import sfumato as sf
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode


def test_section_4_abracadabra():
    release = sf.suppress("abracadabra", k=2, align="character")
    assert release.data == "abra★a★abra"
    assert release.loss["suppressed"] == 2


def test_figure_1_maximum_repeats():
    text = "abracadabra xrac"
    encoded = encode([text])
    lengths = SuffixIndex(encoded.codes).repeat_lengths(2)
    ends = [p + int(length) for p, length in enumerate(lengths)]
    maximal = {
        text[p : ends[p]]
        for p in range(len(text))
        if lengths[p] > 0 and (p == 0 or ends[p] > ends[p - 1])
    }
    assert maximal == {"abra", "rac", "a"}


def unpacked(path, most=-1):
    with path.open("rb") as stream:
        return (
            zstandard.ZstdDecompressor().stream_reader(stream).read(most).decode("utf-8", "ignore")
        )


def documents(path, symbols):
    return re.split(r"<<<DOC [^>]*>>>\n", unpacked(path, 4 * symbols)[:symbols])[1:]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "symbols", "kept"),
    [("medline_en.txt.zst", 1_000_000, 0.6), ("aozora_ja.txt.zst", 400_000, 0.3)],
)
@pytest.mark.parametrize("guess", [None, 0.5])
@pytest.mark.parametrize("options", [{}, {"strict": True}, {"unit": "word"}, {"keep": " .,"}])
def test_real_collections_hold_and_keep_most(data_folder, name, symbols, kept, options, guess):
    texts = documents(data_folder / name, symbols)
    release = sf.suppress(texts, k=3, guess=guess, **options)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    assert release.loss["unsuppressed_ratio"] > (kept if guess is None else kept - 0.1)


@pytest.mark.data
def test_real_notes_over_patients(data_folder):
    lines = unpacked(data_folder / "notes.jsonl.zst").splitlines()
    notes = [json.loads(line) for line in lines]
    texts, groups = [note["text"] for note in notes], [note["patient_id"] for note in notes]
    release = sf.suppress(texts, k=5, groups=groups)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    assert release.loss["unsuppressed_ratio"] > 0.75
    numbers = re.compile(r"\d{3}-\d{2}-\d{4}")
    assert sum(bool(numbers.search(text)) for text in texts) > 100
    assert not any(numbers.search(text) for text in release.data)
