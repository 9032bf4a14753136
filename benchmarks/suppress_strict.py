"""How many stars `strict` gives back, how near to the fewest it comes, and what that costs.

Small random strings (single characters), and small random collections against the reader, are
compared with brute force over all stars; of MEDLINE abstracts (against the reader, documents
counted) the stars and the CPU seconds are told without and with giving back.

    python benchmarks/suppress_strict.py
"""

from __future__ import annotations

import random
import re
import sys
import time
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import zstandard

import sfumato as sf
from sfumato.methods.substrings import give_back, legible, reader_stars

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
WORDS = ("a", "bb", "cc", "dd", "ee", "f")
DATA = Path("/work/shared/data/medline_en.txt.zst")


def released(text: str, k: int, *, given_back: bool) -> str:
    with patch.object(legible, "_give_back", legible._give_back if given_back else _nothing):
        return sf.suppress(text, k, align="character", strict=True).data


def _nothing(*_: object) -> None:
    pass


def small(alphabet: str, cases: int) -> None:
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
    print(f"{len(alphabet)} letters, {cases} strings of 4 to 12, k = 2 and 3")
    for i, name in enumerate(["accumulated", "given back"]):
        over = stars[i] / stars[2] - 1
        print(f"  {name}: {over:.1%} over the fewest, {fewest[i] / cases:.0%} have the fewest,")
        print(f"    in {undone[i] / cases:.1%} a star can be undone alone")


def can_be_undone(text: str, found: str, k: int) -> bool:
    from oracles import substrings as oracle

    tries = (
        found[:i] + text[i] + found[i + 1 :] for i, symbol in enumerate(found) if symbol == "★"
    )
    return any(oracle.is_anonymous([one], [one], k, None) for one in tries)


def small_collections(cases: int) -> None:
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
    print(f"against the reader, {cases} collections of 3 texts, k = 2")
    for i, name in enumerate(["accumulated", "given back"]):
        over = letters[i] / letters[2] - 1
        print(f"  {name}: {over:.1%} over the fewest, {fewest[i] / cases:.0%} have the fewest,")
        print(f"    in {undone[i] / cases:.1%} a star can be undone alone")


def with_one_less(stars: list[tuple[bool, ...]]) -> Iterator[list[tuple[bool, ...]]]:
    for d, flags in enumerate(stars):
        for i in range(len(flags)):
            if flags[i]:
                yield [*stars[:d], (*flags[:i], False, *flags[i + 1 :]), *stars[d + 1 :]]


def _as_they_are(_: object, stars: object, *__: object) -> object:
    return stars


def real(symbols: int) -> None:
    raw = zstandard.ZstdDecompressor().stream_reader(DATA.open("rb")).read().decode("utf-8")
    texts, size = [], 0
    for text in re.split(r"<<<DOC [^>]*>>>\n", raw)[1:]:
        if size >= symbols:
            break
        texts.append(text)
        size += len(text)
    for k in (2, 5):
        for give in (_as_they_are, give_back.given_back):
            with patch.object(reader_stars, "given_back", give):
                start = time.process_time()
                release = sf.suppress(texts, k, strict=True)
                took = time.process_time() - start
            share = release.loss["suppressed"] / size
            name = "accumulated" if give is _as_they_are else "given back"
            print(
                f"{size:,} symbols, k = {k}, {name}: {share:.2%} starred, "
                f"{release.loss['rounds']} rounds, {took:.1f} s"
            )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for letters in ("ab", "abc", "abcd"):
        small(letters, 400)
    small_collections(200)
    for count in (250_000, 1_000_000, 4_000_000):
        real(count)
