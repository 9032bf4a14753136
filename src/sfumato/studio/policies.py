"""A project's `release.yaml`: begun from the columns' choices, changed by clicks or by hand.

The same file as the command line's. Its files are those of the project, by their plain names.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ..core.errors import BadInput, SfumatoError
from ..methods import METHODS
from ..pipeline import check
from ..pipeline import policy as policies
from ..pipeline.policy import PolicyFile, as_yaml, whole
from ..pipeline.stages import files_of
from ..pipeline.steps import is_table
from ..pipeline.verbs import counts_legible, new_stage, stage_model, takes_table
from ..recognizers.by_name import SUFFIX as MODEL
from ..recognizers.installed_recognizers import DEFAULT
from ..schema import as_schema
from .places import KEY, POLICY, SCHEMA, about, write_private

if TYPE_CHECKING:
    from ..core.values import JsonObject

K = 5
LONGEST = 1 << 18  # bytes of a policy


def begun(project: Path, columns: list[JsonObject] | None, k: int = K) -> JsonObject:
    """The policy that the choices ask for: recode what others know, then star what is rare."""
    told = about(project)
    given: dict[str, object] = {"path": told["input"]}
    if "format" in told:
        given["format"] = told["format"]
    stated: dict[str, object] = {"version": 1, "input": given}
    stages: list[dict[str, object]] = []
    texts: list[str] = []
    if columns is not None:
        chosen: dict[str, list[str]] = {}
        for one in columns:
            chosen.setdefault(one["choice"], []).append(one["name"])
        texts = chosen.get("text", [])
        if texts:
            given["columns"] = texts
        if "person" in chosen:
            given["person"] = chosen["person"][0]
        stated["schema"] = SCHEMA
        if chosen.keys() & {"recode", "secret", "drop"}:
            if texts:
                stated["recognizer"] = DEFAULT
            stages.append({"verb": "anonymize", "k": k, **({"l": 2} if "secret" in chosen else {})})
    if columns is None or texts:
        stages.append(new_stage("suppress", k=k))
    if not stages:
        stages.append({"verb": "anonymize", "k": k})
    stated["stages"] = stages
    stated["output"] = {"path": "release"}
    stated["key_file"] = KEY
    return with_claims(stated)


def with_claims(stated: JsonObject) -> JsonObject:
    """The policy with the claims that its stages are to give.

    >>> found = with_claims({"input": {"person": "id"}, "stages": [{"verb": "suppress", "k": 3}]})
    >>> found["claims"]
    [{'claim': 'substring-k-anonymity', 'k': 3, 'count': 'groups'}]
    """
    _require_form(stated)
    claims: list[dict[str, object]] = []
    for stage in stated.get("stages") or []:
        k = stage.get("k", K)
        verb = str(stage.get("verb"))
        if verb not in METHODS:
            continue  # told where the policy is read
        if takes_table(verb):
            claims.append({"claim": "k-anonymity", "k": k})
            if stage.get("l") is not None:
                claims.append({"claim": "l-diversity", "l": stage["l"]})
            if stage.get("t") is not None:
                claims.append({"claim": "t-closeness", "t": stage["t"]})
        by_words = stage.get("reach") is None and stage.get("unit", "character") != "word"
        if counts_legible(verb) and by_words and not stage.get("columns"):
            person = stated["input"].get("person") and stage.get("count") in (None, "groups")
            count = {"count": "groups"} if person else {}
            claims.append({"claim": "substring-k-anonymity", "k": k, **count})
    rest = {name: value for name, value in stated.items() if name != "claims"}
    if not claims:
        return rest
    order = ("version", "input", "schema", "recognizer", "spans", "stages")
    first = {name: rest.pop(name) for name in order if name in rest}
    return {**first, "claims": claims, **rest}


def _require_form(stated: JsonObject) -> None:
    """Refuses what is no policy at all; the rest is told where the policy is read."""
    stages = stated.get("stages") or []
    are_stages = isinstance(stages, list) and all(
        isinstance(one, dict) and isinstance(one.get("verb"), str) for one in stages
    )
    if not are_stages or not isinstance(stated.get("input"), dict):
        raise BadInput("expected an input, and stages that name their verbs", where="stated")


def save(project: Path, text: str) -> JsonObject:
    """Keeps a policy that can be read and names no file outside its project."""
    if len(text.encode("utf-8", "replace")) > LONGEST:
        raise BadInput("is too long", where=POLICY)
    text = _with_own_input(project, text)
    written = PolicyFile(policies.parse(text, POLICY), project)
    require_inside(written)
    write_private(project / POLICY, text.encode())
    return told(project)


def save_stated(project: Path, stated: JsonObject) -> dict[str, object]:
    """The same for a policy that clicks have made; its claims follow its stages."""
    _require_form(stated)
    stages = [_with_k(stage) for stage in stated.get("stages") or []]
    return save(project, as_yaml(with_claims(_whole_numbers({**stated, "stages": stages}))))


def _with_k(stage: JsonObject) -> dict[str, object]:
    """A stage that says its k, also where it is the usual one."""
    verb = stage.get("verb")
    has_k = verb in METHODS and "k" in stage_model(str(verb)).model_fields
    return {"verb": verb, "k": K, **stage} if has_k else stage


def _whole_numbers(value: object) -> Any:
    """Numbers of a page, which knows no whole ones, as people write them.

    >>> _whole_numbers({"l": 2.0, "guess": 0.5})
    {'l': 2, 'guess': 0.5}
    """
    if isinstance(value, dict):
        return {name: _whole_numbers(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _with_own_input(project: Path, text: str) -> str:
    """A policy that was opened speaks of the project's input, whatever its file was called."""
    own = str(about(project).get("input"))
    parsed = policies.parse(text, POLICY)
    if parsed.input.path == own:
        return text
    stated = yaml.safe_load(text)
    stated["input"]["path"] = own
    return as_yaml(stated)


def text_of(project: Path) -> str:
    """The text of the project's policy, which begins when its input is looked at."""
    try:
        return (project / POLICY).read_text("utf-8")
    except FileNotFoundError:
        raise BadInput("there is no policy yet", where=POLICY, remedy="look at the input") from None


def read(project: Path) -> PolicyFile:
    """The project's policy, which names no file outside its project."""
    text_of(project)
    written = policies.read(project / POLICY)
    require_inside(written)
    return written


def told(project: Path) -> JsonObject:
    """The policy as the page shows it: its text, its values, what keeps it from running."""
    text = text_of(project)
    written = read(project)
    problem: JsonObject | None = None
    try:
        require_runnable(written)
    except SfumatoError as found:
        where = policies.placed(found, project / POLICY)
        place = (where.where or "").replace(f"{project}/", "")
        problem = {"problem": found.problem, "where": place, "remedy": found.remedy}
    schema = project / SCHEMA
    return {
        "text": text,
        "stated": whole(written.policy),
        "problem": problem,
        "notes": check.notes(written.policy),
        "schema": schema.read_text("utf-8") if schema.is_file() else None,
    }


def require_runnable(written: PolicyFile) -> None:
    """Refuses a policy that misses files, or whose schema asks for what no stage does."""
    check.check_files(written)
    policy = written.policy
    if policy.schema_file is None or is_table(policy):
        return
    schema = as_schema(written.path(policy.schema_file))
    asked = [
        name for role in ("quasi", "sensitive", "drop") for name in schema.named(role)
        if name not in schema.texts
    ]  # fmt: skip
    if asked:
        raise BadInput(
            f"the schema recodes or drops {len(asked)} columns, and no stage does that",
            where="stages",
            remedy="add anonymize, or publish these columns",
        )


def require_inside(written: PolicyFile) -> None:
    """Refuses files that are not the project's own: a policy must not read this machine."""
    policy = written.policy
    named = [("input.path", policy.input.path), ("output.path", policy.output.path)]
    for name in ("schema_file", "spans", "key_file"):
        value = getattr(policy, name)
        named += [(name.removesuffix("_file"), value)] if value is not None else []
    if policy.evaluation is not None:
        named.append(("evaluation.gold", policy.evaluation.gold))
    for name in (policy.recognizer or "").split("+"):
        if name.strip().endswith((".yaml", ".yml", MODEL)):
            named.append(("recognizer", name.strip()))
    for number, stage in enumerate(policy.stages):
        for name, _ in files_of(stage, written):
            named.append((f"stages[{number}].{name}", getattr(stage, name)))
    name, _, rules = (policy.input.format or "").partition(":")
    if name.lower().split(".")[0] == "fhir" and rules:
        named.append(("input.format", rules))
    else:
        rules = ""
    if policy.input.url is not None:
        raise BadInput("the studio opens no database", where="input.url", remedy="give a file")
    for where, value in named:
        _require_plain(where, str(value))
    for settings in (policy.schema_file, rules):
        if settings:
            _require_plain_strings(written.folder / settings, settings)


def _require_plain_strings(path: Path, where: str) -> None:
    """Refuses a file of settings whose own settings may name other files of this machine."""
    if not path.is_file():
        return  # told where it is read
    content = path.read_text("utf-8", "replace")
    try:
        stated = yaml.safe_load(content)
    except yaml.YAMLError:
        return  # told where it is read
    for value in _strings(stated if isinstance(stated, dict) else {}, set()):
        if value.startswith(("/", "~", "..")) or "../" in value or "\\" in value:
            raise BadInput("a file of the project has a plain name", where=where)


def _strings(value: object, seen: set[int]) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (dict, list)) or id(value) in seen:
        return []
    seen.add(id(value))
    parts = value.values() if isinstance(value, dict) else value
    return [text for part in parts for text in _strings(part, seen)]


def _require_plain(where: str, value: str) -> None:
    if "/" in value or "\\" in value or value in ("", ".", "..") or value.startswith((".", "~")):
        raise BadInput(
            "a file of the project has a plain name",
            where=where,
            remedy="give the file to the project, and name it without a folder",
        )
