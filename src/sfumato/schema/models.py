"""The schema as people write it, in YAML or Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ..core.printed_form import by_names
from .hierarchies import ArxFile, Dates, Hierarchy, hierarchy_from, of_values

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from .tree import Tree

Kind = Literal["number", "category", "ordered", "date", "text", "set"]
Role = Literal["quasi", "sensitive", "insensitive", "drop"]
EntityRole = Literal["direct", "quasi", "keep"]
OwnValues = Literal["words", "all", "dropped", "none"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    __repr__ = by_names
    __str__ = by_names


class Column(_Strict):
    """One column: what it holds, what it means for privacy, and how it is generalised.

    >>> Column(kind="number").role
    'quasi'
    """

    kind: Kind = Field(default="category", description="What the cells hold.")
    role: Role = Field(
        default="quasi", description="quasi: recoded; sensitive: kept, for l and t; drop."
    )
    weight: float = Field(
        default=0.0, ge=0, le=1, description="Added to the priority of splits on it."
    )
    entities: list[str] = Field(
        default=[], description="Entity types under which texts repeat this column's values."
    )
    format: str | None = Field(
        default=None, description="How dates are written (%d.%m.%Y); none: ISO."
    )
    decimal: Literal[".", ","] = Field(
        default=".", description="The decimal mark of numbers that are written as text."
    )
    order: list[str] | None = Field(
        default=None, description="All values of an ordered column, in order."
    )
    hierarchy: Annotated[Hierarchy | None, BeforeValidator(hierarchy_from)] = Field(
        default=None, description="An ARX file, or one of arx, tree, intervals, prefixes, dates."
    )
    recode: Literal["range", "mean"] = Field(default="range", description="What numbers become.")
    separator: str = Field(
        default=";",
        min_length=1,
        description='Between the items of a set in files; "[]" for lists in brackets.',
    )
    distance: Literal["equal", "ordered"] | None = Field(
        default=None,
        description="Of t-closeness; none: ordered for numbers, dates, ordered values.",
    )
    missing: Literal["own", "refuse"] = Field(
        default="own",
        description="own: a value of its own; refuse: an error that names the record.",
    )
    unreadable: Literal["refuse", "missing"] = Field(
        default="refuse", description="What numbers and dates of another form count as."
    )
    missing_values: list[str] = Field(
        default=[""], description="Strings that mean there is no value."
    )
    own_values: OwnValues | None = Field(
        default=None, description="Over the schema's `own_values`, for this column."
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Column:
        for option, kinds in _ONLY.items():
            given = option in self.model_fields_set and getattr(self, option) is not None
            if given and self.kind not in kinds:
                raise ValueError(f"{option} belongs to columns of kind {' or '.join(kinds)}")
        if self.kind == "ordered" and self.order is None and self.role != "drop":
            raise ValueError("an ordered column needs its values in order, under `order`")
        if self.order is not None and len(set(self.order)) != len(self.order):
            raise ValueError("order names a value twice")
        if self.kind == "date" and not isinstance(self.hierarchy, (Dates, ArxFile, type(None))):
            raise ValueError("dates take a hierarchy of dates, or an ARX file")
        if self.kind == "text" and self.role == "sensitive":
            raise ValueError("text cannot be sensitive: quasi, insensitive or drop")
        return self

    def tree(self, values: list[str]) -> Tree | None:
        """The tree over the distinct values of this column; None without a hierarchy.

        >>> Column(kind="category", hierarchy={"prefixes": [1]}).tree(["ab", "ac"]).labels
        ('*', 'a*', 'ab', 'ac')
        """
        if self.hierarchy is None:
            return None
        return of_values(self.hierarchy, values, self.format)

    @property
    def ordered_distance(self) -> bool:
        """Whether t-closeness counts how far values lie apart."""
        if self.distance is not None:
            return self.distance == "ordered"
        return self.kind in ("number", "ordered", "date")


_ONLY = {
    "format": ("date",),
    "order": ("ordered",),
    "separator": ("set",),
    "hierarchy": ("number", "category", "ordered", "date"),
    "recode": ("number",),
    "decimal": ("number",),
    "unreadable": ("number", "date"),
}


class Defaults(_Strict):
    """What `anonymize` takes when its caller says nothing else."""

    k: int | None = Field(default=None, ge=1)
    partitioner: Literal["mondrian", "gdf", "clusters"] | None = None
    relational_weight: float | None = Field(default=None, ge=0, le=1)


class Schema(_Strict):
    """Whose records these are, and what every column is.

    >>> Schema(person="id", columns={"age": {"kind": "number"}}).columns["age"].role
    'quasi'
    """

    person: str | None = Field(default=None, description="The column that says whose row it is.")
    person_number: bool = Field(default=True, description="Whether the release numbers people.")
    columns: dict[str, Column] = Field(description="Every column but the person's.")
    others: Literal["insensitive", "drop", "refuse"] = Field(
        default="insensitive", description="What becomes of columns that stand in no line here."
    )
    entities: dict[str, EntityRole] = Field(
        default={}, description="Roles of entity types, over those the recognisers give."
    )
    entity_types: list[str] | None = Field(
        default=None, description="Only these types count; none: all that have a role."
    )
    recognizers: list[str] = Field(default=[], description="What looks for entities, unless told.")
    expressions: dict[str, str] = Field(
        default={}, description="Further entity types, each with a regular expression."
    )
    synonyms: dict[str, str] = Field(
        default={}, description="Terms, each with the term it stands for."
    )
    own_values: OwnValues | None = Field(
        default=None,
        description="What is looked for of a person's own values in the person's texts: words and "
        "dates, all (numbers and short values too), words of dropped columns only, or none; "
        "unless told words, and dropped where the terms are given.",
    )
    files: dict[str, Path] = Field(
        default={},
        description="Several files, joined on the person column, by names of your choice.",
    )
    defaults: Defaults = Defaults()

    @model_validator(mode="after")
    def _hangs_together(self) -> Schema:
        if self.person is not None and self.person in self.columns:
            raise ValueError("the person column is no other column: name it under person only")
        if self.files and self.person is None:
            raise ValueError("several files are joined on the person column: name it")
        if any(one in self.synonyms for one in self.synonyms.values()):
            raise ValueError("a synonym stands for another synonym: name the term itself")
        for name, one in self.columns.items():
            sought = one.own_values or self.own_values
            if one.decimal == "," and one.role == "quasi" and sought == "all":
                raise ValueError(
                    f"{name}: numbers with a decimal comma are not looked for in texts; say "
                    "`own_values: words`, or write them with a point"
                )
        return self

    def named(self, role: Role, *kinds: Kind) -> list[str]:
        """The columns of a role, in order, of these kinds or of any.

        >>> schema = Schema(columns={"age": {"kind": "number"}, "note": {"kind": "text"}})
        >>> schema.named("quasi"), schema.named("quasi", "text")
        (['age', 'note'], ['note'])
        """
        return [
            name
            for name, column in self.columns.items()
            if column.role == role and (not kinds or column.kind in kinds)
        ]

    @property
    def relational(self) -> list[str]:
        """The quasi-identifiers that are not text."""
        return self.named("quasi", "number", "category", "ordered", "date", "set")

    @property
    def texts(self) -> list[str]:
        """The text columns whose terms are quasi-identifiers."""
        return self.named("quasi", "text")

    def as_dict(self) -> JsonObject:
        """The schema as plain values, without what was left to its default."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
