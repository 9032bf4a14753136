"""`pseudonymize` for documents that come in parts: once to learn, once to replace.

The release has the bytes that the verb gives for all documents at once. Memory grows with the
number of different entities, as it must when no two may share a surrogate.
"""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING, Self, get_args

from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.options import choose
from ...core.spans import quick_span
from .entities import Dates, Entities, Surrogates
from .operators import checked
from .pseudonymize import owners_of, released, shown
from .secret import secret_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...core.release import Release
    from ...core.spans import Span


class Pseudonyms:
    """One run over parts: `learn` every part, then `release` every part in the same order.

    What was found is kept between the passes in a file without a name: offsets and labels.

    >>> parts = [["Seen by Dr. Ho."], ["Dr. Ho again."]]
    >>> from sfumato.recognizers import recognizer
    >>> find, key = recognizer("rules-en"), "a key of sixteen bytes"
    >>> with Pseudonyms("rules-en", key) as run:
    ...     for texts in parts:
    ...         run.learn(texts, find(texts))
    ...     released = [text for part in parts for text in run.release(part).data]
    >>> import sfumato as sf
    >>> released == sf.pseudonymize([text for part in parts for text in part], key=key).data
    True
    """

    def __init__(
        self,
        recognizer: object = None,
        key: bytes | str | None = None,
        dates: Dates = "shift",
        *,
        operators: Mapping[str, str] | None = None,
        seed: int = 0,
        stretched: bool = True,
    ):
        choose("dates", dates, get_args(Dates))
        self._secret = secret_of(key, seed, stretched=stretched)
        self._operators = checked(operators)
        self._parameters: dict[str, object] = {
            "recognizer": shown(recognizer),
            "dates": dates,
            "seed": seed,
        }
        if self._operators:
            self._parameters["operators"] = self._operators
        self._entities, self._documents = Entities(), 0
        self._surrogates: Surrogates | None = None
        self._found = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115

    def learn(self, texts: Sequence[str], spans: Sequence[Span]) -> None:
        """Takes up what a recogniser found in one part."""
        self._entities.learn(texts, spans, self._operators)
        rows = [(one.document, one.start, one.stop, one.label, one.why) for one in spans]
        self._found.write(json.dumps(rows) + "\n")

    def release(self, texts: Sequence[str | None], groups: Sequence[str] | None = None) -> Release:
        """The release of the next part."""
        if self._surrogates is None:
            self._surrogates = Surrogates.of(self._entities, self._secret, self._operators)
            self._found.seek(0)
        line = self._found.readline()
        if not line:
            raise BadInput("this part was not learned", where="texts", remedy="learn all parts")
        found = [
            quick_span(document, start, stop, label, 1.0, why)
            for document, start, stop, label, why in json.loads(line)
        ]
        labels = range(self._documents, self._documents + len(texts))
        self._documents += len(texts)
        corpus, owners = Corpus.of(list(texts)), owners_of(groups, labels)
        return released(corpus, groups, found, self._surrogates, owners, self._parameters)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of what was found."""
        self._found.close()
