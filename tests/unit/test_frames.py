"""The namespaces of pandas and Polars: the verbs, on columns, with frames as they were."""

import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

import sfumato as sf
import sfumato.pandas
import sfumato.polars

NOTES = ["the cat sat", "the dog sat", None, "the cat sat"]
WHO = ["a", "b", "b", "c"]


@pytest.fixture(params=["pandas", "polars"])
def frame(request):
    data = {"n": [4, 3, 2, 1], "who": WHO, "note": NOTES}
    if request.param == "polars":
        return pl.DataFrame(data)
    return pd.DataFrame(data, index=[7, 5, 3, 1])


def texts(column):
    return [None if one is None or one != one else one for one in list(column)]


CALLS = {
    "suppress": ({"k": 2, "groups": "who"}, {"k": 2, "groups": WHO}),
    "redact": ({"terms": ["cat", "dog"], "k": 2},) * 2,
    "sanitize": ({"patterns": ["dog"]},) * 2,
    "generalize": ({"t": 2},) * 2,
    "pseudonymize": ({"key": "0123456789abcdef", "groups": "who"},
                     {"key": "0123456789abcdef", "groups": WHO}),
}  # fmt: skip


@pytest.mark.parametrize("verb", CALLS)
def test_every_verb_on_a_column_is_the_verb(frame, verb):
    named, plain = CALLS[verb]
    before = frame.copy() if isinstance(frame, pd.DataFrame) else frame.clone()
    release = getattr(frame.sfumato, verb)("note", **named)
    assert texts(release.data) == texts(getattr(sf, verb)(NOTES, **plain).data)
    assert texts(getattr(frame["note"].sfumato, verb)(**plain).data) == texts(release.data)
    assert all(verdict.holds for verdict in sf.verify(frame["note"], release))
    changed = frame.sfumato.with_release("note", release)
    assert type(changed) is type(frame)
    assert list(changed.columns) == list(frame.columns)
    assert texts(changed["note"]) == texts(release.data)
    assert texts(changed["n"]) == [4, 3, 2, 1]
    assert frame.equals(before)


def test_pandas_keeps_its_index():
    frame = pd.DataFrame({"note": NOTES}, index=list("wxyz"))
    release = frame.sfumato.suppress("note", k=2)
    assert list(frame.sfumato.with_release("note", release).index) == list("wxyz")


def test_a_wrong_name_is_refused(frame):
    release = frame.sfumato.suppress("note", k=2)
    for call in (
        lambda: frame.sfumato.suppress("no", k=2),
        lambda: frame.sfumato.suppress("note", k=2, groups="no"),
        lambda: frame.sfumato.with_release("no", release),
    ):
        with pytest.raises(sf.BadInput, match="no column is named 'no'"):
            call()


def test_the_package_alone_imports_no_frames():
    code = "import sys, sfumato; assert not {'pandas', 'polars', 'pyarrow'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
