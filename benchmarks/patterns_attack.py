"""How much of what was hidden an attacker gets back by undoing separators.

    python benchmarks/patterns_attack.py [OLD TRU MSN DNA]

With separators each is undone; where they were replaced, every unlikely symbol is.
"""

from __future__ import annotations

import sys

from patterns_common import SEPARATOR, SETTINGS, load
from tables import record

import sfumato as sf
from sfumato.attacks.patterns import undo


def main() -> None:
    rows = []
    for name in sys.argv[1:] or ["OLD", "TRU", "MSN", "DNA"]:
        text, setting = load(name), SETTINGS[name]
        k, tau, rho = setting["k"][0], setting["tau"], setting["rho"]
        drawn = sf.sanitize(
            text, draw=setting["patterns"][0], length=k, tau=tau, method="tfs", separator=SEPARATOR
        )
        for method in ("tfs", "pfs", "tm", "tpm", "tmi"):
            options = {"rho": rho} if method == "tmi" else {}
            try:
                release = sf.sanitize(
                    text,
                    drawn.sides.patterns,
                    method,
                    tau=tau,
                    separator=SEPARATOR,
                    **options,
                )
            except sf.CannotBeMet:
                continue
            found = undo(text, release)
            rows.append(
                {
                    "data": name,
                    "sensitive windows %": 100 * found.sensitive_occurrences / len(text),
                    "method": method.upper(),
                    "suspected": found.suspected,
                    "restored": found.restored,
                    "confidence %": 100 * found.confidence,
                    "recovered %": 100 * found.recovered_share,
                    "of": found.sensitive_occurrences,
                }
            )
    record(
        "patterns_attack",
        rows,
        part="sanitize",
        title="What undoing every separator, or every unlikely symbol, brings back",
        note="""Confidence is the share of guesses that gave a sensitive pattern; a guess
        at any place of the original is right as often as `sensitive windows` says.""",
    )


if __name__ == "__main__":
    main()
