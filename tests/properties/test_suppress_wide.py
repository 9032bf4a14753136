"""`suppress` with every option on the texts people have: k to 50, stars in the text, any script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import substrings as oracle

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

# Plain words; the mask; marks that extend what they follow, blanks too (half-width sound marks are
# letters); symbols inside words and numbers; emoji, flags; scripts without blanks; unseen symbols.
ALPHABETS = [
    *("ab ", "ab★ ", "ab★\ufe0f ", "ｶﾞﾊﾟ ", "e\u0301 a", "a'’.:1,2 ", "a_1- ", "\r\n a"),
    *("👨\u200d👩 🇩🇪🇫", "東京カタナー々 ", "אב\"' ", "하ᄒ\u1161 ", "กา\u0e33 ", "a\u00ad\u200bb "),
]


@st.composite
def corpora(draw):
    alphabet = draw(st.sampled_from(ALPHABETS))
    pieces = draw(st.lists(st.text(alphabet, min_size=1, max_size=4), min_size=1, max_size=4))
    piece = st.one_of(st.sampled_from(pieces), st.sampled_from(alphabet), st.just(" "))
    return draw(st.lists(st.lists(piece, max_size=12).map("".join), min_size=1, max_size=5))


@st.composite
def spans(draw, texts):
    places = []
    for document, text in enumerate(texts):
        if text and draw(st.booleans()):
            start = draw(st.integers(0, len(text) - 1))
            places.append(sf.Span(document, start, draw(st.integers(start + 1, len(text)))))
    return places


OPTIONS = st.fixed_dictionaries(
    {
        "unit": st.sampled_from(["character", "grapheme", "word"]),
        "align": st.sampled_from(["word", "character"]),
        "cover": st.sampled_from(["fewest", "fewest", "longest-first", "word"]),
        "min_run": st.integers(1, 4),
        "mask": st.sampled_from(["★", "★", "█", "[…]", "##"]),
        "collapse": st.booleans(),
        "strict": st.booleans(),
        "guess": st.sampled_from([0.5, None]),
        "memory": st.sampled_from([None, None, None, 1]),
    }
)


def copies(texts, k, times):
    """As many texts as k needs, or most of them."""
    return texts * -(-k // len(texts)) if times else texts


@settings(max_examples=500)
@given(corpora(), st.integers(1, 50), OPTIONS, st.booleans(), st.data())
def test_every_release_verifies_or_is_refused(texts, k, options, times, data):
    texts = copies(texts, k, times)
    if options["unit"] != "word":
        options["keep"] = data.draw(st.sampled_from(["", " ", "a "]), label="keep")
    if options["guess"] is not None:
        if options["align"] == "character" or options["cover"] != "fewest":
            del options["guess"]  # refused together; by default none then
        elif "a" in options.get("keep", ""):
            options["keep"] = " -"
    if data.draw(st.booleans(), label="spans?"):
        options["spans"] = data.draw(spans(texts[:5]))
        options["strict"] &= options["cover"] != "word"  # refused together
    by_person = data.draw(st.booleans(), label="by person?")
    groups = [str(i % 3) for i in range(len(texts))] if by_person else None
    there = len(set(groups or range(len(texts))))
    try:
        release = sf.suppress(texts, k, groups=groups, **options)
    except sf.CannotBeMet:
        assert there < k
        assert any(texts)
        return
    assert there >= k or not any(texts)
    for verdict in sf.verify(texts, release):
        assert verdict.holds, (verdict.reason, verdict.where)
    mask = options["mask"]
    if len(mask) == 1 and not options["collapse"]:
        hidden = sum(
            new == mask != old
            for before, after in zip(texts, release.data, strict=True)
            for old, new in zip(before, after, strict=True)
        )
        assert release.loss["suppressed"] == hidden
    if options.get("guess") is not None:  # against the reader: test_suppress_reader.py
        return
    if mask == "★" and not options["collapse"] and options["unit"] == "character":
        labels = groups or range(len(texts))
        reference = release.data if options["strict"] else texts
        if options["cover"] != "word" and sum(map(len, texts)) < 300:
            assert oracle.is_anonymous(release.data, reference, k, labels, options["keep"])


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        # The blank between two words is a span: they are no pair in the release.
        (["a b", "a b", "a b"], {"spans": [sf.Span(0, 1, 2)], "k": 3}),
        (["a b", "a b"], {"spans": [sf.Span(0, 1, 2)], "k": 2}),
        # A star of the text ends a sequence of words.
        (["a★ ab", "a ab", "b"], {"k": 2}),
        (["a ★ b", "a b", "a b"], {"k": 3, "collapse": True}),
        # Sound marks of half width are letters, and extend the blank before them.
        (["  ﾞ ｶ", " ﾞ ｶ"], {"k": 1}),
        (["ｶﾞ  ﾟ", "ｶﾞ ﾟ"], {"k": 2}),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_sequences_of_words_end_where_the_release_ends_them(texts, options, strict):
    release = sf.suppress(texts, unit="word", strict=strict, **options)
    assert [verdict.holds for verdict in sf.verify(texts, release)] == [True] * len(release.claims)
    assert release.loss["suppressed"] >= 0
