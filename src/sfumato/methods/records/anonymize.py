"""The verb `anonymize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.engine import elsewhere, is_elsewhere
from ...core.errors import BadInput
from ...core.keyed_draws import steward_key
from ...core.method import check_options
from ...core.options import check_k, check_kinds, check_run
from ...schema import Schema, as_schema, join
from ...schema.frames import as_polars
from .method import Options as Declared
from .options import (
    Cuts,
    Partitioner,
    SensitiveDemand,
    Strata,
    TermFate,
    checked,
    with_own_values,
)
from .population import asked_of
from .read_table import prepare

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.release import Release
    from ...core.values import Data
    from ...kernels.records import Diversity, Effort
    from ...ontologies import Ontology
    from ...schema import SchemaLike
    from ...schema.models import OwnValues


def anonymize(
    frame: Data,
    schema: SchemaLike,
    k: int | Sequence[int] = 5,
    partitioner: Partitioner = "clusters",
    relational_weight: float = 0.5,
    l: float | None = None,  # noqa: E741 - the paper's letter
    diversity: Diversity = "distinct",
    t: float | None = None,
    suppress_share: float = 0.0,
    terms: TermFate = "suppress",
    recognizer: object = None,
    *,
    c: float = 1.0,
    strata: Strata = "drawn",
    cuts: Cuts = "corrected",
    effort: Effort = "default",
    block: int | None = None,
    ontology: Ontology | str | None = None,
    own_values: OwnValues | None = None,
    knows: int | None = None,
    population: object = None,
    k_map: int | None = None,
    delta: float | None = None,
    shuffle: bool | None = None,
    give_back: int | None = None,
    key: bytes | str | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Any:
    """Makes people k-anonymous on their columns and on the sensitive terms of their texts.

    `frame` is a pandas, Polars or Arrow frame, or several by name, joined on the person column.
    `schema` says what each column is. `recognizer` is a name, a recogniser, spans (document = row x
    text columns + text column), or a frame of places (row, start, stop, label) or of people's
    terms (the person column, entity_type, term). `own_values` says what is looked for of people's
    own values in their texts (None: as the schema says). A quasi-identifier in texts that
    `give_back` people write stays as it is. A list of k gives a release for each.
    With `knows` an attacker knows all columns and that many terms of a person, no more.
    With a `population`, a table of the same columns, at least `k_map` of its people (k, unless told
    otherwise) fit every class, and at most a share `delta` of those who fit are in it.
    With `l` or `t`, `strata` says whether clusters get their sensitive values from strata drawn
    under the key, so that who runs this again learns nobody's, or are chosen by them.
    People are numbered, and rows shuffled (unless `shuffle` is False), in an order drawn under the
    `key`, of at least 16 bytes; without one a key is drawn and kept in the release's private part.
    Paper: section 4, Algorithms 1 and 2. Cost: O((terms + people x columns) log people) beside the
    recogniser; `clusters` O(people x block x columns), by default blocks of 20,000 people with
    terms and of 350 without.

    >>> import polars as pl
    >>> people = pl.DataFrame({"id": [1, 2, 3, 4], "age": [36, 24, 61, 58]})
    >>> schema = {"person": "id", "columns": {"age": {"kind": "number"}}}
    >>> anonymize(people, schema, k=2, shuffle=False).data["age"].to_list()
    ['[24-36]', '[24-36]', '[58-61]', '[58-61]']
    """
    if is_elsewhere(engine):
        made: Release = elsewhere("anonymize", locals())
        return made
    check_run(engine, seed, progress)
    check_kinds(flag={} if shuffle is None else {"shuffle": shuffle})
    described = with_own_values(as_schema(schema), own_values, recognizer)
    ks = check_k(k)
    demanded = SensitiveDemand(l, diversity, c, t)
    options = checked(
        described,
        partitioner,
        relational_weight,
        cuts,
        effort,
        block,
        suppress_share,
        terms,
        demanded,
        ontology,
        knows,
        strata,
    )
    check_options(Declared, {"give_back": give_back, "k_map": k_map, "delta": delta})
    if give_back is not None and knows is not None:
        raise BadInput(
            "an attacker may know what is given back", where="give_back", remedy="leave out knows"
        )
    secret = steward_key(key)
    prepared = prepare(
        *(_one_frame(frame, described), described, recognizer, demanded, progress),
        *(give_back, secret),
    )
    shown = {
        "own_values": described.own_values,
        "recognizer": _shown(recognizer),
        "shuffle": shuffle is not False,
        "seed": seed,
        **({} if give_back is None else {"give_back": give_back}),
    }
    people = prepared.people, prepared.count
    asked = {
        one: asked_of(prepared.frame, described, people, population, one, k_map, delta)
        for one in ks
    }
    releases = {
        one: prepared.release(one, options, secret, shown, progress, asked[one], population)
        for one in ks
    }
    return releases[ks[0]] if not isinstance(k, Sequence) else releases


def _one_frame(frame: Data, schema: Schema) -> object:
    if not isinstance(frame, Mapping):
        return frame
    if schema.person is None:
        raise BadInput("several frames are joined on the person column", where="schema.person")
    return join({str(name): as_polars(one) for name, one in frame.items()}, schema.person)


def _shown(recognizer: object) -> str | None:
    return recognizer if recognizer is None or isinstance(recognizer, str) else "given"
