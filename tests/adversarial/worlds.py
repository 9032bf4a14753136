"""A world of words that is small enough to try every original."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from support.commands import call

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


def run_policy(texts, stages, folder, *options):
    """Releases one text a person by a policy into a folder made anew; the exit code."""
    lines = (json.dumps({"who": f"p{i}", "text": t}) + "\n" for i, t in enumerate(texts))
    Path("notes.jsonl").write_text("".join(lines))
    policy = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "who"},
        "stages": stages,
    }
    Path("release.yaml").write_text(json.dumps(policy))
    for one in (folder, f"{folder}.private"):
        shutil.rmtree(one, ignore_errors=True)
    return call("run", "release.yaml", "-q", "-o", folder, *options)
