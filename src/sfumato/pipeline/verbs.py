"""What a stage of a policy may say: the parameters of every verb, as pydantic reads them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Path = Annotated[str, Field(min_length=1, description="A file, relative to the policy.")]


class Strict(BaseModel):
    """Nothing unknown is overlooked, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class OnTexts(Strict):
    """A stage that works on texts."""

    columns: list[str] | None = Field(
        None,
        min_length=1,
        description="The text columns it works on; all of the input's if absent.",
    )


class Suppress(OnTexts):
    """Rare substrings become stars; counted in the final release."""

    verb: Literal["suppress"]
    k: int = Field(5, ge=1, description="How many people (documents) must share what is legible.")
    count: Literal["occurrences", "documents", "groups"] | None = Field(
        None, description="What k counts; groups (people) if the input names a person column."
    )
    unit: Literal["character", "grapheme", "word"] = "character"
    align: Literal["word", "character"] = "word"
    min_run: int = Field(1, ge=1)
    run_price: int = Field(0, ge=0)
    cover: Literal["fewest", "longest-first", "word"] = "fewest"
    keep: str | None = None
    mask: str = Field("★", min_length=1)
    collapse: bool = False
    hide: Literal["recognised"] | None = Field(
        None, description="Also star what the recogniser found, however many people share it."
    )
    memory: str | None = None


class Redact(OnTexts):
    """Listed quasi-identifiers lose as few characters as possible."""

    verb: Literal["redact"]
    terms: Path
    k: int = Field(5, ge=1)
    guarantee: Literal["published", "matching"] = "published"
    direct: Path | None = None
    rare_lengths: Literal["shared", "star"] = "shared"
    mask: str | list[str] = "*"
    whole_words: bool = True
    fold_case: bool = False
    fold_width: bool = False


class Generalize(OnTexts):
    """Sensitive words become more general words."""

    verb: Literal["generalize"]
    t: int = Field(32, ge=1)
    words: list[str] | Literal["nouns", "recognised"] = Field(
        "nouns", description="Words and phrases; every noun; or what the recogniser found."
    )
    words_file: Path | None = None
    t_words: dict[str, int] | None = None
    objective: Literal["uniform", "smallest"] = "uniform"
    search: Literal["exact", "lub", "exhaustive"] = "exact"
    alpha: float = Field(0.5, ge=0, le=1)
    min_volume: int = Field(2, ge=1)
    ontology: Path | None = None
    volume: Literal["leaves", "level"] = "leaves"
    sense: Literal["context", "first"] = "context"
    unknown: Literal["suppress", "keep", "fail"] = "suppress"
    segment: Literal["document", "paragraph", "sentence"] = "document"
    mask: str = Field("★", min_length=1, max_length=1)


class Sanitize(OnTexts):
    """Sensitive patterns of sequences are concealed."""

    verb: Literal["sanitize"]
    patterns: Path
    implausible: Path | None = None
    unit: Literal["character", "token"] = "character"
    method: Literal["tfs", "pfs", "tm", "tmi", "tpm", "etfs"] = "tpm"
    replacement: Literal["hide-and-mine", "mcsr", "integer-program"] = "hide-and-mine"
    tau: int = Field(1, ge=1)
    theta: float | None = None
    rho: float | None = None
    separator: str = "#"
    length: int | None = None


class Pseudonymize(OnTexts):
    """Consistent surrogates for what the recogniser found; claims no anonymity."""

    verb: Literal["pseudonymize"]
    dates: Literal["shift", "keep", "label"] = "shift"


class Anonymize(Strict):
    """People become k-anonymous on their columns and on the sensitive terms of their texts."""

    verb: Literal["anonymize"]
    columns: None = Field(None, description="The schema says what each column is.")
    k: int = Field(5, ge=1)
    partitioner: Literal["mondrian", "gdf", "clusters"] = "mondrian"
    relational_weight: float = Field(0.5, ge=0, le=1)
    l: float | None = None  # noqa: E741  # the name the literature has
    diversity: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float = 1.0
    t: float | None = None
    suppress_share: float = Field(0.0, ge=0, le=1)
    terms: Literal["suppress", "generalize"] = "suppress"
    own_values: Literal["words", "all", "dropped", "none"] | None = Field(
        None, description="Over the schema's `own_values`."
    )


Stage = Annotated[
    Suppress | Redact | Generalize | Sanitize | Pseudonymize | Anonymize,
    Field(discriminator="verb"),
]
