"""What it costs that nobody is found by m known words, and who is linked then.

    python benchmarks/suppress_known.py [notes|meddocan|blogs] [--people N] [-k 5] [--any-length]

For `knows` none, 1, 2 and 3, with phrases of any length and with `reach=1`: the words starred,
the people who show a pair of words that fewer than k show (words that more than 10% of the people
show left out), and two attacks beside people held out: who knows 50 words of a text takes the
record most alike (`linkage-words`), and searches for two words that one person has
(`singling-out-pair`). The first row is the text as it is. `--people` takes the first N bloggers
(500); `--any-length` leaves out the rows of `reach=1`. Data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from itertools import combinations
from typing import Any

from judging_stars import texts_of
from tables import Row, record

import sfumato as sf
from sfumato.kernels import text

SETTINGS: tuple[tuple[str, dict[str, Any] | None], ...] = (
    ("as it is", None),
    *(
        (f"reach {reach or 'any'}, knows {knows or 'not asked'}", {"reach": reach, "knows": knows})
        for reach in (None, 1)
        for knows in (None, 1, 2, 3)
    ),
)


def words_in(one: str) -> list[str]:
    """The legible words of a text."""
    pieces = text.token_starts([one], "token")
    starts = pieces.starts.tolist()
    found = (
        one[starts[i] : starts[i + 1]] for i, is_word in enumerate(pieces.words.tolist()) if is_word
    )
    return [word for word in found if "★" not in word]


def rare_pairs(texts: list[str], whose: list[Any], k: int) -> float:
    """The share of people who show two words, neither common, that fewer than k show."""
    people: dict[Any, set[str]] = {one: set() for one in whose}
    for one, person in zip(texts, whose, strict=True):
        people[person].update(words_in(one))
    counts = Counter(word for words in people.values() for word in words)
    common = {word for word, n in counts.items() if n >= k and 10 * n > len(people)}
    shown = [sorted(words - common) for words in people.values()]
    pairs = Counter(pair for words in shown for pair in combinations(words, 2))
    rare = (any(pairs[pair] < k for pair in combinations(words, 2)) for words in shown)
    return sum(rare) / len(shown)


def measured(name: str, people: int | None, k: int, any_length: bool) -> list[Row]:
    texts, groups = texts_of(name, people)
    whose = list(range(len(texts))) if groups is None else list(groups)
    words = sum(len(words_in(one)) for one in texts)
    rows: list[Row] = []
    for title, options in SETTINGS:
        if any_length and title.startswith("reach 1"):
            continue
        began = time.process_time()
        data, row = texts, {"release": title, "words starred": 0.0, "CPU s": 0.0}
        release: Any = texts
        if options is not None:
            release = sf.suppress(texts, k, groups=groups, **options)
            data, row["CPU s"] = release.data, round(time.process_time() - began, 1)
            assert all(one.holds for one in sf.verify(texts, release))
            row["words starred"] = round(1 - sum(len(words_in(one)) for one in data) / words, 3)
        row["people with a rare pair"] = round(rare_pairs(data, whose, k), 3)
        names = ["linkage-words", "singling-out-pair"]
        for one in sf.attack(texts, release, names, groups=groups):
            row[one.name] = round(one.success, 3)
            row[f"{one.name}, control"] = round(one.control or 0.0, 3)
        rows.append(row)
        print(row, flush=True)
    return rows


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default="notes", choices=("notes", "meddocan", "blogs"))
    parser.add_argument("--people", type=int)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--any-length", action="store_true")
    given = parser.parse_args()
    texts, groups = texts_of(given.data, given.people)
    who = len(texts) if groups is None else len(set(groups))
    record(
        f"suppress_known_{given.data}",
        measured(given.data, given.people, given.k, given.any_length),
        part="suppress",
        title=f"{given.data}, k = {given.k}: somebody who knows words of a person",
        note=f"{len(texts):,} texts of {who:,} people. A rare pair: two words that a person shows, "
        "neither shown by more than 10% of the people, that fewer than k people show. Attacks: the "
        "share of people found, and that of people held out, who cannot be.",
    )


if __name__ == "__main__":
    main()
