"""The words to generalise, however they were given: listed, as spans, by a function, or all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...core.errors import BadInput
from ...core.spans import Span
from ...ontologies import Ontology, key_of
from .find import (
    Mention,
    find_mentions,
    lexicon_of_ontology,
    lexicon_of_words,
    mention_of_span,
    nodes_of,
)


def mark(texts: Sequence[str], words: object, ontology: Ontology) -> list[list[Mention]]:
    """The mentions of every document, in order, none overlapping another.

    >>> from sfumato.ontologies import wordnet
    >>> (found,) = mark(["No liver cancer"], ["cancer", "liver cancer"], wordnet())
    >>> [mention.keys[0] for mention in found]
    ['liver cancer']
    """
    return list(_marked(texts, words, ontology))


def _marked(texts: Sequence[str], words: object, ontology: Ontology) -> Iterator[list[Mention]]:
    """The same, one document after the other."""
    if words is None:
        lexicon = lexicon_of_ontology(ontology)
        yield from (find_mentions(text, lexicon) for text in texts)
        return
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise BadInput(
            f"expected words, spans or a function, found {type(words).__name__}",
            where="words",
            remedy="give a list, also of one word",
        )
    if all(isinstance(word, str) for word in words):
        for i, word in enumerate(words):
            if not key_of(word):
                raise BadInput("a word has no letters or digits", where=f"words[{i}]")
        lexicon = lexicon_of_words(words)
        yield from (find_mentions(text, lexicon) for text in texts)
        return
    yield from _of_spans(texts, words)


def any_known(
    parts: Iterable[Sequence[str]], words: object, ontology: Ontology
) -> tuple[bool, bool]:
    """Whether the ontology knows a marked word of some part, and whether any is marked.

    >>> from sfumato.ontologies import wordnet
    >>> any_known([["calm"], ["xyzzy"]], ["xyzzy"], wordnet())
    (False, True)
    """
    marked = False
    for texts in parts:
        for mentions in _marked(texts, words, ontology):  # no further than the first
            marked = marked or bool(mentions)
            if any(nodes_of(mention, ontology) for mention in mentions):
                return True, True
    return False, marked


def are_spans(words: object) -> bool:
    """Whether the words were given as places.

    >>> are_spans([Span(0, 0, 3)]), are_spans(["pain"]), are_spans([])
    (True, False, False)
    """
    return isinstance(words, Sequence) and any(isinstance(word, Span) for word in words)


def _of_spans(texts: Sequence[str], spans: Sequence[object]) -> list[list[Mention]]:
    """Spans as mentions; of overlapping ones the longest counts, then the first."""
    by_document: dict[int, list[Span]] = {}
    for i, span in enumerate(spans):
        if not isinstance(span, Span):
            raise BadInput(
                f"expected words or spans, found {type(span).__name__}", where=f"words[{i}]"
            )
        inside = 0 <= span.document < len(texts)
        if not inside or not 0 <= span.start < span.stop <= len(texts[span.document]):
            raise BadInput("the span lies outside the texts", where=f"words[{i}]")
        by_document.setdefault(span.document, []).append(span)
    result: list[list[Mention]] = [[] for _ in texts]
    for document, some in by_document.items():
        taken: list[Span] = []
        for span in sorted(some, key=lambda s: (s.start - s.stop, s.start)):
            if all(span.stop <= other.start or other.stop <= span.start for other in taken):
                taken.append(span)
        result[document] = [
            mention_of_span(texts[document], span.start, span.stop)
            for span in sorted(taken, key=lambda s: s.start)
        ]
    return result
