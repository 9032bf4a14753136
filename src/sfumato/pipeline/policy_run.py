"""`sf.run`: a policy's file in, a release folder out, as the command `run` makes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, SfumatoError
from . import check
from . import policy as policies
from .run import run as run_policy

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from ..core.progress import Progress
    from .folder import Outcome


def run(
    policy: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    previous: Sequence[str | os.PathLike[str]] = (),
    overwrite: bool = False,
    stream: bool | None = None,
    progress: Progress | None = None,
    engine: object = None,
) -> Outcome:
    """Runs a policy as `sfumato run` does: every claim holds for the final data, or it raises.

    The policy is a YAML file; paths in it are read from where it lies. The outcome has the release
    `folder`, the `private` folder, what is `told` publicly, and the `figures`. It always verifies:
    a claim that does not hold raises NotVerified. `engine` is "spark" or a `SparkEngine`, where the
    policy does not name one itself.
    Cost: that of the stages and of every claim's check.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "a.txt").write_text("abracadabra")
    ...     _ = Path(place, "release.yaml").write_text(
    ...         "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}")
    ...     done = run(Path(place, "release.yaml"))
    ...     [verdict["holds"] for verdict in done.told["verdicts"]]
    [True]
    """
    if not isinstance(policy, str) and not hasattr(policy, "__fspath__"):
        raise BadInput(
            f"expected a policy's file, found {type(policy).__name__}",
            where="policy",
            remedy="write it as YAML (sfumato policy new)",
        )
    path = Path(policy)
    written = policies.read(path)
    try:
        check.check_files(written)
    except SfumatoError as problem:
        raise policies.placed(problem, path) from None
    return run_policy(
        written,
        output=None if output is None else Path(output),
        previous=[Path(one) for one in previous],
        overwrite=overwrite,
        streamed=stream,
        progress=progress,
        engine=engine,
    )
