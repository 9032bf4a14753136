"""A new policy from a few answers, with what the literature says about choosing k."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import BadInput
from ..core.method import options_of
from ..methods import METHODS, method
from .policy import as_yaml, parse
from .verbs import counts_legible, needed_options, new_stage, table_verbs

GUIDANCE = """\
k is the smallest crowd that anything legible must be shared by: with k = 5 nothing singles out
fewer than five people, and a guess among them is right one time in five. No k fits all data.
  3    a common threshold of statistical offices' tables; data under contract and access control
  5    the usual smallest cell of health data, and most papers' default
  11   what CMS (cells under 11 are suppressed), the EMA and Health Canada (a risk of at most
       0.09) ask of data that anybody may have
  20   sensitive data for everybody, or people with many records
More people in the data allow a larger k at the same loss: `sfumato sweep` shows what each k costs.
k protects against being singled out by what is written, not against what a whole group shares.
"""


def draft(
    path: str,
    *,
    columns: Sequence[str] = (),
    person: str | None = None,
    stages: Sequence[str] = ("suppress",),
    k: int = 5,
    recognizer: str | None = None,
    spans: str | None = None,
    schema: str | None = None,
    files: dict[str, str] | None = None,
    output: str = "release",
    leave: Sequence[str] | None = None,
    attacks: str | None = None,
) -> str:
    """The YAML of a policy that passes `policy check`; only columns in `leave` leave as they are.

    >>> print(draft("notes.jsonl", columns=["note"], person="patient"), end="")
    version: 1
    input:
      path: notes.jsonl
      columns:
      - note
      person: patient
    stages:
    - verb: suppress
      k: 5
      collapse: true
    claims:
    - claim: substring-k-anonymity
      k: 5
      count: groups
    output:
      path: release
    """
    named = [verb for verb in dict.fromkeys(stages) if verb in METHODS]
    tables = table_verbs(stages)
    given: dict[str, object] = {"path": path}
    if columns:
        given["columns"] = list(columns)
    if person:
        given["person"] = person
    stated: dict[str, object] = {"version": 1, "input": given}
    if schema:
        stated["schema"] = schema
    elif tables:
        remedy = "sfumato schema guess proposes one; name it with --schema"
        raise BadInput(f"{tables[0]} needs a schema", where="--schema", remedy=remedy)
    if recognizer:
        stated["recognizer"] = recognizer
    if spans:
        stated["spans"] = spans
    stated["stages"] = [_stage(verb, k, files or {}) for verb in stages]
    claims: list[dict[str, object]] = []
    for verb in tables:
        claims.append({"claim": method(verb).can_claim[0], "k": k})
    for verb in filter(counts_legible, named):
        count = {"count": "groups"} if person else {}
        claims.append({"claim": method(verb).can_claim[0], "k": k, **count})
    if claims:
        stated["claims"] = claims
    if leave is not None:
        stated["leave"] = list(leave)
    if attacks is not None:
        stated["attacks"] = attacks
    stated["output"] = {"path": output}
    text = as_yaml(stated)
    parse(text, "the new policy")
    return text


def _stage(verb: str, k: int, files: dict[str, str]) -> dict[str, object]:
    if verb not in METHODS:
        raise BadInput("no such verb", where="--stages", remedy=f"one of {', '.join(METHODS)}")
    options = options_of(method(verb).options, "policy")
    has_k = any(one.name == "k" for one in options)
    stage = new_stage(verb, **({"k": k} if has_k else {}))
    for name in needed_options(verb):
        if name not in files:
            raise BadInput(
                f"{verb} needs a file", where=f"--{name}", remedy=f"name it with --{name}"
            )
        stage[name] = files[name]
    return stage
