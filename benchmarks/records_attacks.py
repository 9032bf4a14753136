"""Every attack on tables and their texts, before and after `anonymize`.

    python benchmarks/records_attacks.py [--data adult people hotels]

k = 5, default effort. Before: the table as it is (k = 1, rows in their order). Adult is sorted by
age, salary-class is sensitive (after: with t = 0.2, too); of people_4000 the topic is, with
the terms given; of the hotel sample nothing is, and rules-en finds the terms. The order attack
looks at rows in their order: before is k = 5 without shuffling, where the cells still overlap. The
texts of the last two are attacked as texts, after `anonymize` alone and with `suppress` behind it.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
from records_hotels import TEXTS, hotels
from records_loss import BOTH, demanding
from records_speed import people
from tables import DATA, Row, record

import sfumato as sf
from sfumato.attacks.run import TEXT

if TYPE_CHECKING:
    from sfumato.attacks.result import AttackResult

KEY = b"records_attacks: one key"
COLUMNS = ("linkage", "prosecutor", "journalist", "marketer")


@dataclass
class Case:
    """A table, what its columns are, how it is anonymized, and its text column."""

    name: str
    frame: pl.DataFrame
    schema: Any
    attacks: tuple[str, ...]
    options: dict[str, Any]
    text: str | None = None
    stronger: dict[str, Any] | None = None


def adult() -> Case:
    """Sorted by age, as a register may be."""
    folder = DATA / "adult"
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    attacks = (*COLUMNS, "inference", "order")
    schema = demanding(folder, BOTH[:1])
    frame = frame.sort(pl.col("age").cast(pl.Int64), "education", "occupation")
    return Case("Adult", frame, schema, attacks, {}, stronger={"t": 0.2})


def of_people() -> Case:
    """Columns, terms and texts; the topic is sensitive."""
    frame, schema, terms = people(DATA)
    schema["columns"]["topic"] = {"role": "sensitive"}
    attacks = (*COLUMNS, "inference", "linkage-terms", "order")
    frame = frame.sort("age", "sign", "date")
    return Case("people_4000", frame, schema, attacks, {"recognizer": terms}, "text")


def of_hotels() -> Case:
    """One review of each hotel; terms by rules."""
    frame, schema = hotels()
    frame = frame.sort(pl.col("Average_Score").cast(pl.Float64))
    attacks = (*COLUMNS, "linkage-terms", "order")
    return Case("hotels", frame, schema, attacks, {"recognizer": "rules-en"}, TEXTS[0])


CASES = {"adult": adult, "people": of_people, "hotels": of_hotels}


def made(case: Case, k: int = 5, **options: Any) -> sf.Release:
    return sf.anonymize(case.frame, case.schema, k=k, key=KEY, **case.options, **options)


def row_of(name: str, columns: Iterable[tuple[str, AttackResult]]) -> Row:
    """One attack: what it found in each release, and among those whom none speaks of."""
    row: Row = {"data": name}
    for title, found in columns:
        row["attack"] = found.name
        control = "" if found.control is None else f" ({found.control:.3f})"
        row[title] = f"{found.success:.3f}{control}"
    print(row, flush=True)
    return row


def on_columns(case: Case) -> list[Row]:
    """The attacks of tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        releases = {"before": made(case, k=1, shuffle=False), "after": made(case)}
        if case.stronger:
            releases["after, t = 0.2"] = made(case, **case.stronger)
        unshuffled = made(case, shuffle=False)
    rows = []
    for name in case.attacks:
        looked_at = releases | ({"before": unshuffled} if name == "order" else {})
        found = [(title, sf.attack(case.frame, one, [name])[0]) for title, one in looked_at.items()]
        rows.append(row_of(case.name, found))
    return rows


def on_texts(case: Case) -> list[Row]:
    """The attacks of texts, on the text column."""
    if case.text is None:
        return []
    before = case.frame[case.text].fill_null("").to_list()
    whose = case.frame[case.schema["person"]].to_list()
    release = made(case, shuffle=False)
    after = release.data[case.text].fill_null("").to_list()
    starred = sf.suppress(after, 5, groups=whose).data
    known = sf.suppress(after, 5, groups=whose, knows=2).data
    rows = []
    for name in TEXT:
        texts = {
            "before": before,
            "after": after,
            "after, and suppress": starred,
            "after, and suppress with knows=2": known,
        }
        found = [
            (title, sf.attack(before, one, [name], groups=whose)[0]) for title, one in texts.items()
        ]
        rows.append(row_of(f"{case.name}, {case.text}", found))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", choices=tuple(CASES), default=list(CASES))
    rows: list[Row] = []
    for name in parser.parse_args().data:
        case = CASES[name]()
        rows += [*on_columns(case), *on_texts(case)]
    record(
        "records_attacks",
        rows,
        part="anonymize",
        title="Every attack before and after `anonymize`, k = 5",
        note="Shares of people found, in brackets the same attack against people whom the release "
        "does not speak of. Prosecutor and journalist: the smallest class. Before, for order: k = "
        "5 without shuffling.",
    )


if __name__ == "__main__":
    main()
