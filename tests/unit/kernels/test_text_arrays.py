"""What the text kernels accept, refuse and promise beside their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.kernels import text

SECRET = "Rumpelstiltskin"
TOKENS = text.token_starts(["ab cd", "e"], "word")
FLAGS = np.zeros(8, np.uint8)


def calls(texts):
    """Every function that takes texts."""
    tokens = text.Tokens(np.zeros(1, np.int64), np.zeros(0, np.bool_))
    return [
        lambda: text.encode(texts),
        lambda: text.token_starts(texts, "word"),
        lambda: text.number_tokens(texts, tokens, only_words=True),
        lambda: text.mask_texts(texts, FLAGS, "★", False),
        lambda: text.visible_symbols(texts, " "),
    ]


@pytest.mark.parametrize("which", range(5))
def test_what_is_not_a_string_is_named_by_its_index(which):
    for other in (None, b"bytes", 7):
        with pytest.raises(TypeError, match=r"^texts\[1\]: expected str, found ") as caught:
            calls([SECRET, other])[which]()
        assert SECRET not in str(caught.value)
    for no_list in (SECRET, ("a",), None):
        with pytest.raises(TypeError):
            calls(no_list)[which]()


def test_empty_lists():
    encoded = text.encode([])
    assert encoded.codes.tolist() == encoded.ends.tolist() == []
    assert encoded.symbols == 1
    assert text.encode(["", ""]).codes.tolist() == [0, 0]
    none = np.zeros(0, np.uint8)
    assert text.mask_texts([], none, "★", True) == []
    assert [c.tolist() for c in text.star_runs(none, np.zeros(0, np.int64))] == [[], [], []]
    assert text.visible_symbols([], "a").tolist() == []
    numbered = text.number_tokens([], text.token_starts([], "word"), only_words=False)
    assert numbered.codes.tolist() == numbered.positions.tolist() == []
    assert numbered.counts.tolist() == [0]


@pytest.mark.parametrize(
    ("symbols", "dtype"),
    [(255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, np.uint32)],
)
def test_codes_are_as_narrow_as_they_can_be(symbols, dtype):
    document = "".join(map(chr, range(0x300, 0x300 + symbols)))
    encoded = text.encode([document])
    assert encoded.codes.dtype == dtype
    assert encoded.symbols == symbols + 1
    assert encoded.codes.tolist() == [*range(1, symbols + 1), 0]
    tokens = text.Tokens(np.arange(symbols + 2), np.ones(symbols + 1, np.bool_))
    numbered = text.number_tokens([document], tokens, only_words=False)
    assert numbered.codes.dtype == dtype
    assert numbered.codes.tolist() == [*range(1, symbols + 1), 0]


def test_equal_strings_of_different_widths_are_one_token():
    texts = ["cat", "cat ★", "cat 😀", "ca\u0301t"]
    numbered = text.number_tokens(texts, text.token_starts(texts, "word"), only_words=True)
    assert numbered.codes.tolist() == [1, 0, 1, 0, 1, 0, 2, 0]
    assert numbered.counts.tolist() == [0, 3, 1]


def test_many_different_tokens():
    texts = [" ".join(map(str, range(50_000))), " ".join(map(str, range(50_000)))]
    numbered = text.number_tokens(texts, text.token_starts(texts, "word"), only_words=True)
    once = [*range(1, 50_001), 0]
    assert numbered.codes.tolist() == once + once


@pytest.mark.parametrize(
    "starts",
    [
        [0, 2, 3, 5, 6, 7],  # too few
        [0, 2, 3, 5, 6, 7, 9],  # another length
        [0, 2, 3, 6, 6, 7, 8],  # across the end of a document
        [0, 3, 2, 5, 6, 7, 8],  # not in order
        [1, 2, 3, 5, 6, 7, 8],  # not from the start
        [-9, 2, 3, 5, 6, 7, 8],
        [0, 2, 3, 5, 6, 7, 8, 9],  # too many
        [],
    ],
)
def test_tokens_of_other_texts_are_refused(starts):
    words = np.ones(max(0, len(starts) - 1), np.bool_)
    tokens = text.Tokens(np.array(starts, np.int64), words)
    for only_words in (True, False):
        with pytest.raises(ValueError):
            text.number_tokens(["ab cd", "e"], tokens, only_words=only_words)


def test_lengths_must_agree():
    two = ["ab cd", "e"]
    with pytest.raises(ValueError, match="labels: expected 2 values, found 1"):
        text.encode(two, labels=np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="labels: expected 2 values, found 3"):
        text.number_tokens(two, TOKENS, only_words=True, labels=np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="starts: expected"):
        text.number_tokens(two, text.Tokens(TOKENS.starts, TOKENS.words[1:]), only_words=True)
    with pytest.raises(ValueError, match="stars: expected 8 values, found 7"):
        text.mask_texts(two, FLAGS[1:], "★", False)
    with pytest.raises(ValueError, match="stars: expected 7 values, found 8"):
        text.guess_rate(np.zeros(7, np.uint8), FLAGS)
    for ends in ([5], [5, 8], [5, 5], [5, 4], [-1, 7], [5, 6], []):
        with pytest.raises(ValueError):
            text.star_runs(FLAGS, np.array(ends, np.int64))


def test_wrong_types_are_refused_not_converted():
    two = ["ab cd", "e"]
    for labels in (np.zeros(2, np.int64), np.zeros(2), [0, 0], np.zeros((2, 1), np.int32)):
        with pytest.raises(TypeError):
            text.encode(two, labels=labels)
        with pytest.raises(TypeError):
            text.number_tokens(two, TOKENS, only_words=True, labels=labels)
    for stars in (np.zeros(8), np.zeros(8, np.int64), np.zeros(16, np.uint8)[::2]):
        with pytest.raises(TypeError):
            text.mask_texts(two, stars, "★", False)
        with pytest.raises(TypeError):
            text.star_runs(stars, np.array([5, 7], np.int64))
        with pytest.raises(TypeError):
            text.guess_rate(np.zeros(8, np.uint8), stars)
    with pytest.raises(TypeError):
        text.star_runs(FLAGS, np.array([5, 7], np.int32))
    with pytest.raises(TypeError):
        text.guess_rate(np.zeros(8, np.int64), FLAGS)
    with pytest.raises(TypeError):
        text.number_tokens(
            two, text.Tokens(TOKENS.starts.astype(np.int32), TOKENS.words), only_words=True
        )


def test_parameters_out_of_range():
    for at_least in (0, -1):
        with pytest.raises(ValueError, match="at_least: expected 1 or more"):
            text.encode(["a"], at_least=at_least)
        with pytest.raises(ValueError, match="at_least: expected 1 or more"):
            text.number_tokens(["a"], TOKENS, only_words=True, at_least=at_least)
    with pytest.raises(BadInput):
        text.mask_texts(["a"], FLAGS[:2], "", False)
    with pytest.raises(BadInput):
        text.token_starts(["a"], "sentence")
    with pytest.raises(ValueError, match="context"):
        text.guess_rate(FLAGS, FLAGS, context=-1)
    with pytest.raises(ValueError, match="sample"):
        text.guess_rate(FLAGS, FLAGS, sample=0)


def test_progress_is_reported_and_can_interrupt():
    shares = []
    document = "abc" * 3_000_000
    text.encode([document, "é★😀"], progress=shares.append)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        text.encode([document], progress=stop)


def test_masks_are_written_where_no_star_was_missed_in_long_texts():
    document = "x" * 100_000
    stars = np.zeros(100_001, np.uint8)
    stars[[0, 7, 8, 15, 16, 64, 99_999]] = 1
    (masked,) = text.mask_texts([document], stars, "★", False)
    assert [i for i, symbol in enumerate(masked) if symbol == "★"] == np.flatnonzero(stars).tolist()
    runs = text.star_runs(stars, np.array([100_000], np.int64))
    assert runs.starts.tolist() == [0, 7, 15, 64, 99_999]
    assert runs.stops.tolist() == [1, 9, 17, 65, 100_000]


def test_a_list_that_changes_meanwhile_does_no_harm():
    texts = ["abc" * 2_000_000]
    text.encode(texts, progress=lambda share: texts.clear())
    assert texts == []
