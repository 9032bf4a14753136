"""Whether a table is what its schema says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.labels import label_form
from .cells import BRACKETS, present, readable
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
        empty_or_form = forms(persons).fill_null("")
        empty = empty_or_form == ""
        if empty.any():
            raise BadInput(
                "a row belongs to nobody",
                where=f"{schema.person}, record {empty.arg_true()[0] + 1}",
                remedy="give every row its person",
            )
        people = empty_or_form.n_unique()
    for name, column in schema.columns.items():
        if column.role in ("quasi", "sensitive"):
            check_values(name, column, table[name])
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


def written(values: pl.Series) -> pl.Series:
    """The cells as text; whole numbers of float columns without a point.

    >>> import polars as pl
    >>> written(pl.Series([36.0, 0.5, None])).to_list()
    ['36', '0.5', None]
    """
    import polars as pl

    texts = values.cast(pl.String)
    return texts.str.strip_suffix(".0") if values.dtype.is_float() else texts


def forms(values: pl.Series) -> pl.Series:
    """What labels and sensitive values are but for case, blanks and Unicode form.

    Cost: O(values), compiled where all are plain.

    >>> import polars as pl
    >>> forms(pl.Series(["HIV", "hiv ", None])).to_list()
    ['hiv', 'hiv', None]
    """
    import polars as pl

    texts = values.cast(pl.String)
    if values.dtype.is_integer():
        return texts
    if not texts.str.contains(r"[^!-~]|^-*\d+\.0*$").any():
        return texts.str.to_lowercase()
    different = texts.drop_nulls().unique()
    read = pl.Series([label_form(one) for one in different.to_list()], dtype=pl.String)
    return texts.replace_strict(different, read, default=None, return_dtype=pl.String)


def check_values(name: str, column: Column, given: pl.Series) -> None:
    """Refuses values of a column that are not as the schema says."""
    import polars as pl

    values = present(column, given)
    if column.missing == "refuse" and values.null_count():
        raise BadInput(
            f"{values.null_count()} values are missing",
            where=f"{name}, record {values.is_null().arg_true()[0] + 1}",
            remedy="fill them in, or say `missing: own`",
        )
    if column.kind == "number":
        numbers = values.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        if column.unreadable == "refuse":
            wrong = ~numbers.is_finite().fill_null(False) & values.is_not_null()
            _refuse(name, wrong, "no numbers")
        if not values.dtype.is_float():
            _refuse_large(name, values.cast(pl.String).str.strip_chars(), numbers)
    elif column.kind == "date":
        days(values, column.format, name, column.unreadable)
    elif column.kind == "ordered" and column.order is not None:
        unknown = ~values.cast(pl.String).is_in(column.order)
        _refuse(name, unknown & values.is_not_null(), "not among those of `order`")
    elif column.kind == "set" and values.dtype == pl.String:
        _check_lists(name, column.separator, values.drop_nulls().unique())
    if column.hierarchy is not None and column.kind != "set":
        try:
            column.tree(written(readable(column, given)).drop_nulls().unique().to_list())
        except BadInput as problem:
            raise BadInput(
                problem.problem, where=f"{name}.{problem.where}", remedy=problem.remedy
            ) from None


LARGEST = 2**53  # whole numbers up to it are told apart


def _refuse_large(name: str, texts: pl.Series, numbers: pl.Series) -> None:
    """Written numbers that reading would round: two people would have one value.

    >>> import polars as pl
    >>> _refuse_large("n", pl.Series([str(2**53 + 1)]), pl.Series([2.0**53 + 2]))
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: n, record 1: 1 numbers are above 2^53 and ...
    """
    is_exact = texts.str.contains(r"^[+-]?\d+(\.\d*)?$").fill_null(False)
    large = (numbers.abs() >= LARGEST).fill_null(False) & is_exact
    if large.any():
        raise BadInput(
            f"{large.sum()} numbers are above 2^53 and would be rounded",
            where=f"{name}, record {large.arg_true()[0] + 1}",
            remedy="call the column a category, or give smaller numbers",
        )


SEPARATORS = (";", "|", ",", "/", "\n", "\t")
_IN_BRACKETS = r"(?s)^\s*\[.*\]\s*$"


def _check_lists(name: str, separator: str, cells: pl.Series) -> None:
    """Refuses sets that are written otherwise than said: read as one item each, all would go.

    >>> import polars as pl
    >>> _check_lists("tags", ";", pl.Series(["['a', 'b']", "['a']"]))
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: tags: the cells are lists in brackets; say `separator: "[]"`
    """
    texts = cells.filter(cells.str.strip_chars() != "")
    lists = int(texts.str.contains(_IN_BRACKETS).sum())
    if separator == BRACKETS:
        if lists < len(texts):
            problem = f"{len(texts) - lists} different cells are no lists in brackets"
            raise BadInput(problem, where=name, remedy="repair them, or name the separator")
        return
    if lists > len(texts) / 2:
        remedy = f'say `separator: "{BRACKETS}"`'
        raise BadInput("the cells are lists in brackets", where=name, remedy=remedy)
    if texts.str.contains(separator, literal=True).any():
        return
    for other in SEPARATORS:
        if len(texts) > 1 and texts.str.contains(other, literal=True).sum() > len(texts) / 2:
            raise BadInput(
                f"no cell holds the separator, and most hold {other!r}",
                where=name,
                remedy=f"say `separator: {other!r}`, or which one it is",
            )


def _refuse(name: str, wrong: pl.Series, problem: str) -> None:
    if wrong.any():
        raise BadInput(
            f"{wrong.sum()} values are {problem}",
            where=f"{name}, record {wrong.arg_true()[0] + 1}",
            remedy="repair them, or name them under missing_values",
        )
