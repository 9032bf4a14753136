"""Claims of `suppress`, judged over documents in many blocks, by passes of their own.

The release is laid on its original, guessed words are written back, and what is then legible is
counted: by the definitions of `verification`, and by no function of the method.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claims import Verdict
from ..kernels import checks
from ..verification import marks, reader
from ..verification.substrings import compared
from .exchange import Query
from .messages import grouped
from .stretches import Factors, counted
from .values import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.claims import Claim
    from ..verification.guessed_words import GuessedWords
    from .exchange import Exchange
    from .messages import Numbers, Question
    from .values import Blocks

    Ints = NDArray[np.int64]

Given = State
# White_Space of the Unicode standard.
WHITE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def judged(exchange: Exchange, rows: Blocks, claim: Claim) -> Verdict:
    """The verdict on a claim of substring k-anonymity.

    A block has `ids`, the texts `before` and `after`, and `labels` (None: occurrences count).
    """
    given: Given = dict(claim.parameters)
    problem = marks.taken_for_text(str(given["mask"]))
    if problem is not None:
        return Verdict(claim, False, problem)
    against_reader = given.get("guess") is not None
    blocks = exchange.each(rows, lambda state: _laid(state, claim, against_reader))
    place = exchange.least(blocks, lambda state: state["difference"])
    if place is not None:
        reason = "the release differs from the original other than by the mask"
        return Verdict(claim, False, reason, _place(place))
    k = int(str(given["k"]))
    if against_reader:
        shown = Query(_separators, lambda state, _, sums: _rare(state, sums, k), named=False)
        blocks = exchange.ask(blocks, shown)
        place = exchange.least(blocks, lambda state: state["rare"])
        if place is not None:
            reason = f"what stands between two words is shared by fewer than {k}"
            return Verdict(claim, False, reason, f"document {place[0]}")
        blocks = _read(exchange, blocks, given)
    else:
        blocks = exchange.each(blocks, lambda state: _symbols(state, given))
    blocks = counted(exchange, blocks, Factors.drawn())
    return _verdict(exchange, blocks, claim, k)


def _verdict(exchange: Exchange, blocks: Blocks, claim: Claim, k: int) -> Verdict:
    found = exchange.total(
        blocks,
        lambda state: {
            "stretches": len(state["counts"]),
            "violations": int(np.count_nonzero(state["counts"] < k)),
            "read_back": state["read_back"],
        },
    )
    smallest = exchange.least(blocks, _smallest)
    # Counted is no further than to k, as everywhere.
    measured = {"smallest_count": 0 if smallest is None else min(k, smallest[0]), **found}
    if found["violations"]:
        place = exchange.least(blocks, lambda state: _first_rare(state, k))
        reason = f"a legible stretch has the count {measured['smallest_count']}, k is {k}"
        return Verdict(claim, False, reason, _place(place), measured)
    del measured["violations"]
    reason = f"all {found['stretches']} stretches hold"
    if claim.parameters.get("guess") is not None:
        reason += f", {found['read_back']} starred words written back"
    return Verdict(claim, True, reason, None, measured)


def _smallest(state: State) -> tuple[int, ...] | None:
    return (int(state["counts"].min()),) if len(state["counts"]) else None


def _first_rare(state: State, k: int) -> tuple[int, ...] | None:
    rare = np.flatnonzero(state["counts"] < k)
    if not len(rare):
        return None
    places = zip(state["documents"][rare].tolist(), state["offsets"][rare].tolist(), strict=True)
    return min(places)


def _place(place: tuple[int, ...]) -> str:
    return f"document {place[0]}, offset {place[1]}"


def _laid(state: State, claim: Claim, against_reader: bool) -> State:
    """The release on its original; where it is not the original with masks, the first place."""
    before, after = state["before"], state["after"]
    given = claim.parameters
    mask = str(given["mask"])
    if marks.stands_for_itself(mask, before, as_break=True) is not None:
        place: tuple[int, int] | None = (0, 0)
        laid: Any = None
    elif against_reader:
        laid = reader.laid_on(claim, before, after)
        place = laid.first_difference
    else:
        laid = compared(before, after, mask, bool(given["collapse"]))
        place = laid.first_difference
    difference = None if place is None else (int(state["ids"][place[0]]), place[1])
    return {**state, "laid": laid, "difference": difference, "given": dict(given)}


def _separators(state: State) -> Question:
    """What is shown between words, and how many here have it."""
    laid = state["laid"]
    numbers, documents = laid.separators, _documents(laid.ends, 1)
    shown = np.flatnonzero(numbers > 0)
    found, first = np.unique(numbers[shown], return_index=True)
    keys = [_between(state, int(shown[at]), int(documents[shown[at]])) for at in first.tolist()]
    owner = None if state["labels"] is None else state["labels"].astype(np.int64)[documents[shown]]
    shared = _sharing(numbers[shown] - 1, owner, int(found.max(initial=0)))[found - 1]
    return keys, shared[:, None]


def _documents(ends: Ints, more: int) -> Ints:
    return np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0) + more)


def _sharing(numbers: Ints, owner: Ints | None, count: int) -> Ints:
    if owner is not None:
        most = int(owner.max(initial=0)) + 1
        numbers = np.unique(numbers * most + owner) // most
    return np.bincount(numbers, minlength=count).astype(np.int64)


def _between(state: State, at: int, document: int) -> bytes:
    """What a separator counts as: masks and white space are blanks, kept symbols nothing."""
    laid, given = state["laid"], state["given"]
    word = at - document  # one separator more than words, for each document before
    text, mask = state["after"][document], str(given["mask"])
    first = int(laid.ends[document - 1]) if document else 0
    start, stop = 0, len(text)
    if word > first:
        size = int(laid.stops[word - 1] - laid.starts[word - 1])
        if laid.starred[word - 1] and size:
            size = len(mask) * (1 if given["collapse"] else size)
        start = int(laid.shown[word - 1]) + size
    if word < int(laid.ends[document]):
        stop = int(laid.shown[word])
    shown = text[start:stop].replace(mask, " ")
    kept = "".join(one for one in shown if one not in str(given["keep"]))
    return WHITE.sub(" ", kept).strip(" ").encode("utf-8", "surrogatepass")


def _rare(state: State, sums: Ints, k: int) -> State:
    laid = state["laid"]
    shown = np.flatnonzero(laid.separators > 0)
    _, same = np.unique(laid.separators[shown], return_inverse=True)
    rare = shown[sums[same, 0] < k]
    place = (int(state["ids"][_documents(laid.ends, 1)[rare[0]]]),) if len(rare) else None
    return {**state, "rare": place}


def _read(exchange: Exchange, blocks: Blocks, given: Given) -> Blocks:
    """The blocks with what a reader has: words that are guessed are written back."""
    blocks = exchange.ask(blocks, Query(_words, _with_numbers))
    largest = -(exchange.least(blocks, lambda state: state["largest"]) or (0,))[0]
    guess = Fraction(repr(float(str(given["guess"]))))
    guessed = Query(
        lambda state: _asked(state, given, guess, largest).question(),
        lambda state, _, sums: _written_back(state, sums, given, guess, largest),
        named=False,
    )
    return exchange.ask(blocks, guessed)


def _words(state: State) -> Question:
    """The different words of a block."""
    laid = state["laid"]
    found, first = np.unique(laid.numbers, return_index=True)
    first = first[found >= 0]
    documents = _documents(laid.ends, 0)[first]
    keys = [
        state["before"][d][a:b].encode("utf-8", "surrogatepass")
        for d, a, b in zip(
            documents.tolist(),
            laid.starts[first].tolist(),
            laid.stops[first].tolist(),
            strict=True,
        )
    ]
    return keys, np.zeros((len(keys), 1), np.int64)


def _with_numbers(state: State, numbers: Numbers, _: Ints) -> State:
    laid = state["laid"]
    found = np.unique(laid.numbers)
    found = found[found >= 0]
    known = np.full(int(found.max(initial=-1)) + 2, -1, np.int64)
    known[found] = numbers.astype(np.int64)
    largest = (-int(known.max()),)
    return {**state, "laid": replace(laid, numbers=known[laid.numbers]), "largest": largest}


class _Counts:
    """Counts among everybody else: first all that is asked is noted, then the answers are given."""

    def __init__(self) -> None:
        self.asked_for: list[tuple[Ints, Ints, Any]] = []
        self.answers: list[Ints] | None = None
        self.next = 0

    def __call__(self, a: Ints, b: Ints, of: Any) -> Ints:
        if self.answers is not None:
            self.next += 1
            return self.answers[self.next - 1]
        self.asked_for.append((a, b, of))
        return np.zeros(len(a), np.int64)

    def _keys(self) -> tuple[NDArray[np.uint64], Ints, Ints, Any]:
        kinds, places, keys = [], [], []
        owners: list[Ints] = []
        for kind, (a, b, of) in enumerate(self.asked_for):
            at = np.flatnonzero(a >= 0)
            kinds.append(np.full(len(at), kind))
            places.append(at)
            keys.append(np.stack([np.full(len(at), kind), a[at], b[at]], axis=1).astype(np.uint64))
            if of is not None:
                owners.append(of[at].astype(np.int64))
        owner = np.concatenate(owners) if owners else None
        return np.concatenate(keys), np.concatenate(kinds), np.concatenate(places), owner

    def question(self) -> Question:
        """Every n-gram once, and how often it stands here."""
        keys, *_ = self._keys()
        same, count = grouped(keys)
        one_of_each = np.zeros((count, 3), np.uint64)
        one_of_each[same] = keys
        return one_of_each, np.bincount(same, minlength=count).astype(np.int64)[:, None]

    def answered(self, sums: Ints) -> _Counts:
        """Ready to be asked again: what is the place's own person's, or itself, is left out."""
        keys, kinds, places, owner = self._keys()
        same, _ = grouped(keys)
        own = np.ones(len(same), np.int64)
        if owner is not None:
            most = int(owner.max(initial=0)) + 1
            _, inverse, sizes = np.unique(
                same * most + owner, return_inverse=True, return_counts=True
            )
            own = sizes[inverse]
        left = sums[same, 0] - own
        self.answers = []
        for kind, (a, _, _) in enumerate(self.asked_for):
            answer = np.zeros(len(a), np.int64)
            answer[places[kinds == kind]] = left[kinds == kind]
            self.answers.append(answer)
        return self


def _asked(state: State, given: Given, guess: Fraction, largest: int) -> _Counts:
    """What is asked for the words of a block."""
    counts = _Counts()
    _guessed(state, given, guess, largest, counts)
    return counts


def _guessed(
    state: State, given: Given, guess: Fraction, largest: int, counts: _Counts
) -> GuessedWords:
    return reader.what_is_guessed(
        state["laid"],
        len(state["ids"]),
        guess,
        not given["collapse"],
        state["labels"],
        elsewhere=counts,
        largest=largest,
    )


def _written_back(state: State, sums: Ints, given: Given, guess: Fraction, largest: int) -> State:
    """What is legible once guessed words are written back, and what it is counted in."""
    counts = _asked(state, given, guess, largest).answered(sums)
    laid = state["laid"]
    left = reader.read_through(laid, _guessed(state, given, guess, largest, counts))
    starts, stops, document = reader.legible_stretches(given.get("reach"), laid, left)
    reference = np.where(left, -1, laid.numbers) if given["strict"] else laid.numbers
    labels = state["labels"]
    owner = None
    if labels is not None:
        owner = np.repeat(labels.astype(np.int64), np.diff(laid.ends, prepend=0) + 1)
    of = document[starts] if len(starts) else starts
    return {
        "known": np.insert(reference, laid.ends, -1),
        "owner": owner,
        "asked": laid.numbers,
        "starts": starts,
        "stops": stops,
        "documents": state["ids"][of],
        "offsets": laid.starts[starts],
        "read_back": int(np.count_nonzero(laid.starred)) - int(np.count_nonzero(left)),
    }


def _symbols(state: State, given: Given) -> State:
    """The legible stretches of symbols, and what they are counted in."""
    before, after, found = state["before"], state["after"], state["laid"]
    legible = found.documents, found.starts, found.stops
    documents, starts, stops = checks.strip_kept(after, *legible, str(given["keep"]))
    known, ends = _points(before)
    asked, begins = _points(after)
    begins = begins - np.fromiter(map(len, after), np.int64, len(after))
    if given["strict"]:
        shown = np.zeros(len(asked) + 1, np.int64)
        np.add.at(shown, begins[legible[0]] + legible[1], 1)
        np.add.at(shown, begins[legible[0]] + legible[2], -1)
        known = np.where(np.cumsum(shown[:-1]) > 0, asked, -1)
        ends = begins + np.fromiter(map(len, after), np.int64, len(after))
    labels = state["labels"]
    owner = None
    if labels is not None:
        owner = np.repeat(labels.astype(np.int64), np.diff(ends, prepend=-1))
    return {
        "known": known,
        "owner": owner,
        "asked": asked,
        "starts": begins[documents] + starts,
        "stops": begins[documents] + stops,
        "documents": state["ids"][documents],
        "offsets": starts,
        "read_back": 0,
    }


def _points(texts: list[str]) -> tuple[Ints, Ints]:
    """The code points of texts, a -1 after each, and where that stands."""
    joined = "".join(f"{text}\0" for text in texts)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    ends = np.cumsum(np.fromiter((len(one) + 1 for one in texts), np.int64, len(texts))) - 1
    points[ends] = -1
    return points, ends
