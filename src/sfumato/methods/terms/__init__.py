"""Characters of listed quasi-identifiers are redacted: term k-anonymity."""

from .dictionary import TermDictionary
from .patterns import Pattern
from .redact import redact

__all__ = ["Pattern", "TermDictionary", "redact"]
