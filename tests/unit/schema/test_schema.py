"""Schemas as people write them: what is read, and where an error is said to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sfumato.core.errors import BadInput
from sfumato.schema import Schema, as_schema, join, json_schema
from sfumato.schema.hierarchies import Intervals
from sfumato.schema.table import check_table

EVERYTHING = """
person: id
person_number: false
others: drop
columns:
  age: {kind: number, entities: [AGE, DATE], weight: 0.25, recode: mean, missing: refuse}
  income: {kind: number, hierarchy: {intervals: [1000, 10000], origin: 500}}
  zip: {kind: category, hierarchy: {prefixes: [4, 2]}}
  land:
    kind: category
    hierarchy:
      tree:
        Scandinavia: [no, se]
        Benelux: [be, nl]
    missing_values: ["", "?"]
  grade: {kind: ordered, order: [low, middle, high]}
  born: {kind: date, format: "%d.%m.%Y", hierarchy: {dates: [month, year, decade]}}
  codes: {kind: set, separator: "|"}
  note: {kind: text}
  disease: {kind: category, role: sensitive, distance: equal}
  ward: {kind: category, role: insensitive}
  name: {role: drop}
entities: {PERSON: direct, GPE: quasi, TIME: keep}
entity_types: [PERSON, GPE]
recognizers: [rules-en]
expressions: {JOB: engineer|scientist}
synonyms: {U.K.: UK}
files: {people: people.csv, posts: posts.csv}
defaults: {k: 3, partitioner: gdf, relational_weight: 0.5}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "schema.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_is_read(tmp_path):
    schema = as_schema(written(tmp_path, EVERYTHING))
    assert schema.person == "id"
    assert not schema.person_number
    assert schema.relational == ["age", "income", "zip", "land", "grade", "born", "codes"]
    assert schema.texts == ["note"]
    assert schema.named("sensitive") == ["disease"]
    assert not schema.columns["disease"].ordered_distance
    assert schema.columns["grade"].ordered_distance
    assert schema.columns["land"].tree(["no", "be"]).labels[1:3] == ("Scandinavia", "no")
    assert schema.defaults.k == 3
    assert schema.entities["PERSON"] == "direct"
    assert as_schema(schema) is schema
    assert as_schema(schema.as_dict()).as_dict() == schema.as_dict()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("person: id\ncolumns:\n  age: {kind: numeric}\n", "line 3, columns.age.kind"),
        ("person: id\ncolumns:\n  age:\n    kind: number\n    wieght: 1\n", "line 5"),
        ("columns:\n  age: {kind: number, weight: 2}\n", "columns.age.weight"),
        ("columns:\n  age: {kind: number, format: x}\n", "columns.age"),
        ("columns:\n  grade: {kind: ordered}\n", "columns.grade"),
        ("columns:\n  zip: {hierarchy: {prefixes: [2, 4]}}\n", "columns.zip.hierarchy"),
        ("columns:\n  n: {kind: number, hierarchy: {intervals: [2, 5]}}\n", "hierarchy"),
        ("columns:\n  d: {kind: date, hierarchy: {dates: [year, month]}}\n", "hierarchy"),
        ("columns:\n  land: {hierarchy: {tree: x}}\n", "hierarchy"),
        ("person: id\ncolumns:\n  id: {kind: number}\n", "schema"),
        ("columns: {}\nfiles: {a: b}\n", "schema"),
        ("columns: {}\nentities: {GPE: hide}\n", "line 2, entities.GPE"),
        ("columns: {}\ncolumns: {}\n", "line 2"),
        ("columns: [\n", "line 2"),
        ("person: id\n", "columns"),
        ("- a\n", "schema.yaml"),
        ("", "schema.yaml"),
        ("attributes:\n  id: {anonymization_type: secret}\n", "attributes.id"),
        ("attributes:\n  age: {type: number}\n", "attributes.age.type"),
    ],
)
def test_errors_say_where(tmp_path, text, place):
    with pytest.raises(BadInput) as caught:
        as_schema(written(tmp_path, text))
    assert place in str(caught.value)


def test_errors_do_not_show_values(tmp_path):
    with pytest.raises(BadInput) as caught:
        as_schema(written(tmp_path, "columns:\n  a: {kind: ordered, order: [Zyxomme, Zyxomme]}\n"))
    assert "Zyxomme" not in str(caught.value)


@pytest.mark.parametrize("given", [3, None, ["columns"], {"columns": 3}])
def test_wrong_types_are_bad_input(given):
    with pytest.raises(BadInput):
        as_schema(given)


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        as_schema(tmp_path / "absent.yaml")


def test_arx_file_is_found_beside_the_schema(tmp_path):
    (tmp_path / "land.csv").write_text("no;North;*\nit;South;*\nse;North;*\n")
    schema = as_schema(written(tmp_path, "columns:\n  land: {hierarchy: land.csv}\n"))
    tree = schema.columns["land"].tree(["no", "se"])
    assert tree.common(["no", "se"]) == "North"
    assert tree.size == 3
    with pytest.raises(BadInput, match="1 values of the column are not in the hierarchy"):
        schema.columns["land"].tree(["no", "fr"])


def test_a_ragged_arx_file_is_refused_by_its_line(tmp_path):
    (tmp_path / "land.csv").write_text("no;North;*\nit;*\n")
    schema = as_schema(written(tmp_path, "columns:\n  land: {hierarchy: land.csv}\n"))
    with pytest.raises(BadInput, match="line 2"):
        schema.columns["land"].tree(["no"])


@pytest.mark.data
def test_adult_hierarchies_are_read(data_folder):
    schema = as_schema(
        {
            "columns": {
                name: {"hierarchy": str(data_folder / "adult" / f"adult_hierarchy_{name}.csv")}
                for name in ("age", "education", "native-country", "salary-class", "sex")
            }
        }
    )
    table = pl.read_csv(data_folder / "adult" / "adult.csv", separator=";", infer_schema=False)
    for name, column in schema.columns.items():
        tree = column.tree(table[name].unique().to_list())
        assert tree.labels[0] == "*"
    assert schema.columns["age"].tree(["39"]).common(["39", "36"]) == "35-39"


@pytest.mark.data
def test_rx_anon_files_are_read_as_they_are(data_folder):
    schema = as_schema(data_folder / "rx_anon" / "blog_authorship_corpus.yaml")
    assert schema.person == "id"
    assert schema.relational == ["gender", "age", "topic", "sign", "date"]
    assert schema.texts == ["text"]
    assert schema.columns["date"].format == "%d,%B,%Y"
    assert schema.columns["age"].entities == ["DATE"]
    assert (schema.defaults.k, schema.defaults.partitioner) == (2, "gdf")
    assert schema.defaults.relational_weight == 0
    assert "EMAIL" in schema.entity_types
    assert schema.expressions["JOB"] == "engineer|scientist|biologist"
    second = as_schema(data_folder / "rx_anon" / "e_blog_authorship_corpus.yaml")
    assert second.relational == schema.relational
    assert second.defaults.k is None


def test_rx_anon_hierarchies_and_dropped_identifiers():
    schema = as_schema(
        {
            "attributes": {
                "id": {"anonymization_type": "direct_identifier"},
                "name": {"anonymization_type": "direct_identifier"},
                "size": {
                    "anonymization_type": "quasi_identifier",
                    "bias": 0.5,
                    "hierarchy": {"name": "all", "children": [{"name": "S"}, {"name": "L"}]},
                },
                "other": None,
            }
        }
    )
    assert schema.person == "id"
    assert schema.columns["name"].role == "drop"
    assert schema.columns["other"].role == "insensitive"
    assert schema.columns["size"].weight == 0.5
    assert schema.columns["size"].tree(["S", "L"]).common(["S", "L"]) == "all"


def test_json_schema_is_for_editors():
    schema = json_schema()
    assert "2020-12" in schema["$schema"]
    assert set(schema["properties"]) == set(Schema.model_fields)


def test_join_refuses_what_would_multiply():
    people = pl.DataFrame({"id": [1, 2], "age": [3, 4]})
    posts = pl.DataFrame({"id": [1, 1], "text": ["a", "b"]})
    visits = pl.DataFrame({"id": [2, 2], "ward": ["x", "y"]})
    assert join({"posts": posts, "people": people}, "id").height == 3
    with pytest.raises(BadInput, match="posts and visits"):
        join({"people": people, "posts": posts, "visits": visits}, "id")
    with pytest.raises(BadInput, match="column of this name"):
        join({"people": people, "again": people}, "id")
    with pytest.raises(BadInput, match="person column"):
        join({"people": people.drop("id")}, "id")
    with pytest.raises(BadInput, match="record 2"):
        join({"people": pl.DataFrame({"id": [1, None]})}, "id")


def test_importing_the_package_does_not_import_pydantic():
    code = "import sys, sfumato, sfumato.cli.app; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("people", [["1", "1 "], ["1", "1.0"], ["é", "e\u0301"], ["b", "B\u200b"]])
def test_one_person_under_two_spellings_is_no_crowd(people):
    schema = as_schema({"person": "id", "columns": {"age": {"kind": "number"}}})
    assert check_table(schema, pl.DataFrame({"id": people, "age": ["3", "3"]}))["people"] == 1


@pytest.mark.parametrize("nobody", [" ", "\u200b", None])
def test_a_row_of_nobody_is_refused(nobody):
    schema = as_schema({"person": "id", "columns": {"age": {"kind": "number"}}})
    with pytest.raises(BadInput, match="id, record 2"):
        check_table(schema, pl.DataFrame({"id": ["1", nobody], "age": ["3", "3"]}))


def test_secrets_may_be_written_in_several_ways():
    schema = as_schema({"columns": {"disease": {"role": "sensitive"}}})
    assert check_table(schema, pl.DataFrame({"disease": ["flu", None, "cold"]}))["people"] == 3


def test_intervals_of_numbers_with_many_digits():
    """A quotient of more than 28 digits is whole all the same; beyond any float it is refused."""
    paths = Intervals(intervals=[5, 10]).tree(["1e300", "-1e300", "3"])
    assert "[0-4]" in paths.labels
    with pytest.raises(BadInput, match="digits"):
        Intervals(intervals=[5]).tree(["1e99999"])
