"""What the route by buckets refuses, how it is interrupted, and what it leaves behind: nothing."""

from __future__ import annotations

import os
import stat
import tempfile

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.kernels import _core, spill, text
from sfumato.kernels.external import repeat_lengths
from sfumato.kernels.spill import spilled, spilled_parts

CODES = np.array([1, 2, 0, 1, 2, 0], np.uint8)
ENDS = np.array([2, 5])
LABELS = np.array([0, 1], np.int32)


class Enough(Exception):
    pass


@pytest.fixture
def modes(monkeypatch):
    """The modes of all temporary files that are made."""
    found = []
    make = tempfile.TemporaryFile

    def watched(*arguments, **named):
        file = make(*arguments, **named)
        found.append(stat.S_IMODE(os.fstat(file.fileno()).st_mode))
        return file

    monkeypatch.setattr(tempfile, "TemporaryFile", watched)
    return found


def test_spill_files_have_no_name_and_one_reader(tmp_path, modes) -> None:
    seen = []
    found = repeat_lengths(
        np.tile(CODES, 1000),
        2,
        memory=1000,
        folder=tmp_path,
        progress=lambda _: seen.append(os.listdir(tmp_path)),
    )
    assert seen
    assert not any(seen)
    assert modes == [0o600] * 3
    assert found.lengths[0] == 2
    del found
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("share", [0, 0.3, 0.9])
@pytest.mark.parametrize("error", [Enough, KeyboardInterrupt])
@pytest.mark.parametrize("memory", [1000, 10**8])
def test_progress_can_end_the_work(tmp_path, share, error, memory) -> None:
    shares = []

    def stop(done: float) -> None:
        shares.append(done)
        if done >= share:
            raise error

    with pytest.raises(error):
        repeat_lengths(np.tile(CODES, 5000), 2, memory=memory, folder=tmp_path, progress=stop)
    assert shares == sorted(shares)
    assert os.listdir(tmp_path) == []
    open_files = [os.readlink(f"/proc/self/fd/{fd}") for fd in _descriptors()]
    assert not [name for name in open_files if str(tmp_path) in name]


def _descriptors() -> list[str]:
    if not os.path.isdir("/proc/self/fd"):
        return []
    return [fd for fd in os.listdir("/proc/self/fd") if os.path.islink(f"/proc/self/fd/{fd}")]


def test_progress_ascends_to_one() -> None:
    shares: list[float] = []
    repeat_lengths(np.tile(CODES, 5000), 2, memory=5000, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1


def test_a_full_disk_is_bad_input(monkeypatch) -> None:
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spill, "_reserve", full)
    with pytest.raises(BadInput, match="No space"):
        repeat_lengths(CODES, 2, memory=1000)


def test_a_folder_that_is_not_there(tmp_path) -> None:
    with pytest.raises(BadInput, match="spill"):
        repeat_lengths(CODES, 2, memory=1000, folder=tmp_path / "none")


def test_room_is_taken_where_the_system_cannot_reserve_it(monkeypatch) -> None:
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    array = spilled(3 * spill.BLOCK + 5, np.uint8)
    assert len(array) == 3 * spill.BLOCK + 5
    assert not array.any()


def test_pieces_of_another_type() -> None:
    with pytest.raises(TypeError):
        spilled_parts(lambda write: write(np.zeros(3, np.int32)), np.int64)
    assert spilled_parts(lambda write: None, np.int64).tolist() == []


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint64, np.float64, bool])
def test_codes_of_another_type(dtype: type) -> None:
    with pytest.raises(TypeError):
        repeat_lengths(CODES.astype(dtype), 2, memory=1000)


@pytest.mark.parametrize(
    ("labels", "ends"),
    [
        (LABELS.astype(np.int64), ENDS),
        (LABELS, ENDS.astype(np.int32)),
        (LABELS.astype(float), ENDS),
    ],
)
def test_labels_and_ends_of_another_type(labels, ends) -> None:
    with pytest.raises(TypeError):
        repeat_lengths(CODES, 2, labels=labels, ends=ends, memory=1000)


@pytest.mark.parametrize(
    ("lengths", "first", "second"),
    [
        (np.int64, np.uint32, np.uint32),
        (np.int32, np.uint32, np.uint64),
        (np.int32, np.int32, np.int32),
        (np.float32, np.uint32, np.uint32),
    ],
)
def test_the_kernel_converts_nothing(lengths, first, second) -> None:
    arrays = [np.zeros(6, one) for one in (lengths, first, second)]
    with pytest.raises(TypeError):
        _core.external_repeat_lengths(CODES, *arrays, 2, 9, 1000, None, None, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"cap": 0},
        {"cap": 2**30},
        {"memory": 0},
        {"labels": LABELS},
        {"ends": ENDS},
        {"labels": LABELS[:1], "ends": ENDS},
        {"labels": LABELS, "ends": ENDS[::-1].copy()},
        {"labels": LABELS, "ends": np.array([1, 5])},
        {"labels": LABELS, "ends": np.array([2, 6])},
    ],
)
def test_what_is_refused(wrong) -> None:
    with pytest.raises(BadInput):
        repeat_lengths(CODES, **{"k": 2, "memory": 1000, **wrong})


def test_empty_text() -> None:
    found = repeat_lengths(np.zeros(0, np.uint16), 2, memory=1000)
    assert found.lengths.tolist() == []
    assert found.capped == 0


def test_arrays_made_for_codes_have_their_type_and_length() -> None:
    assert text.encode(["ab"], make=spilled).codes.tolist() == [1, 2, 0]
    assert text.visible_symbols(["a b"], " ", make=spilled).tolist() == [0, 1, 0, 0]
    for work in (text.encode, lambda texts, make: text.visible_symbols(texts, " ", make=make)):
        with pytest.raises(TypeError):
            work(["ab"], make=lambda size, _: np.zeros(size, np.int64))
        with pytest.raises(ValueError):
            work(["ab"], make=lambda size, dtype: np.zeros(size + 1, dtype))
