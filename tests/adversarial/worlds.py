"""A world of words that is small enough to try every original."""

from __future__ import annotations

LINKS = """\
asthma,lung disease
cough,lung disease
flu,infection
cold,infection
lung disease,disease
infection,disease
rum,drink
gin,drink
tea,drink
drink,thing
disease,thing
"""
BASE = ["asthma", "cough", "flu", "cold", "rum", "gin", "tea"]
INNER = ["lung disease", "infection", "disease", "drink"]
