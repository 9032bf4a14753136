"""What methods declare is what their verbs take, and every face has it from there."""

from __future__ import annotations

import inspect
from typing import get_args, get_origin

import pytest
from typer.main import get_command

import sfumato as sf
from contract.verbs import VERBS
from sfumato.cli.app import app
from sfumato.core.errors import BadInput
from sfumato.core.method import check_options, options_of
from sfumato.methods import METHODS, method, methods
from sfumato.pipeline.verbs import options_in, stage_model

# What a verb takes beside its options: data, what is read from files or found in the data, and
# what every verb takes.
SIDES = {
    "suppress": {"texts", "groups", "spans", "public"},
    "redact": {"texts", "terms", "direct", "fold_case", "fold_width"},
    "generalize": {"texts", "words", "ontology", "frequencies"},
    "sanitize": {
        *("sequence", "patterns", "positions", "collection", "implausible", "reference"),
        *("ghost", "sub"),
    },
    "pseudonymize": {"texts", "recognizer", "groups"},
    "anonymize": {"frame", "schema", "recognizer", "ontology", "population"},
}
COMMON = {"engine", "seed", "progress", "verify", "key"}


def arguments(one):
    return {
        option.name: option
        for option in options_of(one.options)
        if option.about.argument and not option.about.is_file
    }


@pytest.mark.parametrize("one", methods(), ids=lambda one: one.verb)
def test_a_verb_takes_what_its_method_declares_with_the_same_defaults(one):
    signature = inspect.signature(one.call()).parameters
    declared = arguments(one)
    taken = set(signature) - SIDES.get(one.verb, set()) - COMMON
    assert taken | {"words"} == set(declared) | {"words"}
    for name, option in declared.items():
        if name in signature and name != "words":  # None in Python, nouns where people write
            assert signature[name].default == option.default, name


@pytest.mark.parametrize("one", methods(), ids=lambda one: one.verb)
def test_the_command_and_the_stage_have_every_option(one):
    command = get_command(app).commands[one.verb]
    flags = {flag for parameter in command.params for flag in parameter.opts}
    for option in options_of(one.options, "command"):
        assert option.flag in flags
    fields = stage_model(one.verb).model_fields
    for option in options_of(one.options, "policy"):
        assert option.name in fields


# What only one of the two faces has, and why.
ONE_FACE = {
    "suppress": {"strict", "hide"},  # a policy always counts strictly; it hides what it recognised
    "redact": {"save_dictionary"},  # writes a file of its own
    "sanitize": {"draw", "per_line", "positions", "shuffle"},  # patterns drawn for experiments
    "pseudonymize": {"mapping"},  # a run keeps its mapping in the private folder
    "anonymize": {"listed"},  # a run has spans
}


@pytest.mark.parametrize("one", methods(), ids=lambda one: one.verb)
def test_a_policy_can_give_every_option_that_the_command_line_has(one):
    faces = [{o.name for o in options_of(one.options, face)} for face in ("command", "policy")]
    assert faces[0] ^ faces[1] == ONE_FACE.get(one.verb, set())
    given = {o.name: "a.txt" for o in options_of(one.options, "policy") if o.about.needed}
    for option in options_of(one.options, "policy"):
        value = written(option)
        stage = stage_model(one.verb).model_validate(
            {"verb": one.verb, **given, option.name: value}
        )
        options = options_in(stage)
        if option.name not in one.in_policy:
            assert getattr(options, option.name) == value, option.name


def written(option):
    """Another value than the default, as a policy writes it."""
    kinds = [kind for kind in (option.type, *get_args(option.type)) if kind is not type(None)]
    if option.about.is_file:
        return "other.txt"
    for choice in option.choices:
        if choice != option.default and choice not in option.about.also:
            return choice
    if dict[str, str] in kinds:
        return {"PERSON": "mask"}
    if bool in kinds:
        return not option.default
    least = option.about.least
    if int in kinds:
        return 1 + int(option.default or least or 0)
    if float in kinds:
        return 0.5 if option.default != 0.5 else 0.25
    if any(get_origin(kind) is dict for kind in kinds):
        return {"word": 7}
    return "other" if str in kinds else ["other"]


def test_every_verb_is_under_contract():
    assert {verb.name for verb in VERBS} == set(METHODS)


def test_every_method_has_a_page_and_a_public_name():
    from pathlib import Path

    pages = Path(__file__).parents[2] / "docs" / "methods"
    for verb in METHODS:
        assert (pages / f"{verb}.md").is_file()
        assert callable(getattr(sf, verb))
        assert verb in dir(sf)


@pytest.mark.parametrize("one", methods(), ids=lambda one: one.verb)
def test_values_beyond_the_declared_bounds_are_refused(one):
    for option in arguments(one).values():
        if option.about.least is not None:
            with pytest.raises(BadInput):
                check_options(one.options, {option.name: option.about.least - 1})
        if option.choices and str not in getattr(option.type, "__args__", ()):
            with pytest.raises(BadInput):
                check_options(one.options, {option.name: "no such choice"})


def test_no_verb_is_called_by_an_unknown_name():
    with pytest.raises(BadInput, match="no such verb"):
        method("publish")
