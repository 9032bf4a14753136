"""Texts made to take long, through every verb: how CPU time grows with their length.

    python benchmarks/hostile.py [--letters 20000] [--verbs generalize] [--kinds "blanks"] [--all]

Each text is released and verified at a length and at four times the length, in a process of its
own with a limit. Told are CPU seconds and the power of the length that they grow by (1 is linear);
only those above 1.4 and a second are printed without `--all`. Exit code 1 where there are some.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable
from typing import Any

LIMIT = 30  # CPU seconds of one process

KINDS: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "one word": lambda n: "Ann " * (n // 4),
    "two letters": lambda n: "ab" * (n // 2),
    "blanks": lambda n: "pain" + " " * n + "pain",
    "line ends": lambda n: "pain" + "\n" * n + "x pain",
    "one long line of nouns": lambda n: "the pain of a fever " * (n // 20),
    "capitals": lambda n: "PAIN AND FEVER " * (n // 15),
    "digits": lambda n: "9" * n,
    "dates": lambda n: "1/2/2003/" * (n // 9),
    "signs": lambda n: "a@" * (n // 2),
    "points": lambda n: "a." * (n // 2),
    "hyphens": lambda n: "a-" * (n // 2),
    "colons": lambda n: "1:" * (n // 2),
    "slashes": lambda n: "http://" * (n // 7),
    "brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "quotes": lambda n: "\"' " * (n // 3),
    "angles": lambda n: "<a " * (n // 3),
    "names": lambda n: "Mr. " * (n // 4),
    "capital words": lambda n: "Van Der " * (n // 8),
    "joined capitals": lambda n: "AbCd" * (n // 4),
    "soft hyphens": lambda n: "A\u00adn" * (n // 3),
    "zero width": lambda n: "A\u200bn " * (n // 4),
    "marks": lambda n: "a" + "\u0301" * n,
    "overrides": lambda n: "\u202eab\u202c " * (n // 5),
    "Japanese": lambda n: "東京都" * (n // 3),
    "Thai": lambda n: "กขค" * (n // 3),
    "plus": lambda n: "+49 " * (n // 4),
    "stars": lambda n: "* " * (n // 2),
    "articles": lambda n: "a an " * (n // 5),
    "numbers": lambda n: "1 23 4 " * (n // 7),
    "runs in runs": lambda n: (("Ann " * 20 + "Bob ") * 10 + "Cy ") * (n // 843 + 1),
    "growing runs": lambda n: "".join("Ann " * i + "Bob " for i in range(1, int((n / 2) ** 0.5))),
    "many roots": lambda n: "".join(f"w{i} " * 40 for i in range(n // 160 + 1)),
    "no square twice": lambda n: " ".join("ab"[i.bit_count() % 2] for i in range(n // 2)),
}
TERMS = ["pain", "fever", "aaaa", "aaab", "aa", "ab", "Ann", "Bob", "東京", "京都", "9999", "99"]


def suppress(text: str) -> Any:
    import sfumato as sf

    return [text, "calm", text[: len(text) // 2]], sf.suppress(
        [text, "calm", text[: len(text) // 2]], 2
    )


def occurrences(text: str) -> Any:
    import sfumato as sf

    return text, sf.suppress(text, 2, guess=None, strict=True)


def symbols(text: str) -> Any:
    import sfumato as sf

    return text, sf.suppress(text, 3, align="character", guess=None, strict=True)


def redact(text: str) -> Any:
    import sfumato as sf

    return text, sf.redact(text, TERMS, 2, whole_words=False, mask="★")


def generalize(text: str) -> Any:
    import sfumato as sf

    return text, sf.generalize(text, 8)


def sentences(text: str) -> Any:
    import sfumato as sf

    return text, sf.generalize(text, 2, words=["pain", "fever"], segment="sentence")


def pseudonymize(text: str) -> Any:
    import sfumato as sf

    return text, sf.pseudonymize(text, "en", b"k" * 32)


def sanitize(text: str) -> Any:
    import sfumato as sf

    return text, sf.sanitize(text, ["aa", "in", "99"], "tfs", separator="#")


def anonymize(text: str) -> Any:
    import polars as pl

    import sfumato as sf

    table = pl.DataFrame({"age": [1, 2, 3, 4], "note": [text, text[: len(text) // 2], "calm", ""]})
    schema = {"columns": {"age": {"kind": "number"}, "note": {"kind": "text"}}}
    return table, sf.anonymize(table, schema, 2, recognizer=sf.recognizer("en"))


VERBS = {
    one.__name__: one
    for one in (
        suppress,
        occurrences,
        symbols,
        redact,
        generalize,
        sentences,
        pseudonymize,
        sanitize,
        anonymize,
    )
}

# Their imports and tables are made once, before the processes part; Polars has threads, which a
# child would wait for.
WARM = set(VERBS) - {"anonymize"}


def seconds(verb: str, kind: str, letters: int, told: Any) -> None:
    """CPU seconds of a release and its verdicts, and whether they hold; sent to the parent."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    warnings.simplefilter("ignore")
    import sfumato as sf

    if verb not in WARM:
        VERBS[verb](KINDS[kind](100))
    begun = time.process_time()
    try:
        given, release = VERBS[verb](KINDS[kind](letters))
        end = "held" if all(one.holds for one in sf.verify(given, release)) else "FAILED"
    except sf.SfumatoError as problem:
        end = type(problem).__name__
    told.send((time.process_time() - begun, end))


def measured(verb: str, kind: str, letters: int) -> tuple[float, str]:
    """The same, in a process of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(
        target=seconds, args=(verb, kind, letters, there)
    )
    child.start()
    there.close()
    try:
        found: tuple[float, str] = here.recv()
    except EOFError:
        found = float(LIMIT), "STOPPED"
    child.join()
    return found


def main() -> None:
    """Prints a row for each text and verb that takes long."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--letters", type=int, default=20_000)
    parser.add_argument("--verbs", default=",".join(VERBS))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    bad = 0
    for verb in given.verbs.split(","):
        if verb in WARM:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                VERBS[verb]("The pain of Ann is a fever.")
        for kind in given.kinds.split(","):
            few, _ = measured(verb, kind, given.letters)
            many, end = measured(verb, kind, 4 * given.letters)
            power = math.log(max(many, 1e-3) / max(few, 1e-3), 4)
            is_bad = (power > 1.4 and many > 1) or end in ("FAILED", "STOPPED")
            bad += is_bad
            if is_bad or given.all:
                print(
                    f"{verb:13} {kind:24} {few:7.2f} {many:7.2f} power {power:4.1f} {end}",
                    flush=True,
                )
    print(f"{bad} of {len(given.verbs.split(',')) * len(given.kinds.split(','))} grow too fast")
    if bad:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
