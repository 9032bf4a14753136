"""Sensitive words become more general words: t-plausibility."""
