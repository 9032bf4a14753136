"""Inverting the dictionary and guessing by context, on the synthetic clinical notes.

    python benchmarks/terms_attack.py [DATA]

The terms are the notes' own quasi-identifiers (gold spans); prints figures, no text.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import zstandard

import sfumato as sf
from sfumato.attacks.terms import guess_by_context, invert_release


def main() -> None:
    usual = os.environ.get("SFUMATO_DATA", "../shared/data")
    data = Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    with (data / "notes.jsonl.zst").open("rb") as file:
        raw = zstandard.ZstdDecompressor().stream_reader(file)
        notes = [json.loads(line) for line in io.TextIOWrapper(raw, "utf-8")]
    texts = [note["text"] for note in notes]
    spans = [span for note in notes for span in note["spans"] if span["id_type"] == "QUASI"]
    words = sf.TermDictionary(span["text"] for span in spans)
    print(f"{len(texts):,} notes, {len(words):,} terms")
    for guarantee in ("matching", "published"):
        for k in (2, 5, 10):
            release = sf.redact(texts, words, k, guarantee, mask=["*", "★"])
            found, guesses = invert_release(release), guess_by_context(release)
            verdicts = sf.verify(texts, release)
            print(f"{guarantee:9} k={k:2}: starred {release.loss['list_share']:.3f}, over bound "
                  f"{release.loss['list_stars_over_bound']:.3f}; strings under k "
                  f"{found.exposed_share:.3f}; context right {guesses.right_share:.3f} of "
                  f"{guesses.guessed:,}, chance {guesses.chance:.3f}; "
                  f"verified {all(verdict.holds for verdict in verdicts)}")  # fmt: skip


if __name__ == "__main__":
    main()
