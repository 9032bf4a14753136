"""The tagger's definition, written down: tokens, words, features, the best sequence of labels.

Slow and literal; weights are a mapping from a feature's key and a label's number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, sqrt

WORD = (1 << 64) - 1
NOTHING, BLANKS, LINE, PARAGRAPH = range(4)
MARK, LOWER, TITLE, UPPER, LETTER, MIXED, ALPHANUMERIC, DIGITS, CASELESS, OUTSIDE = range(10)
USUAL, NO_CAPITALS, CAPITALS, TITLES = range(4)
BEGINS_LONGER = 1 << 15
UNIT = 32


def mixed(x: int) -> int:
    """SplitMix's finaliser."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


def joined(*parts: int) -> int:
    """Several numbers as one, from the left."""
    result = parts[0]
    for part in parts[1:]:
        result = mixed((result * 0x9E3779B97F4A7C15 + part) & WORD)
    return result


def hashed(symbols: str) -> int:
    """A text as a number."""
    state = 0x9E3779B97F4A7C15
    for symbol in symbols:
        state = (state ^ ord(symbol)) * 0x100000001B3 & WORD
    return mixed(state)


def key_of(feature: int) -> int:
    """The 33 bits of a feature that count."""
    return feature >> 31


def low(symbol: str) -> str:
    """A symbol in lower case, where that is one symbol."""
    lowered = symbol.lower()
    return lowered[0] if lowered else symbol


def extends(symbol: str) -> bool:
    """Whether a symbol is an accent of the one before it."""
    return unicodedata.category(symbol).startswith("M")


@dataclass
class Token:
    """A place, what stands before it, and whether it is a word."""

    start: int
    stop: int
    gap: int
    word: bool


def run_end(text: str, at: int) -> int:
    """Where the word that goes on here ends."""
    while at < len(text) and (text[at].isalnum() or extends(text[at])):
        at += 1
    return at


def clitic_end(text: str, at: int) -> int | None:
    """The end of 's, 't, 'm, 'd, 're, 've, 'll that begins here, if one does."""
    if text[at] not in "'’" or at + 1 == len(text) or not text[at + 1].isalnum():
        return None
    end = run_end(text, at + 1)
    letters = "".join(map(low, text[at + 1 : end]))
    return end if letters in ("s", "t", "m", "d", "re", "ve", "ll") else None


def tokens(text: str) -> list[Token]:
    """The tokens of a text."""
    result: list[Token] = []
    at, before = 0, "\n\n"
    while at < len(text):
        if text[at].isspace():
            before += text[at]
            at += 1
            continue
        if text[at].isalnum():
            stop, word = run_end(text, at), True
            while (
                stop + 1 < len(text)
                and text[stop] in "'’"
                and text[stop + 1].isalnum()
                and clitic_end(text, stop) is None
            ):
                stop = run_end(text, stop + 1)
            if text.startswith("://", stop) or (
                "".join(map(low, text[at:stop])) == "www" and text.startswith(".", stop)
            ):
                while stop < len(text) and not text[stop].isspace():
                    stop += 1
        elif (end := clitic_end(text, at)) is not None:
            stop, word = end, True
        else:
            stop, word = at + 1, False
            while stop < len(text) and text[stop] == text[at]:
                stop += 1
        lines = before.count("\n")
        gap = PARAGRAPH if lines > 1 else LINE if lines else BLANKS if before else NOTHING
        result.append(Token(at, stop, gap, word))
        at, before = stop, ""
    return result


def shape_symbol(symbol: str) -> str:
    """Capital, small letter, digit, other letter, or the symbol itself."""
    if symbol.isupper() or symbol.istitle():
        return "X"
    if symbol.islower():
        return "x"
    if symbol.isdecimal():
        return "0"
    return "c" if symbol.isalpha() else symbol


def shape(symbols: str) -> str:
    """The kinds of the symbols, runs cut at two letters or five digits."""
    kinds = "".join(map(shape_symbol, symbols))
    result, run = "", 0
    for i, kind in enumerate(kinds):
        run = run + 1 if i and kinds[i - 1] == kind else 1
        if run <= (5 if kind == "0" else 2):
            result += kind
    return result


def how_written(symbols: str) -> int:
    """Which case a word is in."""
    kinds = [shape_symbol(symbol) for symbol in symbols]
    capitals, small, digits, caseless = (kinds.count(kind) for kind in "Xx0c")
    letters = capitals + small + caseless
    if digits:
        return ALPHANUMERIC if letters else DIGITS
    if not letters:
        return MARK
    if caseless:
        return CASELESS
    if not capitals:
        return LOWER
    if not small:
        return LETTER if capitals == 1 else UPPER
    return TITLE if kinds[0] == "X" and capitals == 1 else MIXED


@dataclass
class Word:
    """What is known of a word; the word outside the text is the default."""

    text: str = ""
    exact: int = 0
    lower: int = 0
    folded: str = ""
    shape: int = 0
    prefixes: list[int] = field(default_factory=lambda: [0] * 4)
    suffixes: list[int] = field(default_factory=lambda: [0] * 4)
    classes: int = 0
    cluster: int = 0
    small_cluster: int = 0
    written: int = OUTSIDE
    length: int = 0


def word_of(
    text: str,
    token: Token,
    phrases: Mapping[tuple[str, ...], int],
    clusters: Mapping[str, int] | None = None,
) -> Word:
    """The word of a token; of a run of marks its first."""
    whole = text[token.start : token.stop]
    seen = whole if token.word else whole[0]
    folded = "".join(map(low, seen))
    lower = "".join("0" if shape_symbol(symbol) == "0" else low(symbol) for symbol in seen)
    word = Word(whole, hashed(seen), hashed(lower), folded, hashed(shape(seen)))
    word.written, word.length = how_written(seen), min(len(whole), 15)
    if token.word:
        for n in range(min(4, len(seen))):
            word.prefixes[n] = hashed(folded[: n + 1])
            word.suffixes[n] = hashed(folded[-n - 1 :])
        word.classes = phrases.get((folded,), 0)
        word.cluster, word.small_cluster = ((clusters or {}).get(x, 0) for x in (seen, folded))
    return word


def pieces(every: list[Token], words: list[Word]) -> list[tuple[int, int]]:
    """Where the document is cut: at blank lines, and where a piece has become long."""
    starts: list[int] = []
    for t, token in enumerate(every):
        length = t - starts[-1] if starts else 0
        ended = t > 0 and not every[t - 1].word and words[t - 1].text[0] in ".!?"
        cut = length >= 200 and (token.gap == LINE or (token.gap == BLANKS and ended))
        if t == 0 or token.gap == PARAGRAPH or cut or length == 400:
            starts.append(t)
    return list(zip(starts, [*starts, len(every)][1:], strict=True))


def elsewhere(every: list[Token], words: list[Word]) -> list[int]:
    """Of every token: how its word is written in the whole document."""
    seen: dict[int, int] = {}
    for t, word in enumerate(words):
        inside = t > 0 and every[t].gap <= BLANKS and every[t - 1].word
        flag = {LOWER: 1, UPPER: 4, TITLE: 2 if inside else 0}.get(word.written, 0)
        seen[word.lower] = seen.get(word.lower, 0) | flag
    return [seen[word.lower] for word in words]


def phrase_marks(
    every: list[Token], words: list[Word], phrases: Mapping[tuple[str, ...], int]
) -> list[int]:
    """Of every token: the classes and the place of the listed phrase of several words around it."""
    marks = [0] * len(every)
    t = 0
    while t < len(every):
        stop, found = t + 1, 0
        for end in range(t + 2, min(t + 8, len(every)) + 1):
            if any(token.gap > BLANKS for token in every[t + 1 : end]):
                break
            names = tuple(word.folded for word in words[t:end])
            if not phrases.get(names[:-1], 0) & BEGINS_LONGER:
                break
            if classes := phrases.get(names, 0) & ~BEGINS_LONGER:
                stop, found = end, classes
        if found:
            for n in range(t, stop):
                marks[n] = found * 4 + (1 if n == t else 3 if n + 1 == stop else 2)
        t = stop
    return marks


def mode_of(words: list[Word]) -> int:
    """How a piece is written."""
    lower, upper = (sum(word.written == kind for word in words) for kind in (LOWER, UPPER))
    title = sum(word.written in (TITLE, MIXED) for word in words)
    if title + upper == 0:
        return NO_CAPITALS
    if upper > lower + title:
        return CAPITALS
    return TITLES if title > lower and title + lower > 3 else USUAL


def of_word(word: Word, offset: int) -> Iterator[int]:
    """Features of one word, `offset` words from the token."""
    classes = word.classes & ~BEGINS_LONGER
    place = offset + 2
    yield joined(1, place, word.lower)
    yield joined(2, place, word.shape)
    yield joined(3, place, classes * 16 + word.written)
    yield joined(20, place, word.cluster >> 4)
    yield joined(21, place, (word.cluster >> 8) * 16 + word.written)
    if abs(offset) > 1:
        return
    for bit in range(15):
        if classes >> bit & 1:
            yield joined(4, place, bit * 16 + word.written)
    yield joined(5, place, word.suffixes[2])
    yield joined(22, place, (word.small_cluster & 15) * 16 + word.written)
    if offset:
        return
    yield joined(6, place, word.exact)
    yield joined(23, place, (word.small_cluster >> 4) * 16 + word.written)
    for n in range(4):
        if word.prefixes[n]:
            yield joined(7 + n, place, word.prefixes[n])
        if word.suffixes[n] and n != 2:
            yield joined(11 + n, place, word.suffixes[n])
        if word.suffixes[n]:
            yield joined(15 + n, place, joined(word.suffixes[n], word.written))
    yield joined(19, place, word.length * 16 + word.written)


def together(
    w: Mapping[int, Word],
    gaps: int,
    mode: int,
    seen: int,
    phrase: int,
    hints: tuple[tuple[int, int], ...] = ((0, 0),) * 3,
) -> Iterator[int]:
    """Features of several words, and of the place."""
    here, before, after = w[0].written, w[-1].written, w[1].written
    left, own, right = (w[d].classes & ~BEGINS_LONGER for d in (-1, 0, 1))
    yield joined(32, w[-1].lower, w[0].lower, 0)
    yield joined(33, w[0].lower, w[1].lower, 0)
    yield joined(34, w[-1].shape, w[0].shape, w[1].shape)
    yield joined(35, w[-1].lower, here, own)
    yield joined(36, w[1].lower, here, own)
    yield joined(37, w[-2].lower, w[-1].lower, here)
    yield joined(38, w[1].lower, w[2].lower, here)
    yield joined(39, w[-1].lower, w[1].lower, here)
    yield joined(40, left, own, here * 16 + before)
    yield joined(41, own, right, here * 16 + after)
    yield joined(42, gaps, here * 16 + before, after)
    yield joined(43, w[-2].written * 256 + before * 16 + here, after * 16 + w[2].written, 0)
    yield joined(44, mode, here, own)
    yield joined(45, seen, here * 16 + before, mode)
    yield joined(53, w[-1].cluster >> 8, w[1].cluster >> 8, here)
    yield joined(54, w[-1].cluster >> 4, w[0].cluster >> 4, here)
    yield joined(55, w[0].cluster >> 4, w[1].cluster >> 4, here)
    yield joined(56, w[0].small_cluster & 15, here * 16 + before, gaps // 4 * 4 + mode)
    if phrase:
        yield joined(46, phrase, here, 0)
    (before_label, _), (label, rule), (after_label, _) = hints
    if before_label or label or after_label:
        yield joined(47, label | rule << 8, 0, 0)
        yield joined(48, label, w[0].lower, 0)
        yield joined(49, label, w[0].shape, own)
        yield joined(50, before_label, label, after_label)
        yield joined(51, label, w[-1].lower, 0)
        yield joined(52, label, w[1].lower, 0)


def features(
    text: str,
    phrases: Mapping[tuple[str, ...], int],
    hints: Sequence[tuple[int, int, int, int]] = (),
    labels: Labels | None = None,
    clusters: Mapping[str, int] | None = None,
) -> list[tuple[list[Token], list[list[int]]]]:
    """The pieces of a text: their tokens, and the features of each.

    Hints are what another recogniser found: start, stop, type, rule.
    """
    every = tokens(text)
    words = [word_of(text, token, phrases, clusters) for token in every]
    seen = elsewhere(every, words)
    marks = phrase_marks(every, words, phrases)
    result = []
    for begin, end in pieces(every, words):
        mode = mode_of(words[begin:end])
        told = hinted(every[begin:end], hints, labels) if labels else [(0, 0)] * (end - begin)
        told = [(0, 0), *told, (0, 0)]
        rows = []
        for t in range(begin, end):
            w = {d: words[t + d] if begin <= t + d < end else Word() for d in range(-2, 3)}
            gap = PARAGRAPH if t == begin else every[t].gap
            after = every[t + 1].gap if t + 1 < end else PARAGRAPH
            row = [one for d in range(-2, 3) for one in of_word(w[d], d)]
            near = tuple(told[t - begin : t - begin + 3])
            row += together(w, gap * 4 + after, mode, seen[t], marks[t], near)
            rows.append(row)
        result.append((every[begin:end], rows))
    return result


def hinted(
    every: Sequence[Token], hints: Sequence[tuple[int, int, int, int]], labels: Labels
) -> list[tuple[int, int]]:
    """Of every token of a piece: its label in a hint, and the hint's rule; zeros where none is."""
    result = [(0, 0)] * len(every)
    free = 0
    for start, stop, kind, rule in hints:
        held = [
            i for i, one in enumerate(every) if i >= free and one.start < stop and one.stop > start
        ]
        for i in held:
            place = "B" if i == held[0] else "L" if i == held[-1] else "I"
            place = "U" if len(held) == 1 else place
            result[i] = (1 + "BUIL".index(place) * labels.types + kind, rule)
            free = i + 1
    return result


def listed(names: Mapping[str, int]) -> dict[tuple[str, ...], int]:
    """Phrases as their folded words, with those that longer ones begin with."""
    result: dict[tuple[str, ...], int] = {}
    for name, bits in names.items():
        words = tuple(word_of(name, token, {}).folded for token in tokens(name))
        for n in range(1, len(words)):
            result[words[:n]] = result.get(words[:n], 0) | BEGINS_LONGER
        if words:
            result[words] = result.get(words, 0) | bits
    return result


@dataclass
class Labels:
    """O, then B, U, I, L of every type."""

    types: int

    @property
    def count(self) -> int:
        """How many there are."""
        return 1 + 4 * self.types

    def kind(self, label: int) -> str:
        """O, B, U, I or L."""
        return "O" if label == 0 else "BUIL"[(label - 1) // self.types]

    def type(self, label: int) -> int:
        """The type of a label that is not O."""
        return (label - 1) % self.types

    def legal(self, before: int | None, after: int | None) -> bool:
        """Whether a label may follow another; None is outside the piece."""
        closed = before is None or self.kind(before) in "OLU"
        opening = after is None or self.kind(after) in "OBU"
        if closed or opening or before is None or after is None:
            return closed and opening
        return self.type(before) == self.type(after)


def best(
    scores: list[list[int]], between: Mapping[tuple[int | None, int | None], int], labels: Labels
) -> tuple[int, list[int]]:
    """The best score of all legal sequences, and one that has it."""
    ways: dict[int | None, tuple[int, list[int]]] = {None: (0, [])}
    for row in scores:
        ways = {
            label: max(
                (score + between[before, label] + row[label], [*path, label])
                for before, (score, path) in ways.items()
                if labels.legal(before, label)
            )
            for label in range(labels.count)
            if any(labels.legal(before, label) for before in ways)
        }
    return max(
        (score + between[label, None], path)
        for label, (score, path) in ways.items()
        if labels.legal(label, None)
    )


def mentions(path: list[int], labels: Labels) -> list[tuple[int, int, int]]:
    """First and last token and type of every mention of a sequence of labels."""
    result, first = [], 0
    for t, label in enumerate(path):
        if labels.kind(label) in "BU":
            first = t
        if labels.kind(label) in "UL":
            result.append((first, t, labels.type(label)))
    return result


def shuffled(seed: int, size: int, epochs: int) -> Iterator[list[int]]:
    """The order of the lessons in every epoch."""
    state, order = seed + 1, list(range(size))
    for _ in range(epochs):
        for i in range(size, 1, -1):
            state = (state + 0x9E3779B97F4A7C15) & WORD
            other = mixed(state) % i
            order[i - 1], order[other] = order[other], order[i - 1]
        yield list(order)


Step = tuple["int | None", "int | None"]


@dataclass
class Lesson:
    """A piece to learn from: the features of its tokens, and the labels they may have."""

    rows: list[list[int]]
    allowed: list[set[int]]


def gradient(
    lesson: Lesson, weights: Mapping[tuple[int, int], float], between: Mapping[Step, float],
    labels: Labels,
) -> tuple[list[list[float]], dict[Step, float]]:  # fmt: skip
    """What all sequences expect of labels and steps, less what the allowed ones expect."""
    length = len(lesson.rows)
    sums = []
    for allowed in (lesson.allowed, [set(range(labels.count))] * length):
        total = 0.0
        at = [[0.0] * labels.count for _ in range(length)]
        steps: dict[Step, float] = {}
        for path in product(*allowed):
            taken = list(zip((None, *path), (*path, None), strict=True))
            if not all(labels.legal(*step) for step in taken):
                continue
            score = sum(between.get(step, 0.0) for step in taken)
            score += sum(
                weights.get((key, label), 0.0)
                for row, label in zip(lesson.rows, path, strict=True)
                for key in row
            )
            total += exp(score)
            for t, label in enumerate(path):
                at[t][label] += exp(score)
            for step in taken:
                steps[step] = steps.get(step, 0.0) + exp(score)
        sums.append(
            ([[x / total for x in row] for row in at], {k: v / total for k, v in steps.items()})
        )
    (wanted, wanted_steps), (free, free_steps) = sums
    slopes = [
        [f - w for f, w in zip(*pair, strict=True)] for pair in zip(free, wanted, strict=True)
    ]
    return slopes, {k: v - wanted_steps.get(k, 0.0) for k, v in free_steps.items()}


@dataclass
class Weight:
    """A weight of follow-the-regularised-leader."""

    sum: float = 0.0
    squares: float = 0.0
    value: float = 0.0

    def move(self, slope: float, rate: float, l1: float, l2: float) -> None:
        """One step (McMahan and others 2013, algorithm 1)."""
        root = sqrt(self.squares + slope * slope)
        self.sum += slope - (root - sqrt(self.squares)) / rate * self.value
        self.squares += slope * slope
        over = abs(self.sum) - l1
        sign = 1 if self.sum < 0 else -1
        self.value = sign * over / ((1 + root) / rate + l2) if over > 0 else 0.0


def learnt(
    lessons: list[Lesson], labels: Labels, epochs: int, rate: float, l1: float, l2: float, seed: int
) -> tuple[dict[tuple[int, int], float], dict[Step, float]]:
    """The weights of features for labels, and of steps, after so many epochs."""
    weights: dict[tuple[int, int], Weight] = {}
    between: dict[Step, Weight] = {}
    for order in shuffled(seed, len(lessons), epochs):
        for number in order:
            lesson = lessons[number]
            slopes, steps = gradient(
                lesson,
                {k: v.value for k, v in weights.items()},
                {k: v.value for k, v in between.items()},
                labels,
            )
            for row, slope in zip(lesson.rows, slopes, strict=True):
                for key in row:
                    for label, one in enumerate(slope):
                        if abs(one) > 1e-3:
                            weights.setdefault((key, label), Weight()).move(one, rate, l1, l2)
            for step, one in steps.items():
                if abs(one) > 1e-3:
                    between.setdefault(step, Weight()).move(one, rate, l1, l2)
    return {k: v.value for k, v in weights.items()}, {k: v.value for k, v in between.items()}
