"""Whether a table is what its schema says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.corpus import alike
from ..core.errors import BadInput
from .days import days

if TYPE_CHECKING:
    import polars as pl

    from .models import Column, Schema


def check_table(schema: Schema, table: pl.DataFrame) -> dict[str, int]:
    """Refuses a table whose columns or values are not as the schema says; counts otherwise.

    Cost: O(cells).

    >>> import polars as pl
    >>> from sfumato.schema import as_schema
    >>> schema = as_schema({"person": "id", "columns": {"age": {"kind": "number"}}})
    >>> check_table(schema, pl.DataFrame({"id": ["1", "1"], "age": ["36", "36"]}))["people"]
    1
    >>> check_table(schema, pl.DataFrame({"id": ["1", "1"], "age": ["36", "young"]}))
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: age, record 2: 1 values are no numbers; ...
    """
    others = check_columns(schema, table.columns)
    people = table.height
    if schema.person is not None:
        persons = table[schema.person]
        empty = persons.is_null() | (persons.cast(str).str.strip_chars() == "")
        if empty.any():
            raise BadInput(
                "a row belongs to nobody",
                where=f"{schema.person}, record {empty.arg_true()[0] + 1}",
                remedy="give every row its person",
            )
        _refuse_alike(schema.person, persons)
        people = persons.n_unique()
    for name, column in schema.columns.items():
        if column.role in ("quasi", "sensitive"):
            _check_values(name, column, table[name])
    return {
        "rows": table.height,
        "people": people,
        "quasi_identifiers": len(schema.relational),
        "texts": len(schema.texts),
        "sensitive": len(schema.named("sensitive")),
        "not_in_schema": len(others),
    }


def check_columns(schema: Schema, columns: list[str]) -> list[str]:
    """The columns that stand in no line of the schema; refuses absent and unwanted ones.

    >>> from sfumato.schema import as_schema
    >>> check_columns(as_schema({"columns": {"age": {"kind": "number"}}}), ["age", "ward"])
    ['ward']
    """
    named = [*([schema.person] if schema.person is not None else []), *schema.columns]
    for name in named:
        if name not in columns:
            raise BadInput(
                "the schema names a column that the table does not have",
                where=name if name == schema.person else f"columns.{name}",
                remedy="check its spelling; capitals count",
            )
    others = [name for name in columns if name not in set(named)]
    if others and schema.others == "refuse":
        raise BadInput(
            f"{len(others)} columns of the table stand in no line of the schema",
            where=others[0],
            remedy="give each a role, or say `others: drop`",
        )
    return others


def present(column: Column, values: pl.Series) -> pl.Series:
    """The values with those that mean nothing as missing.

    >>> import polars as pl
    >>> from sfumato.schema import Column
    >>> present(Column(missing_values=["?"]), pl.Series(["a", "?"])).to_list()
    ['a', None]
    """
    import polars as pl

    if isinstance(values.dtype, (pl.List, pl.Array)):
        return values
    if values.dtype in (pl.Float32, pl.Float64):
        return values.fill_nan(None)
    if values.dtype != pl.String:
        return values
    return values.set(values.is_in(column.missing_values), None)


def _check_values(name: str, column: Column, given: pl.Series) -> None:
    import polars as pl

    values = present(column, given)
    if column.missing == "refuse" and values.null_count():
        raise BadInput(
            f"{values.null_count()} values are missing",
            where=f"{name}, record {values.is_null().arg_true()[0] + 1}",
            remedy="fill them in, or say `missing: own`",
        )
    if column.role == "sensitive" and column.kind == "category":
        _refuse_alike(name, values)
    if column.kind == "number":
        numbers = values.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        if column.unreadable == "refuse":
            wrong = ~numbers.is_finite().fill_null(False) & values.is_not_null()
            _refuse(name, wrong, "no numbers")
    elif column.kind == "date":
        days(values, column.format, name, column.unreadable)
    elif column.kind == "ordered" and column.order is not None:
        unknown = ~values.cast(pl.String).is_in(column.order)
        _refuse(name, unknown & values.is_not_null(), "not among those of `order`")
    if column.hierarchy is not None and column.kind != "set":
        try:
            column.tree(values.cast(pl.String).drop_nulls().unique().to_list())
        except BadInput as problem:
            raise BadInput(
                problem.problem, where=f"{name}.{problem.where}", remedy=problem.remedy
            ) from None


def _refuse_alike(name: str, values: pl.Series) -> None:
    import polars as pl

    unlike = r"[^!-~]|\.0$"  # without any of these, different values are different
    if values.dtype != pl.String or not values.str.contains(unlike).any():
        return
    different = values.drop_nulls().unique(maintain_order=True)
    double = alike(different.to_list())
    if double is not None:
        row = (values == different[double]).arg_true()[0] + 1
        raise BadInput(
            "this value differs from another by blanks, a decimal point or its Unicode form alone",
            where=f"{name}, record {row}",
            remedy="write it in one way: counted as two, it would make a crowd of one",
        )


def _refuse(name: str, wrong: pl.Series, problem: str) -> None:
    if wrong.any():
        raise BadInput(
            f"{wrong.sum()} values are {problem}",
            where=f"{name}, record {wrong.arg_true()[0] + 1}",
            remedy="repair them, or name them under missing_values",
        )
