"""Recognisers by name, and as every verb takes them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.spans import Span
from .combine import Recognizer, found_by
from .installed_recognizers import DEFAULT, installed, joined
from .overlaps import require_inside, resolve

if TYPE_CHECKING:
    from ..core.progress import Progress

SUFFIX = ".model"  # of files that `learn` wrote


def recognizer(*names: str | Recognizer, processes: int = 1) -> Recognizer:
    """A recogniser by name, several of them together.

    A name is a language (`en`: rules, names and lists; `es`, `de`, `fr`, `nl`, `it`, `pt`: rules
    and lists; `ja`: rules; `auto`: by document), perhaps with a region whose telephone numbers are
    known (`en-GB`), a part of one (`rules-en`, `names-en`, `lists-de`), `ids` (national numbers by
    check digits), a YAML file of rules, a `.model` that `learn` wrote, a folder with a model of
    others (ONNX, spaCy; with a / in its path), one that an installed package declares (entry points
    of the group `sfumato.recognizers`), or an installed spaCy pipeline; `+` joins names. No other
    module is imported. Anything that takes texts and gives spans is a recogniser as well. A spaCy
    pipeline runs in so many `processes`.

    >>> [span.label for span in recognizer("rules-en")(["Seen on 06/17/2021."])]
    ['DATE']
    """
    parts: list[Recognizer] = []
    for name in names:
        parts += [name] if callable(name) else [_named(one, processes) for one in name.split("+")]
    return joined(parts)


def _named(name: str, processes: int) -> Recognizer:
    name = name.strip()
    if name.endswith((".yaml", ".yml")):
        from .expressions import read_rules

        loaded: Recognizer = read_rules(name)
        return loaded
    if name.endswith(SUFFIX):
        from .learnt_recognizer import read_model

        return read_model(name)
    if "/" in name or "\\" in name:
        return _folder(name, processes)
    return installed(name, processes)


def _folder(path: str, processes: int) -> Recognizer:
    """A model of others in a folder: an ONNX token classifier, or a spaCy pipeline."""
    from .onnx_folder import OnnxFolder, is_folder
    from .spacy_pipeline import Pipeline, is_pipeline

    if is_folder(path):
        return OnnxFolder(path)
    if is_pipeline(path):
        return Pipeline(path, processes)
    raise BadInput(
        "the folder holds neither an ONNX model (model.onnx) nor a spaCy pipeline (meta.json)",
        where="recognizer",
        remedy="name a folder as it was saved",
    )


_joined = recognizer  # `spans_of` has a parameter of its name


def spans_of(
    recognizer: object,
    texts: list[str],
    progress: Progress | None = None,
    groups: Sequence[Hashable] | None = None,
) -> list[Span]:
    """The spans of the texts, however they are given, resolved and checked.

    `recognizer` is None (`en`), a name, a recogniser, spans, Presidio's result
    lists (one for each text), or a list of names and recognisers. `groups` says whose text each
    is: recognisers of names look for a person's names in all texts of the person.

    >>> spans_of([Span(0, 4, 6, "PERSON")], ["Dr. Ho"])
    [Span(document=0, start=4, stop=6, label='PERSON', score=1.0, why='')]
    """
    if recognizer is None:
        recognizer = DEFAULT
    if isinstance(recognizer, str) or callable(recognizer):
        found = found_by(_joined(recognizer), texts, progress, groups)
    elif not isinstance(recognizer, Sequence):
        raise BadInput(
            f"expected a name, a recogniser or spans, found {type(recognizer).__name__}",
            where="recognizer",
        )
    elif all(isinstance(one, Span) for one in recognizer):
        found = list(recognizer)
    elif all(isinstance(one, str) or callable(one) for one in recognizer):
        found = found_by(_joined(*recognizer), texts, progress, groups)
    else:
        from .presidio import from_presidio

        found = from_presidio(recognizer)
    require_inside(found, texts)
    return resolve(found)
