"""What stars are worth: how much is starred, how much a reader restores, and who is linked.

    python benchmarks/judging_stars.py [notes|meddocan|blogs|medline ...] [--people N] [-k 5]
        [--setting 'reach 1' ...]

For `reach` 1, 2 and none, for counting in the original and for the paper's definition: the share
of words starred, of runs of stars that hide no word, of runs restored (attack `reconstruction`), of
the letters a reader has in stretches of fewer than k people, and linkage by rare phrases and by
words, of the release as it stands or as read through, whichever finds more, beside people held out.
Prints figures, no text. MEDLINE abstracts are documents, each somebody's. `--people` takes the
first N bloggers (500), or abstracts (2,000). Data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import time
import warnings

from gold import blogs, meddocan, medline, notes, patients
from judging_attacks import cells
from tables import Row, record

import sfumato as sf

SETTINGS: dict[str, dict[str, object]] = {
    "guess none": {"guess": None},
    "reach 1, strict=False": {"reach": 1, "strict": False},
    "reach 2, strict=False": {"reach": 2, "strict": False},
    "reach none, strict=False": {"strict": False},
    "reach 1": {"reach": 1},
    "reach 2": {"reach": 2},
    "reach none": {},
}
TITLES = {
    "notes": "notes, {people:,} patients",
    "meddocan": "MEDDOCAN, {people:,} cases",
    "medline": "MEDLINE, {people:,} abstracts",
    "blogs": "blogs, {people:,} people",
}
ATTACKS = ["reconstruction", "linkage-rare", "linkage-words"]


def texts_of(name: str, people: int | None) -> tuple[list[str], list[str] | None]:
    if name == "notes":
        return notes()[0], patients()
    if name == "meddocan":
        return meddocan()[0], None
    if name == "blogs":
        frame = blogs(people or 500)
        return frame["text"].to_list(), frame["id"].to_list()
    return medline()[: people or 2000], None


def judge(name: str, people: int | None, k: int, only: list[str]) -> None:
    texts, groups = texts_of(name, people)
    whose = len(texts) if groups is None else len(set(groups))
    print(f"{name}: {len(texts):,} texts of {whose:,} people, k = {k}", flush=True)
    rows: list[Row] = []
    for title, options in SETTINGS.items():
        if only and title not in only:
            continue
        began = time.process_time()
        release = sf.suppress(texts, k, groups=groups, **options)  # type: ignore[call-overload]
        stars, rare, words = sf.attack(texts, release, ATTACKS, groups=groups)
        told = stars.detail
        row: Row = {
            "texts": TITLES[name].format(people=whose),
            "setting": title,
            "words starred": f"{told['words_starred']:.3f}",
            "only blanks": f"{told['only_blanks']:.3f}",
            "runs restored": f"{stars.success:.3f}",
            "letters of fewer": f"{told['letters_of_fewer']:.3f}",
            **cells([rare, words]),
            "legible in copies": f"{release.loss.get('legible_in_copies', 0.0):.3f}",
            "CPU s": f"{time.process_time() - began:.0f}",
        }
        print(row, flush=True)
        rows.append(row)
    if only:  # no whole table
        return
    record(
        f"stars_{name}",
        rows,
        part="Attacks",
        title=f"Stars as read through: {name}, {len(texts):,} texts of {whose:,} people, k = {k}",
        note="""Share of words starred, of runs of stars that hide no word, of runs that the attack
        `reconstruction` restores, and of the letters that then stand in stretches of fewer than k
        people; people linked, beside people held out, with 95% intervals. Time is of `suppress` and
        the three attacks.""",
    )


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="*", default=["notes", "meddocan", "medline", "blogs"])
    parser.add_argument("--people", type=int)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--setting", action="append", default=[], choices=list(SETTINGS))
    given = parser.parse_args()
    for name in given.data:
        judge(name, given.people, given.k, given.setting)


if __name__ == "__main__":
    main()
