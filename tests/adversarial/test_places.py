"""A secret in every place of every format: no verb and no policy lets it out where it must not.

Searched are the release (also unpacked), the public certificate, the report, what was said on the
two streams, and what was left behind.
"""

from __future__ import annotations

import json
import shutil

import pytest

from adversarial.known import case
from adversarial.places import PLACES
from adversarial.search import SECRET, holds, leaks
from support.commands import outcome

# How each verb is told to hide the secret in texts.
VERBS = {
    "suppress": "-k 2 {people}",
    "redact": "-k 2 --terms terms.txt --direct secret.txt",
    "generalize": "-t 1 --words-file words.txt --ontology ontology.csv",
    "sanitize": "--patterns secret.txt",
    "pseudonymize": "--recognizer secret.yaml {people}",
}
JUDGED = {
    "suppress": "{people}",
    "redact": "--terms terms.txt --direct secret.txt",
    "generalize": "--ontology ontology.csv",
    "sanitize": "--patterns secret.txt",
    "pseudonymize": "{people}",
}
REDACT = {"verb": "redact", "k": 2, "terms": "terms.txt", "direct": "secret.txt"}
STAGES = {
    "hidden-suppressed": [{"verb": "suppress", "k": 2, "hide": "recognised"}],
    "replaced-redacted-suppressed": [
        {"verb": "pseudonymize"},
        REDACT,
        {"verb": "suppress", "k": 2},
    ],
}
PUBLIC = ".certificate.json"
# Places that are the name of a column: certificate and terminal list the columns that leave.
TITLES = {
    *("csv header", "jsonl other key", "parquet name of a column", "xlsx header"),
    "arrow name of a column",
}


def takes(place, action):
    """Whether an action has what a place is about: people, numbers for names, words."""
    if action == "hidden-suppressed" and place.input not in ("in", "in.xml", "in.xlsx"):
        return False  # it differs from the other policy where marks keep their places
    if place.input.endswith(".xes"):
        return action in ("sanitize", "suppress")
    if place.input.endswith(".rtf"):
        return action == CONVERTED
    if "--no-header" in place.options or "--delimiter" in place.options:
        return action in VERBS and action != "sanitize"  # a policy says it in the format's name
    if "events" in place.options:
        return action not in ("redact", "generalize")
    if place.name == "fasta sequence":
        return action not in ("redact", "generalize", "pseudonymize")
    return "--number-files" not in place.options or (action in VERBS and action != "sanitize")


# Converted as Word documents are read: one action shows it, since each takes LibreOffice seconds.
CONVERTED = "suppress"


def cases(actions):
    return [
        case(place, place.name, action)
        for place in PLACES
        for action in actions
        if takes(place, action)
    ]


def check(folder, given, said, code, released):
    """Nothing that was said or left holds the secret, but for the input and what may stay."""
    assert code in (0, 2, 3, 4), said
    assert not holds(said.encode())
    assert leaks(folder, (*given, *released)) == []
    left = {path.name for path in folder.iterdir()} - set(given)
    assert code == 0 or not left
    assert not list((folder.parent / "temporary").iterdir())


@pytest.mark.parametrize(("place", "verb"), cases(VERBS))
def test_a_verb_hides_the_secret(place, verb, folder):
    place.write(folder)
    given = [path.name for path in folder.iterdir()]
    read = place.options
    if verb == "sanitize" and "events" in read:
        read = "--text-column text --person-column user --unit token"
    how = VERBS[verb].format(people=place.people)
    judged = JUDGED[verb].format(people=place.people)
    if place.input.endswith("fasta"):
        how, judged = (one.replace("secret.txt", "upper.txt") for one in (how, judged))
    how += " --publish all" if place.expected in ("stays", "name stays") else ""
    done = outcome(f"{verb} {place.input} {read} {how} --key-file key -o {place.output}")
    said = done.told
    if done.code == 0 and "--number-files" not in read:
        said += outcome(f"verify {place.input} {place.output} {place.options} {judged}").told
    # A column that leaves as it is is named where the release is told of.
    may_stay = {
        "stays": (place.output, *((f"{place.output}{PUBLIC}",) if place.name in TITLES else ())),
        "name stays": (place.output, f"{place.output}{PUBLIC}"),
    }
    said = said.replace(SECRET, "TITLE") if place.name in TITLES else said
    released = may_stay.get(place.expected, ())
    check(folder, given, said.replace(place.input, "INPUT"), done.code, released)
    assert done.code == 0 or place.expected == "hidden or refused", said


def policy_of(place, stages):
    """A policy that reads the place as the command line does."""
    told = place.options.split()
    given = {"path": place.input}
    columns = [told[i + 1] for i, one in enumerate(told) if one == "--text-column"]
    if columns:
        given["columns"] = columns
    if place.people:
        given["person"] = place.people.split()[1]
    for name in ("encoding", "format"):
        if f"--{name}" in told:
            given[name] = told[told.index(f"--{name}") + 1]
    stated = {"version": 1, "input": given, "recognizer": "secret.yaml", "key_file": "key"}
    stated["publish"] = "all" if place.expected in ("stays", "name stays") else []
    return json.dumps({**stated, "stages": STAGES[stages]})


@pytest.mark.parametrize(("place", "stages"), cases(STAGES))
def test_a_policy_hides_the_secret(place, stages, folder):
    place.write(folder)
    (folder / "release.yaml").write_text(policy_of(place, stages))
    given = [*(path.name for path in folder.iterdir()), "out.private"]
    done = outcome("run release.yaml -o out")
    said = done.told + (outcome("verify out").told if done.code == 0 else "")
    is_name = place.expected == "name stays" or SECRET in place.input or place.name in TITLES
    said = said.replace(SECRET, "TITLE") if place.name in TITLES else said
    released = ("out",) if is_name else ("out/data",) if place.expected == "stays" else ()
    check(folder, given, said.replace(place.input, "INPUT"), done.code, released)
    assert done.code == 0 or place.expected == "hidden or refused", said


def test_the_search_finds_the_secret_in_every_input(folder):
    """Else the search proves nothing."""
    for place in PLACES:
        target = folder / "one"
        target.mkdir()
        place.write(target)
        assert leaks(target) != [], place.name
        shutil.rmtree(target)


def test_every_format_has_a_place():
    """A format that is new is tried before it is trusted."""
    from sfumato.formats.kinds import SUFFIXES

    tried = {name for place in PLACES for name in place.input.split(".")[1:]}
    tried |= {"events"} if any("events" in place.options for place in PLACES) else set()
    alike = {"text": "txt", "ndjson": "jsonl", "fa": "fasta", "fna": "fasta", "htm": "html"}
    alike |= {"odt": "rtf", "doc": "rtf", "ods": "xlsx", "xls": "xlsx"}
    tried |= {"fhir"} if any("fhir" in place.options for place in PLACES) else set()
    assert {alike.get(name, name) for name in SUFFIXES} <= tried


def test_every_verb_and_policy_is_tried():
    from adversarial import test_tables
    from sfumato.methods import METHODS

    by_policy = {one["verb"] for stages in STAGES.values() for one in stages}
    assert set(VERBS) | {"anonymize"} == set(METHODS)
    assert by_policy | {"anonymize"} >= {"pseudonymize", "redact", "suppress", "anonymize"}
    assert test_tables.PARTITIONERS
