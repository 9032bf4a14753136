"""Files of spans: which format a name means, read for documents and written from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.options import choose

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import AtomicFiles, Source
    from ..recognizers.roles import Role

KINDS = ("review", "presidio", "brat", "i2b2")
SUFFIXES = {".jsonl": "review", ".json": "presidio"}
OF_DOCUMENTS = {"brat": ".ann", "i2b2": ".xml"}


def read_spans(path: str, source: Source, texts: list[str]) -> list[Span]:
    """The spans a file or folder holds for these documents; what it is its name tells."""
    from ..recognizers import presidio, resolve, review
    from ..recognizers.overlaps import require_inside

    place = Path(path)
    if place.is_dir():
        found = _read_folder(place, source, texts)
    elif place.suffix == ".jsonl":
        return review.read(_content(place), texts, path)
    elif place.suffix == ".json":
        found = presidio.read(_content(place), path, len(texts))
    elif place.suffix == ".ann" and len(texts) == 1:
        from ..recognizers import brat

        found = brat.read(_content(place), 0, path, texts[0])
    else:
        raise BadInput(
            "expected a review file (.jsonl), Presidio's results (.json) or a folder (.ann, .xml)",
            where=path,
        )
    require_inside(found, texts)
    return resolve(found)


def files_named(recognizer: str, spans: str | None) -> list[Path]:
    """The files that tell what is found: no output may replace them.

    >>> [path.name for path in files_named("rules-en+ward.yaml", None)]
    ['ward.yaml']
    """
    if spans is not None:
        return [Path(spans)]
    names = (name.strip() for name in recognizer.split("+"))
    return [Path(name) for name in names if name.endswith((".yaml", ".yml"))]


def spans_with_role(
    path: str, source: Source, roles: Sequence[Role], preset: str = "default"
) -> list[Span]:
    """The spans of a file that count as direct or quasi-identifiers under a preset."""
    from ..recognizers import with_role

    texts = [text or "" for text in source.texts]
    return with_role(read_spans(path, source, texts), texts, roles, preset)


def with_preset(release: Release, preset: str) -> Release:
    """The release with the preset among its parameters, so that a later check reads spans alike."""
    return replace(release, parameters={**release.parameters, "preset": preset})


def finder(
    recognizer: str, spans: str | None, processes: int = 1
) -> tuple[Callable[[list[str]], list[Span]], Callable[[], None]]:
    """What finds the spans of documents that come in parts, and what to call after the last."""
    from ..recognizers import recogniser, spans_of
    from ..recognizers.review import Review

    if spans is None:
        find = recogniser(recognizer, processes=processes)
        return lambda texts: spans_of(find, texts), lambda: None
    if Path(spans).suffix != ".jsonl" or not Path(spans).is_file():
        raise BadInput(
            "expected a review file (.jsonl): other spans are not read in parts",
            where=spans,
            remedy="make one with sfumato recognise --spans, or give --no-stream",
        )
    review = Review(spans)
    return review.spans, review.require_end


def write_spans(
    files: AtomicFiles,
    target: str,
    kind: str | None,
    spans: list[Span],
    source: Source,
    overwrite: bool,
) -> None:
    """Puts the spans into a file of the group, or into a folder with a file a document."""
    from ..recognizers import brat, i2b2, presidio, review

    texts = [text or "" for text in source.texts]
    chosen = kind or SUFFIXES.get(Path(target).suffix, "review" if target == "-" else "brat")
    choose("--to", chosen, KINDS)
    if chosen not in OF_DOCUMENTS:
        whole = (
            review.write(spans, texts) if chosen == "review" else presidio.write(spans, len(texts))
        )
        stream = files.standard_output() if target == "-" else files.open(target, private=True)
        with stream:
            stream.write(whole)
        return
    if target == "-":
        raise BadInput(f"{chosen} is a folder", where="-o", remedy="name one")
    write_one: Callable[[list[Span], str], bytes] = brat.write if chosen == "brat" else i2b2.write
    folder = files.folder(target, overwrite=overwrite, private=True)
    by_document: list[list[Span]] = [[] for _ in texts]
    for span in spans:
        by_document[span.document].append(span)
    for number, text in enumerate(texts):
        path = folder / _member(source, number, OF_DOCUMENTS[chosen])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_one(by_document[number], text))
        if chosen == "brat":
            path.with_suffix(".txt").write_bytes(text.encode("utf-8", "surrogatepass"))


def _read_folder(folder: Path, source: Source, texts: list[str]) -> list[Span]:
    from ..recognizers import brat, i2b2

    found: list[Span] = []
    seen = 0
    for number, text in enumerate(texts):
        annotations = folder / _member(source, number, ".ann")
        page = folder / _member(source, number, ".xml")
        if annotations.is_file():
            found += brat.read(_content(annotations), number, str(annotations), text)
        elif page.is_file():
            held, spans = i2b2.read(_content(page), number, str(page))
            if held != text:
                raise BadInput(f"holds another text than document {number}", where=str(page))
            found += spans
        else:
            continue
        seen += 1
    if not seen:
        raise BadInput(
            "no .ann or .xml here belongs to a document",
            where=str(folder),
            remedy="their names are those of the texts, or the documents' numbers: 0.ann, 1.ann",
        )
    return found


def _member(source: Source, number: int, suffix: str) -> Path:
    if source.members is None:
        return Path(f"{number}{suffix}")
    return Path(source.members[number]).with_suffix(suffix)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
