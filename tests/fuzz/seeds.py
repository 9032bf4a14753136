"""Good files of every kind that is read, each with the secret in it, and what reads it."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adversarial.annotated_places import i2b2
from adversarial.books import made
from adversarial.letters import MAILS
from adversarial.packed_places import BOX, FHIR, arrow, parquet
from adversarial.place import ROWS, TEXT, fields, lines
from adversarial.places import xes
from adversarial.search import SECRET

KEY = b"thirty-two bytes of a secret key"
TEXTS = [row["text"] for row in ROWS]


@dataclass(frozen=True)
class Parser:
    """A file that is good, under which name it is read, and what reads it."""

    seed: Callable[[Path], bytes]
    name: str
    read: Callable[[Path], object]


def source(**given: object) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        from sfumato import formats

        found = formats.read(str(path), **given)
        return found.texts, found.groups

    return read


def table(path: Path) -> object:
    from sfumato.formats.table import read_table

    return read_table(str(path)).frame


def parts(path: Path) -> object:
    from sfumato import formats

    chunks = formats.read_chunks(str(path), text_column="text", group_column="who", size=40)
    return [(chunk.texts, chunk.groups) for chunk in chunks]


def spans(path: Path) -> object:
    from sfumato.recognizers.files import read_spans

    return read_spans(str(path), TEXTS, None)


def folder_of_spans(path: Path) -> object:
    from sfumato.recognizers.files import read_spans

    return read_spans(str(path.parent), [TEXT], None)


def ontology(name: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        from sfumato.ontologies import csv, file, obo, skos

        return {
            "csv": csv.read_csv,
            "obo": obo.read_obo,
            "skos": skos.read_skos,
            "table": file.read_table,
        }[name](path)

    return read


def schema(path: Path) -> object:
    from sfumato.schema import as_schema

    return as_schema(path)


def arx(path: Path) -> object:
    from sfumato.schema.hierarchies import ArxFile

    return ArxFile(arx=path).tree(["a", "b", SECRET])


def policy(path: Path) -> object:
    from sfumato.pipeline.policy import read

    return read(path)


def rules(path: Path) -> object:
    from sfumato.recognizers.expressions import read_rules

    return read_rules(path)


def certificate(path: Path) -> object:
    from sfumato.received.certificate import check_seal, read

    stated = read(path)
    check_seal(stated)
    return stated


def dictionary(path: Path) -> object:
    from sfumato.methods.terms.dictionary import TermDictionary

    return list(TermDictionary.load(path).patterns("crew"))


def mapping(path: Path) -> object:
    from sfumato.methods.pseudonyms.mapping import mapping_frames

    return list(mapping_frames(path, KEY))


def weights(path: Path) -> object:
    from sfumato.recognizers.names import read_lexicon

    return read_lexicon(path)


def learnt(path: Path) -> object:
    from sfumato.recognizers import spans_of

    return spans_of(str(path), ["Saw Ann Ho at noon."])


def sheet(path: Path) -> object:
    """A sheet as a table, and as it is written without a column."""
    from sfumato.formats.table import read_table

    found = read_table(str(path), format="xlsx:Sheet")
    names, rows = found.frame.columns, range(found.frame.height)
    return found.frame, b"".join(found.cells({names[0]: ["x"] * len(rows)}, rows, {names[-1]}))


def said(content: str | bytes) -> Callable[[Path], bytes]:
    return lambda folder: content.encode() if isinstance(content, str) else content


@functools.cache
def _certificate() -> bytes:
    import sfumato as sf

    release = sf.suppress(["a b", "a c"], 2)
    stated = release.certificate(sf.verify(["a b", "a c"], release), key=KEY)
    return json.dumps(stated).encode()


def _dictionary(folder: Path) -> bytes:
    import sfumato as sf

    sf.TermDictionary(["crew", "craw", SECRET]).save(folder / "made")
    return (folder / "made").read_bytes()


def _mapping(folder: Path) -> bytes:
    import sfumato as sf
    from sfumato.methods.pseudonyms.mapping import mapping_bytes

    text = f"Saw {SECRET}."
    release = sf.pseudonymize([text], [sf.Span(0, 4, 4 + len(SECRET), "PERSON")], KEY)
    return mapping_bytes(release, KEY)


def _ontology_table(folder: Path) -> bytes:
    from sfumato.ontologies import csv
    from sfumato.ontologies.file import write_table

    made = csv.parse_csv(f"asthma,disease\n{SECRET},disease\n")
    write_table(folder / "made", "csv", made.sections)
    return (folder / "made").read_bytes()


def _lexicon(folder: Path) -> bytes:
    from sfumato.recognizers import names

    whole = Path(names.__file__).parent / "data" / "names-en.lexicon"
    return whole.read_bytes()


FASTA = f">one {SECRET}\nACGTACGT\nACGT\n>two\nGGTTACGT\n"
SCHEMA = f"""person: who
columns:
  age: {{kind: number, hierarchy: {{intervals: [5, 10]}}}}
  town: {{kind: category, hierarchy: {{tree: {{North: [Ulm, {SECRET}], South: [Rome]}}}}}}
  born: {{kind: date, format: "%d.%m.%Y"}}
  note: {{kind: text}}
  codes: {{kind: set, missing_values: [{SECRET}]}}
"""
POLICY = f"""version: 1
input: {{path: in.csv, columns: [note], person: who}}
stages:
  - {{verb: generalize, t: 4, words: [{SECRET}]}}
  - {{verb: suppress, k: 3}}
claims: [{{claim: substring-k-anonymity, k: 3}}]
"""
RULES = f"""name: own
rules: [{{label: CODE, expression: '[A-Z]{{2}}[0-9]+'}}]
deny: {{PERSON: [{SECRET}]}}
allow: [calm]
"""
OBO = f"""format-version: 1.2

[Term]
id: D:1
name: disease

[Term]
id: D:2
name: {SECRET}
synonym: "the {SECRET}" EXACT []
is_a: D:1 ! disease
"""
SKOS = f"""@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix a: <http://example.org/> .
a:one a skos:Concept ; skos:prefLabel "disease"@en .
a:two a skos:Concept ; skos:prefLabel "{SECRET}"@en ; skos:broader a:one .
"""
REVIEW = "".join(
    json.dumps({"document": 2, "start": 12, "stop": 25, "label": "PERSON", "text": SECRET}) + "\n"
    for _ in range(2)
)
ANN = f"T1\tPERSON 12 25\t{SECRET}\n#1\tAnnotatorNotes T1\t{SECRET}\n"
PRESIDIO = json.dumps(
    [[], [], [{"entity_type": "PERSON", "start": 12, "end": 25, "score": 1}], [], [], []]
)


EVENTS = f"who,what,at\np,home,1\np,{SECRET},2\nq,home,1\n"
VISITS = {"text_column": "what", "group_column": "who"}


def _put(write: Callable[[Path], None], name: str) -> Callable[[Path], bytes]:
    """What a place writes into a folder, as bytes."""

    def seed(folder: Path) -> bytes:
        write(folder)
        return (folder / name).read_bytes()

    return seed


def _docx(folder: Path) -> bytes:
    from docx import Document

    made = Document()
    made.add_paragraph(TEXT)
    made.save(str(folder / "made.docx"))
    return (folder / "made.docx").read_bytes()


def _pdf(folder: Path) -> bytes:
    from sfumato.formats.pdf import made

    return made([f"{TEXT} {SECRET}", "calm\nand well"], "a.pdf")


def _model(folder: Path) -> bytes:
    from sfumato import Span
    from sfumato.recognizers.learn import learn

    texts = [f"Saw {name} at noon, calm." for name in (SECRET, "Ann Ho", "Bo Ray")] * 6
    spans = [Span(i, 4, text.index(" at"), "PERSON") for i, text in enumerate(texts)]
    learn(spans, "none", texts=texts, folds=0).save(folder / "made.model")
    return (folder / "made.model").read_bytes()


NOTES = source(text_column="text", group_column="who")
PARSERS = {
    "csv": Parser(said(fields(ROWS)), "a.csv", NOTES),
    "csv in parts": Parser(said(fields(ROWS)), "a.csv", parts),
    "csv table": Parser(said(fields(ROWS)), "a.csv", table),
    "jsonl": Parser(said(lines(ROWS)), "a.jsonl", NOTES),
    "jsonl in parts": Parser(said(lines(ROWS)), "a.jsonl", parts),
    "jsonl table": Parser(said(lines(ROWS)), "a.jsonl", table),
    "json": Parser(said(json.dumps(ROWS)), "a.json", source(text_column="[].text")),
    "fasta": Parser(said(FASTA), "a.fasta", source()),
    "i2b2": Parser(said(i2b2()), "a.xml", source()),
    "xlsx": Parser(said(made(ROWS)), "a.xlsx", NOTES),
    "xlsx table": Parser(said(made(ROWS)), "a.xlsx", sheet),
    "pdf": Parser(_pdf, "a.pdf", source()),
    "model": Parser(_model, "a.model", learnt),
    "spans": Parser(said(REVIEW), "a.jsonl", spans),
    "presidio": Parser(said(PRESIDIO), "a.json", spans),
    "brat": Parser(said(ANN), "0.ann", folder_of_spans),
    "i2b2 spans": Parser(said(i2b2()), "0.xml", folder_of_spans),
    "schema": Parser(said(SCHEMA), "a.yaml", schema),
    "policy": Parser(said(POLICY), "a.yaml", policy),
    "rules": Parser(said(RULES), "a.yaml", rules),
    "arx": Parser(said(f"a;x;*\nb;x;*\n{SECRET};y;*\n"), "a.csv", arx),
    "ontology csv": Parser(said(f"asthma,disease\n{SECRET},disease\n"), "a.csv", ontology("csv")),
    "obo": Parser(said(OBO), "a.obo", ontology("obo")),
    "skos": Parser(said(SKOS), "a.ttl", ontology("skos")),
    "ontology table": Parser(_ontology_table, "a.table", ontology("table")),
    "certificate": Parser(lambda folder: _certificate(), "a.json", certificate),
    "dictionary": Parser(_dictionary, "a.sfumato", dictionary),
    "mapping": Parser(_mapping, "a.sfumato", mapping),
    "lexicon": Parser(_lexicon, "a.lexicon", weights),
    "events": Parser(said(EVENTS), "a.csv", source(**VISITS, format="events:at")),
    "events with times": Parser(said(EVENTS), "a.csv", source(**VISITS, format="timed:at")),
    "xes": Parser(said(xes(event=SECRET)), "a.xes", source()),
    "xes with times": Parser(said(xes(event=SECRET)), "a.xes", source(format="xes:timed")),
    "html": Parser(said(f"<html><body><p>{TEXT}</p></body></html>"), "a.html", source()),
    "mail": Parser(lambda folder: MAILS["mail body"], "a.eml", source()),
    "mailbox": Parser(lambda folder: BOX, "a.mbox", source()),
    "docx": Parser(_docx, "a.docx", source()),
    "fhir": Parser(_put(FHIR[0].write, "in.json"), "a.json", source(format="fhir")),
    "parquet": Parser(_put(parquet(), "in.parquet"), "a.parquet", NOTES),
    "arrow": Parser(_put(arrow(), "in.arrow"), "a.arrow", NOTES),
    "text with separators": Parser(said(f"{TEXT}\n---\nb"), "a.txt", source(format="txt:---")),
    "lines": Parser(said(f"{TEXT}\nb\n"), "a.lines", source()),
}
