"""Redacted releases that nobody made on purpose: every verdict is that of the definition."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from oracles.terms import matches, occurrences
from sfumato.core.claims import Claim
from sfumato.core.errors import BadInput
from sfumato.core.letters import is_wordlike
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.verification import term_places
from sfumato.verification.term_candidates import Candidates, ReadText
from sfumato.verification.term_judging import PlaceJudge
from sfumato.verification.term_places import Reading, leftmost_longest
from sfumato.verification.term_places import occurrences as found_terms
from sfumato.verification.term_sounds import direct_places
from sfumato.verification.term_walk import ShownTerm, WalkResult
from sfumato.verification.terms import _shows_nothing, check_terms

USUAL = {"k": 2, "guarantee": "published", "rare_lengths": "star", "mask": "*", "shared": 3}
USUAL |= {"whole_words": True, "fold_case": False, "fold_width": False, "direct": False}
USUAL |= {"candidates": True, "articles": False}
WORDS = ["ann", "bob", "eve", "flo", "ab", "cd", "long", "xx", "so", "is"]


def judged(texts, data, terms, name="term-k-anonymity", published=None, direct=None, **stated):
    stated = USUAL | stated
    claim = Claim(name, "", {**stated, "direct": direct is not None})
    release = release_of(data, terms=terms, published=published, direct=direct)
    return check_terms([claim], texts, release)[0]


def release_of(data, **sides):
    parts = {"claims": (), "changes": Changes.of(), "loss": {}, "parameters": {}}
    return Release(verb="redact", data=data, sides=Sides(**sides), **parts)


def some_map(chance, terms):
    """Strings for terms: mostly a pattern of those that are as long, sometimes any."""
    strings = []
    for term in terms:
        alike = [one for one in terms if len(one) == len(term)]
        if chance.random() < 0.9:
            group = alike if len(alike) < 4 else [o for o in alike if (o < "d") == (term < "d")]
            letters = zip(*group, strict=True)
            strings.append("".join(some[0] if len(set(some)) == 1 else "*" for some in letters))
        else:
            strings.append(chance.choice(["*" * len(term), term, "a" + "*" * (len(term) - 1)]))
    return strings


def covers(string, term):
    return len(string) == len(term) and all(
        a in ("*", b) for a, b in zip(string, term, strict=True)
    )


def shown_words(chance, words, strings):
    for word in words:
        if chance.random() < 0.05:
            yield chance.choice(["*" * len(word), word, "*" + word[1:]])
        else:
            yield strings.get(word, word)


def holds(words, new, strings, k):
    """The definition, where blanks part all words, so that no term crosses another."""
    sharers, lengths = Counter(strings.values()), Counter(map(len, strings))
    for term, string in strings.items():
        exempt = string == "*" * len(term) and lengths[len(term)] < k
        if not covers(string, term) or (sharers[string] < k and not exempt):
            return False
    for word, shown in zip(words, new, strict=True):
        if word in strings:
            if shown == strings[word]:
                continue
            if shown != "*" * len(word) or lengths[len(word)] < k:
                return False
        elif not covers(shown, word):
            return False
    return True


@pytest.mark.parametrize("number", range(12))
def test_published_strings_are_judged_by_the_definition(number):
    chance = random.Random(number)
    seen = Counter()
    for _ in range(40):
        terms = chance.sample(WORDS[:8], chance.randint(1, 7))
        published, k = some_map(chance, terms), chance.randint(1, 3)
        strings = dict(zip(terms, published, strict=True))
        words = chance.choices(WORDS, k=chance.randint(0, 5))
        new = list(shown_words(chance, words, strings))
        verdict = judged([" ".join(words)], [" ".join(new)], terms, published=published, k=k)
        assert verdict.holds == holds(words, new, strings, k), (words, new, strings, k)
        seen[verdict.holds] += 1
        if verdict.holds:
            assert verdict.measured["replaced"] == sum(word in strings for word in words)
            fewest = min(Counter(published)[one] for one in published)
            assert verdict.measured["fewest_sharers"] == fewest
    assert len(seen) == 2


@pytest.mark.parametrize("number", range(12))
def test_patterns_are_judged_by_the_definition(number):
    """`matching` without a map: at least k terms match every pattern that is shown."""
    chance = random.Random(number)
    seen = Counter()
    for _ in range(40):
        terms = chance.sample(WORDS[:8], chance.randint(1, 7))
        words, k = chance.choices(WORDS, k=chance.randint(0, 4)), chance.randint(1, 3)
        new = [
            "".join("*" if chance.random() < 0.6 else letter for letter in word)
            if word in terms
            else word
            for word in words
        ]
        stated = {"guarantee": "matching", "candidates": False, "k": k}
        verdict = judged([" ".join(words)], [" ".join(new)], terms, **stated)
        lengths = Counter(map(len, terms))
        expected = all(
            matches(shown, terms) >= k or (set(shown) == {"*"} and lengths[len(word)] < k)
            for word, shown in zip(words, new, strict=True)
            if word in terms
        )
        assert verdict.holds == expected, (words, new, terms, k)
        seen[verdict.holds] += 1
    assert len(seen) == 2


@pytest.mark.parametrize("number", range(12))
def test_a_term_in_clear_is_found_by_the_definition(number):
    chance = random.Random(number)
    seen = set()
    for _ in range(30):
        terms = chance.sample(["ab", "ba", "abc", "c"], chance.randint(1, 4))
        direct = chance.sample(["cc", "bb"], chance.randint(0, 2))
        text = "".join(chance.choices("abc ", k=chance.randint(0, 8)))
        wordlike = is_wordlike if chance.random() < 0.5 else None
        whole = {"whole_words": wordlike is not None}
        # All that is listed is starred, but for a letter of it now and then.
        hidden = {
            i for a, b, _ in occurrences(text, [*terms, *direct], wordlike) for i in range(a, b)
        }
        back = {i for i in hidden if chance.random() < 0.15}
        new = "".join("*" if i in hidden - back else c for i, c in enumerate(text))
        named = {"name": "no-term-in-clear", "published": ["*" * len(one) for one in terms]}
        verdict = judged([text], [new], terms, direct=direct, **named, **whole)
        if not back:
            assert verdict.holds, (text, new, terms, direct)
        if occurrences(new, [*terms, *direct], wordlike):
            assert not verdict.holds, (text, new, terms, direct)
        seen.add(verdict.holds)
    assert len(seen) == 2


def test_a_term_in_its_own_place_is_in_clear_unless_it_is_published_so():
    named = {"name": "no-term-in-clear"}
    for guarantee, published in (("published", ["**"] * 3), ("matching", None)):
        counted = guarantee == "published"
        given = {**named, "guarantee": guarantee, "published": published, "candidates": counted}
        assert not judged(["ab is cd"], ["ab is **"], ["ab", "cd", "ef"], **given).holds
        assert judged(["ab is cd"], ["** is **"], ["ab", "cd", "ef"], **given).holds
    given = {**named, "published": ["***", "***", "ab*", "ab*", "**"]}
    terms = ["xyz", "abz", "abc", "abd", "ab"]
    assert judged(["abc"], ["ab*"], terms, **given).holds  # inside its published string
    assert not judged(["abz"], ["ab*"], terms, **given).holds
    open_ = {**named, "published": ["ab", "cd"], "k": 1}
    assert judged(["ab is cd"], ["ab is cd"], ["ab", "cd"], **open_).holds


def literal_search(text, keys, wordlike, hidden):
    """From the left, the longest, none inside another."""
    found, past = [], 0
    for start, stop, _ in occurrences(text, keys, wordlike):
        if start >= past and not hidden & set(range(start, stop)):
            found.append((start, stop))
            past = stop
    return found


def could_stand(text, place, key, keys, direct, wordlike, hidden):
    """Whether the search of the text with a term in a place takes it, and what it took before."""
    start, stop = place
    tried = text[:start] + key + text[stop:]
    moved = {i if i < start else i + len(key) - (stop - start) for i in hidden}
    taken = literal_search(tried, keys, wordlike, moved)
    before = [one for one in literal_search(text, keys, wordlike, hidden) if one[0] < start]
    if taken[: len(before) + 1] != [*before, (start, start + len(key))]:
        return False
    here = range(start, start + len(key))
    return not any(set(here) & set(range(a, b)) for a, b, _ in occurrences(tried, direct, wordlike))


@pytest.mark.parametrize("number", range(15))
def test_candidates_are_those_that_the_search_takes(number):
    chance = random.Random(number)
    counted = Counter()
    for _ in range(60):
        keys = list({"".join(chance.choices("ab-", k=chance.randint(1, 4))) for _ in range(5)})
        strings = {key: chance.choice(["*", "**"]) for key in keys}
        direct = list({"".join(chance.choices("abc", k=2)) for _ in range(chance.randint(0, 2))})
        direct = [one for one in direct if one not in keys]
        text = "".join(chance.choices("abc-", k=chance.randint(1, 12)))
        wordlike = is_wordlike if chance.random() < 0.5 else None
        hidden = {
            i for start, stop, _ in occurrences(text, direct, wordlike) for i in range(start, stop)
        }
        taken = literal_search(text, keys, wordlike, hidden)
        reading = Reading("*", False, False, wordlike is not None)
        candidates = Candidates.of(reading, strings, direct, "*")
        starts, stops = [one[0] for one in taken], [one[1] for one in taken]
        read = ReadText(text, starts, stops, frozenset(hidden))
        for place in taken:
            fits = {
                key: could_stand(text, place, key, keys, direct, wordlike, hidden) for key in keys
            }
            for string in ("*", "**"):
                expected = sum(fits[key] for key in keys if strings[key] == string)
                for enough in (1, 2, 9):
                    found = candidates.count(read, *place, string, enough)
                    assert found == min(expected, enough), (text, place, strings, direct)
                counted[expected] += 1
            size = place[1] - place[0]
            alike = [key for key in keys if len(key) == size and strings[key] != "*"]
            expected = sum(fits[key] for key in alike)
            assert candidates.count_starred(read, *place, 9) == expected
            assert candidates.count_starred(read, *place, 1) == min(1, expected)
    assert len(counted) > 2


def test_direct_identifiers_must_be_starred_whole():
    terms, given = ["bob", "eve"], {"published": ["***", "***"], "direct": ["ann"]}
    for new, is_held in (("*** saw ***", True), ("a** saw ***", False), ("ann saw ***", False)):
        assert judged(["ann saw bob"], [new], terms, **given).holds is is_held
    clear = judged(["ann saw bob"], ["*** saw ***"], terms, name="no-term-in-clear", **given)
    assert (clear.holds, clear.measured) == (True, {"terms_inside_patterns": 0})
    claim = Claim("term-k-anonymity", "", USUAL | {"direct": True})
    with pytest.raises(BadInput, match="direct"):
        check_terms([claim], ["a"], release_of(["a"], terms=terms, published=["***"] * 2))
    with pytest.raises(BadInput, match="list of terms"):
        check_terms([claim], ["a"], release_of(["a"]))


@pytest.mark.parametrize(
    ("text", "new", "holds"),
    [
        ("A dr. came", "A *** came", True),
        ("An ear came", "A *** came", True),
        ("An ear came", "An *** came", False),
        ("A dr. came", "An *** came", False),
        ("Anna ear", "Anna ***", True),
        ("Dr. ann is an ear", "Dr. ann is a ***", True),
        ("Dr. ann is an ear", "Dr. ann is an ***", False),
        ("Dr. ann is ear", "Dr. ann is a ***", False),
    ],
)
def test_articles_tell_no_first_sound(text, new, holds):
    """An ear and a doctor share a string: "a" stands before both."""
    terms, published = ["ear", "dr."], ["***", "***"]
    verdict = judged([text], [new], terms, published=published, articles=True)
    assert verdict.holds is holds, verdict.reason


def test_an_article_that_all_terms_take_may_stay():
    published = ["ea*", "ea*"]
    for new, holds in (("An ea*", True), ("A ea*", False)):
        verdict = judged(["An ear"], [new], ["ear", "eat"], published=published, articles=True)
        assert verdict.holds is holds


def test_words_that_are_elided_are_hidden_by_two_marks():
    """Le before some, l' before others: the word before the string would tell."""
    text = "Il parle de l'avion et de la maison avec tous les enfants de la classe"
    terms, published = ["avion", "balle"], ["*****"] * 2
    given = {"published": published, "articles": True}
    assert judged([text], [text.replace("l'avion", "** *****")], terms, **given).holds
    assert not judged([text], [text.replace("avion", "*****")], terms, **given).holds
    assert not judged([text], [text.replace("l'avion", "la *****")], terms, **given).holds


def test_a_mark_for_more_than_a_term_is_found_again():
    """Nobody says where marks stand: one that hides a term with what is around it is found."""
    terms, published = ["ab", "bc", "abc", "x"], ["*****"] * 4
    stated = {"rare_lengths": "shared", "shared": 5, "whole_words": False, "k": 3}
    given = {"published": published, **stated}
    assert judged(["so abc is x."], ["so ***** is *****."], terms, **given).holds
    assert judged(["so abc is x."], ["so *****."], terms, **given).holds
    assert judged(["so abc is x."], ["*****"], terms, **given).holds
    assert judged(["so ab is abc.x"], ["*****.*****"], terms, **given).holds
    for new in (
        "so ***** is x.",
        "so ****.",
        "*****.so",
        "***** is *****..",
        "so .****",
    ):
        assert not judged(["so abc is x."], [new], terms, **given).holds
    version_1 = judged(["so abc is x."], ["so *****."], terms, **{**given, "candidates": None})
    assert not version_1.holds


def test_pools_of_rare_lengths_without_a_map():
    """Terms of rare lengths share the mark, with as many others as they lack."""
    stated = {"guarantee": "matching", "rare_lengths": "shared", "shared": 5, "k": 3}
    terms = ["ab", "cd", "ef", "gh", "long"]
    for new, holds in (("***** is **", True), ("**** is **", False), ("***** is a*", False)):
        assert judged(["long is gh"], [new], terms, **stated, candidates=None).holds is holds
    # The mark of five stars for ab and cd: both join long, which lacks two.
    assert judged(["ab is cd"], ["***** is *****"], terms, **stated).holds
    assert judged(["gh"], ["**"], terms, **stated, candidates=None).holds


def test_a_term_that_reaches_out_of_a_place_is_not_legible():
    """ab is a place; bc would be a term in "abc", so c tells that the place ends with b."""
    reading = Reading("*", False, False, False)
    strings = {"ab": "**", "cb": "**", "bc": "##", "xx": "**"}
    judge = PlaceJudge(2, "***", reading, strings, (), exempt=False)
    read = ReadText("abc", [0], [2], frozenset(), ((1, 3, 1),))
    half = {**strings, "ab": "*b", "cb": "*b"}
    told = PlaceJudge(2, "***", reading, half, (), exempt=False)
    one = ShownTerm("ab", "*b", 0, 2, 0, 2)
    assert told.legible_over("*bc", [one], read) == one
    assert told.legible_over("*b*", [one], read) is None
    assert told.legible_over("*b ", [one], read) is None
    alone = PlaceJudge(2, "***", reading, {**half, "cb": "**"}, (), exempt=False)
    assert alone.legible_over("*bc", [one], read) is None  # no second candidate ends so
    starred = ShownTerm("ab", "**", 0, 2, 0, 2)
    assert judge.legible_over("**c", [starred], read) is None
    met = ReadText("abc", [0, 2], [2, 3], frozenset(), ((1, 3, 1),))
    assert told.legible_over("*bc", [one], met) is None


def test_readings_of_places_and_what_they_hide():
    reading = Reading("*", False, False, True)
    strings = {"ann": "***", "bob": "***", "eve": "e**", "eli": "e**", "ab": "**"}
    judge = PlaceJudge(2, "*****", reading, strings, (), exempt=True)
    read = ReadText("ann", [0], [3], frozenset())

    def place(term, string):
        return ShownTerm(term, string, 0, len(string), 0, 3)

    assert judge.holds(read, place("ann", "***"))
    assert judge.holds(read, place("eve", "***"))  # four terms are as long
    assert not judge.holds(read, place("eve", "*v*"))
    few = ReadText("ab", [0], [2], frozenset())
    rare = ShownTerm("ab", "**", 0, 2, 0, 2)
    assert judge.problem(few, rare) is None  # exempt: the only term of two letters
    strict = PlaceJudge(2, "*****", reading, strings, (), exempt=False)
    assert "1 terms" in strict.problem(few, rare)
    # A mark over the whole text hides any term that shares it, whatever stands there.
    pooled = PlaceJudge(2, "*****", reading, {"ann": "*****", "x": "*****"}, (), exempt=False)
    assert pooled.problem(read, ShownTerm(None, "*****", 0, 5, 0, 3)) is None
    assert "0 terms" in strict.problem(read, ShownTerm(None, "*****", 0, 5, 0, 3))


def test_candidates_are_counted_in_their_place():
    """In "ab" and b after it "aa" would be read as "aab": one term alone could stand there."""
    reading = Reading("*", False, False, False)
    strings = {"ab": "a*", "aa": "a*", "aab": "***"}
    judge = PlaceJudge(2, "*****", reading, strings, (), exempt=False)
    one = ShownTerm("ab", "a*", 0, 2, 0, 2)
    assert judge.problem(ReadText("abc", [0], [2], frozenset()), one) is None
    assert "1 terms" in judge.problem(ReadText("abb", [0], [2], frozenset()), one)


def test_direct_identifiers_inside_terms_leave_fewer_candidates():
    reading = Reading("*", False, False, False)
    judge = PlaceJudge(2, "**", reading, {"an": "**", "ab": "**"}, ("n",), exempt=False)
    read = ReadText("ab", [0], [2], frozenset())
    assert "1 terms" in judge.problem(read, ShownTerm("ab", "**", 0, 2, 0, 2))
    # Under one mark for a whole text nothing is told.
    assert judge.problem(read, ShownTerm(None, "**", 0, 2, 0, 2)) is None
    assert "1 terms" in judge.problem(read, ShownTerm(None, "**", 0, 2, 0, 1))


def test_stars_tell_the_length_alone():
    reading = Reading("*", False, False, True)
    strings = {"eve": "e**", "ann": "***", "bob": "***", "ab": "**", "cd": "cd"}
    judge = PlaceJudge(2, "*****", reading, strings, (), exempt=True)
    read = ReadText("eve", [0], [3], frozenset())
    assert judge.problem(read, ShownTerm("eve", "***", 0, 3, 0, 3)) is None
    assert "1 terms" in judge.problem(read, ShownTerm("eve", "e**", 0, 3, 0, 3))
    longer = ReadText("eves", [0], [4], frozenset())
    assert "0 terms" in judge.problem(longer, ShownTerm("eve", "***", 0, 3, 0, 3))


def test_terms_are_exempt_where_fewer_than_k_are_as_long():
    reading = Reading("*", False, False, False)
    read = ReadText("abd", [0], [2], frozenset())
    one = ShownTerm("ab", "**", 0, 2, 0, 2)
    strings = {"ab": "**", "cdd": "***"}
    assert PlaceJudge(2, "*****", reading, strings, (), exempt=True).problem(read, one) is None
    # "cd" is as long, and could not stand before the d.
    strings["cd"] = "cd"
    told = PlaceJudge(2, "*****", reading, strings, (), exempt=True).problem(read, one)
    assert "1 terms" in told


def test_ends_of_terms_begin_at_borders():
    strings = {"pine st": "*", "fast": "*", "st": "*", "st x": "#"}
    candidates = Candidates.of(Reading("*", False, False, True), strings, (), "**")
    assert candidates.ends("*", "st") == 2
    inside = Candidates.of(Reading("*", False, False, False), strings, (), "**")
    assert inside.ends("*", "st") == 3


@pytest.mark.parametrize("number", range(6))
def test_terms_are_found_wherever_they_stand(number):
    chance = random.Random(number)
    for _ in range(40):
        terms = list({"".join(chance.choices("ab c", k=chance.randint(1, 3))) for _ in range(4)})
        terms = [one for one in terms if one == one.strip() and "  " not in one and one]
        texts = ["".join(chance.choices("abc -", k=chance.randint(0, 9))) for _ in range(3)]
        texts = [" ".join(text.split()) for text in texts]
        wordlike = is_wordlike if chance.random() < 0.5 else None
        reading = Reading("*", False, False, wordlike is not None)
        found = list(found_terms(texts, terms, reading))
        expected = [
            (document, *one)
            for document, text in enumerate(texts)
            for one in occurrences(text, terms, wordlike)
        ]
        assert sorted(one[:4] for one in found) == sorted(expected)
        for document, text in enumerate(texts):
            taken = leftmost_longest([one for one in found if one.document == document], [])
            assert [one[1:3] for one in taken] == literal_search(text, terms, wordlike, set())


def test_what_only_hashes_like_a_term_is_none(monkeypatch):
    """With filters of two slots nearly every window passes them: letters decide."""
    monkeypatch.setattr(term_places, "BITS", (1, 1))
    found = term_places.occurrences(["ab cd abcd"], ["ab", "cd"], Reading("*", False, False, True))
    assert [one[:4] for one in found] == [(0, 0, 2, "ab"), (0, 3, 5, "cd")]


def test_direct_identifiers_stand_as_marks():
    walked = WalkResult([], [(0, 9, 0)])
    (one,) = direct_places([3], walked, range(10), "an *** x*", "*")
    assert one == ShownTerm(None, "***", 3, 6, 3, 6)
    assert direct_places([3], walked, range(10), "an Ann x*", "*") == []
    assert direct_places([10], walked, range(10), "an *** x*", "*") == []
    assert walked.there(8) == 8
    assert walked.there(9) is None


def test_blanks_at_the_ends_of_a_span_show_nothing():
    assert [_shows_nothing(one) for one in (" ", "\u200b", "\n", "a", ".")] == [True] * 3 + [
        False
    ] * 2
