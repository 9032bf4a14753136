"""Somebody who has a release, its certificate and this code, and runs it on every candidate."""

from __future__ import annotations

import json
from collections import defaultdict

import sfumato as sf

KEY = b"one key for all, which the attacker has not"


def public(release) -> str:
    """What everybody sees of a release: data in its order, certificate; hashes need the key."""
    data = release.data.to_dicts() if hasattr(release.data, "to_dicts") else release.data
    stated = release.certificate(key=KEY)
    stated["hashes"] = sorted(stated["hashes"])
    return json.dumps([data, stated], sort_keys=True, default=str)


def alike(candidates, verb):
    """The originals that give the same public files, group by group."""
    groups = defaultdict(list)
    for candidate in candidates:
        try:
            groups[public(verb(candidate))].append(candidate)
        except sf.SfumatoError:
            continue
    return list(groups.values())
