"""What the recognisers find of gold spans, how fast, beside Presidio in the same run.

    python benchmarks/recognizers.py [notes|meddocan] [--documents N] [--part train|dev|test]
        [--ner [PIPELINE]] [--presidio]
    python benchmarks/recognizers.py learn [BASE]

Recall counts a gold span as found when all of its symbols are covered; precision counts a found
span as right when it touches gold. Labels that may stay (times, amounts, durations) are left out.
`--ner` adds a spaCy pipeline (en_core_web_sm of the extra `ner-en`; es_core_news_sm, see
docs/recognizers.md) alone and with the rules, `--presidio` Presidio's recognisers by pattern
(`pip install presidio-analyzer`). CPU seconds, for warm rules the best of seven runs; data from
SFUMATO_DATA or ../shared/data. MEDDOCAN has the parts train, dev and test.

`learn` shows what is found in MEDDOCAN's test part after 0, 10, 50 and 200 reviewed documents of
its train part (gold stands for the reviewer) on top of BASE (rules-es), and without a base.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import tarfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import zstandard

from sfumato.core.spans import Span
from sfumato.metrics.recognition import precision, recall, total
from sfumato.recognizers import brat, recognizer, resolve, with_role
from sfumato.recognizers.learn import LabelScore, learn, measured
from sfumato.recognizers.presidio import from_presidio

DATA = Path(os.environ.get("SFUMATO_DATA", Path(__file__).parents[2] / "shared" / "data"))
MEDDOCAN_DIRECT = {
    *("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "CORREO_ELECTRONICO", "CALLE"),
    *("NUMERO_TELEFONO", "NUMERO_FAX", "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"),
    *("ID_TITULACION_PERSONAL_SANITARIO", "ID_CONTACTO_ASISTENCIAL"),
    "ID_EMPLEO_PERSONAL_SANITARIO",
}
# MEDDOCAN's kinds under our labels, as a reviewer would name them.
LABELS = {
    "NOMBRE_SUJETO_ASISTENCIA": "PERSON",
    "NOMBRE_PERSONAL_SANITARIO": "PERSON",
    "CALLE": "ADDRESS",
    "TERRITORIO": "LOCATION",
    "FECHAS": "DATE",
    "EDAD_SUJETO_ASISTENCIA": "AGE",
    "SEXO_SUJETO_ASISTENCIA": "GENDER",
    "PAIS": "COUNTRY",
    "HOSPITAL": "ORG",
    "INSTITUCION": "ORG",
    "CENTRO_SALUD": "ORG",
    "CORREO_ELECTRONICO": "EMAIL",
    "ID_SUJETO_ASISTENCIA": "MRN",
    "ID_ASEGURAMIENTO": "INSURANCE",
    "ID_TITULACION_PERSONAL_SANITARIO": "LICENSE",
    "FAMILIARES_SUJETO_ASISTENCIA": "RELATIVE",
    "NUMERO_TELEFONO": "PHONE",
    "NUMERO_FAX": "PHONE",
    "ID_CONTACTO_ASISTENCIAL": "ACCOUNT",
}
Gold = tuple[list[str], list[Span], set[str]]


def unpacked(name: str) -> bytes:
    with open(DATA / name, "rb") as stream:
        return zstandard.ZstdDecompressor().stream_reader(stream).read()


def notes() -> Gold:
    texts, spans, direct = [], [], set()
    for document, line in enumerate(unpacked("notes.jsonl.zst").splitlines()):
        note = json.loads(line)
        texts.append(note["text"])
        for one in note["spans"]:
            spans.append(Span(document, one["start"], one["end"], one["label"]))
            if one["id_type"] == "DIRECT":
                direct.add(one["label"])
    return texts, spans, direct


def meddocan(part: str = "") -> Gold:
    files = {}
    with tarfile.open(fileobj=io.BytesIO(unpacked("meddocan.tar.zst"))) as archive:
        for member in archive:
            if member.isfile() and f"/{part}" in member.name:
                files[member.name] = archive.extractfile(member).read()
    texts, spans = [], []
    for name in sorted(name for name in files if name.endswith(".ann")):
        spans += brat.read(files[name], len(texts), name)
        texts.append(files[name[:-3] + "txt"].decode("utf-8"))
    return texts, spans, MEDDOCAN_DIRECT


def presidio(language: str) -> Callable[[list[str]], list[Span]]:
    """Presidio's pattern recognisers alone: no model is loaded."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    logging.disable(logging.CRITICAL)  # it looks for lists on the net and says so at length

    class NoModel(NlpEngine):
        def load(self): ...
        def is_loaded(self):
            return True

        def process_text(self, text, language):
            return NlpArtifacts([], [], [], [], self, language)

        def process_batch(self, texts, language, **_):
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word, language):
            return False

        def is_punct(self, word, language):
            return False

        def get_supported_entities(self):
            return []

        def get_supported_languages(self):
            return [language]

    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language])
    registry.recognizers = [one for one in registry.recognizers if "Spacy" not in one.name]
    engine = AnalyzerEngine(registry=registry, nlp_engine=NoModel(), supported_languages=[language])
    return lambda texts: from_presidio([engine.analyze(text, language=language) for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default="notes", choices=["notes", "meddocan", "learn"])
    parser.add_argument("base", nargs="?", default="rules-es")
    parser.add_argument("--documents", type=int)
    parser.add_argument("--part", default="", choices=["train", "dev", "test"])
    parser.add_argument("--ner", nargs="?", const="")
    parser.add_argument("--presidio", action="store_true")
    arguments = parser.parse_args()
    if arguments.data == "learn":
        learning_curve(arguments.base)
        return
    texts, gold, direct = notes() if arguments.data == "notes" else meddocan(arguments.part)
    texts = texts[: arguments.documents]
    gold = [span for span in gold if span.document < len(texts)]
    language = "en" if arguments.data == "notes" else "es"
    rules = recognizer(f"rules-{language}")
    work: dict[str, Callable[[list[str]], list[Span]]] = {"rules": rules, "rules, warm": rules}
    if arguments.ner is not None:
        pipeline = arguments.ner or {"en": "en_core_web_sm", "es": "es_core_news_sm"}[language]
        work["ner"] = recognizer(pipeline)
    if arguments.presidio:
        work["presidio, patterns"] = presidio(language)
    megabytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6
    sizes = f"{len(texts):,} documents, {megabytes:.2f} MB, {len(gold):,} gold spans"
    print(f"{arguments.data} {arguments.part}: {sizes}")
    results: dict[str, tuple[list[Span], float]] = {}
    for name, run in work.items():
        run(["warm up"])
        seconds = float("inf")
        for _ in range(7 if name == "rules, warm" else 1):
            start = time.process_time()
            found = run(texts)
            seconds = min(seconds, time.process_time() - start)
        results[name] = found, seconds
        if name == "ner":  # the two together: what both found, and the time of both
            found, more = results["rules"]
            results["rules and ner"] = found + results["ner"][0], more + seconds
    for name, (found, seconds) in results.items():
        print(f"\n== {name}: {seconds:.2f} s, {megabytes / seconds:.2f} MB/s")
        if name != "rules, warm":
            report(gold, with_role(resolve(found), texts, ["direct", "quasi"]), texts, direct)


def learning_curve(base: str) -> None:
    """What is found in documents of another part after so many reviewed ones."""
    (texts, marks, _), (others, gold, _) = meddocan("train"), meddocan("test")
    marks, gold = (
        [replace(span, label=LABELS.get(span.label, "OTHER")) for span in spans]
        for spans in (marks, gold)
    )
    print("| base | reviewed documents | mentions found | letters right | CPU s |")
    print("|---|---|---|---|---|")
    for name in (base, "none"):
        for count in (0, 10, 50, 200):
            if count == 0 and name == "none":
                continue
            start = time.process_time()
            find: Callable[[list[str]], list[Span]] = recognizer(base)
            if count:
                reviewed = [span for span in marks if span.document < count]
                find = learn(reviewed, name, texts=texts[:count], folds=0)
            seconds = time.process_time() - start
            found = with_role(resolve(find(others)), others, ["direct", "quasi"])
            total_of = LabelScore()
            for one in measured(others, gold, found).values():
                total_of = total_of.plus(one)
            figures = f"{total_of.recall:.3f} | {total_of.precision:.3f} | {seconds:.1f}"
            print(f"| {name} | {count} | {figures} |", flush=True)


def report(gold: list[Span], found: list[Span], texts: list[str], direct: set[str]) -> None:
    recalled = recall(gold, found, texts)
    kinds = {"DIRECT": direct & recalled.keys(), "QUASI": recalled.keys() - direct}
    for kind, labels in (*kinds.items(), ("ALL", recalled.keys())):
        one = total(recalled, labels)
        print(
            f"{kind:34} {one.gold:7,} recall {one.recall:.3f} touched {one.touched / one.gold:.3f}"
        )
        for label in sorted(labels) if kind != "ALL" else ():
            each = recalled[label]
            share = each.exact / each.gold
            print(f"  {label:32} {each.gold:7,} recall {each.recall:.3f} exact {share:.3f}")
    right = precision(gold, found, texts)
    count, agreed = (
        sum(x) for x in zip(*((r.found, r.right) for r in right.values()), strict=True)
    )
    print(f"{'FOUND':34} {count:7,} precision {agreed / count:.3f}")
    for label, each in right.items():
        print(f"  {label:32} {each.found:7,} precision {each.precision:.3f}")


if __name__ == "__main__":
    main()
