"""Files of spans, written by the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.options import choose
from ..recognizers.files import member

if TYPE_CHECKING:
    from ..core.spans import Span
    from ..formats import AtomicFiles, Source
    from ..recognizers.uncertain_places import Doubt

KINDS = ("review", "records", "presidio", "brat", "i2b2")
SUFFIXES = {".jsonl": "review", ".json": "presidio"}
OF_DOCUMENTS = {"brat": ".ann", "i2b2": ".xml"}


def write_doubts(
    files: AtomicFiles, target: str, doubts: Sequence[Doubt], texts: Sequence[str]
) -> None:
    """Puts doubtful places into a review file; what was not found is rejected at first."""
    from ..recognizers import review

    rejected = frozenset(number for number, doubt in enumerate(doubts) if not doubt.found)
    stream = files.standard_output() if target == "-" else files.open(target, private=True)
    with stream:
        stream.write(review.write([doubt.span for doubt in doubts], texts, 0, rejected))


def write_spans(
    files: AtomicFiles,
    target: str,
    kind: str | None,
    spans: list[Span],
    source: Source,
) -> None:
    """Puts the spans into a file of the group, or into a folder with a file a document."""
    from ..recognizers import brat, i2b2, presidio, review

    texts = source.filled
    chosen = kind or SUFFIXES.get(Path(target).suffix, "review" if target == "-" else "brat")
    choose("--to", chosen, KINDS)
    if chosen not in OF_DOCUMENTS:
        whole = {
            "review": lambda: review.write(spans, texts),
            "records": lambda: review.write_records(spans, texts),
            "presidio": lambda: presidio.write(spans, len(texts)),
        }[chosen]()
        stream = files.standard_output() if target == "-" else files.open(target, private=True)
        with stream:
            stream.write(whole)
        return
    if target == "-":
        raise BadInput(f"{chosen} is a folder", where="-o", remedy="name one")
    write_one: Callable[[list[Span], str], bytes] = brat.write if chosen == "brat" else i2b2.write
    folder = files.folder(target, private=True)
    by_document: list[list[Span]] = [[] for _ in texts]
    for span in spans:
        by_document[span.document].append(span)
    for number, text in enumerate(texts):
        path = folder / member(source.members, number, OF_DOCUMENTS[chosen])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_one(by_document[number], text))
        if chosen == "brat":
            path.with_suffix(".txt").write_bytes(text.encode("utf-8", "surrogatepass"))
