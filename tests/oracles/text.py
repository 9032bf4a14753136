"""Codes, tokens, masks and guesses, written down as they are defined."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

TABLES = Path(__file__).parents[2] / "cpp" / "text" / "unicode_tables.inc"

Labels = Sequence[int] | None
Thing = TypeVar("Thing", bound=Hashable)


def layout(texts: Sequence[str]) -> list[str | None]:
    """All symbols in order, None after each document."""
    return [symbol for text in texts for symbol in (*text, None)]


def ends(texts: Sequence[str]) -> list[int]:
    """Where the break of each document is."""
    return [p for p, symbol in enumerate(layout(texts)) if symbol is None]


def support(documents: Sequence[Sequence[Thing]], labels: Labels) -> Counter[Thing]:
    """How often each thing occurs, or in documents of how many labels."""
    if labels is None:
        return Counter(thing for document in documents for thing in document)
    pairs = zip(documents, labels, strict=True)
    return Counter(thing for thing, _ in {(thing, label) for doc, label in pairs for thing in doc})


def encode(
    texts: Sequence[str], at_least: int, labels: Labels, breaks: str
) -> tuple[list[int], int]:
    """The codes, and how many codes there are."""
    counts = support(texts, labels)
    alphabet = sorted(s for s, count in counts.items() if count >= at_least and s not in breaks)
    code = {symbol: number for number, symbol in enumerate(alphabet, 1)}
    return [code.get(s, 0) if s is not None else 0 for s in layout(texts)], len(code) + 1


# --- Unicode Standard Annex #29, one rule a line ---------------------------------------------

WORD_LETTERS = "OCLNEZFRKHAqdbmn9_s"  # of the Word_Break values, in the order of the table
GRAPHEME_LETTERS = "OCLcEZRPSlvtVT"

# (what stands before, what stands after, whether they join); the first rule that fits decides.
RAW_WORD_RULES = [
    ("C$", "L", True),  # WB3
    ("[NCL]$", "", False),  # WB3a
    ("", "[NCL]", False),  # WB3b
    ("Z$", "[ox]", True),  # WB3c; o and x are pictographs, see `classes`
    ("s$", "s", True),  # WB3d
    ("", "[EFZ]", True),  # WB4
]
WORD_RULES = [
    ("[AHx]$", "[AHx]", True),  # WB5
    ("[AHx]$", "[mbq][AHx]", True),  # WB6
    ("[AHx][mbq]$", "[AHx]", True),  # WB7
    ("H$", "q", True),  # WB7a
    ("H$", "dH", True),  # WB7b
    ("Hd$", "H", True),  # WB7c
    ("9$", "9", True),  # WB8
    ("[AHx]$", "9", True),  # WB9
    ("9$", "[AHx]", True),  # WB10
    ("9[nbq]$", "9", True),  # WB11
    ("9$", "[nbq]9", True),  # WB12
    ("K$", "K", True),  # WB13
    ("[AHx9K_]$", "_", True),  # WB13a
    ("_$", "[AHx9K]", True),  # WB13b
    ("(^|[^R])(RR)*R$", "R", True),  # WB15, WB16
    ("", "", False),  # WB999
]
GRAPHEME_RULES = [
    ("C$", "L", True),  # GB3
    ("[cCL]$", "", False),  # GB4
    ("", "[cCL]", False),  # GB5
    ("l$", "[lvVT]", True),  # GB6
    ("[Vv]$", "[vt]", True),  # GB7
    ("[Tt]$", "t", True),  # GB8
    ("", "[EZ]", True),  # GB9
    ("", "S", True),  # GB9a
    ("P$", "", True),  # GB9b
    ("oE*Z$", "o", True),  # GB11
    ("(^|[^R])(RR)*R$", "R", True),  # GB12, GB13
    ("", "", False),  # GB999
]
Rules = list[tuple[str, str, bool]]


@cache
def tables() -> tuple[list[int], list[int]]:
    """The two arrays of the compiled tables."""
    arrays = re.findall(r"= \{\n(.*?)\};", TABLES.read_text(encoding="utf-8"), re.DOTALL)
    blocks, properties = ([int(x) for x in re.findall(r"\d+", array)] for array in arrays)
    return blocks, properties


def symbol_property(symbol: str) -> int:
    """What the tables say of a symbol."""
    blocks, properties = tables()
    block, offset = divmod(ord(symbol), 128)
    return properties[blocks[block] * 128 + offset]


def classes(text: str, unit: str) -> str:
    """A letter for each symbol: its class; pictographs o, those that are word letters too x."""
    letters = []
    for bits in map(symbol_property, text):
        letter = WORD_LETTERS[bits & 31] if unit == "word" else GRAPHEME_LETTERS[bits >> 5 & 15]
        pictographic = bits >> 9 & 1
        letters.append({"O": "o", "A": "x"}[letter] if pictographic else letter)
    return "".join(letters)


def joins(rules: Rules, before: str, after: str) -> bool | None:
    """What the first rule that fits says; None when none does."""
    for left, right, join in rules:
        if re.search(left, before) and re.match(right, after):
            return join
    return None


def boundaries(text: str, unit: str) -> list[int]:
    """Where UAX #29 has a boundary, start and end included (an empty text has none)."""
    letters = classes(text, unit)

    def join(i: int) -> bool | None:
        before, after = letters[:i], letters[i:]
        if unit == "grapheme":
            return joins(GRAPHEME_RULES, before, after)
        raw = joins(RAW_WORD_RULES, before, after)
        if raw is not None:
            return raw
        # WB4: what extends a symbol is as if it were not there
        whole = [re.sub("(?<=[^NCL])[EFZ]+", "", side) for side in (before, after)]
        return joins(WORD_RULES, *whole)

    inside = [i for i in range(1, len(text)) if not join(i)]
    return [0, *inside, len(text)] if text else []


def tokens(texts: Sequence[str], unit: str) -> tuple[list[int], list[bool]]:
    """Starts in the layout with a final n, and which tokens are words."""
    starts, words, at = [], [], 0
    for text in texts:
        cuts = set(boundaries(text, unit))
        if unit == "word":  # white space is cut into single symbols
            letters = classes(text, "word")
            cuts |= {i for i in range(1, len(text)) if letters[i - 1 : i + 1] == "ss"}
        for begin, end in pairwise(sorted(cuts)):
            starts.append(at + begin)
            words.append(any(symbol_property(symbol) >> 10 & 1 for symbol in text[begin:end]))
        starts.append(at + len(text))
        words.append(False)
        at += len(text) + 1
    return [*starts, at], words


def number_tokens(
    texts: Sequence[str], unit: str, only_words: bool, at_least: int, labels: Labels, breaks: str
) -> tuple[list[int], list[int], list[int]]:
    """Codes, positions and the count of each code."""
    starts, words = tokens(texts, unit)
    symbols = layout(texts)
    documents: list[list[tuple[int, str]]] = [[]]
    for t, word in enumerate(words):
        if symbols[starts[t]] is None:
            documents.append([])
        elif word or not only_words:
            documents[-1].append((t, "".join(map(str, symbols[starts[t] : starts[t + 1]]))))
    documents.pop()
    counts = support([[token for _, token in document] for document in documents], labels)
    code: dict[str, int] = {}
    codes, positions = [], []
    for document in documents:
        for t, token in document:
            if counts[token] >= at_least and not set(token) & set(breaks):
                code.setdefault(token, len(code) + 1)
            codes.append(code.get(token, 0))
            positions.append(t)
        codes.append(0)
        positions.append(-1)
    return codes, positions, [0, *(counts[token] for token in code)]


# --- Stars -----------------------------------------------------------------------------------


def mask_texts(texts: Sequence[str], stars: Sequence[int], mask: str, collapse: bool) -> list[str]:
    """Each text with its starred symbols masked."""
    masked, at = [], 0
    for text in texts:
        here = stars[at : at + len(text)]
        masked.append(
            "".join(
                symbol if not star else "" if collapse and i > 0 and here[i - 1] else mask
                for i, (symbol, star) in enumerate(zip(text, here, strict=True))
            )
        )
        at += len(text) + 1
    return masked


def star_runs(stars: Sequence[int], ends: Sequence[int]) -> list[tuple[int, int, int]]:
    """Document, start and stop of every run."""
    runs = []
    for d, end in enumerate(ends):
        begin = ends[d - 1] + 1 if d else 0
        flags = "".join("x" if star else "." for star in stars[begin:end])
        runs += [(d, *run.span()) for run in re.finditer("x+", flags)]
    return runs


# --- Guesses ---------------------------------------------------------------------------------


def random_bits(seed: int) -> Callable[[], int]:
    """A generator of 64 random bits (splitmix64)."""
    state = seed

    def draw() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    return draw


def sample(positions: list[int], size: int, seed: int) -> list[int]:
    """One random position from each of `size` equal parts, the first parts one longer."""
    size = min(size, len(positions))
    draw, chosen, begin = random_bits(seed), [], 0
    for i in range(size):
        length = len(positions) // size + (i < len(positions) % size)
        chosen.append(positions[begin + draw() % length])
        begin += length
    return chosen


def guess_rate(
    codes: Sequence[int], stars: Sequence[int], context: int, size: int, seed: int
) -> float:
    """The share of stars that the attacker guesses, from a sample of those with a code."""
    n = len(codes)
    visible = [0 if star else code for code, star in zip(codes, stars, strict=True)]

    def neighbours(known: Sequence[int], step: int) -> tuple[int, ...]:
        """The known symbols in order of distance, none beyond a gap."""
        near = list(known)[::step][:context]
        return tuple(near[: near.index(0)] if 0 in near else near)

    seen: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], Counter[int]] = defaultdict(Counter)
    for p in range(n):
        if visible[p]:
            left, right = neighbours(visible[:p], -1), neighbours(visible[p + 1 :], 1)
            for a in range(len(left) + 1):
                for b in range(len(right) + 1):
                    seen[left[:a], right[:b]][visible[p]] += 1
    guesses = [0] * n
    for p in range(n):
        if not stars[p]:
            continue
        run = next(q for q in range(p, -1, -1) if q == 0 or not stars[q - 1])
        left = neighbours(visible[:run] + guesses[run:p], -1)
        right = neighbours(visible[p + 1 :], 1)
        while (left or right) and (left, right) not in seen:
            if len(left) >= len(right):
                left = left[:-1]
            else:
                right = right[:-1]
        counts = seen.get((left, right), Counter())
        guesses[p] = min(counts, key=lambda code: (-counts[code], code), default=0)
    starred = [p for p in range(n) if stars[p]]
    tried = sample([p for p in starred if codes[p]], size, seed)
    if not tried:
        return 0.0
    with_code = sum(codes[p] > 0 for p in starred)
    right_ones = sum(guesses[p] == codes[p] for p in tried)
    return right_ones / len(tried) * (with_code / len(starred))
