"""How many stars `strict` gives back, how near to the fewest it comes, and what that costs.

Small random strings (single characters), and small random collections against the reader, are
compared with brute force over all stars; of MEDLINE abstracts (against the reader, documents
counted) the stars and the CPU seconds are told without and with giving back.

    python benchmarks/suppress_strict.py
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

from gold import medline
from tables import Row, record

import sfumato as sf
from sfumato.methods.substrings import give_back, legible, reader_stars

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
WORDS = ("a", "bb", "cc", "dd", "ee", "f")


def released(text: str, k: int, *, given_back: bool) -> str:
    with patch.object(legible, "_give_back", legible._give_back if given_back else _nothing):
        return sf.suppress(text, k, align="character", strict=True).data


def _nothing(*_: object) -> None:
    pass


def small(alphabet: str, cases: int) -> Row:
    from oracles import substrings as oracle

    draw = random.Random(0)
    stars = [0, 0, 0]
    fewest = [0, 0]
    undone = [0, 0]
    for _ in range(cases):
        text = "".join(draw.choice(alphabet) for _ in range(draw.randint(4, 12)))
        k = draw.choice([2, 3])
        best = oracle.fewest_stars_strict(text, k)
        stars[2] += best
        for i in (0, 1):
            found = released(text, k, given_back=bool(i))
            stars[i] += found.count("★")
            fewest[i] += found.count("★") == best
            undone[i] += can_be_undone(text, found, k)
    return _row(f"{cases} strings of {len(alphabet)} letters", cases, stars, fewest, undone)


def _row(title: str, cases: int, stars: list[int], fewest: list[int], undone: list[int]) -> Row:
    row: Row = {"input": title}
    for i, name in enumerate(["accumulated", "given back"]):
        row |= {
            f"over the fewest, {name}": f"{stars[i] / stars[2] - 1:.1%}",
            f"have the fewest, {name}": f"{fewest[i] / cases:.0%}",
            f"a star can be undone alone, {name}": f"{undone[i] / cases:.1%}",
        }
    return row


def can_be_undone(text: str, found: str, k: int) -> bool:
    from oracles import substrings as oracle

    tries = (
        found[:i] + text[i] + found[i + 1 :] for i, symbol in enumerate(found) if symbol == "★"
    )
    return any(oracle.is_anonymous([one], [one], k, None) for one in tries)


def small_collections(cases: int) -> Row:
    from oracles import reader as oracle

    draw = random.Random(0)
    letters, fewest, undone = [0, 0, 0], [0, 0], [0, 0]
    for _ in range(cases):
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 4))) for _ in range(3)]
        documents = [text.split() for text in texts]
        reader = oracle.Reader(documents, [0, 1, 2], Fraction(1, 2), True)
        best = oracle.least(reader, 2, strict=True)
        letters[2] += best
        for i, give in enumerate((_as_they_are, give_back.given_back)):
            with patch.object(reader_stars, "given_back", give):
                found = sf.suppress(texts, 2, strict=True).data
            stars = [tuple("★" in word for word in text.split()) for text in found]
            cost = sum(text.count("★") for text in found)
            letters[i] += cost
            fewest[i] += cost == best
            undone[i] += any(
                oracle.holds(reader, one, 2, strict=True) for one in with_one_less(stars)
            )
    return _row(f"{cases} collections, against the reader", cases, letters, fewest, undone)


def with_one_less(stars: list[tuple[bool, ...]]) -> Iterator[list[tuple[bool, ...]]]:
    for d, flags in enumerate(stars):
        for i in range(len(flags)):
            if flags[i]:
                yield [*stars[:d], (*flags[:i], False, *flags[i + 1 :]), *stars[d + 1 :]]


def _as_they_are(_: object, stars: object, *__: object) -> object:
    return stars


def real(symbols: int) -> Iterator[Row]:
    texts, size = [], 0
    for text in medline():
        if size >= symbols:
            break
        texts.append(text)
        size += len(text)
    for k in (2, 5):
        row: Row = {"symbols": f"{size:,}", "k": k}
        for give in (_as_they_are, give_back.given_back):
            with patch.object(reader_stars, "given_back", give):
                start = time.process_time()
                release = sf.suppress(texts, k, strict=True)
                took = time.process_time() - start
            share = release.loss["suppressed"] / size
            name = "accumulated" if give is _as_they_are else "given back"
            row |= {f"starred, {name}": f"{share:.2%}", f"CPU s, {name}": f"{took:.1f}"}
        yield row


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    record(
        "suppress_strict",
        [*(small(letters, 400) for letters in ("ab", "abc", "abcd")), small_collections(200)],
        part="suppress",
        title="How near strict comes to the fewest stars",
        note="""Random strings of 4 to 12 letters (single characters, k = 2 and 3), and random
        collections of three texts of up to four words (k = 2), beside brute force over all
        masks.""",
    )
    record(
        "suppress_strict_medline",
        [row for count in (250_000, 1_000_000, 4_000_000) for row in real(count)],
        part="suppress",
        title="What giving stars back saves, and what it takes: MEDLINE abstracts",
        note="Against the reader, documents counted: share of symbols starred, CPU seconds.",
    )
