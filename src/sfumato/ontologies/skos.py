"""An ontology from SKOS, as Turtle or RDF/XML: labels and broader links; needs rdflib."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import BadInput, NotInstalled
from .build import build_sections
from .table import Table


def read_skos(path: str | Path, language: str = "en") -> Table:
    """Reads the concepts of a SKOS file: preferred and alternative labels, `broader`, `narrower`.

    Labels in the language count, and those that name none. Several broader concepts come in the
    order of their addresses, because a graph has none of its own.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "o.ttl")
    >>> _ = file.write_text('''@prefix s: <http://www.w3.org/2004/02/skos/core#> .
    ... @prefix : <http://x/> .
    ... :d a s:Concept ; s:prefLabel "disease"@en .
    ... :f a s:Concept ; s:prefLabel "flu"@en ; s:altLabel "influenza"@en ; s:broader :d .''')
    >>> table = read_skos(file)
    >>> [table.words(node)[0] for node in table.path(table.senses("influenza")[0])]
    ['flu', 'disease']
    """
    try:
        import rdflib
    except ImportError as problem:
        raise NotInstalled(
            "SKOS files need rdflib", where="ontology", remedy="pip install 'sfumato[skos]'"
        ) from problem
    path = Path(path)
    graph = rdflib.Graph()
    try:
        graph.parse(str(path), format="turtle" if path.suffix.casefold() == ".ttl" else "xml")
    except OSError as problem:
        reason = f"cannot be read ({problem.strerror})"
        raise BadInput(reason, where=path.name) from None
    except Exception:  # rdflib's parsers raise many kinds
        raise BadInput("the ontology cannot be read as SKOS", where=path.name) from None
    skos = rdflib.Namespace("http://www.w3.org/2004/02/skos/core#")
    links = {(child, parent) for child, parent in graph.subject_objects(skos.broader)}
    links |= {(child, parent) for parent, child in graph.subject_objects(skos.narrower)}
    concepts = {node for link in links for node in link}
    concepts |= set(graph.subjects(rdflib.RDF.type, skos.Concept))
    ordered = sorted(concepts, key=str)
    numbers = {concept: i for i, concept in enumerate(ordered)}
    words = []
    for concept in ordered:
        labels = [
            sorted(
                str(label)
                for label in graph.objects(concept, name)
                if getattr(label, "language", None) in (None, language)
            )
            for name in (skos.prefLabel, skos.altLabel)
        ]
        words.append(labels[0] + labels[1] or [str(concept).rsplit("/", 1)[-1].rsplit("#", 1)[-1]])
    parents: list[list[int]] = [[] for _ in ordered]
    for child, parent in sorted(links, key=lambda link: (str(link[0]), str(link[1]))):
        parents[numbers[child]].append(numbers[parent])
    if not ordered:
        raise BadInput("the file has no SKOS concepts", where=path.name)
    return Table(path.name, build_sections(words, parents))
