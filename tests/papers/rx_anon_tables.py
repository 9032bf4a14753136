"""Tables 1, 4 and 5 of Singhofer et al., typed in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes, Same
from sfumato.schema import as_schema

ROWS = [
    ("1", "male", "36", "Education", "Aries", "2004-05-14"),
    ("1", "male", "36", "Education", "Aries", "2004-05-15"),
    ("2", "male", "24", "Student", "Leo", "2005-08-18"),
    ("3", "male", "37", "Banking", "Pisces", "2004-05-27"),
    ("4", "female", "24", "Science", "Aries", "2004-01-13"),
    ("4", "female", "24", "Science", "Aries", "2004-01-17"),
    ("4", "female", "24", "Science", "Aries", "2004-01-19"),
    ("5", "male", "29", "indUnk", "Pisces", "2004-05-15"),
    ("6", "female", "27", "Science", "Aries", "2004-05-15"),
]
TEXTS = [
    "My name is Pedro, I'm a 36 years old engineer from Mexico.",
    "A quick follow up: I will post updates about my education in more detail.",
    "I will start working for a big tech company as an engineer.",
    "During my last business trip to Canada I met my friend Ben from college.",
    "As a scientist from the UK, you can be proud!",
    "Four days ago, I started my blog. Stay tuned for more content.",
    "2004 will be a great year for science and for my career as a biologist.",
    "Did you know that Pisces is the last constellation of the zodiac.",
    "Rainy weather again here in the UK. I hope you all have a good day!",
]
# Table 4, with the redundant terms that the text names: row, words, entity type, what became of
# them in Table 5 (None: they stand).
TERMS = [
    (0, "Pedro", "person", "person"),
    (0, "36 years old", "age", "[24-36] years old"),
    (0, "engineer", "job", None),
    (0, "Mexico", "location", "location"),
    (2, "engineer", "job", None),
    (3, "Canada", "location", "location"),
    (3, "Ben", "person", "person"),
    (4, "scientist", "job", "job"),
    (4, "UK", "location", None),
    (5, "Four days ago", "date", "Date"),
    (6, "2004", "date", None),
    (6, "biologist", "job", "job"),
    (7, "Pisces", "sign", None),
    (8, "UK", "location", None),
]
REDUNDANT = {"36 years old", "2004", "Pisces"}
RECODED = {
    "1": ("male", "[24-36]", "(Student,Education)", "(Leo,Aries)", "[2004-2005]"),
    "2": ("male", "[24-36]", "(Student,Education)", "(Leo,Aries)", "[2004-2005]"),
    "3": ("male", "[29-37]", "(indUnk,Banking)", "Pisces", "2004-05"),
    "5": ("male", "[29-37]", "(indUnk,Banking)", "Pisces", "2004-05"),
    "4": ("female", "[24-27]", "Science", "Aries", "2004"),
    "6": ("female", "[24-27]", "Science", "Aries", "2004"),
}
COLUMNS = ["id", "gender", "age", "topic", "sign", "date"]
SCHEMA = {
    "person": "id",
    "columns": {
        "gender": {"kind": "category"},
        "age": {"kind": "number", "entities": ["age"]},
        "topic": {"kind": "category"},
        "sign": {"kind": "category", "entities": ["sign"]},
        "date": {"kind": "date", "entities": ["date"]},
        "text": {"kind": "text"},
    },
}


def table_1() -> pl.DataFrame:
    """The data."""
    return pl.DataFrame(
        [(*row, text) for row, text in zip(ROWS, TEXTS, strict=True)],
        schema=[*COLUMNS, "text"],
        orient="row",
    )


def terms() -> pl.DataFrame:
    """The sensitive places: those of Table 4 and the redundant ones."""
    found = []
    for row, words, label, new in TERMS:
        start = TEXTS[row].index(words)
        role = "redundant" if words in REDUNDANT else "quasi"
        outcome = "kept" if new is None else "replaced" if role == "redundant" else "suppressed"
        place = (row, "text", start, start + len(words), label)
        found.append((*place, words.casefold(), role, outcome, new))
    names = ["row", "column", "start", "stop", "label", "term", "role", "outcome", "replacement"]
    return pl.DataFrame(found, schema=names, orient="row").sort("row", "start")


def table_5() -> Release:
    """The anonymised data as the release of a verb, k = 2; people are numbered as they were."""
    places = terms()
    changed = places.filter(pl.col("replacement").is_not_null())
    texts = list(TEXTS)
    for row, start, stop, new in changed.select("row", "start", "stop", "replacement").rows()[::-1]:
        texts[row] = texts[row][:start] + new + texts[row][stop:]
    data = pl.DataFrame(
        [(int(row[0]), *RECODED[row[0]], text) for row, text in zip(ROWS, texts, strict=True)],
        schema=[*COLUMNS, "text"],
        orient="row",
    )
    changes = Changes(
        changed["row"].to_numpy(),
        changed["start"].to_numpy(),
        changed["stop"].to_numpy(),
        changed["replacement"].to_list(),
        Same("term", changed.height),
    )
    schema = as_schema(SCHEMA)
    claims = (
        Claim(
            "k-anonymity",
            "every class has 2 people",
            {"k": 2, "person": "id", "quasi": schema.relational, "text": ["text"]},
        ),
        Claim("nothing-else-changed", "all else is as it was"),
    )
    sides = Sides(schema=schema, terms=places, rows=np.arange(9))
    return Release(
        verb="anonymize",
        data=data,
        claims=claims,
        changes=changes,
        loss={},
        parameters={"k": 2},
        sides=sides,
    )


def spoilt(release: Release, **columns: list[object]) -> Release:
    """The release with some columns exchanged."""
    data = release.data.with_columns(**{n: pl.Series(n, v) for n, v in columns.items()})
    return replace(release, data=data)
