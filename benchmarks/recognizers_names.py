"""Weights learnt from a part and looked at on another, and speed: parts of recognizers.py."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from found import OTHERS, Find, judged
from make_names_model import LEAN, SHARED, learn, learning_lexicon, without
from names_model.corpora import Marked, corpora
from names_model.lists import clusters, phrases, share, usual_words
from names_model.made import made
from names_model.silver import silver, trials
from tables import record

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


def dev_phrases() -> dict[str, int]:
    """The lists without the names that are kept apart."""
    names = phrases(usual_words())
    return without(names, [x for x in names if share(x.title(), "name") < 0.15])


def model_of(documents: Sequence[Marked], names: dict[str, int]) -> Model:
    """A model of the documents; while learning a part of the names is hidden."""
    weights = learn(documents, learning_lexicon(names))
    return Model(TYPES, tagger.lexicon(names, clusters()), weights, LEAN, "")


def row(documents: Sequence[Marked], find: Find, **columns: object) -> dict[str, object]:
    """A line of a table; only letters under labels that are marked there may be wrong."""
    types = documents[0].types
    counted = NAMES | ({"DATE"} if "DATE" in types else set())
    some = [(one.text, one.marks) for one in documents]
    spans = find([one.text for one in documents])
    return judged(some, spans, lambda x: "ADDRESS" in types or x.label in counted).row(**columns)


def of_kept() -> None:
    """Learns from a part, looks at the rest."""
    real = corpora(SHARED)
    names = dev_phrases()
    learnt_from = [one for one in real if not one.kept]
    learnt_from += [*made(MADE, 1, False), *silver(trials(SHARED))]
    model = model_of(learnt_from, names)
    parts = {
        name: [x for x in real if x.kept and x.source.startswith(name.lower())]
        for name in ("GUM", "BTC", "WNUT")
    }
    parts["made"] = list(made(MADE_KEPT, 2, True))
    finders: dict[str, Find] = {
        "rules-en": recognizer("rules-en"),
        "lists-en": Lists(model=model),
        "names-en": Names(model=model),
        "en": English(model=model),
    }
    finders |= {name: make() for name, make in OTHERS.items()}
    rows = [
        row(some[:700] if name in OTHERS else some, find, text=source, recogniser=name)
        for source, some in parts.items()
        for name, find in finders.items()
    ]
    record(
        "recognizers_kept",
        rows,
        part="Recognisers",
        title="Own split: what was not learnt from",
        note="""Learnt from four fifths of GUM (by document), BTC and WNUT (by blocks of 50 lines)
        and 20,000 made sentences; the rest was looked at. Names and template families of the made
        sentences were kept apart. Features, lean and templates were chosen looking at these rests:
        expect less elsewhere. spaCy and Presidio on the first 700 texts of each. Of GUM, BTC and
        WNUT letters count under like labels (people, places, organisations, in GUM dates).""",
    )


def of_cross() -> None:
    """Learns from one kind of text, looks at another."""
    real = corpora(SHARED)
    names = dev_phrases()
    gum = [one for one in real if one.source.startswith("gum")]
    tweets = [one for one in real if not one.source.startswith("gum")]
    some_made = list(made(MADE, 1, False))
    rows = []
    for source, target, learnt, looked in (
        ("news and guides", "tweets", gum, tweets),
        ("tweets", "news and guides", tweets, gum),
    ):
        for also in (False, True):
            find = Names(model=model_of([*learnt, *(some_made if also else ())], names))
            said = f"{source}, made sentences" if also else source
            rows.append(row(looked, find, **{"made from": said, "looked at": target}))
    record(
        "recognizers_cross",
        rows,
        part="Recognisers",
        title="Text of another kind than the weights were made from",
        note="""News and guides: GUM's 108 documents. Tweets: Broad Twitter Corpus, WNUT 2017.
        The tagger alone, at the lean of the released weights. Tweets have no dates marked.""",
    )


SPEED = """
import resource, sys, time
sys.path[:0] = {paths!r}
import recognizers_names as here
texts = here.gum_texts()
size = sum(len(text.encode()) for text in texts) / 1e6
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
find = here.finder({name!r})
list(find(["Ann Ho"]))
loaded = time.process_time() - start
own = {name!r} not in here.OTHERS
some = texts if own else texts[::5]
size = sum(len(text.encode()) for text in some) / 1e6
seconds = []
for _ in range(5 if own else 1):
    start = time.process_time()
    list(find(some))
    seconds.append(time.process_time() - start)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(1000 * loaded, size / seconds[0], size / min(seconds), (after - before) / 1024)
"""


def gum_texts() -> list[str]:
    return [one.text for one in corpora(SHARED) if one.source.startswith("gum")]


def finder(name: str) -> Find:
    return OTHERS[name]() if name in OTHERS else recognizer(name)


def of_speed() -> None:
    """Megabytes a second and memory, every recogniser in a process of its own."""
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tools")]
    rows = []
    for name in ("names-en", "lists-en", "rules-en", "en", *OTHERS):
        done = subprocess.run(
            [sys.executable, "-c", SPEED.format(paths=paths, name=name)],
            capture_output=True,
            text=True,
            check=True,
        )
        loaded, first, best, memory = map(float, done.stdout.split())
        rows.append(
            {
                "recogniser": name,
                "loaded, ms": round(loaded),
                "MB/s at first": first,
                "MB/s": best,
                "memory, MB": round(memory),
            }
        )
    record(
        "recognizers_speed",
        rows,
        part="Recognisers",
        title="Speed and memory on GUM's texts (0.51 MB), one core",
        note="""CPU time, each in a process of its own. Loaded: until a first sentence of two words
        was read, the package imported already. At first: the first pass over the texts; then the
        best of five. spaCy and Presidio once, on a fifth of the texts. Memory: what the process
        grew by.""",
    )
