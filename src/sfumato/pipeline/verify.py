"""`sf.verify`: a release in memory, a released file or a release folder, judged."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.release import Release

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.values import Data
    from ..received.inputs import Inputs
    from ..received.verdicts import ReceivedVerdicts
    from ..schema import SchemaLike

    Place = str | os.PathLike[str]


def verify(
    given: Data = None,
    /,
    release: Release | Place | None = None,
    *,
    original: Data = None,
    certificate: Place | None = None,
    private: Place | None = None,
    private_certificate: Place | None = None,
    key: bytes | str | os.PathLike[str] | None = None,
    schema: SchemaLike | None = None,
    terms: Place | None = None,
    direct: Place | None = None,
    spans: Place | None = None,
    recognizer: str | None = None,
    patterns: Place | None = None,
    positions: str | None = None,
    implausible: Place | None = None,
    reference: Place | None = None,
    population: Place | None = None,
    ontology: Place | None = None,
    frequencies: Place | None = None,
    t_words: Mapping[str, int] | None = None,
    mapping: Place | None = None,
    text_column: str | Sequence[str] | None = None,
    group_column: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    stream: bool | None = None,
    engine: object = None,
) -> list[Verdict]:
    """Checks the claims of a release; one verdict for each that can be judged.

    `sf.verify(original, release)` takes what a verb took and the `Release` it gave; without the
    original (None) only those claims are judged that the release alone can show.

    `sf.verify(path, original=None, ...)` takes a released file or a release folder, and judges it
    as `sfumato verify` does, whose options have the same names. It raises NotVerified where files
    or certificate are not as they were written, BadInput where no claim could be judged. What Spark
    wrote is judged there: `engine` is "spark" or a `SparkEngine`.

    >>> import sfumato as sf
    >>> release = sf.suppress("abracadabra", k=2, align="character")
    >>> [verdict.holds for verdict in sf.verify("abracadabra", release)]
    [True]

    >>> import json, tempfile; from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in (("a.txt", "abracadabra"), ("b.txt", release.data)):
    ...         _ = Path(folder, name).write_text(text)
    ...     certificate = Path(folder, "b.txt.certificate.json")
    ...     _ = certificate.write_text(json.dumps(release.certificate()))
    ...     [one.holds for one in sf.verify(f"{folder}/b.txt", original=f"{folder}/a.txt")]
    [True]
    """
    if isinstance(release, Release):
        from ..core.engine import is_spark_frame
        from ..verification import verify as verify_release

        if is_spark_frame(release.data):
            from ..engines import verify as verify_on_spark

            return verify_on_spark(original if given is None else given, release)

        return verify_release(original if given is None else given, release)
    from ..received.inputs import Inputs
    from ..received.verdicts import nothing_judged

    path, source = (given, original) if release is None else (release, given or original)
    if not isinstance(path, str | os.PathLike):
        raise BadInput(
            f"expected a release or the path of one, found {type(path).__name__}", where="release"
        )
    found = judged(
        Inputs(
            release=os.fspath(path),
            original=None if source is None else os.fspath(source),
            certificate=_path(certificate),
            private=_path(private),
            private_certificate=_path(private_certificate),
            key=_key(key),
            schema=schema,
            terms=_path(terms),
            direct=_path(direct),
            spans=None if spans is None else os.fspath(spans),
            recognizer=recognizer,
            patterns=_path(patterns),
            positions=positions,
            implausible=_path(implausible),
            reference=None if reference is None else os.fspath(reference),
            population=None if population is None else os.fspath(population),
            ontology=_path(ontology),
            frequencies=_path(frequencies),
            t_words=t_words or {},
            mapping=_path(mapping),
            text_column=text_column,
            group_column=group_column,
            format=format,
            encoding=encoding,
            stream=stream,
        ),
        engine,
    )
    if not found.verdicts:
        raise nothing_judged(os.fspath(path))
    return list(found.verdicts)


def judged(given: Inputs, engine: object = None) -> ReceivedVerdicts:
    """What is found of a released file or folder; of a steward's folder every stage is replayed."""
    from ..core.engine import is_elsewhere
    from ..received.judge import judge_release

    if is_elsewhere(engine):
        from ..engines import engine_of
        from ..engines.spark_faults import readable
        from .spark_received import judged_on_spark

        with readable("original or release"):
            return judged_on_spark(given, lambda: engine_of(engine))
    from .replay import replay

    return judge_release(given, replay)


def _path(given: Place | None) -> Path | None:
    return None if given is None else Path(given)


def _key(given: bytes | str | os.PathLike[str] | None) -> bytes | None:
    """A key as the verbs take it, or the file that holds it."""
    from ..core.keys import key_bytes, read_key

    if given is None:
        return None
    return read_key(Path(given)) if isinstance(given, os.PathLike) else key_bytes(given)
