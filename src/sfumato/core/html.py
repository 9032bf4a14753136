"""A release as a notebook shows it: the changed places marked in the released text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, cast

from .corpus import Corpus
from .errors import BadInput
from .plain_words import measured, plain

if TYPE_CHECKING:
    from .release import Release
    from .spans import Changes
    from .values import Data

DOCUMENTS = 5
SYMBOLS = 1200
# A tint over the page's own colours, so that light and dark notebooks both stay legible.
STYLE = (
    ".sfumato mark{background:rgba(224,168,0,.35);color:inherit;border-radius:2px}"
    ".sfumato table{font-size:inherit}"
)


def release_html(release: Release) -> str:
    """The first documents with marked changes, the claims, and the loss, as an HTML fragment."""
    documents = _table(release) if release.sides.schema is not None else _paragraphs(release)
    claims = "".join(f"<li>{escape(claim.statement)}</li>" for claim in release.claims)
    loss = "".join(
        f'<tr><td style="text-align:left">{escape(plain(name))}</td>'
        f"<td>{escape(measured(name, value))}</td></tr>"
        for name, value in release.loss.items()
    )
    return (
        f'<div><div class="sfumato"><style>{STYLE}</style>'
        f"<b>sfumato {escape(release.verb)}</b> claims (sf.verify checks it):"
        f"<ul>{claims or '<li>nothing</li>'}</ul>"
        f"{documents}<table>{loss}</table></div></div>"
    )


def _paragraphs(release: Release) -> str:
    texts, changes = _texts(release)
    before = _before(release, len(texts))
    return "".join(
        f'<p style="white-space:pre-wrap">{marked(text, changes.of_document(i))}</p>'
        + (_original(before[i]) if before else "")
        for i, text in enumerate(texts[:DOCUMENTS])
    )


def _before(release: Release, count: int) -> list[str]:
    """The documents as they were, where the release still knows them."""
    try:
        texts = Corpus.of(release.sides.input).texts
    except (BadInput, TypeError, AttributeError):
        return []
    return list(texts) if len(texts) == count else []


def _original(text: str) -> str:
    """A document as it was, folded away: a notebook is easily passed on."""
    cut = escape(text[:SYMBOLS]) + ("…" if len(text) > SYMBOLS else "")
    return f'<details><summary>before</summary><p style="white-space:pre-wrap">{cut}</p></details>'


def _table(release: Release) -> str:
    """The first records as a table: recoded cells are marked whole, texts where they changed."""
    told = {claim.name: claim.parameters for claim in release.claims}
    recoded = cast("list[str]", told["nothing-else-changed"]["recoded"])
    texts = cast("list[str]", told["nothing-else-changed"]["text"])
    frame = release.data
    records = _records(
        frame.head(DOCUMENTS) if hasattr(frame, "head") else frame.slice(0, DOCUMENTS)
    )
    lines = []
    for place, record in enumerate(records):
        row = int(release.sides.of_table.rows[place]) * len(texts)
        cells = []
        for name, value in record.items():
            text = "" if value is None else str(value)
            if name in texts:
                shown = marked(text, release.changes.of_document(row + texts.index(name)))
            else:
                shown = f"<mark>{escape(text)}</mark>" if name in recoded else escape(text)
            cells.append(f'<td style="text-align:left;white-space:pre-wrap">{shown}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    names = "".join(f"<th>{escape(str(name))}</th>" for name in (records[0] if records else ()))
    return f"<table><tr>{names}</tr>{''.join(lines)}</table>"


def _records(frame: Data) -> list[dict[str, object]]:
    """The rows of a Polars, Arrow or pandas frame."""
    for name, arguments in (("to_dicts", ()), ("to_pylist", ()), ("to_dict", ("records",))):
        if hasattr(frame, name):
            return list(getattr(frame, name)(*arguments))
    return []


def _texts(release: Release) -> tuple[list[str], Changes]:
    """The documents of a release; sequences of other symbols are joined, and nothing is marked."""
    data, many = release.data, release.parameters.get("collection", True)
    try:
        if many or isinstance(data, str):
            return Corpus.of(data).texts, release.changes
    except BadInput:  # the elements are no texts
        pass
    joined = [" ".join(map(str, one)) for one in (data if many else [data])]
    return joined, release.changes[:0]


def marked(text: str, changes: Changes) -> str:
    """The released text, cut to a screenful, with every change inside <mark>."""
    pieces, at, shift = [], 0, 0
    for change in changes:
        start = change.start + shift
        if start >= SYMBOLS:
            break
        stop = start + len(change.replacement)
        shift += len(change.replacement) - (change.stop - change.start)
        pieces += [escape(text[at:start]), f"<mark>{escape(text[start:stop])}</mark>"]
        at = stop
    rest = text[at : max(at, SYMBOLS)]
    return "".join(pieces) + escape(rest) + ("…" if len(text) > at + len(rest) else "")
