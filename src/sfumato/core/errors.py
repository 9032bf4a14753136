"""What can go wrong, and the exit code each failure has on the command line.

Messages say what was expected, what was found, where, and what to do. They never contain the
user's text: record numbers and offsets only.
"""

from __future__ import annotations


class SfumatoError(Exception):
    """A failure with a message for people: the place, the problem and the remedy.

    >>> print(BadInput("k must be at least 1, found 0", where="-k", remedy="give k >= 1"))
    -k: k must be at least 1, found 0; give k >= 1
    """

    exit_code = 1

    def __init__(self, problem: str, *, where: str | None = None, remedy: str | None = None):
        self.problem, self.where, self.remedy = problem, where, remedy
        message = f"{where}: {problem}" if where else problem
        super().__init__(f"{message}; {remedy}" if remedy else message)


class BadInput(SfumatoError, ValueError):
    """The input or the parameters cannot be used as they are."""

    exit_code = 2


class CannotBeMet(SfumatoError):
    """No release of this input has the demanded guarantee."""

    exit_code = 3


class NotVerified(SfumatoError):
    """A claim did not hold when it was checked; nothing was written."""

    exit_code = 4


class NotInstalled(SfumatoError, ImportError):
    """An optional part of the package is needed and missing."""

    exit_code = 5
