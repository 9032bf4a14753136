"""What SuffixIndex refuses, and how its work is interrupted."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.kernels import _core
from sfumato.kernels.repeats import SuffixIndex

CODES = np.array([1, 2, 0, 1, 2, 0], np.uint8)
ENDS = np.array([2, 5])
LABELS = np.array([0, 1], np.int32)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint64, np.float64, bool])
def test_codes_of_another_type(dtype: type) -> None:
    with pytest.raises(TypeError):
        SuffixIndex(CODES.astype(dtype))


def test_codes_with_gaps_or_rows() -> None:
    with pytest.raises(TypeError):
        SuffixIndex(CODES[::2])
    with pytest.raises(TypeError):
        SuffixIndex(CODES.reshape(2, 3))


@pytest.mark.parametrize(
    ("labels", "ends"),
    [
        (LABELS.astype(np.int64), ENDS),
        (LABELS.astype(np.float32), ENDS),
        (LABELS, ENDS.astype(np.int32)),
        (LABELS, ENDS.astype(np.uint64)),
    ],
)
def test_labels_and_ends_of_another_type(labels: np.ndarray, ends: np.ndarray) -> None:
    with pytest.raises(TypeError):
        SuffixIndex(CODES).repeat_lengths(2, labels=labels, ends=ends)


@pytest.mark.parametrize("name", ["repeat_lengths", "shared_repeat_lengths"])
@pytest.mark.parametrize(
    ("suffixes", "lengths"),
    [(np.int32, np.int64), (np.int64, np.int32), (np.uint32, np.uint32), (float, float)],
)
def test_kernels_convert_nothing(name: str, suffixes: type, lengths: type) -> None:
    kernel = getattr(_core, name)
    first, rest = ((), ()) if name == "repeat_lengths" else ((CODES,), (LABELS, ENDS))
    with pytest.raises(TypeError):
        kernel(*first, np.zeros(6, suffixes), np.zeros(6, lengths), 2, *rest)


def test_codes_beyond_the_length() -> None:
    with pytest.raises(BadInput, match="dense"):
        SuffixIndex(np.array([1, 4, 2], np.uint32))
    assert SuffixIndex(np.array([1, 3, 2], np.uint32)).suffix_array.tolist() == [0, 2, 1]


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one(k: int) -> None:
    with pytest.raises(BadInput, match="at least 1"):
        SuffixIndex(CODES).repeat_lengths(k)


@pytest.mark.parametrize(
    ("labels", "ends"),
    [
        ([0, 1], None),
        (None, [2, 5]),
        ([0, 1, 2], [2, 5]),
        ([0, 1], [5, 2]),
        ([0, 1], [2, 2]),
        ([0, 1], [-4, 5]),
        ([0], [2]),
        ([0, 1], [1, 5]),
    ],
)
def test_documents_that_do_not_fit(labels: list[int] | None, ends: list[int] | None) -> None:
    with pytest.raises(BadInput):
        SuffixIndex(CODES).repeat_lengths(
            2,
            labels=None if labels is None else np.array(labels, np.int32),
            ends=None if ends is None else np.array(ends),
        )


def test_document_ends_beyond_the_text() -> None:
    with pytest.raises(BadInput):
        SuffixIndex(CODES).repeat_lengths(2, labels=LABELS, ends=np.array([2, 6]))


def test_an_index_is_used_up_by_the_last_k() -> None:
    index = SuffixIndex(CODES)
    first = index.repeat_lengths(2)
    plcp = index.plcp
    last = index.repeat_lengths(2, last=True)
    assert last is plcp
    assert first.tolist() == last.tolist() == [2, 1, 0, 2, 1, 0]
    with pytest.raises(BadInput, match="used up"):
        index.repeat_lengths(2)
    with pytest.raises(BadInput, match="used up"):
        index.plcp  # noqa: B018


def test_codes_are_left_alone() -> None:
    codes = CODES.copy()
    codes.flags.writeable = False
    SuffixIndex(codes).repeat_lengths(2, last=True)
    assert np.array_equal(codes, CODES)


def test_results_outlive_the_index() -> None:
    index = SuffixIndex(CODES)
    order, lengths = index.suffix_array, index.repeat_lengths(2, last=True)
    del index
    assert order.tolist() == [5, 2, 3, 0, 4, 1]
    assert lengths.tolist() == [2, 1, 0, 2, 1, 0]


def test_empty_text() -> None:
    index = SuffixIndex(np.zeros(0, np.uint16))
    assert index.suffix_array.tolist() == []
    assert index.repeat_lengths(1).tolist() == index.repeat_lengths(2).tolist() == []
    no_documents = {"labels": np.zeros(0, np.int32), "ends": np.zeros(0, np.int64)}
    assert index.repeat_lengths(2, **no_documents).tolist() == []


def test_progress_ascends_to_one() -> None:
    shares: list[float] = []
    index = SuffixIndex(np.tile(CODES, 50_000), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] == 1
    shares.clear()
    index.repeat_lengths(2, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


class Enough(Exception):
    pass


@pytest.mark.parametrize("share", [0, 0.5, 0.9])
def test_progress_can_end_the_work(share: float) -> None:
    def stop(done: float) -> None:
        if done >= share:
            raise Enough

    codes, ends = np.tile(CODES, 50_000), np.arange(2, 300_000, 3)
    with pytest.raises(Enough):
        SuffixIndex(codes, progress=stop)
    index = SuffixIndex(codes)
    with pytest.raises(Enough):
        index.repeat_lengths(2, progress=stop)
    labels = np.arange(100_000, dtype=np.int32)
    with pytest.raises(Enough):
        index.repeat_lengths(2, labels=labels, ends=ends, progress=stop)
    assert index.repeat_lengths(100_000)[0] == 2


@pytest.mark.parametrize("break_share", [0.0, 0.001, 0.2])
def test_plcp_of_a_text_that_two_threads_share(break_share: float) -> None:
    rng = np.random.default_rng(7)
    codes = np.tile(rng.integers(1, 4, 1500, dtype=np.uint8), 100)
    codes[rng.random(len(codes)) < 0.01] = 2
    codes[rng.random(len(codes)) < break_share] = 0
    index = SuffixIndex(codes)
    order, plcp, n = index.suffix_array, index.plcp, len(codes)
    before = np.full(n, -1)
    before[order[1:]] = order[:-1]
    middle = range(n // 2 - 200, n // 2 + 200)
    for p in [*middle, 0, n - 1, *rng.integers(0, n, 500)]:
        q, length = before[p], 0
        while q >= 0 and max(p, q) + length < n and codes[p + length] == codes[q + length] != 0:
            length += 1
        assert plcp[p] == length
