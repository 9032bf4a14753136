"""A recogniser that learnt from review: what its base finds, corrected by a tagger.

What the base found are features, by label and rule, and are believed unless something else was
learnt. How it learns: `learn.py`; what the file tells: docs/recognizers/learn.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from ..core.arrays import packed_arrays
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..kernels import tagger
from .combine import found_by
from .installed_recognizers import installed, joined
from .legible import legible
from .names import USUAL, english, mentioned, read_weights
from .overlaps import cover, resolve
from .story import follow

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.spans import Span
    from .combine import Recognizer

MAGIC = b"SFLEARN3"
NONE = "none"
MOST_TYPES = 15


@dataclass(frozen=True, slots=True)
class Setting:
    """How a learnt model is used: a larger `lean` finds more and errs more; one that `adds` to its
    base takes nothing from it.
    """

    lean: float = 0.0
    adds: bool = False


AS_BASE = Setting(-100.0, True)  # nothing is found so but what the base finds


@dataclass(frozen=True)
class LearntRecognizer:
    """A recogniser that learnt labels `types` on top of `base` (a recogniser's name, or `none`).

    Labels of the base that are not among the types stay as the base finds them. Cost: O(n) beside
    the base.
    """

    base: str
    types: tuple[str, ...]
    weights: tagger.Weights = field(repr=False)
    setting: Setting = Setting()
    name: str = "learnt"
    report: Any = field(default=None, repr=False, compare=False)

    __repr__ = by_sizes

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents; the names of a group are looked for in all its texts."""
        read = legible(texts)
        based = self.based(read.texts, progress, groups)
        found = resolve(self.tagged(read.texts, based, progress))
        return read.back(follow(read.texts, found, english().lexicon, USUAL, groups))

    def based(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """What the base finds."""
        if self._base is None:
            return []
        return resolve(found_by(self._base, texts, progress, groups))

    def tagged(
        self, texts: Sequence[str], found: list[Span], progress: Progress | None = None
    ) -> list[Span]:
        """What was found by the base, corrected."""
        report = None if progress is None else lambda share: progress(self.name, share)
        hints = hints_of(found, self.types)
        lean = self.setting.lean
        mentions = tagger.tag(
            list(texts), english().lexicon, self.weights, None, lean, report, hints
        )
        spans = mentioned(mentions, self.types, self.name)
        others = [span for span in found if span.label not in self.types]
        if self.setting.adds:
            others = _outside(found, spans)
        return cover([*spans, *others])

    def leaning(self, more: float) -> LearntRecognizer:
        """The same, leaning more towards finding."""
        return self.set_to(replace(self.setting, lean=self.setting.lean + more))

    def set_to(self, setting: Setting) -> LearntRecognizer:
        """The same with another setting."""
        return LearntRecognizer(self.base, self.types, self.weights, setting, self.name)

    def save(self, path: str | Path) -> None:
        """Writes the model to a file whose name ends in `.model`."""
        Path(path).write_bytes(self.as_bytes())

    def as_bytes(self) -> bytes:
        """The bytes of the model's file: labels, the base's name, weights of hashed features."""
        about = {
            "types": self.types,
            "base": self.base,
            "lean": self.setting.lean,
            "adds": self.setting.adds,
            "names": english().sha256,
        }
        return packed_arrays(MAGIC, about, self.weights.arrays)

    @cached_property
    def _base(self) -> Recognizer | None:
        return base_of(self.base)


def _outside(found: Sequence[Span], learnt: Sequence[Span]) -> list[Span]:
    """What a base found but for what lies within a learnt mention, whose label counts there."""
    starts = [(span.document, span.start) for span in learnt]  # in order, and apart
    last = (bisect_right(starts, (span.document, span.start)) - 1 for span in found)
    return [
        span
        for span, at in zip(found, last, strict=True)
        if at < 0 or learnt[at].document != span.document or span.stop > learnt[at].stop
    ]


def base_of(name: str) -> Recognizer | None:
    """The recogniser a model is learnt upon; None where it has none. Files are no base."""
    if name == NONE:
        return None
    if any("." in one or "/" in one for one in name.split("+")):
        raise BadInput(
            "a base is named, files are none",
            where="base",
            remedy="en, names-en, rules-en, rules-es, none, or an installed pipeline",
        )
    return joined([installed(one) for one in name.split("+")])


def hints_of(found: Sequence[Span], types: Sequence[str]) -> tagger.Hints:
    """What a base found, for the tagger; labels that are not learnt are left out."""
    numbers = {label: number for number, label in enumerate(types)}
    chosen = [span for span in found if span.label in numbers]
    return tagger.Hints(
        np.array([span.document for span in chosen], np.int64),
        np.array([span.start for span in chosen], np.int64),
        np.array([span.stop for span in chosen], np.int64),
        np.array([numbers[span.label] for span in chosen], np.int32),
        np.array([crc32(span.why.encode()) & 0xFFFFFF for span in chosen], np.uint32),
    )


def read_model(path: str | Path) -> LearntRecognizer:
    """The recogniser of a file that `learn` wrote."""
    place = Path(path)
    header, weights = read_weights(place, MAGIC, "learnt model")
    if header["names"] != english().sha256 and header["base"] in ("en", "names-en"):
        raise BadInput(
            "the model was learnt upon other weights of names-en",
            where=place.name,
            remedy="learn it again with this version",
        )
    setting = Setting(float(header["lean"]), bool(header["adds"]))
    return LearntRecognizer(header["base"], tuple(header["types"]), weights, setting, place.name)
