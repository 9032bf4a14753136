"""Releases with stars that nobody made on purpose: every verdict is that of the definition."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from oracles import reader as oracle
from oracles import substrings as literal
from sfumato.core.claims import Claim
from sfumato.core.errors import BadInput
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.verification import reader
from sfumato.verification.guessed_words import guessed_stars
from sfumato.verification.reader_texts import read_texts
from sfumato.verification.substrings import check_substrings

WORDS = ["a", "bb", "be", "ccc", "漢"]
USUAL = {"mask": "★", "collapse": False, "keep": "", "guess": 0.5, "k": 2, "count": "documents"}
USUAL |= {"unit": "word", "strict": False, "reach": None}


def claim_of(**stated):
    return Claim("substring-k-anonymity", "", USUAL | stated)


def release_of(data, **sides):
    stated = {"claims": (), "changes": Changes.of(), "loss": {}, "parameters": {}}
    return Release(verb="suppress", data=data, sides=Sides(**sides), **stated)


def some_texts(chance, most=6):
    made = [chance.choices(WORDS, k=chance.randint(0, most)) for _ in range(chance.randint(1, 5))]
    return made + [list(one) for one in chance.choices(made, k=chance.randint(0, 2))]


def some_stars(chance, documents):
    share = chance.choice([0.2, 0.5, 0.8])
    return [tuple(chance.random() < share for _ in one) for one in documents]


def shown(document, flags, mask="★"):
    words = zip(document, flags, strict=True)
    return " ".join(mask * len(word) if flag else word for word, flag in words)


def some_labels(chance, documents):
    """What is counted, whose the texts are, and the side input that says so."""
    count = chance.choice(["occurrences", "documents", "groups"])
    if count == "groups":
        groups = [chance.randrange(3) for _ in documents]
        return count, groups, {"groups": groups}
    return count, list(range(len(documents))) if count == "documents" else None, {}


@pytest.mark.parametrize("number", range(12))
def test_stars_against_a_reader_are_judged_by_the_definition(number):
    chance = random.Random(number)
    seen = Counter()
    for _ in range(20):
        documents = some_texts(chance)
        stars = some_stars(chance, documents)
        count, labels, sides = some_labels(chance, documents)
        guess, k = chance.choice(["0.2", "0.5", "0.75", "1.0"]), chance.randint(1, 3)
        public = chance.choice([[], some_texts(chance)])
        reach, strict = chance.choice([None, 1, 2, 3]), chance.random() < 0.5
        who = oracle.Reader(documents, labels, Fraction(guess), True, public)
        expected = oracle.holds(who, stars, k, strict=strict, reach=reach)
        stated = {"guess": float(guess), "public": bool(public), "reach": reach}
        claim = claim_of(**stated, k=k, strict=strict, count=count)
        data = [shown(one, flags) for one, flags in zip(documents, stars, strict=True)]
        release = release_of(data, public=[" ".join(one) for one in public], **sides)
        verdict = check_substrings(claim, [" ".join(one) for one in documents], release)
        assert verdict.holds == expected, (documents, data, claim.parameters, labels, public)
        left = [who.read(d, flags) for d, flags in enumerate(stars)]
        read = sum(map(sum, stars)) - sum(map(sum, left))
        assert verdict.measured["read_back"] == read
        short = [
            part
            for one, flags in zip(documents, left, strict=True)
            for part in oracle.stretches(one, flags, reach)
        ]
        assert verdict.measured["stretches"] == len(short)
        seen[verdict.holds, read > 0] += 1
    assert len(seen) > 1


@pytest.mark.parametrize("number", range(10))
def test_a_release_alone_is_counted_by_the_definition(number):
    """No reader: what can be guessed is not told by a release, so its stars are breaks."""
    chance = random.Random(number)
    for _ in range(20):
        documents = some_texts(chance)
        stars = some_stars(chance, documents)
        count, labels, sides = some_labels(chance, documents)
        k, reach = chance.randint(1, 3), chance.choice([None, 1, 2])
        data = [shown(one, flags) for one, flags in zip(documents, stars, strict=True)]
        claim = claim_of(k=k, reach=reach, count=count, strict=chance.random() < 0.5)
        verdict = check_substrings(claim, None, release_of(data, **sides))
        known = [
            [None if flag else word for word, flag in zip(one, flags, strict=True)]
            for one, flags in zip(documents, stars, strict=True)
        ]
        parts = [
            part
            for one, flags in zip(documents, stars, strict=True)
            for part in oracle.stretches(one, flags, reach)
        ]
        counts = [oracle.count(known, labels, part) for part in parts]
        assert verdict.holds == all(found >= k for found in counts)
        assert verdict.measured["stretches"] == len(parts)


@pytest.mark.parametrize("number", range(10))
def test_what_is_written_back_is_what_the_definition_reads(number):
    chance = random.Random(number)
    some = 0
    for _ in range(20):
        documents = some_texts(chance)
        stars = some_stars(chance, documents)
        labels = list(range(len(documents)))
        who = oracle.Reader(documents, labels, Fraction("0.5"), True)
        left = [who.read(d, flags) for d, flags in enumerate(stars)]
        whole = [" ".join(one) for one in documents]
        mask = chance.choice(["★", "[x]"])
        claim = claim_of(mask=mask)
        data = [shown(one, flags, mask) for one, flags in zip(documents, stars, strict=True)]
        expected = [shown(one, flags, mask) for one, flags in zip(documents, left, strict=True)]
        given = np.array(labels, np.int32)
        found = read_texts(claim, whole, data, release_of(data), given)
        for before, after, places in zip(data, expected, found, strict=True):
            for start, stop, text in reversed(places):
                some += 1
                before = before[:start] + text + before[stop:]
            assert before == after
        if mask == "★":
            assert reader.filled(claim, whole, data, given, []) == expected
    assert some


def test_what_is_written_back_under_one_mask():
    """Of two words under one mask one is guessed: it is read, with what stands between them."""
    whole = ["so dr. lee came", "so dr. lee went", "so dr. poe came", "by dr. poe went"]
    data = ["so [x] came", *whole[1:]]
    claim = claim_of(mask="[x]", collapse=True, guess=0.4)
    labels = np.arange(4, dtype=np.int32)
    first, *rest = read_texts(claim, whole, data, release_of(data), labels)
    assert first == [(3, 6, "dr. [x]")]
    assert rest == [[], [], []]
    assert read_texts(claim, whole, ["so came", *data[1:]], release_of(data), labels) is None


def test_holes_between_words_are_blanks_and_public_texts_help_to_guess():
    whole = ["Ann has flu", "Bob sees rum"]
    holes = ["Ann★has ★lu", "Bob sees rum"]
    labels = np.arange(2, dtype=np.int32)
    assert reader.filled(claim_of(), whole, holes, labels, []) == ["Ann has ★lu", whole[1]]
    told = ["Eve has flu", "Flo has flu"]
    assert reader.filled(claim_of(), whole, holes, labels, told) == whole


def test_public_texts_that_are_missing_are_asked_for():
    with pytest.raises(BadInput, match="public texts"):
        check_substrings(claim_of(public=True), ["a b"], release_of(["a b"]))


@pytest.mark.parametrize(
    ("texts", "people", "holds"),
    [
        (["so; yes", "so; yes"], [0, 1], True),
        (["so; yes", "so; yes"], [0, 0], False),
        (["so; yes; so", "so yes so"], [0, 1], False),
        (["so yes", "so  yes"], [0, 1], True),
        (["so; yes", "so, yes"], [0, 1], False),
    ],
)
def test_what_stands_between_words_is_shared_too(texts, people, holds):
    claim = claim_of(count="groups", reach=1, guess=1.0)
    verdict = check_substrings(claim, texts, release_of(texts, groups=people))
    assert verdict.holds is holds
    if not holds:
        assert verdict.where.startswith("document 0")


def test_separators_are_counted_by_places_where_k_counts_occurrences():
    texts = ["so; yes; so yes"]
    claim = claim_of(count="occurrences", reach=1, guess=1.0)
    assert check_substrings(claim, texts, release_of(texts)).holds
    once = ["so; yes so yes"]
    verdict = check_substrings(claim, once, release_of(once))
    assert (verdict.holds, verdict.where) == (False, "document 0")


@pytest.mark.parametrize("number", range(10))
def test_guesses_in_blocks_are_those_of_the_whole(number):
    """`what_is_guessed` asks for its counts; told all of them it guesses the same."""
    chance = random.Random(number)
    for _ in range(10):
        documents = some_texts(chance)
        labels = chance.choice([None, [chance.randrange(3) for _ in documents]])
        given = None if labels is None else np.array(labels, np.int32)
        whole = [" ".join(one) for one in documents]
        laid = reader.laid_on(claim_of(), whole, whole)
        guess, lengths = Fraction(chance.choice(["1/5", "1/2", "1"])), chance.random() < 0.5

        def elsewhere(a, b, of):
            keys = list(zip(a.tolist(), b.tolist(), strict=True))
            who = list(range(len(keys))) if of is None else of.tolist()
            return np.array(
                [
                    sum(key == other and w != v for other, v in zip(keys, who, strict=True))
                    if key[0] >= 0
                    else 0
                    for key, w in zip(keys, who, strict=True)
                ],
                np.int64,
            )

        largest = int(laid.numbers.max(initial=0))
        judged = len(documents)
        found = reader.what_is_guessed(
            laid, judged, guess, lengths, given, elsewhere=elsewhere, largest=largest
        )
        stars = np.ones(len(laid.numbers), bool)
        expected = guessed_stars(laid, judged, guess, lengths, given, stars)
        assert found.left.tolist() == expected.left.tolist()
        assert found.right.tolist() == expected.right.tolist()
        some = found.left | found.right | found.both
        assert some.tolist() == (expected.left | expected.right | expected.both).tolist()
        open_ = ~found.left & ~np.append(found.right[1:], False)
        assert found.pair[open_].tolist() == expected.pair[open_].tolist()


def test_two_words_of_a_block_are_a_pair_that_others_have():
    laid = reader.laid_on(claim_of(), ["dr lee"], ["dr lee"])
    found = reader.what_is_guessed(
        laid,
        1,
        Fraction(1, 2),
        True,
        None,
        elsewhere=lambda a, _b, _of: np.where(a < 0, 0, 5),
        largest=7,
    )
    assert found.pair.tolist() == [True, False]


@pytest.mark.parametrize("number", range(15))
def test_stars_without_a_reader_are_judged_by_the_definition(number):
    chance = random.Random(number)
    seen = set()
    for _ in range(20):
        texts = ["".join(chance.choices("ab .", k=chance.randint(0, 8))) for _ in range(3)]
        share = chance.choice([0.2, 0.5])
        data = ["".join("★" if chance.random() < share else c for c in text) for text in texts]
        count, labels, sides = some_labels(chance, texts)
        k, strict = chance.randint(1, 3), chance.random() < 0.5
        keep = chance.choice(["", ".", " ."])
        stated = {"guess": None, "unit": "character", "keep": keep}
        claim = claim_of(**stated, k=k, strict=strict, count=count)
        verdict = check_substrings(claim, texts, release_of(data, **sides))
        where = data if strict else texts
        assert verdict.holds == literal.is_anonymous(data, where, k, labels, keep), (texts, data)
        alone = check_substrings(claim, None, release_of(data, **sides))
        assert alone.holds == literal.is_anonymous(data, data, k, labels, keep)
        seen.add(verdict.holds)
    assert len(seen) == 2


def is_shared(parts, known, labels, k):
    return all(oracle.count(known, labels, part) >= k for part in parts)


@pytest.mark.parametrize("name", ["substring-k-anonymity", "word-k-anonymity"])
@pytest.mark.parametrize("number", range(10))
def test_words_without_a_reader_are_judged_by_the_definition(number, name):
    """Sequences of words, or (`word-k-anonymity`) each word by itself."""
    chance = random.Random(number)
    seen = set()
    for _ in range(20):
        documents = some_texts(chance)
        stars = some_stars(chance, documents)
        count, labels, sides = some_labels(chance, documents)
        k, strict = chance.randint(1, 3), chance.random() < 0.5
        data = [shown(one, flags) for one, flags in zip(documents, stars, strict=True)]
        claim = Claim(name, "", claim_of(guess=None, k=k, strict=strict, count=count).parameters)
        whole = [" ".join(one) for one in documents]
        verdict = check_substrings(claim, whole, release_of(data, **sides))
        known = [
            [None if strict and flag else word for word, flag in zip(one, flags, strict=True)]
            for one, flags in zip(documents, stars, strict=True)
        ]
        each = 1 if name == "word-k-anonymity" else None
        parts = [
            part
            for one, flags in zip(documents, stars, strict=True)
            for part in oracle.stretches(one, flags, each)
        ]
        assert verdict.holds == is_shared(parts, known, labels, k), (documents, data, labels)
        assert verdict.measured["stretches"] == len(parts)
        seen.add(verdict.holds)
    assert len(seen) == 2


def test_a_release_that_is_not_its_original_is_rejected():
    claim = claim_of(guess=None, unit="character", k=1)
    for original, data, reason in [
        (["ab", "ab"], ["ab"], "2 documents became 1"),
        (["ab"], ["ac"], "differs from the original"),
        (["ab"], ["abc"], "differs from the original"),
    ]:
        verdict = check_substrings(claim, original, release_of(data))
        assert not verdict.holds
        assert reason in verdict.reason
    for mask, original in (("e", ["abe"]), (",", ["a,b"])):
        claim = claim_of(guess=None, mask=mask, k=1)
        assert not check_substrings(claim, original, release_of(original)).holds
    verdict = check_substrings(
        claim_of(guess=None, k=2, unit="character"), ["abc", "bc"], release_of(["★bc", "bc"])
    )
    assert verdict.holds
    verdict = check_substrings(
        claim_of(guess=None, k=2, unit="character"), ["abc", "bd"], release_of(["★bc", "b★"])
    )
    assert (verdict.where, verdict.measured["smallest_count"]) == ("document 0, offset 1", 1)


def test_a_mask_that_the_original_has_is_a_break():
    """One symbol that is no punctuation; any other would stand for itself."""
    claim = claim_of(guess=None, unit="character", count="occurrences")
    assert check_substrings(claim, ["ab★ab"], release_of(["ab★ab"])).holds
    assert not check_substrings(claim, ["ab★ac"], release_of(["ab★ac"])).holds


def test_one_mask_for_a_run_is_laid_on_its_original():
    claim = claim_of(guess=None, mask="[x]", collapse=True, unit="character", k=2)
    texts = ["say abc", "say adc"]
    assert check_substrings(claim, texts, release_of(["say a[x]c"] * 2)).holds
    verdict = check_substrings(claim, texts, release_of(["say ab[x]", "say a[x]c"]))
    assert (verdict.holds, verdict.where) == (False, "document 0, offset 0")


def test_a_copied_passage_counts_for_its_first_author():
    long = " ".join(f"w{chr(97 + i)}" for i in range(12))
    texts = [long, long, "so it is", "so it is"]
    for copies, holds in ((None, True), ("once", False)):
        claim = claim_of(copies=copies, count="documents", guess=1.0)
        verdict = check_substrings(claim, texts, release_of(texts))
        assert verdict.holds is holds
    by_place = claim_of(copies="once", count="occurrences", guess=1.0)
    assert check_substrings(by_place, texts, release_of(texts)).holds
