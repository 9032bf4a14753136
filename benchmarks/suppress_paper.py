"""The paper's Figures 3 and 4: time and share left legible against the size of the text, k = 4.

    python benchmarks/suppress_paper.py [--quick]

Japanese literature and English articles on trials, each as one string of characters, stars on
single characters (`align="character"`, `guess=None`): the paper's cover, longest repeats first, and
the one with the fewest stars. CPU seconds of the whole call, encoding and writing included. The
paper's text is Japanese, 45.8 million characters, and not among our data. `--quick` takes a tenth.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from tables import draw, record, text_of

import sfumato as sf

TEXTS = {
    "Japanese": ("aozora_ja.txt.zst", 20_000_000),
    "English": ("trials_en.txt.zst", 50_000_000),
}
SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
COVERS = {"longest first (paper)": "longest-first", "fewest stars": "fewest"}


def measure(part: float) -> list[dict[str, Any]]:
    rows = []
    sf.suppress("warm", k=1, align="character", guess=None)
    for language, (name, most) in TEXTS.items():
        whole = text_of(name, int(most * part))
        for share in SHARES:
            text = whole[: int(len(whole) * share)]
            for said, cover in COVERS.items():
                begun = time.process_time()
                release = sf.suppress(text, k=4, align="character", guess=None, cover=cover)
                seconds = time.process_time() - begun
                rows.append(
                    {
                        "text": language,
                        "cover": said,
                        "symbols": len(text),
                        "CPU s": seconds,
                        "ns a symbol": seconds / len(text) * 1e9,
                        "left legible": 1 - release.data.count("★") / len(text),
                    }
                )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of every text")
    rows = measure(0.1 if parser.parse_args().quick else 1.0)
    record(
        "suppress_size",
        rows,
        part="suppress",
        title="Time and share left legible against size, k = 4 (the paper's Figures 3 and 4)",
        note="""The paper says in words what its figures show: time is linear, and from 10 megabytes
        on the share left legible rises with the size. Its text, 45.8 million Japanese characters,
        is not among our data.""",
    )
    for row in rows:
        row["line"] = f"{row['text']}, {row['cover']}"
    draw("suppress_size_time", rows, "symbols", "CPU s", "line")
    draw("suppress_size_legible", rows, "symbols", "left legible", "line")


if __name__ == "__main__":
    main()
