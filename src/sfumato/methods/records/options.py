"""The parameters of `anonymize`, checked."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

from ...core.errors import BadInput
from ...core.options import choose
from ...kernels.known_sets import MOST_KNOWN
from ...kernels.records import Diversity, Effort
from ...schema.models import OwnValues

if TYPE_CHECKING:
    from ...core.values import Data
    from ...ontologies import Ontology
    from ...schema import Schema

Partitioner = Literal["mondrian", "gdf", "clusters"]
TermFate = Literal["suppress", "generalize"]
Cuts = Literal["corrected", "printed"]
Strata = Literal["drawn", "chosen"]


@dataclass(frozen=True, slots=True)
class SensitiveDemand:
    """What is demanded of sensitive columns beside k."""

    l: float | None = None  # noqa: E741 - the paper's letter
    diversity: Diversity = "distinct"
    c: float = 1.0
    t: float | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How people are partitioned and terms are treated."""

    partitioner: Partitioner
    relational_weight: float
    cuts: Cuts
    effort: Effort
    block: int | None
    suppress_share: float
    terms: TermFate
    demanded: SensitiveDemand
    ontology: Ontology | None
    knows: int | None = None
    strata: Strata = "drawn"

    @property
    def by_values(self) -> bool:
        """Whether anything is demanded of sensitive columns."""
        return self.demanded.l is not None or self.demanded.t is not None

    @property
    def is_drawn(self) -> bool:
        """Whether classes are formed so that who runs the method again learns no value."""
        return self.by_values and self.partitioner == "clusters" and self.strata == "drawn"


def checked(
    schema: Schema,
    partitioner: Any,
    relational_weight: object,
    cuts: Any,
    effort: Any,
    block: Any,
    suppress_share: Any,
    terms: Data,
    demanded: SensitiveDemand,
    ontology: Any,
    knows: Any = None,
    strata: Any = "drawn",
) -> Options:
    """The options, or BadInput that says which one cannot be."""
    choose("strata", strata, get_args(Strata))
    choose("partitioner", partitioner, get_args(Partitioner))
    choose("cuts", cuts, get_args(Cuts))
    choose("effort", effort, get_args(Effort))
    if block is not None and (
        isinstance(block, bool) or not isinstance(block, int) or not 2 <= block < 2**31
    ):
        raise BadInput(
            "expected a whole number from 2, below 2^31", where="block", remedy="350 is usual"
        )
    choose("terms", terms, get_args(TermFate))
    choose("diversity", demanded.diversity, get_args(Diversity))
    weight = _number("relational_weight", relational_weight, 0, 1)
    share = _number("suppress_share", suppress_share, 0, 1)
    if share >= 1:
        raise BadInput("must be below 1", where="suppress_share", remedy="0.01 is usual")
    if demanded.l is not None:
        _number("l", demanded.l, 1, 1e9)
    if demanded.t is not None:
        _number("t", demanded.t, 0, 1)
    _number("c", demanded.c, 1e-9, 1e9)
    if (demanded.l is not None or demanded.t is not None) and not schema.named("sensitive"):
        raise BadInput(
            "l and t are about sensitive columns, and the schema names none",
            where="schema",
            remedy="give a column `role: sensitive`",
        )
    if partitioner == "gdf" and not schema.texts and not schema.named("quasi", "set"):
        raise BadInput(
            "gdf splits on terms, and there is neither text nor set",
            where="partitioner",
            remedy="take mondrian or clusters",
        )
    chosen = None
    if terms == "generalize":
        chosen = _ontology(ontology)
    if knows is not None:
        _check_knows(schema, knows, partitioner, share, demanded)
    return Options(
        *(partitioner, weight, cuts, effort, block, share, terms, demanded, chosen, knows, strata)
    )


def _check_knows(
    schema: Schema, knows: object, partitioner: object, share: float, demanded: SensitiveDemand
) -> None:
    if isinstance(knows, bool) or not isinstance(knows, int) or not 1 <= knows <= MOST_KNOWN:
        raise BadInput(
            f"expected a whole number from 1 to {MOST_KNOWN}, or nothing: an attacker who knows "
            "all terms",
            where="knows",
            remedy="2 is usual",
        )
    if not schema.texts and not schema.named("quasi", "set"):
        raise BadInput(
            "is about terms and items of sets, and there is neither text nor set",
            where="knows",
            remedy="leave it out",
        )
    if partitioner == "gdf":
        raise BadInput(
            "gdf cuts on terms; with `knows` classes are those of the columns",
            where="partitioner",
            remedy="take clusters or mondrian",
        )
    if share and demanded.t is not None:
        raise BadInput(
            "t, knows and people left out do not go together",
            where="suppress_share",
            remedy="leave out one of them",
        )


def with_own_values(schema: Schema, own_values: object, recognizer: object) -> Schema:
    """The schema with what is looked for of own values.

    Who gives the terms has said what counts in the texts; values that the release drops do anyway.
    """
    if own_values is not None:
        choose("own_values", own_values, get_args(OwnValues))
    parts = recognizer if isinstance(recognizer, list) and recognizer else [recognizer]
    looks = all(one is None or isinstance(one, str) or callable(one) for one in parts)
    asked = own_values or schema.own_values or ("words" if looks else "dropped")
    return schema.model_copy(update={"own_values": asked})


def _ontology(given: Any) -> Ontology:
    if given is None:
        from ...ontologies import wordnet

        return wordnet()
    if isinstance(given, str) or hasattr(given, "__fspath__"):
        from ...ontologies import read_ontology

        return read_ontology(given)
    if not hasattr(given, "senses"):
        raise BadInput(
            f"expected an ontology or a file of one, found {type(given).__name__}", where="ontology"
        )
    result: Ontology = given
    return result


def _number(name: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"expected a number, found {type(value).__name__}", where=name)
    if not low <= float(value) <= high:
        raise BadInput(f"must be {low:g} to {high:g}, found {float(value):g}", where=name)
    return float(value)
