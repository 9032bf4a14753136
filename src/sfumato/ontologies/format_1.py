"""Ontologies as certificates of format 1 hashed them."""

from __future__ import annotations

from .build import downward_order, levels_of
from .table import Table


def with_levels(table: Table) -> Table:
    """The same ontology with its levels stored: these were part of its hash."""
    parents = [table.parents(node) for node in range(len(table))]
    levels = levels_of(parents, downward_order(parents))
    return Table(table.name, {**table.sections, **levels})
