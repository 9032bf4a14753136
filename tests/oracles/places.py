"""Places of people's terms in their texts, by their definitions."""

from __future__ import annotations

from collections.abc import Sequence

Place = tuple[int, int, int]


def without_case(text: str) -> str:
    """Every symbol without its case, one for one."""
    return "".join(one.lower().upper()[0].lower()[0] for one in text)


def own_terms(
    texts: Sequence[str],
    person_of_text: Sequence[int],
    terms: Sequence[str],
    person_of_term: Sequence[int],
    any_case: bool,
) -> list[tuple[int, int, int, int]]:
    """(document, start, stop, term) for every whole-word occurrence of a term in its person's."""
    found = []
    for document, text in enumerate(texts):
        for number, term in enumerate(terms):
            if not term or person_of_term[number] != person_of_text[document]:
                continue
            for start in range(len(text) - len(term) + 1):
                stop = start + len(term)
                there = text[start:stop]
                same = without_case(there) == without_case(term) if any_case else there == term
                inside = (start > 0 and text[start - 1 : start + 1].isalnum()) or (
                    stop < len(text) and text[stop - 1 : stop + 1].isalnum()
                )
                if same and not inside:
                    found.append((document, start, stop, number))
    return sorted(found, key=lambda one: (one[0], one[1], -one[2], one[3]))


def starts_sentence(text: str, start: int) -> bool:
    """Whether nothing, or the end of a sentence, stands before blanks and opening marks."""
    before = text[:start]
    while before and (before[-1].isspace() or before[-1] in "\"'“‘(["):
        before = before[:-1]
    return not before or before[-1] in ".!?"


def splice(texts: Sequence[str], places: Sequence[Place], words: Sequence[str]) -> list[str]:
    """The texts with a word at each place, the last place first."""
    result = list(texts)
    for (document, start, stop), word in reversed(list(zip(places, words, strict=True))):
        result[document] = result[document][:start] + word + result[document][stop:]
    return result
