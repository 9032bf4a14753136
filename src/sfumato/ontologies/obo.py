"""An ontology from an OBO file: terms, names, exact synonyms and is_a links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import BadInput
from ..core.options import read_text
from .build import build_sections
from .table import Table

SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s+EXACT')


def read_obo(path: str | Path) -> Table:
    """Reads the terms of an OBO file that are not obsolete; `is_a` leads up, the first one first.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "o.obo")
    >>> _ = file.write_text("[Term]\\nid: A:1\\nname: disease\\n\\n[Term]\\nid: A:2\\nname: flu\\n"
    ...     'synonym: "influenza" EXACT []\\nis_a: A:1 ! disease\\n')
    >>> table = read_obo(file)
    >>> [table.words(node)[0] for node in table.path(table.senses("influenza")[0])]
    ['flu', 'disease']
    """
    path = Path(path)
    text = read_text(path, path.name)
    terms = [term for term in _terms(text) if "true" not in term.get("is_obsolete", ())]
    numbers = {term["id"][0]: i for i, term in enumerate(terms) if term.get("id", [""])[0]}
    if not terms or len(numbers) < len(terms):
        raise BadInput(
            "expected [Term] stanzas, each with an id of its own",
            where=path.name,
            remedy="check that this is an OBO file",
        )
    words = [_words(term) for term in terms]
    parents = [
        [numbers[above] for above in map(_target, term.get("is_a", ())) if above in numbers]
        for term in terms
    ]
    return Table(path.name, build_sections(words, parents))


def _terms(text: str) -> Iterator[dict[str, list[str]]]:
    """The tag-value pairs of every [Term] stanza."""
    for stanza in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
        if not stanza.startswith("[Term]"):
            continue
        term: dict[str, list[str]] = {}
        for line in stanza.splitlines()[1:]:
            tag, colon, value = line.partition(":")
            if colon:
                term.setdefault(tag.strip(), []).append(value.strip())
        yield term


def _target(value: str) -> str:
    return re.split(r"\s", value, maxsplit=1)[0]


def _words(term: dict[str, list[str]]) -> list[str]:
    names = [name for name in term.get("name", ()) if name] or term["id"][:1]
    for value in term.get("synonym", ()):
        if (found := SYNONYM.match(value)) and found.group(1).strip():
            names.append(re.sub(r"\\(.)", r"\1", found.group(1)))
    return list(dict.fromkeys(names))
