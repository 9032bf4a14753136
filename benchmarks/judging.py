"""Attacks, evaluation and downstream utility of releases of real data; prints figures, no text.

    python benchmarks/judging.py attacks [notes|blogs|terms|OLD|MSN] [--people N] [--linkage-alone]
    python benchmarks/judging.py methods
    python benchmarks/judging.py public
    python benchmarks/judging.py sweep [notes|meddocan]
    python benchmarks/judging.py figure2 [notes|meddocan]
    python benchmarks/judging.py entities [--ner]
    python benchmarks/judging.py downstream [--people N]

`--people` takes the first N bloggers only; `--linkage-alone` leaves out singling out and stars,
`--singling-alone` all but these. Tables go to docs/results, pictures to docs/figures.

Data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import warnings

import judging_attacks
import judging_gold
import judging_methods


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser()
    kinds = ["attacks", "methods", "public", "sweep", "figure2", "entities", "downstream"]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("data", nargs="?", default="notes")
    parser.add_argument("--people", type=int)
    parser.add_argument("--ner", action="store_true")
    parser.add_argument("--linkage-alone", action="store_true")
    parser.add_argument("--singling-alone", action="store_true")
    given = parser.parse_args()
    if given.what == "methods":
        judging_methods.every_method()
    elif given.what == "public":
        judging_attacks.stars_with_public_text()
    elif given.what == "sweep":
        judging_attacks.swept(given.data)
    elif given.what == "figure2":
        judging_gold.figure2(given.data)
    elif given.what == "entities":
        judging_gold.entities(given.ner)
    elif given.what == "downstream":
        judging_gold.downstream(given.people)
    elif given.data == "terms":
        judging_attacks.on_terms()
    elif given.data in ("notes", "blogs"):
        judging_attacks.on_texts(
            given.data,
            given.people,
            linkage=not given.singling_alone,
            singling=not given.linkage_alone,
        )
    else:
        judging_attacks.on_patterns(given.data)


if __name__ == "__main__":
    main()
