"""Readers, the table's file, WordNet's table and inflection."""

from __future__ import annotations

import builtins
import hashlib
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.ontologies import hypernym_paths, key_of, read_ontology, wordnet
from sfumato.ontologies.csv import parse_csv
from sfumato.ontologies.file import read_table, write_table
from sfumato.ontologies.inflection import plural, singulars
from sfumato.ontologies.wordnet import DATA

SOURCE = Path("/usr/share/wordnet")
OBO = """format-version: 1.2

[Term]
id: D:1
name: disease

[Term]
id: D:2
name: influenza
synonym: "flu" EXACT []
synonym: "grippe" RELATED []
is_a: D:1 ! disease
is_a: D:3

[Term]
id: D:3
name: infection
is_a: D:1

[Term]
id: D:4
name: old
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:disease a skos:Concept ; skos:prefLabel "disease"@en, "Krankheit"@de ; skos:narrower :flu .
:flu skos:prefLabel "influenza"@en ; skos:altLabel "flu"@en .
:cold a skos:Concept ; skos:broader :disease .
"""
RDF = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<skos:Concept rdf:about="http://example.org/flu"><skos:prefLabel xml:lang="en">flu</skos:prefLabel>
<skos:broader><skos:Concept rdf:about="http://example.org/disease">
<skos:prefLabel xml:lang="en">disease</skos:prefLabel></skos:Concept></skos:broader>
</skos:Concept></rdf:RDF>
"""


def names(table, phrase):
    return [table.words(node)[0] for node in table.path(table.senses(phrase)[0])]


def test_csv(tmp_path):
    file = tmp_path / "o.csv"
    file.write_text(
        '\ufeffchild,parent\n"flu|influenza, seasonal",disease\ndisease,\n\ncold,disease\n'
    )
    table = read_ontology(file)
    assert names(table, "influenza seasonal") == ["flu", "disease"]
    assert table.leaves(table.senses("disease")[0]) == 2
    assert repr(table) == "<ontology o.csv: 3 nodes, 4 phrases>"


@pytest.mark.parametrize(
    "text", ["", "a,b,c\n", ",b\n", "a,b\nb,a\n", "a,a\n", "a,b\nb,c\nc,a\n"], ids=repr
)
def test_bad_csv_is_refused(text):
    with pytest.raises(sf.BadInput):
        parse_csv(text)


def test_obo(tmp_path):
    file = tmp_path / "o.obo"
    file.write_text(OBO)
    table = read_ontology(file)
    assert len(table) == 3
    assert names(table, "flu") == ["influenza", "disease"]
    assert table.senses("grippe") == table.senses("old") == ()
    assert len(hypernym_paths(table, table.senses("flu")[0])) == 2
    file.write_text("nothing")
    with pytest.raises(sf.BadInput):
        read_ontology(file)


@pytest.mark.parametrize(("ending", "text"), [(".ttl", TURTLE), (".rdf", RDF), (".xml", RDF)])
def test_skos(tmp_path, ending, text):
    pytest.importorskip("rdflib")
    file = tmp_path / f"o{ending}"
    file.write_text(text)
    assert names(read_ontology(file), "flu")[-1] == "disease"
    file.write_text("<<<")
    with pytest.raises(sf.BadInput):
        read_ontology(file)


def test_skos_without_rdflib_says_what_to_install(tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "rdflib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(sf.NotInstalled, match="sfumato\\[skos\\]"):
        read_ontology(tmp_path / "o.ttl")


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(sf.BadInput):
        read_ontology(tmp_path / "o.txt")
    for ending in (".csv", ".obo", ".table"):
        with pytest.raises(sf.BadInput):
            read_ontology(tmp_path / f"absent{ending}")


def test_a_damaged_table_is_refused(tmp_path):
    file = tmp_path / "o.table"
    table = parse_csv("flu,disease\ncold,disease\n")
    write_table(file, "small", table.sections)
    again = read_ontology(file)
    assert again.name == "small"
    assert names(again, "flu") == ["flu", "disease"]
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(sf.BadInput, match="damaged"):
        read_table(file)
    file.write_bytes(b"SFTABLE1" + b"\xff" * 8)
    with pytest.raises(sf.BadInput, match="not a table"):
        read_table(file)


def test_equal_contents_have_equal_digests():
    rows = "flu,disease\ncold,disease\n"
    assert parse_csv(rows).digest == parse_csv(rows).digest != parse_csv(rows + "a,flu\n").digest


@pytest.mark.skipif(not SOURCE.exists(), reason="Debian's wordnet-base is not installed")
def test_wordnets_table_is_made_byte_for_byte(tmp_path):
    sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
    import make_wordnet_table

    make_wordnet_table.make(SOURCE, tmp_path)
    for name in ("wordnet.table", "irregular_nouns.txt", "LICENSE-wordnet.txt"):
        made, kept = ((folder / name).read_bytes() for folder in (tmp_path, DATA))
        assert hashlib.sha256(made).hexdigest() == hashlib.sha256(kept).hexdigest(), name


def test_wordnet():
    table = wordnet()
    assert len(table) == 82115
    assert "Princeton University" in (DATA / "LICENSE-wordnet.txt").read_text()
    assert names(table, "sacramento")[:2] == ["Sacramento", "state capital"]
    assert table.longest("phantom") == 3
    assert table.is_common_noun("pain")
    assert not table.is_common_noun("go")
    assert table.places("nosuchword") == table.senses("nosuchword") == ()
    assert table.level(table.senses("pain")[0], 99) == 0


def test_every_general_word_is_found_again_from_its_plural():
    """What realisation writes, verification must be able to read."""
    from sfumato.verification.base_values import keys_of

    table = wordnet()
    for node in range(0, len(table), 7):
        if table.children(node):
            for word in table.words(node):
                assert key_of(word) in keys_of(plural(word))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("women", "woman"),
        ("boxes", "box"),
        ("lives", "life"),
        ("cupsful", "cupful"),
        ("gases", "gas"),
    ],
)
def test_singulars(word, expected):
    assert expected in singulars(word)


def effort(work: Callable[[], object]) -> tuple[int, int]:
    """The lines of Python that a call runs, and the most memory it takes: no clock tells more."""
    lines = 0

    def count(frame: object, event: str, _: object) -> object:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    tracemalloc.start()
    try:
        work()
        return lines, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("comb", [False, True])
def test_a_long_chain_takes_linear_effort(comb):
    """2,000 levels took the square of that; now ten times as many take ten times as much."""

    def read(size):
        rows = [f"w{i},w{i + 1}" for i in range(size)]
        rows += [f"x{i},w{i}" for i in range(size)] if comb else []
        table = parse_csv("\n".join(rows))
        bottom = table.senses("w0")[0]
        top = table.senses(f"w{size}")[0]
        assert len(table.path(bottom)) == size + 1
        assert table.leaves(top) == (size if comb else 1)
        assert table.level(top, size) == (2 if comb else 1)  # w0, and x1 beside it

    read(200)
    few, many = effort(lambda: read(300)), effort(lambda: read(3_000))
    assert many[0] < 20 * few[0]
    assert many[1] < 20 * few[1]


def test_effort_of_a_square_is_seen():
    def square(size):
        return [[0 for _ in range(size)] for _ in range(size)]

    few, many = effort(lambda: square(30)), effort(lambda: square(300))
    assert many[0] > 20 * few[0] or many[1] > 20 * few[1]


def test_a_cycle_below_a_long_chain_is_refused():
    rows = "\n".join([*(f"w{i},w{i + 1}" for i in range(4_000)), "w9,w8"])
    with pytest.raises(sf.BadInput, match="its own ancestor"):
        parse_csv(rows)


def test_the_checks_own_singulars_are_those_of_the_method():
    """Two readings of WordNet's rules: the same forms for every noun, its plural and odd words."""
    from sfumato.verification.singular_forms import singular_forms

    table = wordnet()
    words = {key for node in range(0, len(table), 7) for key in map(key_of, table.words(node))}
    words = {one for some in words for one in some.split()} | {"s", "ss", "men", "ies", "sful", ""}
    words |= {plural(word) for word in words}
    listed = (DATA / "irregular_nouns.txt").read_text("ascii").splitlines()
    words |= {line.split()[0] for line in listed}
    for word in sorted(words):
        assert set(singular_forms(word)) == set(singulars(word)), word


def test_no_check_uses_the_words_of_the_method():
    import ast

    root = Path(sf.__file__).parent / "verification"
    for path in sorted(root.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and "inflection" in (node.module or ""):
                # Which article a word takes is a definition that both share (docs/architecture.md).
                assert [one.name for one in node.names] == ["takes_an"], path.name
