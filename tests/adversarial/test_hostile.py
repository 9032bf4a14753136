"""Texts and files made to do harm: size bombs, one letter ten million times, every plane."""

from __future__ import annotations

import gzip
import io
import json
import unicodedata
import zipfile

import pytest

import sfumato as sf
from adversarial.books import made
from adversarial.place import ROWS
from sfumato.core.errors import SfumatoError
from support.commands import outcome

MANY = 1 << 27  # bytes that come out of some thousand: more than the limit of 64 MiB


def gzipped() -> bytes:
    """Two hundred members of a megabyte each: no file of this size is needed to make it."""
    return gzip.compress(b'{"text": "' + b"a" * (1 << 20) + b'"}\n', 9) * (MANY >> 20)


def zstandard() -> bytes:
    import zstandard

    made = zstandard.ZstdCompressor(level=19).compressobj()
    block = b"a" * (1 << 20)
    return b"".join(made.compress(block) for _ in range(MANY >> 20)) + made.flush()


def book() -> bytes:
    """A workbook with a part of zeros that no cell names."""
    out = io.BytesIO(made(ROWS))
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("xl/media/zeros.bin", "w", force_zip64=True) as part,
    ):
        for _ in range(MANY >> 20):
            part.write(b"\0" * (1 << 20))
    return out.getvalue()


BOMBS = {"jsonl.gz": gzipped, "jsonl.zst": zstandard, "csv.gz": gzipped, "xlsx": book}


@pytest.mark.parametrize("ending", BOMBS)
@pytest.mark.parametrize("verb", ["suppress {} -k 2", "pseudonymize {} --recognizer secret.yaml"])
def test_a_size_bomb_is_refused(ending, verb, folder):
    (folder / f"in.{ending}").write_bytes(BOMBS[ending]())
    given = {path.name for path in folder.iterdir()}
    command = verb.format(f"in.{ending} --text-column text")
    done = outcome(f"{command} -o out.{ending}")
    assert done.code == 2, done.told
    assert "200 times as large" in done.told
    assert {path.name for path in folder.iterdir()} == given


def test_what_packs_well_is_no_bomb(tmp_path):
    from sfumato.formats.packing import LARGE, TIMES, unpack

    plain = b"a" * (1 << 24)
    packed = gzip.compress(plain)
    assert len(plain) > TIMES * len(packed)
    assert len(plain) < LARGE
    assert unpack(packed, "gz", "a.gz") == plain


@pytest.mark.parametrize("k", [2, 1000])
def test_one_letter_many_times(k):
    """The deepest tree of repeats there is: linear all the same."""
    text = "a" * 2_000_000
    release = sf.suppress(text, k, align="character")
    assert release.data.count("★") < 2 * k
    assert all(one.holds for one in sf.verify(text, release))


def test_de_bruijn_sequence():
    """Every window of twelve letters once: nothing is legible that is longer than eleven."""
    digits, order = "ab", 12
    seen, text = set(), digits[0] * order
    while True:
        ahead = [text[1 - order :] + one for one in reversed(digits)]
        new = next((one for one in ahead if one not in seen), None)
        if new is None:
            break
        seen.add(new)
        text += new[-1]
    release = sf.suppress(text, 2, align="character")
    assert all(one.holds for one in sf.verify(text, release))
    assert max(map(len, release.data.split("★"))) <= order  # the first stands at the end again


def test_many_documents_without_text():
    texts = [""] * 200_000
    release = sf.suppress(texts, 2)
    assert release.data == texts
    assert all(one.holds for one in sf.verify(texts, release))


PLANES = ["".join(chr(plane << 16 | 0x1F00 + i) for i in range(0, 256, 17)) for plane in range(17)]
ODD = {
    "planes": PLANES,
    "NUL": ["a\0b", "a\0b", "\0"],
    "overrides": ["\u202eabc\u202c", "\u2066abc\u2069", "abc"],
    "unseen": ["Sm\u200bith", "Sm\u00adith", "Smith", "S\u2060mith", "\ufeffSmith"],
    "normal forms": [unicodedata.normalize(form, "café Å ﬁ") for form in ("NFC", "NFD", "NFKC")],
    "noncharacters": ["\uffff \U0010ffff", "\ufdd0", "\ufffe"],
    "half pairs": ["a\ud800b", "\udc00", "a\ud800b", "\ud800\ud800"],
    "marks alone": ["\u0301" * 50, "a" + "\u0301" * 50, "\u0301"],
}
VERBS = {
    "suppress": lambda texts: sf.suppress(texts, 2),
    "words": lambda texts: sf.suppress(texts, 2, unit="word", strict=True),
    "graphemes": lambda texts: sf.suppress(texts, 2, unit="grapheme", collapse=True),
    "redact": lambda texts: sf.redact(texts, ["Smith", "Smyth", "abc"], 2),
    "generalize": lambda texts: sf.generalize(texts, 2),
    "pseudonymize": lambda texts: sf.pseudonymize(texts, "rules-en", b"k" * 32),
    "sanitize": lambda texts: sf.sanitize(texts, ["ab", "mi"]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind", ODD)
def test_odd_texts_are_released_and_verified(kind, verb):
    texts = ODD[kind]
    try:
        release = VERBS[verb](texts)
    except SfumatoError as problem:
        assert not any(text in str(problem) for text in texts if text.strip())  # noqa: PT017
        return
    assert len(release.data) == len(texts)
    assert all(one.holds for one in sf.verify(texts, release))


@pytest.mark.parametrize(
    "verb", ["suppress -k 2", "redact --terms terms.txt -k 2", "generalize -t 2"]
)
def test_half_a_pair_in_a_file(verb, folder):
    """JSON can say half of a pair, which UTF-8 cannot: a symbol like others, written as it was."""
    lines = [json.dumps({"text": f"calm {text}"}) for text in ("\ud800", "Zyx\ud800", "\udfff")]
    (folder / "in.jsonl").write_text("\n".join(lines) + "\n")
    name, *more = verb.split()
    done = outcome(f"{name} in.jsonl --text-column text {' '.join(more)} -o out.jsonl")
    assert done.code == 0, done.told
    assert "Zyx" not in done.told
    released = (folder / "out.jsonl").read_text().splitlines()
    assert [len(json.loads(line)["text"]) for line in released] == [6, 9, 6]
