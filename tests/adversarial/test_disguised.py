"""What a release hides, put back in disguise: verification reads what somebody sees.

The release and its own list of changes say the same, so only what is written there is wrong.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import polars as pl
import pytest

import sfumato as sf
from sfumato.core.release import Sides
from sfumato.core.spans import Changes
from sfumato.ontologies.build import build_sections
from sfumato.ontologies.table import Table

pytestmark = pytest.mark.filterwarnings("ignore")
DISGUISES = {
    "as it was": lambda text: text,
    "in capitals": str.upper,
    "soft hyphen": lambda text: text[0] + "\u00ad" + text[1:],
    "zero width": lambda text: "\u200b".join(text),
    "word joiner at the end": lambda text: text + "\u2060",
    "full width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text
    ),
    "spaced": " ".join,
    "direction": lambda text: "\u202e" + text[::-1] + "\u202c",
    "variation": lambda text: "\ufe0f".join(text),
    "dot above": lambda text: text[0] + "\u0307" + text[1:],
}
NOTES = ["Ann likes rum now", "Bob likes gin now", "Eve likes tea now", "Flo likes ale now"]
KEY = "a key of sixteen bytes"


@functools.cache
def drinks():
    names = ["thing", "drink", "rum", "gin", "tea", "ale"]
    return Table("small", build_sections([[one] for one in names], [(), (0,), *[(1,)] * 4]))


def people(texts):
    return [sf.Span(i, 0, 3, "PERSON") for i in range(len(texts))]


VERBS = {
    "suppress": lambda: sf.suppress(NOTES, 3),
    "suppress by symbols": lambda: sf.suppress(NOTES, 3, guess=None),
    "suppress, one mark": lambda: sf.suppress(NOTES, 3, collapse=True),
    "redact": lambda: sf.redact(NOTES, ["Ann", "Bob", "Eve", "Flo"], 2),
    "redact, matching": lambda: sf.redact(NOTES, ["Ann", "Bob", "Eve"], 2, guarantee="matching"),
    "redact, folded": lambda: sf.redact(NOTES, ["ann", "bob"], 2, fold_case=True, fold_width=True),
    "redact, direct": lambda: sf.redact(NOTES, ["Bob", "Eve"], 2, direct=["Ann"]),
    "pseudonymize": lambda: sf.pseudonymize(NOTES, people(NOTES), key=KEY),
    "generalize": lambda: sf.generalize(NOTES, 3, ontology=drinks()),
    "generalize, words": lambda: sf.generalize(NOTES, 3, words=["rum"], ontology=drinks()),
}


def with_back(release, disguise):
    """The release with what the first change hid in its place, disguised; None: no change."""
    if not len(release.changes):
        return None
    first = release.changes[0]
    old = NOTES[first.document][first.start : first.stop]
    new = replace(first, replacement=disguise(old))
    changes = [new, *list(release.changes)[1:]]
    data = list(NOTES)
    for change in reversed(changes):
        text = data[change.document]
        data[change.document] = text[: change.start] + change.replacement + text[change.stop :]
    return replace(release, data=data, changes=Changes.of(changes))


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("verb", VERBS)
def test_what_was_hidden_is_noticed_in_any_disguise(verb, disguise):
    release = VERBS[verb]()
    assert all(verdict.holds for verdict in sf.verify(NOTES, release))
    planted = with_back(release, DISGUISES[disguise])
    assert not all(verdict.holds for verdict in sf.verify(NOTES, planted))


@pytest.mark.parametrize("disguise", [one for one in DISGUISES if one != "as it was"])
def test_without_a_record_too(disguise):
    """A word as it was may never have been marked; a disguised one was changed."""
    release = VERBS["generalize"]()
    blind = {"sides": Sides(ontology=drinks()), "changes": Changes.of()}
    assert sf.verify(NOTES, replace(release, **blind))[0].holds
    planted = replace(with_back(release, DISGUISES[disguise]), **blind)
    assert not sf.verify(NOTES, planted)[0].holds


TABLE = pl.DataFrame({"town": ["Bonn", "Ulm", "Kiel", "Trier"], "age": [31, 32, 33, 34]})
SCHEMA = {"columns": {"town": {"kind": "category"}, "age": {"kind": "number"}}}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("rows", [1, 2])
def test_cells_of_a_table(disguise, rows):
    """The value of one person, or of both of a class in whose cells it stands disguised."""
    release = sf.anonymize(TABLE, SCHEMA, 2, "mondrian")
    assert all(verdict.holds for verdict in sf.verify(TABLE, release))
    shown = release.data["town"].to_list()
    alike = [i for i, cell in enumerate(shown) if cell == shown[0]][:rows]
    order = release.sides.rows
    own = TABLE["town"][int(order[alike[0]]) if order is not None else alike[0]]
    cells = [DISGUISES[disguise](own) if i in alike else cell for i, cell in enumerate(shown)]
    planted = replace(release, data=release.data.with_columns(town=pl.Series(cells)))
    assert not all(verdict.holds for verdict in sf.verify(TABLE, planted))
