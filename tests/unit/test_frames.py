"""The namespaces of pandas and Polars: the verbs, on columns, with frames as they were."""

import io
import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
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
    return [None if one is pd.NA or one is None or one != one else one for one in list(column)]


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


LISTED = ["Ann saw the cat", "Bob saw the cat", None, "Bob saw the cat"]


def listed(kind):
    if kind == "category":
        return pd.Series(
            LISTED, dtype=pd.CategoricalDtype(LISTED[:2], ordered=True), index=[4, 3, 2, 1]
        )
    if kind in ("Enum", "Categorical"):
        return pl.Series(
            "t", LISTED, dtype=pl.Enum(LISTED[:2]) if kind == "Enum" else pl.Categorical
        )
    if kind == "pandas dictionary":
        return pd.Series(LISTED, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))
    array = pa.array(LISTED, pa.dictionary(pa.int8(), pa.string()))
    return array if kind == "dictionary" else pa.chunked_array([array])


def saved(column):
    """The column as a file has it, with whatever list of values it carries."""
    stream = io.BytesIO()
    if isinstance(column, pl.Series):
        column.to_frame().write_ipc(stream)
    else:
        array = pa.array(column) if isinstance(column, pd.Series) else column
        with pa.ipc.new_stream(stream, pa.schema([("t", array.type)])) as out:
            out.write_table(pa.table({"t": array}))
    return stream.getvalue()


TEXT_CALLS = {
    "suppress": {"k": 2},
    "redact": {"terms": ["Ann", "Bob"], "k": 2},
    "sanitize": {"patterns": ["Ann", "Bob"]},
    "generalize": {"t": 2},
    "pseudonymize": {"recognizer": [sf.Span(0, 0, 3, "PERSON")], "key": "0123456789abcdef"},
}


@pytest.mark.parametrize("verb", TEXT_CALLS)
@pytest.mark.parametrize(
    "kind", ["category", "Enum", "Categorical", "dictionary", "chunked", "pandas dictionary"]
)
def test_columns_that_list_their_values_list_the_released_ones(kind, verb):
    column = listed(kind)
    release = getattr(sf, verb)(column, **TEXT_CALLS[verb])
    plain = getattr(sf, verb)(LISTED, **TEXT_CALLS[verb])
    library = type(column).__module__.partition(".")[0]
    values = release.data.to_pylist() if library == "pyarrow" else release.data
    assert texts(values) == plain.data
    assert type(release.data) is type(column)
    assert type(release.data.dtype if library != "pyarrow" else release.data.type) is type(
        column.dtype if library != "pyarrow" else column.type
    )
    assert plain.data[0] != LISTED[0] or verb == "generalize"
    gone = {text for text in LISTED if text is not None} - set(plain.data)
    assert not any(text.encode() in saved(release.data) for text in gone)
    assert all(verdict.holds for verdict in sf.verify(column, release))


def test_tables_list_released_values_alone():
    """A category of somebody who was left out must not stay in the list of a kept column."""
    rows = {
        "id": [1, 2, 3, 4, 5],
        "age": [30, 30, 31, 31, 99],
        "ill": ["a", "b", "a", "b", "SECRET"],
    }
    schema = {
        "person": "id",
        "columns": {"age": {"kind": "number"}, "ill": {"role": "insensitive"}, "job": {}},
    }
    jobs = ["x1", "x2", "x1", "x2", "HIDDEN"]
    frames = [
        pd.DataFrame(rows).assign(ill=pd.Categorical(rows["ill"]), job=pd.Categorical(jobs)),
        pl.DataFrame(rows).with_columns(
            pl.Series("ill", rows["ill"], dtype=pl.Enum(["a", "SECRET", "b"])),
            pl.Series("job", jobs, dtype=pl.Enum(["HIDDEN", "x1", "x2"])),
        ),
        pl.DataFrame(rows).with_columns(
            pl.Series("ill", rows["ill"], dtype=pl.Categorical),
            pl.Series("job", jobs, dtype=pl.Categorical),
        ),
        pa.table(
            rows
            | {"ill": pa.array(rows["ill"]).dictionary_encode()}
            | {"job": pa.array(jobs).dictionary_encode()}
        ).replace_schema_metadata({"seen": "SECRET"}),
    ]
    frames[0].attrs = {"seen": "SECRET"}
    for frame in frames:
        release = sf.anonymize(frame, schema, k=4, suppress_share=0.2)
        data, stream = release.data, io.BytesIO()
        if isinstance(data, pl.DataFrame):
            data.write_ipc(stream)
        else:
            table = pa.Table.from_pandas(data) if isinstance(data, pd.DataFrame) else data
            with pa.ipc.new_stream(stream, table.schema) as out:
                out.write_table(table)
        assert release.counts["people_suppressed"] == 1
        assert b"SECRET" not in stream.getvalue()
        assert b"HIDDEN" not in stream.getvalue()
        column = data.column("ill").to_pylist() if isinstance(data, pa.Table) else list(data["ill"])
        assert sorted(column) == ["a", "a", "b", "b"]
        assert all(verdict.holds for verdict in sf.verify(frame, release))
