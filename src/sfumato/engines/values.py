"""Values of Spark and of blocks whose type no checker knows here, named by what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

Frame: TypeAlias = Any
"""A DataFrame of Spark. Its types are in pyspark, which may not be there."""
Session: TypeAlias = Any
"""A session, a context or the functions of Spark."""
Blocks: TypeAlias = Any
"""All blocks of documents: a list in this process, an RDD on Spark."""
Records: TypeAlias = Iterator[Any]
"""What a partition of an RDD has: pairs of a number and what it is the number of."""
Batch: TypeAlias = Any
"""A record batch or a table of Arrow."""
Cells: TypeAlias = list[Any]
"""The cells of a column: texts, or numbers, or None where one is missing."""
State: TypeAlias = dict[str, Any]
"""What a block has, by names."""
Sent: TypeAlias = Any
"""What a block sends to the one task that has all blocks', and what that gives back."""
Keys: TypeAlias = Any
"""What is asked for: rows of numbers, or a list of bytes."""
