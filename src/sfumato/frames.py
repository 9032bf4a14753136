"""Verbs on the columns of a frame, as both namespaces offer them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .core.errors import BadInput
from .methods import method

if TYPE_CHECKING:
    from .core.values import Data, JsonObject


def verb(name: str) -> Any:
    """A verb of the package by its name, imported when it is first used."""
    return method(name).call()


class SeriesVerbs:
    """The verbs on a column of texts: each gives a Release whose data is such a column."""

    def __init__(self, series: object):
        self._series = series

    def suppress(self, k: object = 5, **options: object) -> Any:
        """Stars rare substrings; parameters as for `sfumato.suppress`."""
        return verb("suppress")(self._series, k, **options)

    def redact(self, terms: Data, k: int = 5, **options: object) -> Any:
        """Redacts listed terms; parameters as for `sfumato.redact`."""
        return verb("redact")(self._series, terms, k, **options)

    def sanitize(self, patterns: Data, **options: object) -> Any:
        """Hides sensitive patterns; parameters as for `sfumato.sanitize`."""
        return verb("sanitize")(self._series, patterns, **options)

    def generalize(self, t: object = 32, **options: object) -> Any:
        """Makes sensitive words more general; parameters as for `sfumato.generalize`."""
        return verb("generalize")(self._series, t, **options)

    def pseudonymize(self, recognizer: object = None, **options: object) -> Any:
        """Replaces what a recogniser finds; parameters as for `sfumato.pseudonymize`."""
        return verb("pseudonymize")(self._series, recognizer, **options)


class FrameVerbs:
    """The verbs on one column of a frame: each gives a Release whose data is such a column.

    `groups` may be the name of a column. `with_release` puts a release back into the frame.
    """

    def __init__(self, frame: Data):
        self._frame = frame

    def suppress(self, column: str, k: object = 5, **options: object) -> Any:
        """Stars rare substrings of a column; `groups` may name a column."""
        return self._on(column).suppress(k, **self._named(options))

    def redact(self, column: str, terms: Data, k: int = 5, **options: object) -> Any:
        """Redacts listed terms in a column."""
        return self._on(column).redact(terms, k, **self._named(options))

    def sanitize(self, column: str, patterns: Data, **options: object) -> Any:
        """Hides sensitive patterns in a column."""
        return self._on(column).sanitize(patterns, **self._named(options))

    def generalize(self, column: str, t: object = 32, **options: object) -> Any:
        """Makes sensitive words of a column more general."""
        return self._on(column).generalize(t, **self._named(options))

    def pseudonymize(self, column: str, recognizer: object = None, **options: object) -> Any:
        """Replaces what a recogniser finds in a column; `groups` may name a column."""
        return self._on(column).pseudonymize(recognizer, **self._named(options))

    def anonymize(self, schema: object, k: object = 5, **options: object) -> Any:
        """Makes people alike in the whole frame; the release's data is such a frame."""
        return verb("anonymize")(self._frame, schema, k, **options)

    def _on(self, column: str) -> SeriesVerbs:
        return SeriesVerbs(self._frame[self._known(column, "column")])

    def _named(self, options: JsonObject) -> JsonObject:
        """The options, with the column in place of its name."""
        groups = options.get("groups")
        if isinstance(groups, str):
            return {**options, "groups": self._frame[self._known(groups, "groups")]}
        return options

    def _known(self, name: str, where: str) -> str:
        columns = list(self._frame.columns)
        if name not in columns:
            raise BadInput(
                f"no column is named {name!r} ({len(columns)} columns)",
                where=where,
                remedy="give the name of a column of this frame",
            )
        return name
