"""Checks of parameters that several verbs share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path

from .errors import BadInput


def check_k(k: int | Sequence[int]) -> list[int]:
    """The values of k, ascending and distinct.

    >>> check_k([5, 2, 5])
    [2, 5]
    """
    ks = list(k) if isinstance(k, Sequence) else [k]
    if not ks:
        raise BadInput("no k given", where="k", remedy="give at least one")
    for one in ks:
        if isinstance(one, bool) or not isinstance(one, Integral):
            raise BadInput(f"expected a whole number, found {type(one).__name__}", where="k")
        if one < 1:
            raise BadInput(f"must be at least 1, found {one}", where="k", remedy="2 to 20 is usual")
        if one >= 2**31:
            raise BadInput("must be below 2^31", where="k", remedy="2 to 20 is usual")
    return sorted({int(one) for one in ks})


LARGEST = 1 << 63
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def check_memory(memory: str | int | None) -> int | None:
    """An amount of memory in bytes: a whole number, or a number with a unit; None is no limit.

    >>> check_memory("2GB"), check_memory("1.5 MiB"), check_memory(4096)
    (2000000000, 1572864, 4096)
    """
    if memory is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)", str(memory).strip())
    if isinstance(memory, bool) or not found or found[2].upper() not in UNITS:
        raise BadInput(
            "expected an amount of memory", where="memory", remedy="for instance 2GB or 512MiB"
        )
    amount = int(float(found[1]) * UNITS[found[2].upper()])
    if amount < 1:
        raise BadInput("must be at least 1 byte", where="memory", remedy="for instance 2GB")
    return amount


def read_text(path: Path, where: str, remedy: str | None = None) -> str:
    """The text of a UTF-8 file; what cannot be read says why.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_bytes(b"calm")
    ...     read_text(Path(folder, "a.txt"), "terms")
    'calm'
    """
    try:
        return path.read_text("utf-8-sig")
    except OSError as problem:
        reason = f"cannot be read ({problem.strerror})"
        raise BadInput(reason, where=where, remedy=remedy) from None
    except UnicodeDecodeError as problem:
        reason = f"is not UTF-8 at byte {problem.start}"
        raise BadInput(reason, where=where, remedy="convert it to UTF-8") from None


def choose(name: str, value: object, allowed: Iterable[str]) -> None:
    """Refuses a value that is not among the allowed ones.

    >>> choose("unit", "word", ["character", "word"])
    """
    allowed = list(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise BadInput(f"expected one of {', '.join(allowed)}", where=name)


def check_kinds(
    *,
    text: Mapping[str, object] | None = None,
    whole: Mapping[str, object] | None = None,
    number: Mapping[str, object] | None = None,
    flag: Mapping[str, object] | None = None,
) -> None:
    """Refuses parameters, by name, of another kind than they must have.

    >>> check_kinds(text={"mask": "*"}, whole={"min_run": 1}, number={"alpha": 0.5})
    >>> check_kinds(whole={"min_run": "1"})
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: min_run: expected a whole number, found str
    """
    for values, expected, fits in (
        (text, "text", lambda value: isinstance(value, str)),
        (whole, "a whole number", _is_whole),
        (number, "a number", lambda value: isinstance(value, Real) and not _is_flag(value)),
        (flag, "true or false", _is_flag),
    ):
        for name, value in (values or {}).items():
            if not fits(value):
                raise BadInput(f"expected {expected}, found {type(value).__name__}", where=name)
            if values is whole and abs(int(value)) >= LARGEST:  # type: ignore[call-overload]
                raise BadInput("must be below 2^63", where=name)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")  # numpy's too


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not _is_flag(value)


def check_mark(name: str, mark: str) -> None:
    """Refuses a mask or separator that a reader would take for text: it needs a visible mark.

    Blanks, letters, digits, and symbols that nobody sees would stand in the release as if nothing
    had been hidden.

    >>> check_mark("mask", "★"), check_mark("mask", "[name]")
    (None, None)
    >>> check_mark("mask", "e")
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: mask: a blank, letter or digit would look like text; ...
    """
    if not mark:
        raise BadInput(
            "it is empty, which would join what stands around it",
            where=name,
            remedy="give at least one symbol, ★ say",
        )
    if not any(map(_is_mark, unicodedata.normalize("NFKC", mark))):
        raise BadInput(
            "a blank, letter or digit would look like text",
            where=name,
            remedy="give a mark that stands for nothing, ★, * or # say",
        )


def may_stand_in_text(mark: str) -> bool:
    """Whether a mask may stand in the text too, as a break: one symbol that is no punctuation.

    Punctuation stands everywhere; as a mask it would end stretches without hiding anything.

    >>> may_stand_in_text("★"), may_stand_in_text(","), may_stand_in_text("★★")
    (True, False, False)
    """
    return len(mark) == 1 and unicodedata.category(mark) in ("So", "Co")


def _is_mark(symbol: str) -> bool:
    # Punctuation, symbols, and private ones; the pattern of Braille without a dot is a blank.
    kind = unicodedata.category(symbol)
    return (kind[0] in "PS" or kind == "Co") and symbol != "\u2800"


def check_run(engine: object, seed: object, progress: object) -> None:
    """Refuses what every verb takes and this run cannot use: engine, seed, progress.

    >>> check_run(None, 0, None)
    """
    check_engine(engine)
    check_kinds(whole={"seed": seed})
    if int(seed) < 0:  # type: ignore[call-overload]
        raise BadInput("expected a whole number from 0 on", where="seed")
    if progress is not None and not callable(progress):
        raise BadInput(f"expected a function, found {type(progress).__name__}", where="progress")


def check_engine(engine: object) -> None:
    """Refuses an engine that this verb does not have; what Spark does is handed over before."""
    if engine == "spark":
        raise BadInput("this verb does not run on Spark", where="engine", remedy="drop it")
    choose("engine", "local" if engine is None else engine, ["local"])
