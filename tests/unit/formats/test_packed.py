"""Packing and encodings around the formats."""

from __future__ import annotations

import gzip
import io

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.formats import packing

SKIPPABLE = b"\x53\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"


class Kept(io.BytesIO):
    """A stream whose content outlives its closing."""

    def close(self):
        if not self.closed:
            self.content = self.getvalue()
        super().close()


def pack(content: bytes, suffix: str | None) -> bytes:
    kept = Kept()
    with packing.packer(kept, suffix) as stream:
        for i in range(0, len(content), 3):
            stream.write(memoryview(content)[i : i + 3])
    assert kept.closed
    return kept.content


@settings(max_examples=50)
@given(st.binary(max_size=2000), st.sampled_from(["gz", "zst"]))
def test_packing_and_unpacking_are_inverse_and_depend_on_the_content_alone(content, suffix):
    once = pack(content, suffix)
    assert packing.unpack(once, suffix, "f") == content
    assert pack(content, suffix) == once


def test_without_packing_the_bytes_are_the_content():
    assert pack(b"content", None) == b"content"


def test_zstd_frames_follow_one_another():
    one = zstandard.ZstdCompressor().compress(b"one")
    assert packing.unpack(SKIPPABLE + one + SKIPPABLE + one, "zst", "f") == b"oneone"
    assert packing.unpack(gzip.compress(b"a") + gzip.compress(b"b"), "gz", "f") == b"ab"


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_file_cut_short_or_damaged_is_refused(suffix):
    whole = pack(bytes(range(256)) * 40, suffix)
    for broken in (
        whole[:-1],
        whole[: len(whole) // 2],
        whole + b"junk!",
        whole[:9] + b"\xff" * 99,
    ):
        with pytest.raises(BadInput, match=r"f: the \.(gz|zst) file is damaged or cut short; make"):
            packing.unpack(broken, suffix, "f")


def test_the_first_bytes_must_agree_with_the_suffix():
    for raw, suffix, message in [
        (b"plain", "gz", r"not a \.gz file"),
        (b"plain", "zst", r"not a \.zst file"),
        (pack(b"a", "zst"), "gz", r"not a \.gz file"),
        (pack(b"a", "gz"), None, r"packed as \.gz"),
        (pack(b"a", "zst"), None, r"packed as \.zst"),
    ]:
        with pytest.raises(BadInput, match=message):
            packing.unpack(raw, suffix, "f")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-be", "shift_jis"])
def test_other_encodings_come_back(encoding):
    text = "a\\|~{é" if encoding in ("latin-1", "cp1252") else "a表ソ|"
    raw = text.encode(encoding)
    codec = packing.codec_name(encoding)
    utf8 = packing.to_utf8(raw, codec, "f")
    assert utf8.decode() == text
    pieces = iter([utf8[:1], utf8[1:]])
    assert b"".join(packing.from_utf8(pieces, codec, "f")) == raw


def test_encodings_that_cannot_come_back_are_refused():
    with pytest.raises(BadInput, match=r"f, line 2: a byte here is not valid ascii"):
        packing.to_utf8(b"SECRET\n\xff", "ascii", "f")
    with pytest.raises(BadInput, match="would not come back byte for byte from utf-16"):
        packing.to_utf8(b"\xfe\xff" + "a".encode("utf-16-be"), "utf-16", "f")
    with pytest.raises(BadInput, match="a character that iso8859-1 lacks"):
        list(packing.from_utf8(iter(["★".encode()]), "iso8859-1", "f"))


@pytest.mark.parametrize("name", ["nonsense", "base64", "rot13"])
def test_unknown_encodings_are_refused(name):
    with pytest.raises(BadInput, match="encoding: unknown encoding; give one that"):
        packing.codec_name(name)


def test_records_may_hold_stray_nul_bytes_but_not_in_the_first_line():
    assert packing.require_text(b"a,b\n\0,1\n", "f", lines=True)
    for raw, lines in [(b"a\0,b\n1,1\n", True), (b"a\n\0", False), (b"a\0", True)]:
        with pytest.raises(BadInput, match=r"a binary file: byte \d is NUL"):
            packing.require_text(raw, "f", lines=lines)
