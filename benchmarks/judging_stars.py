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
import re
import time
import warnings

from judging import blogs, patients
from recognizers import meddocan, notes, unpacked

import sfumato as sf

SETTINGS: dict[str, dict[str, object]] = {
    "guess none": {"guess": None},
    "reach 1": {"reach": 1},
    "reach 2": {"reach": 2},
    "reach none, strict=False": {"strict": False},
    "reach none": {},
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
    abstracts = unpacked("medline_en.txt.zst").decode()
    found = re.split(r"^<<<DOC .*>>>\n", abstracts, flags=re.MULTILINE)[1:]
    return found[: people or 2000], None


def judge(name: str, people: int | None, k: int, only: list[str]) -> None:
    texts, groups = texts_of(name, people)
    whose = len(texts) if groups is None else len(set(groups))
    print(f"{name}: {len(texts):,} texts of {whose:,} people, k = {k}", flush=True)
    print("| setting | words starred | only blanks | runs restored | letters of fewer |"
          " linkage-rare | control | linkage-words | control |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for title, options in SETTINGS.items():
        if only and title not in only:
            continue
        began = time.process_time()
        release = sf.suppress(texts, k, groups=groups, **options)  # type: ignore[call-overload]
        stars, rare, words = sf.attack(texts, release, ATTACKS, groups=groups)
        told = stars.detail
        cells = [
            title,
            f"{told['words_starred']:.3f}",
            f"{told['only_blanks']:.3f}",
            f"{stars.success:.3f}",
            f"{told['letters_of_fewer']:.3f}",
        ]
        for one in (rare, words):
            cells.append(f"{one.success:.3f} [{one.low:.2f}, {one.high:.2f}]")
            cells.append(f"{one.control:.3f} [{one.control_low:.2f}, {one.control_high:.2f}]")
        copies = release.loss.get("legible_in_copies", 0.0)
        took = time.process_time() - began
        print(f"| {' | '.join(cells)} |  in copies {copies:.3f}, {took:.0f} s", flush=True)


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
