"""What people write about their records: who is who, and what each column is.

    from sfumato.schema import as_schema
    schema = as_schema("people.yaml")          # or the same as a dictionary

A schema names the person column, the kind and role of every column, hierarchies, entity types
and their roles. `sfumato schema guess` proposes one; rx-anon's configuration files are read too.
"""

from .models import Column, Defaults, Schema
from .read import SchemaLike, as_schema, json_schema
from .relations import join
from .tree import Tree

__all__ = ["Column", "Defaults", "Schema", "SchemaLike", "Tree", "as_schema", "join", "json_schema"]
