"""Inverting the dictionary and guessing by context, on the synthetic clinical notes.

    python benchmarks/terms_attack.py

The terms are the notes' own quasi-identifiers (gold spans); prints figures, no text.
"""

from __future__ import annotations

import json

from tables import record, text_of

import sfumato as sf
from sfumato.attacks.terms import guess_by_context, invert_release


def main() -> None:
    notes = [json.loads(line) for line in text_of("notes.jsonl.zst").splitlines()]
    texts = [note["text"] for note in notes]
    spans = [span for note in notes for span in note["spans"] if span["id_type"] == "QUASI"]
    words = sf.TermDictionary(span["text"] for span in spans)
    rows = []
    for guarantee in ("matching", "published"):
        for k in (2, 5, 10):
            release = sf.redact(texts, words, k, guarantee, mask=["*", "★"])
            found, guesses = invert_release(release), guess_by_context(release)
            verdicts = sf.verify(texts, release)
            rows.append(
                {
                    "guarantee": guarantee,
                    "k": k,
                    "list starred": release.loss["list_share"],
                    "stars over the bound": release.loss["list_stars_over_bound"],
                    "strings under k": found.exposed_share,
                    "right by context": guesses.right_share,
                    "right by chance": guesses.chance,
                    "guesses": guesses.guessed,
                    "verified": all(verdict.holds for verdict in verdicts),
                }
            )
    record(
        "terms_attack",
        rows,
        part="redact",
        title="Who has the list and the code: strings that fewer than k terms have, and guesses",
        note=f"""{len(texts):,} synthetic clinical notes, {len(words):,} terms, the notes' own
        quasi-identifiers. A guess takes the term that the words beside it make likeliest.""",
    )


if __name__ == "__main__":
    main()
