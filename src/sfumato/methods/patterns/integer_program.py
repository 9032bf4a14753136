"""The fewest tau-ghosts, exactly: an integer program over the separators' contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import BadInput, NotInstalled
from ...kernels import patterns as kernels
from .separators import require_admissible

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .separators import Choices

MOST_VARIABLES = 50_000


def integer_program(
    choices: Choices, tau: int, progress: Callable[[float], None] | None = None
) -> NDArray[np.int32]:
    """Minimises the number of tau-ghosts over one admissible choice at every separator.

    x_ij is 1 when separator i takes choice j, y_U is 1 when U becomes a ghost:
    f(U) + sum_ij Freq_Sij(U) x_ij <= tau - 1 + M_U y_U. A reference for small inputs.

    Paper: Hide and Mine in Strings, the integer program. Cost: exponential in the worst case.
    """
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array, hstack
    except ImportError:
        raise NotInstalled(
            "the integer program needs scipy", where="replacement", remedy="pip install scipy"
        ) from None
    separators, columns = _size(choices)
    variables = separators * columns
    i, j, u, _ = kernels.incidences(
        choices.text, choices.letters, choices.windows, choices.k, progress
    )
    x = i.astype(np.int64) * columns + j
    barred = np.zeros(variables, bool)
    barred[x[choices.forbidden[u] != 0]] = True
    require_admissible(choices, np.all(barred.reshape(-1, columns), axis=1))

    possible = choices.frequency < tau
    mine = possible[u] & ~barred[x]
    names, row = np.unique(u[mine], return_inverse=True)
    created = coo_array((np.ones(len(row)), (row, x[mine])), shape=(len(names), variables)).tocsr()
    room = tau - 1 - choices.frequency[names]
    big = np.maximum(np.asarray(created.sum(axis=1)).ravel() - room, 0)
    ghost = coo_array((-big, (np.arange(len(names)),) * 2), shape=(len(names),) * 2)
    one_each = coo_array(
        (np.ones(variables), (np.arange(variables) // columns, np.arange(variables))),
        shape=(separators, variables + len(names)),
    )
    constraints = [LinearConstraint(one_each, 1, 1)]
    if len(names):
        constraints.append(LinearConstraint(hstack([created, ghost]), -np.inf, room))
    upper = np.concatenate((1 - barred.astype(float), np.ones(len(names))))
    # Among the fewest ghosts prefer letters to deletion; the term sums to less than one ghost.
    deletion = np.zeros(variables)
    deletion[columns - 1 :: columns] = 0.5 / separators
    solution = milp(
        np.concatenate((deletion, np.ones(len(names)))),
        constraints=constraints,
        bounds=Bounds(0, upper),
        integrality=np.ones(variables + len(names)),
    )
    picked = np.round(solution.x[:variables]).reshape(-1, columns)
    chosen: NDArray[np.int32] = np.argmax(picked, axis=1).astype(np.int32)
    return chosen


def _size(choices: Choices) -> tuple[int, int]:
    """The separators and their choices; refused when they are too many."""
    separators, columns = len(choices.places), len(choices.letters) + 1
    if separators * columns > MOST_VARIABLES:
        raise BadInput(
            f"{separators} separators with {columns} choices make {separators * columns:,} "
            f"variables, more than {MOST_VARIABLES:,}",
            where="replacement",
            remedy="use hide-and-mine",
        )
    return separators, columns
