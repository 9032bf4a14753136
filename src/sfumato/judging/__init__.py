"""Judging a release: against gold spans, by what it is good for, and over a range of parameters."""
