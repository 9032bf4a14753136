"""Whole numbers that a float would round are refused, never put into one class."""

from __future__ import annotations

import polars as pl
import pytest

import sfumato as sf

SCHEMA = {"columns": {"n": {"kind": "number"}}}


@pytest.mark.parametrize("dtype", [pl.Int64, pl.String])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_that_would_be_rounded(dtype: type[pl.DataType], sign: int) -> None:
    large = pl.DataFrame({"n": pl.Series([5, sign * (2**53 + 1)]).cast(dtype)})
    with pytest.raises(sf.BadInput, match=r"n, record 2.*2\^53"):
        sf.anonymize(large, SCHEMA, k=2)
    near = pl.DataFrame({"n": pl.Series([2**53 - 2, 2**53 - 1]).cast(dtype)})
    release = sf.anonymize(near, SCHEMA, k=1, shuffle=False, verify=True)
    assert release.data["n"].cast(pl.String).to_list() == [str(2**53 - 2), str(2**53 - 1)]


def test_large_floats_are_numbers() -> None:
    frame = pl.DataFrame({"n": [1e300, 2e300]})
    assert sf.anonymize(frame, SCHEMA, k=2, verify=True).loss["classes"] == 1
