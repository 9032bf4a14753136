"""A policy as it may be published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..formats.office_suffixes import released_name
from ..received.policy import HIDDEN, SCHEMA
from . import verbs

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from .policy import Policy


def public_policy(policy: Policy) -> JsonObject:
    """The policy as it may be published: every value, no secret, of files their own names.

    >>> from sfumato.pipeline.policy import parse
    >>> policy = parse('''
    ... version: 1
    ... input: {path: /home/ann/notes.txt}
    ... key_file: /secret/key
    ... stages: [{verb: generalize, words: [gin, rum]}]
    ... ''')
    >>> public_policy(policy)["input"]["path"], public_policy(policy)["stages"][0]["words"]
    ('notes.txt', '2 private entries')
    >>> "key_file" in public_policy(policy)
    False
    """
    stated = policy.model_dump(mode="json", by_alias=True, exclude_none=True)
    stated.pop("key_file", None)
    for name in ("url", "query"):
        stated["input"].pop(name, None)
    stated["output"].pop("table", None)
    stated["input"]["path"] = released_name(Path(policy.input.path).name)
    stated["output"]["path"] = Path(policy.output.path).name
    if str(stated["input"].get("format", "")).startswith("fhir:"):
        stated["input"]["format"] = "fhir:" + Path(str(policy.input.format)).name
    if "schema" in stated:
        stated["schema"] = SCHEMA
    for name in ("spans", "recognizer"):
        if isinstance(stated.get(name), str):
            stated[name] = "+".join(Path(one).name for one in stated[name].split("+"))
    if "evaluation" in stated:
        stated["evaluation"]["gold"] = Path(stated["evaluation"]["gold"]).name
    for stage in stated["stages"]:
        for name in verbs.file_options(stage["verb"]):
            if isinstance(stage.get(name), str):
                stage[name] = Path(stage[name]).name
        for name in verbs.secret_options(stage["verb"]):
            if isinstance(stage.get(name), list | dict):
                stage[name] = f"{len(stage[name])} {HIDDEN}"
    return stated
