"""How every attack on texts is run: what is known of whom, and how many people are tried.

One protocol for the command line, policies, sweeps and Python, whatever the data: two commands that
attack one release must not differ because one of them chose another background.
"""

from __future__ import annotations

from typing import Literal

Knows = Literal["another", "part"]
BACKGROUND: Knows = "part"
SAMPLE = 1000  # people attacked at most
RECORDS = ("prosecutor", "journalist", "marketer", "linkage")  # attacks on tables, by default
OUTSIDE = 0.2  # the share of people who are held out
PART = 50  # words of a text that an attacker knows part of

# What is known, in words.
WORDS = {
    "part": f"{PART} words of a text of the person",
    "another": "another text of the person, which is not in the release",
}
GIVEN = "a text of the person that was given"
