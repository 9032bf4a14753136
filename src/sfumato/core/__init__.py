"""What every part speaks of: releases, claims, verdicts, spans, corpora and errors."""

from .claims import Claim, Verdict
from .corpus import Corpus
from .errors import BadInput, CannotBeMet, NotInstalled, NotVerified, SfumatoError
from .loss import Loss
from .release import Release
from .spans import Change, Changes, Same, Span

__all__ = [
    "BadInput",
    "CannotBeMet",
    "Change",
    "Changes",
    "Claim",
    "Corpus",
    "Loss",
    "NotInstalled",
    "NotVerified",
    "Release",
    "Same",
    "SfumatoError",
    "Span",
    "Verdict",
]
