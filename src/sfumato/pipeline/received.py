"""A release folder judged by whoever has it: alone, with the original, with the private folder.

Alone: every file is the one that was signed, the certificate fits the data and the policy, and what
is legible is counted again. With the original and the private folder, every stage is judged again
as the run did. What cannot be judged with what is given is named, never taken as good.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.certificate import seal_holds
from ..core.claims import Claim, Verdict
from ..core.errors import BadInput, NotVerified
from ..core.release import Release
from ..verification import composed, verify
from . import consistent
from . import policy as policies
from .certificate import keyed, text_digest
from .folder import SUMS, digests
from .kept import Shelf
from .run import Done, load, read_input
from .stages import Setting, file_digest, steps_of
from .verdicts import judge as judge_steps

if TYPE_CHECKING:
    from ..formats import Source
    from .policy import Written

ADDED = ("report.html",)  # may be made later, from what is there


@dataclass(frozen=True, slots=True)
class Received:
    """What was found: a verdict for each claim that could be judged, and why others could not."""

    verdicts: tuple[Verdict, ...]
    not_judged: tuple[tuple[str, str], ...]
    certificate: Mapping[str, Any]


def is_release(path: str | Path) -> bool:
    """Whether this is a release folder, by the files it must have."""
    return (Path(path) / SUMS).is_file() or (Path(path) / "certificate.json").is_file()


def receive(
    path: str | Path, original: str | Path | None = None, private: str | Path | None = None
) -> Received:
    """Judges a release folder; raises NotVerified where it is not what was certified."""
    folder = Path(path)
    check_sums(folder)
    stated = read_certificate(folder / "certificate.json")
    check_seal(folder, stated, _private_place(folder, private))
    check_files(folder, stated)
    written = published_policy(folder, stated)
    consistent.check(stated, written.policy, folder)
    if stated["parameters"].get("streamed"):
        return _streamed(folder, stated, written, original, _private_place(folder, private))
    data = folder / "data" / Path(written.policy.input.path).name
    if any(stage["verb"] == "anonymize" for stage in stated["stages"]):
        return _table(folder, stated, written, data, original, private)
    columns = list(dict.fromkeys(_column(stage) for stage in stated["stages"]))
    sources = {column: read_input(written, data, column) for column in columns}
    if text_digest([one.data for one in sources.values()]) != stated["hashes"]["release"]["sha256"]:
        raise NotVerified(
            "the released text is not the certified one", where=str(folder), remedy="it was changed"
        )
    consistent.check_counts(stated, sources, folder)
    place = _private_place(folder, private)
    if original is not None:
        return _with_original(stated, written, sources, Path(original), place, data)
    return _alone(stated, sources)


def _private_place(folder: Path, private: str | Path | None) -> Path | None:
    beside = folder.with_name(folder.name + ".private")
    return Path(private) if private is not None else beside if beside.is_dir() else None


def _table(
    folder: Path,
    stated: Mapping[str, Any],
    written: Written,
    data: Path,
    original: str | Path | None,
    private: str | Path | None,
) -> Received:
    """A release of a table: alone, what its texts show; with all, every stage again."""
    from . import tables

    frame = tables.read_table(data, written)
    if text_digest([tables.rows_of(frame)]) != stated["hashes"]["release"]["sha256"]:
        raise NotVerified(
            "the released table is not the certified one",
            where=str(folder),
            remedy="it was changed",
        )
    place = _private_place(folder, private)
    if original is None or place is None:
        texts = [one for one in stated["claims"] if one["column"] is not None]
        columns = dict.fromkeys(one["column"] for one in texts)
        sources = {column: read_input(written, data, column) for column in columns}
        found = _alone({**stated, "claims": texts}, sources)
        why = "speaks of the original: give it, with the private folder"
        if stated["stages"][-1]["verb"] == "anonymize":
            why += "; classes can be counted without it, with the schema (--schema)"
        others = [(one["name"], why) for one in stated["claims"] if one["column"] is None]
        return Received(found.verdicts, (*others, *found.not_judged), stated)
    held = private_certificate(place)
    key = bytes.fromhex(held["key"])
    whole = policies.parse((place / "policy.yaml").read_text("utf-8"), "the private policy")
    setting = Setting(policies.Written(whole, Path(held["policy_folder"])), key)
    before = tables.read_table(Path(original), setting.written)
    if (
        keyed(key, text_digest([tables.rows_of(before)]))
        != (stated["hashes"]["input"]["hmac-sha256"])
    ):
        raise NotVerified("this original is not the one that was released", where=str(original))
    done = _table_stages(place, held, Path(original), setting)
    last = Shelf(place / "stages").data(held["stage_results"][-1], data.name)
    if file_digest(last) != file_digest(data):
        raise NotVerified("the release is not what the last stage gave", where=str(data))
    verdicts = [one.verdict for some in judge_steps(done).values() for one in some]
    return Received(tuple(verdicts), (), stated)


def _table_stages(
    private: Path, held: Mapping[str, Any], original: Path, setting: Setting
) -> list[Done]:
    """The steps of a table as they were taken."""
    from . import tables

    shelf, name = Shelf(private / "stages"), setting.written.input_name
    path, done = original, list[Done]()
    for step, key in zip(steps_of(setting.written.policy), held["stage_results"], strict=True):
        if not shelf.has(key):
            raise BadInput("a stage result is missing", where=str(private / "stages"))
        before, path = path, shelf.data(key, name)
        if step.stage.verb != "anonymize":
            text = read_input(setting.written, before, step.column)
            done.append(load(step, text, shelf, key, path, setting, fresh=False))
            continue
        frame = tables.read_table(before, setting.written)
        release, hashes = tables.load(shelf, key, frame, setting)
        source = tables.as_source(frame, setting.written, before)
        done.append(Done(step, source, release, hashes, key, fresh=False))
    return done


def _streamed(
    folder: Path,
    stated: Mapping[str, Any],
    written: Written,
    original: str | Path | None,
    private: Path | None,
) -> Received:
    """A release made in parts is judged in parts: its stages are not kept, but taken again.

    Alone, its text is hashed.
    """
    from .stream import judged_again

    data = folder / "data" / Path(written.policy.input.path).name
    column = _column(stated["stages"][0])
    if _hash_in_parts(written, data, column) != stated["hashes"]["release"]["sha256"]:
        raise NotVerified(
            "the released text is not the certified one", where=str(folder), remedy="it was changed"
        )
    if original is None or private is None:
        why = "speaks of the original" if original is None else "needs the key: give --private"
        return Received((), tuple((claim["name"], why) for claim in stated["claims"]), stated)
    held = private_certificate(private)
    key = bytes.fromhex(held["key"])
    found = _hash_in_parts(written, Path(original), column)
    if keyed(key, found) != stated["hashes"]["input"]["hmac-sha256"]:
        raise NotVerified("this original is not the one that was released", where=str(original))
    whole = policies.parse((private / "policy.yaml").read_text("utf-8"), "the private policy")
    setting = Setting(policies.Written(whole, Path(held["policy_folder"])), key)
    return Received(tuple(judged_again(setting, Path(original), data)), (), stated)


def _hash_in_parts(written: Written, path: Path, column: str | None) -> str:
    import hashlib

    from .. import formats
    from ..core.certificate import add_to

    given, found = written.policy.input, hashlib.sha256()
    for chunk in formats.read_chunks(
        path, text_column=column, format=given.read_as, encoding=given.encoding
    ):
        add_to(found, chunk.texts)
    return found.hexdigest()


def check_sums(folder: Path) -> None:
    """Every file is listed with its hash, and every listed file is there."""
    if not folder.is_dir():
        raise BadInput("no such release folder", where=str(folder), remedy="check its name")
    try:
        lines = (folder / SUMS).read_text("utf-8").splitlines()
        listed = {name: value for value, name in (line.split("  ", 1) for line in lines)}
    except (OSError, ValueError):
        raise NotVerified(
            "the list of hashes is missing or damaged", where=str(folder / SUMS)
        ) from None
    found = digests(folder)
    found.pop(SUMS, None)
    for name in ADDED:
        if name not in listed:
            found.pop(name, None)
    for name in sorted(listed.keys() | found.keys()):
        where = str(folder / name)
        if name not in found:
            raise NotVerified("a file of the release is missing", where=where)
        if name not in listed:
            raise NotVerified("a file does not belong to the release", where=where)
        if listed[name] != found[name]:
            what = "the certificate" if name == "certificate.json" else "a file of the release"
            raise NotVerified(f"{what} was changed after it was written", where=where)


def read_certificate(path: Path) -> dict[str, Any]:
    """The certificate of a run, refused when it is none."""
    try:
        stated: dict[str, Any] = json.loads(path.read_bytes())
        if stated["format"] != 1 or stated["verb"] != "run":
            raise ValueError
        for claim in stated["claims"]:
            Claim.of(claim)
        for stage in stated["stages"]:
            _column(stage)
        if not isinstance(stated["hashes"]["release"]["sha256"], str):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError):
        raise NotVerified(
            "the certificate is damaged, or is none of a run of this version", where=str(path)
        ) from None
    return stated


def check_seal(folder: Path, stated: Mapping[str, Any], private: Path | None) -> None:
    """The certificate is as it was sealed; with the private folder, by this steward."""
    key = None if private is None else bytes.fromhex(private_certificate(private)["key"])
    if not seal_holds(stated, key):
        raise NotVerified(
            "the certificate is not as it was sealed",
            where=str(folder / "certificate.json"),
            remedy="it was changed, or sealed with another key",
        )


def check_files(folder: Path, stated: Mapping[str, Any]) -> None:
    """The data is what the certificate speaks of."""
    found = {name: value for name, value in digests(folder).items() if name.startswith("data/")}
    if found != stated["hashes"].get("files"):
        raise NotVerified(
            "the data is not what the certificate speaks of",
            where=str(folder),
            remedy="certificate and data belong to different releases, or one was changed",
        )


def published_policy(folder: Path, stated: Mapping[str, Any]) -> Written:
    """The published policy; what is private in it is not needed here."""
    import yaml

    try:
        content = yaml.safe_load((folder / "policy.yaml").read_text("utf-8"))
        for stage in content["stages"]:
            for name in policies.SECRET:
                if isinstance(stage.get(name), str) and stage[name].endswith("private entries"):
                    del stage[name]
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError):
        raise NotVerified("the policy is damaged", where=str(folder / "policy.yaml")) from None
    policy = policies.parse(policies.as_yaml(content), str(folder / "policy.yaml"))
    verbs = [step.stage.verb for step in steps_of(policy)]
    if verbs != [stage["verb"] for stage in stated["stages"]]:
        raise NotVerified("policy and certificate name different stages", where=str(folder))
    return policies.Written(policy, folder)


def _column(stage: Mapping[str, Any]) -> str | None:
    return None if stage["columns"] is None else str(stage["columns"][0])


def _alone(stated: Mapping[str, Any], sources: Mapping[str | None, Source]) -> Received:
    """What the release by itself shows."""
    verdicts, others = [], []
    for one in stated["claims"]:
        claim, source = Claim.of(one), sources[one["column"]]
        if claim.name not in composed.COUNTED:
            others.append((claim.name, "speaks of the original: give it before the folder"))
            continue
        groups = source.groups if claim.parameters["count"] == "groups" else None
        texts = [text or "" for text in source.texts]
        verdicts.append(composed.recount(claim, texts, groups))
    return Received(tuple(verdicts), tuple(others), stated)


def _with_original(
    stated: Mapping[str, Any],
    written: Written,
    sources: Mapping[str | None, Source],
    original: Path,
    private: Path | None,
    data: Path,
) -> Received:
    before = {column: read_input(written, original, column) for column in sources}
    if private is not None:
        held = private_certificate(private)
        found = text_digest([one.data for one in before.values()])
        key = bytes.fromhex(held["key"])
        if keyed(key, found) != stated["hashes"]["input"]["hmac-sha256"]:
            raise NotVerified("this original is not the one that was released", where=str(original))
        done = _stages(private, held, original, data, key)
        verdicts = [one.verdict for some in judge_steps(done).values() for one in some]
        return Received(tuple(verdicts), (), stated)
    alone = _alone(stated, sources)
    verdicts, others = list(alone.verdicts), []
    for one in stated["claims"]:
        claim = Claim.of(one)
        steps = [stage for stage in stated["stages"] if _column(stage) == one["column"]]
        if len(steps) > 1 or claim.name not in composed.COUNTED:
            if claim.name not in composed.COUNTED:
                others.append((claim.name, "needs the stages' results: give --private"))
            continue
        verdicts.append(_against(claim, before[one["column"]], sources[one["column"]], steps[0]))
    return Received(tuple(verdicts), tuple(others), stated)


def _against(claim: Claim, before: Source, after: Source, stage: Mapping[str, Any]) -> Verdict:
    """A claim of the only stage, judged with original and release alone."""
    from ..core.spans import Changes

    private = {} if before.groups is None else {"groups": before.groups}
    release = Release(
        stage["verb"],
        after.data,
        (claim,),
        Changes.of(),
        {},
        stage["parameters"],
        private=private,
    )
    return verify(before.data, release)[0]


def private_certificate(private: Path) -> dict[str, Any]:
    """The private certificate of a run, refused when it is none."""
    try:
        held: dict[str, Any] = json.loads((private / "certificate.json").read_bytes())
        bytes.fromhex(held["key"])
        list(held["stage_results"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BadInput(
            "is no private certificate of a run, or damaged",
            where=str(private / "certificate.json"),
        ) from None
    return held


def _stages(
    private: Path, held: Mapping[str, Any], original: Path, data: Path, key: bytes
) -> list[Done]:
    """The steps as they were taken, from the stage results, ending in the released data."""
    given = Path(held.get("policy_folder", private))
    whole = policies.parse((private / "policy.yaml").read_text("utf-8"), "the private policy")
    setting = Setting(policies.Written(whole, given), key)
    shelf, path, done = Shelf(private / "stages"), original, []
    name = Path(whole.input.path).name
    for step, result in zip(steps_of(whole), held["stage_results"], strict=True):
        if not shelf.has(result):
            raise BadInput("a stage result is missing", where=str(private / "stages"))
        source = read_input(setting.written, path, step.column)
        path = shelf.data(result, name)
        done.append(load(step, source, shelf, result, path, setting, fresh=False))
    if file_digest(path) != file_digest(data):
        raise NotVerified("the release is not what the last stage gave", where=str(data))
    return done
