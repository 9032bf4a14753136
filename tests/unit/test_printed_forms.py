"""No printed form holds the user's text: a traceback, a log or a notebook may show it.

Every dataclass of the package is walked. A field that can hold text is left out of the printed
form, or the class prints sizes, or the field is named here with the reason why it may be shown.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re

import pytest

import sfumato as sf
from sfumato.core.corpus import Corpus
from sfumato.core.printed_form import by_sizes

MARKER = "Zyxomme Quvril"
# Types whose values cannot hold text: numbers, switches, offsets, arrays of codes, hashes.
HARMLESS = re.compile(
    r"(?:int|float|bool|None|date|tuple|list|set|frozenset|dict|Mapping|Sequence|Counter|NDArray"
    r"|Callable|np\.\w+|pl\.Expr|hashlib\._Hash|BinaryIO|Literal|Any(?=\]])"
    r"|Ints?|Int32s|Int64s|Flags|Reals?|Whole|Codes|Numbers|Nodes|Features|[\[\],. |]|\.\.\.)*"
)
# Fields that say what was chosen, how a thing is called or where it lies; the same in every class.
NAMES = {
    "a name": "name label unit verb parameter role kind names",
    "a sentence": "why reason statement assumptions reasons warnings does claims writes ending "
    "without not_judged",
    "how a file is read": "format charset encoding delimiter separator",
    "chosen": "mask masks mark stars level reading volume objective search segment diversity "
    "partitioner cuts guarantee rare_lengths replacement ghost sub effort",
    "a column": "column columns header group group_column text_column",
    "a place": "place path folder output where temporary target certificate private_certificate "
    "key_file private",
    "a thing whose own form tells sizes": "ontology",
    "a function": "check when longest accepts loss progress",
}
NAMES = {name: why for why, names in NAMES.items() for name in names.split()}
# Fields of single classes, with the reason.
SHOWN = {
    "sfumato.core.claims.Claim.parameters": "declared to be public",
    "sfumato.core.claims.Verdict.measured": "numbers",
    "sfumato.core.spans.Change.replacement": "released",
    "sfumato.core.spans.Same.value": "released",
    "sfumato.methods.records.generalize.General.word": "released, a word of the ontology",
    "sfumato.methods.records.options.Options.strata": "chosen",
    "sfumato.methods.records.options.Options.terms": "chosen",
    "sfumato.methods.substrings.sequence.Sequence.codes": "numbers",
    "sfumato.methods.terms.term_list.TermList.classes": "numbers",
    "sfumato.recognizers.combine.CombinedRecognizer.recognizers": "each prints itself",
    "sfumato.core.spans.Gold.entity": "a number that people gave it",
    "sfumato.formats.sequences.Shape.unit": "chosen",
    "sfumato.methods.terms.patterns.Pattern.text": "what the user asked to see, made on access",
    "sfumato.recognizers.roles.Preset.roles": "labels",
    "sfumato.recognizers.scan.Rule.expression": "the package's own",
    "sfumato.recognizers.scan.Rule.opening": "the package's own",
    "sfumato.recognizers.scan.AnchoredRule.literal": "the package's own",
    "sfumato.recognizers.scan.AnchoredRule.before": "the package's own",
    "sfumato.recognizers.scan.AnchoredRule.expression": "the package's own",
    "sfumato.recognizers.capitals.Capitals.language": "one of six",
    "sfumato.recognizers.language.Auto.region": "a country",
    "sfumato.recognizers.language.Language.region": "a country",
    "sfumato.recognizers.names.English.region": "a country",
    "sfumato.recognizers.national.Identifiers.region": "a country",
    "sfumato.recognizers.scan.AnchoredRule.after": "the package's own",
    "sfumato.methods.pseudonyms.dates.Part.suffix": "st, nd, rd or th",
    "sfumato.attacks.result.AttackResult.detail": "numbers",
    "sfumato.judging.sweep.Point.value": "chosen",
    "sfumato.judging.sweep.Point.attacks": "numbers, and what an attack is called",
    "sfumato.formats.atomic._Pending.found": "numbers of a file",
    "sfumato.recognizers.names.Model.types": "labels",
    "sfumato.recognizers.names.Model.sha256": "a hash of the package's own",
    "sfumato.judging.sweep.Point.measures": "numbers",
    "sfumato.judging.sweep.Sweep.knee": "chosen",
    "sfumato.metrics.records.Loss.by_column": "numbers by column",
    "sfumato.metrics.records.Loss.by_entity_type": "numbers by type",
    "sfumato.pipeline.sample.Preview.verdicts": "claims",
    "sfumato.pipeline.sample.Preview.changed": "numbers by column",
    "sfumato.schema.evidence.Evidence.mark": "a decimal mark",
}


# What the package declares of itself: no field holds anything of the user's.
DECLARED = re.compile(
    r"sfumato\.(core\.method\.(About|Action|Cost|Method|Option|SweptOption)|claims\.claim_kind\.\w+"
    r"|attacks\.result\.AttackResult|recognizers\.rules\.european\.Words)"
)


def dataclasses_of_the_package():
    found = {}
    for module in pkgutil.walk_packages(sf.__path__, "sfumato."):
        if module.name.endswith("__main__"):
            continue
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and dataclasses.is_dataclass(one):
                found[f"{one.__module__}.{one.__qualname__}"] = one
    return {
        name: one
        for name, one in found.items()
        if name.startswith("sfumato.") and not DECLARED.fullmatch(name)
    }


ALL = dataclasses_of_the_package()


def prints_itself(one):
    """Whether a class or its base has a printed form that dataclasses did not make."""
    own = "__repr__" in vars(one) and not hasattr(one.__repr__, "__wrapped__")
    return own or one.__repr__ is by_sizes


def may_hold_text(name, field):
    if not field.repr or field.name in NAMES or f"{name}.{field.name}" in SHOWN:
        return False
    kind = str(field.type)
    if HARMLESS.fullmatch(kind):
        return False
    parts = re.findall(r"\b[A-Z_]\w+", kind)
    own = {key.rpartition(".")[2] for key in ALL}
    texts = re.search(r"\b(?:str|bytes|object|Any|Hashable|pl\.DataFrame|pl\.Series)\b", kind)
    return bool(texts) or not all(part in own or HARMLESS.fullmatch(part) for part in parts)


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_field_that_can_hold_text_is_printed(name):
    one = ALL[name]
    if prints_itself(one):
        blank = object.__new__(one)
        for field in dataclasses.fields(one):
            object.__setattr__(blank, field.name, [MARKER, MARKER])
        if one.__repr__ is by_sizes:
            assert MARKER not in repr(blank)
        else:
            assert name.endswith(("core.release.Release", "source.Dataset", "chunks.Chunks"))
        return
    texts = [field.name for field in dataclasses.fields(one) if may_hold_text(name, field)]
    assert not texts, "leave them out (repr=False), or print sizes (__repr__ = by_sizes)"


def test_texts_are_told_by_their_sizes():
    from sfumato.pipeline import policy
    from sfumato.recognizers import gazetteer
    from sfumato.recognizers.expressions import Expressions, compiled
    from sfumato.schema import as_schema

    written = policy.parse(
        f"{{version: 1, input: {{path: a.txt}}, stages: [{{verb: generalize, words: [{MARKER}]}}]}}"
    )
    listed = gazetteer.deny([MARKER])
    for one in (
        Corpus.of([MARKER, "b"]),
        listed,
        gazetteer.Allow(listed, frozenset([MARKER])),
        Expressions("x", ((compiled(MARKER), "WARD", 0.5, "ward"),)),
        written,
        written.stages[0],
        as_schema(
            {"columns": {"town": {"kind": "category", "hierarchy": {"tree": {"x": [MARKER]}}}}}
        ),
        sf.suppress([MARKER, MARKER], 2),
    ):
        assert MARKER not in repr(one)
        assert MARKER not in str(one)
    assert repr(Corpus.of([MARKER, "b"])) == "<Corpus: given 2, texts 2, missing 0>"


def test_sizes_of_anything():
    @dataclasses.dataclass
    class Held:
        text: str
        many: list[str]
        lazy: object
        number: int

        __repr__ = by_sizes

    assert repr(Held(MARKER, [MARKER], object(), 7)) == "<Held: text 14, many 1, number 7>"
