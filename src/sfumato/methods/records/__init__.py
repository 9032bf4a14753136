"""Records: people described by columns and free text, made k-anonymous together."""

from .anonymize import anonymize

__all__ = ["anonymize"]
