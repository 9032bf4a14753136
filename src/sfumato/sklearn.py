"""A transformer of scikit-learn: the texts or the table of a pipeline, released by a verb.

>>> from sfumato.sklearn import Released
>>> Released("suppress", k=2).fit_transform(["the cat", "the dog", "the cat"])
['the cat', 'the ★★★', 'the cat']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .core.errors import BadInput, NotInstalled, NotVerified
from .methods import method
from .verification import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .core.values import Data, JsonObject

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError:
    remedy = "pip install scikit-learn"
    raise NotInstalled("scikit-learn is not installed", remedy=remedy) from None


class Released(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases what it is given, and verifies it; nothing is learnt by `fit`.

    What is counted is what `transform` is given: k people of the training data and k of the test
    data, each for itself. `options` are the verb's, by their names.
    """

    def __init__(self, verb: str = "suppress", **options: object):
        self.verb = verb
        self.options = options

    def get_params(self, deep: bool = True) -> JsonObject:
        """The verb and its options."""
        return {"verb": self.verb, **self.options}

    def set_params(self, **given: Any) -> Released:
        """Sets the verb or some of its options."""
        self.verb = given.pop("verb", self.verb)
        self.options = {**self.options, **given}
        return self

    def fit(self, data: Data, y: object = None) -> Released:
        """Nothing is learnt."""
        return self

    def transform(self, data: Data) -> Any:
        """The released texts (one column) or table, of the kind that was given."""
        release = method(self.verb).call()(_texts(data, self.verb), **self.options)
        for verdict in verify(_texts(data, self.verb), release):
            if not verdict.holds:
                raise NotVerified(f"{verdict.claim.name} does not hold: {verdict.reason}")
        return _as_given(data, release.data)

    def get_feature_names_out(self, names: Sequence[str] | None = None) -> Any:
        """The columns as they were."""
        import numpy as np

        return np.asarray(["text"] if names is None else names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags


def _texts(data: Data, verb: str) -> Any:
    """What a verb takes: a table, a column, or a list of texts."""
    if method(verb).takes_table or getattr(data, "ndim", 1) == 1:
        return data.tolist() if type(data).__module__ == "numpy" else data
    if data.shape[1] != 1:
        raise BadInput(
            f"expected one column of texts, found {data.shape[1]}",
            where="X",
            remedy="choose one by ColumnTransformer",
        )
    return data.iloc[:, 0] if hasattr(data, "iloc") else data[:, 0].tolist()


def _as_given(data: Data, released: Data) -> Any:
    """A column in the form in which it came: an array of one column, or a frame."""
    if getattr(data, "ndim", 1) == 1 or hasattr(released, "columns"):
        if type(data).__module__ == "numpy":
            import numpy as np

            return np.asarray(released, dtype=object)
        return released
    if hasattr(data, "iloc"):
        return released.to_frame()
    import numpy as np

    return np.asarray(released, dtype=object).reshape(-1, 1)
