"""The parameters of `sanitize`, and which of them go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ...core.errors import BadInput
from ...core.options import check_kinds, check_mark, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.values import Data
    from .mcsr import Ghost, Sub
    from .sequences import EncodedSequences

Method = Literal["tfs", "pfs", "tm", "tmi", "tpm", "etfs", "replace", "delete", "ba", "ba-reverse"]
REPLACES = ("tpm", "tm", "tmi", "replace")  # the methods that replace separators
Replacement = Literal["hide-and-mine", "mcsr", "integer-program"]


def check_settings(
    method: str,
    replacement: str,
    tau: int,
    theta: float | None,
    rho: float | None,
    length: int | None,
    letters: int,
    separator: object,
) -> None:
    """Refuses parameters that cannot be meant."""
    choose("method", method, get_args(Method))
    choose("replacement", replacement, get_args(Replacement))
    whole = {"tau": tau, "letters": letters} | ({} if length is None else {"length": length})
    reals = {"theta": theta, "rho": rho}
    check_kinds(whole=whole, number={name: one for name, one in reals.items() if one is not None})
    for name, value in whole.items():
        if value < 1:
            raise BadInput(f"must be at least 1, found {value}", where=name)
    if rho is not None and not rho < 0:
        raise BadInput(f"must be below 0, found {rho:g}", where="rho", remedy="-1 is usual")
    if theta is not None and not theta >= 0:
        raise BadInput(f"must be at least 0, found {theta:g}", where="theta")
    if isinstance(separator, bool) or not isinstance(separator, (str, int)):
        raise BadInput(
            f"expected a str or an int, found {type(separator).__name__}", where="separator"
        )
    if isinstance(separator, str):
        check_mark("separator", separator)
        if any(symbol.isspace() for symbol in separator):
            raise BadInput(
                "a blank in it would make two symbols of it",
                where="separator",
                remedy="give one symbol, # say",
            )


def check_sequence(name: str, value: object) -> Any:
    """Refuses what is no sequence of symbols (or of sequences).

    >>> check_sequence("reference", "abab")
    'abab'
    """
    if isinstance(value, (bytes, bytearray)) or not hasattr(value, "__len__"):
        raise BadInput(f"expected a sequence, found {type(value).__name__}", where=name)
    return value


def check_combination(
    method: str,
    replacement: str,
    theta: float | None,
    rho: float | None,
    ghost: Ghost | None,
    sub: Sub | None,
    implausible: Sequence[object] | None,
    reference: Data,
) -> None:
    """Refuses parameters that do not belong to the method."""
    replaces = method in REPLACES
    if method == "tmi" and rho is None and implausible is None:
        raise BadInput(
            "tmi avoids implausible patterns and needs to know which",
            where="rho",
            remedy="give rho below 0, for instance -1, or list them in implausible",
        )
    for name, value in (("rho", rho), ("implausible", implausible)):
        if value is not None and not replaces:
            raise BadInput(
                f"{method} replaces no separators", where=name, remedy="use tpm, tm, tmi or replace"
            )
    if reference is not None and rho is None:
        raise BadInput("only rho is judged by it", where="reference", remedy="give rho below 0")
    for name, function in (("ghost", ghost), ("sub", sub)):
        if function is not None and not callable(function):
            raise BadInput(f"expected a function, found {type(function).__name__}", where=name)
    for name, option in (("theta", theta), ("ghost", ghost), ("sub", sub)):
        if option is not None and not (replaces and replacement == "mcsr"):
            raise BadInput(
                "belongs to the replacement mcsr", where=name, remedy="say replacement='mcsr'"
            )


def check_separator(encoded: EncodedSequences, separator: str | int) -> None:
    """Refuses a separator that the input has."""
    if encoded.is_text and (not isinstance(separator, str) or len(separator) != 1):
        raise BadInput("expected one character", where="separator", remedy="for instance '#'")
    if separator in encoded.numbers:
        code = encoded.numbers[separator]
        place = int(np.argmax(encoded.codes == code))
        document = int(np.searchsorted(encoded.ends, place))
        raise BadInput(
            "the separator occurs in the input",
            where=f"sequence {document}, offset {place - int(encoded.starts[document])}",
            remedy="choose another separator",
        )
