"""One invented note under six settings of `suppress`, with what each costs and what attacks find.

    python benchmarks/suppress_settings.py

Makes the table of docs/methods/suppress.md, from the notes of the invented clinic in the package.
"""

from __future__ import annotations

import json
import warnings
from importlib.resources import files

from tables import Row, record

import sfumato as sf

SETTINGS: dict[str, dict[str, object]] = {
    "`guess=None`": {"guess": None},
    "`reach=1`": {"reach": 1},
    "`reach=2`": {"reach": 2},
    "`strict=False`": {"strict": False},
    "the default": {},
    '`copies="once"`': {"copies": "once"},
}
ATTACKS = ["reconstruction", "linkage-rare", "linkage-words"]
SHOWN, SYMBOLS = 3, 210


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    lines = (files("sfumato") / "examples" / "clinic_notes.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    texts, groups = [row["text"] for row in rows], [row["patient_id"] for row in rows]
    print(f"{len(texts)} notes of {len(set(groups))} people, k = 5; original:")
    print(texts[SHOWN][:SYMBOLS])
    found: list[Row] = []
    for title, options in SETTINGS.items():
        release = sf.suppress(texts, 5, groups=groups, **options)  # type: ignore[call-overload]
        stars, rare, words = sf.attack(texts, release, ATTACKS, groups=groups)
        print(f"\n{title}\n{release.data[SHOWN][:SYMBOLS]}")
        row: Row = {
            "setting": title,
            "words starred": f"{stars.detail['words_starred']:.0%}",
            "runs restored": f"{stars.success:.0%}",
            "letters of fewer": f"{stars.detail['letters_of_fewer']:.0%}",
        }
        for one in (rare, words):
            row[f"{one.name} (control)"] = f"{one.success:.3f} ({one.control:.3f})"
        found.append(row)
    record(
        "suppress_settings",
        found,
        part="suppress",
        title="Six settings on the notes of the invented clinic",
        note=f"""{len(texts)} notes of {len(set(groups))} people, k = 5. Shares of words starred, of
        runs of stars that a reader restores, of letters then legible in stretches of fewer than 5
        people; people linked, beside people held out.""",
    )


if __name__ == "__main__":
    main()
