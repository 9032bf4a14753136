"""Token classifiers of others, from a folder the user has: an ONNX model with its tokenizer.

A folder as `optimum-cli export onnx --task token-classification` writes it: `model.onnx`,
`tokenizer.json`, and `config.json` with `id2label`. Nothing is downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import BadInput, NotInstalled
from ..core.spans import Span
from .spacy_pipeline import PEOPLE, cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.progress import Progress

FILES = ("model.onnx", "tokenizer.json", "config.json")
LABELS = {**PEOPLE, "ORG": "ORG", "LOC": "LOCATION", "GPE": "LOCATION"}


def is_folder(path: str | Path) -> bool:
    """Whether a folder holds an ONNX model."""
    return (Path(path) / FILES[0]).is_file()


@dataclass(frozen=True)
class OnnxFolder:
    """A recogniser by a token classifier in a local folder. Cost: as the model's.

    Long texts are cut at sentence ends, so that a piece has at most `limit` symbols.
    """

    folder: str
    limit: int = 1200
    least: float = 0.5

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        found: list[Span] = []
        for document, text in enumerate(texts):
            for start, stop in cut(text, self.limit):
                found += self._piece(document, text[start:stop], start)
            if progress is not None:
                progress(Path(self.folder).name, (document + 1) / len(texts))
        return found

    def _piece(self, document: int, text: str, at: int) -> Iterator[Span]:
        tokenizer, session, labels = self._loaded
        encoded = tokenizer.encode(text)
        values = {
            "input_ids": np.array([encoded.ids], np.int64),
            "attention_mask": np.array([encoded.attention_mask], np.int64),
            "token_type_ids": np.array([encoded.type_ids], np.int64),
        }
        wanted = {one.name for one in session.get_inputs()}
        (logits,) = session.run(None, {name: values[name] for name in wanted if name in values})[:1]
        shares = _shares(logits[0])
        places = [
            (start, stop, labels[int(row.argmax())], float(row.max()))
            for (start, stop), row in zip(encoded.offsets, shares, strict=True)
            if start < stop
        ]
        name = Path(self.folder).name
        for start, stop, label, score in joined(places, text, self.least):
            yield Span(document, at + start, at + stop, label, round(score, 2), name)

    @cached_property
    def _loaded(self) -> tuple[Any, Any, dict[int, str]]:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError:
            raise NotInstalled(
                "onnxruntime or tokenizers is not installed",
                where="recognizer",
                remedy="pip install 'sfumato[onnx]'",
            ) from None
        folder = Path(self.folder)
        for name in FILES:
            if not (folder / name).is_file():
                raise BadInput(f"the folder lacks {name}", where="recognizer")
        try:
            held = json.loads((folder / "config.json").read_text("utf-8"))["id2label"]
            labels = {int(number): str(label) for number, label in held.items()}
        except (KeyError, ValueError, AttributeError):
            raise BadInput("config.json names no labels (id2label)", where="recognizer") from None
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
        )
        return Tokenizer.from_file(str(folder / "tokenizer.json")), session, labels


def _shares(logits: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """How likely each label is, token by token."""
    raised = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return shares


def joined(
    places: Sequence[tuple[int, int, str, float]], text: str, least: float
) -> Iterator[tuple[int, int, str, float]]:
    """Mentions from tokens with IOB labels: parts of words belong together, as I- follows B-.

    >>> tokens = [(0, 3, "B-PER", 0.9), (4, 5, "I-PER", 0.8), (5, 6, "O", 0.9)]
    >>> tokens += [(8, 12, "B-LOC", 1.0)]
    >>> list(joined(tokens, "Ann Ho, Rome", 0.5))
    [(0, 6, 'PERSON', 0.9), (8, 12, 'LOCATION', 1.0)]
    """
    open_: tuple[int, int, str, float] | None = None
    for start, stop, tag, score in places:
        kind = tag[2:] if tag[:2] in ("B-", "I-", "E-", "S-", "L-", "U-") else tag
        kind = "" if tag == "O" or score < least else LABELS.get(kind, kind)
        inside_word = open_ is not None and start == open_[1] and text[start - 1].isalnum()
        if open_ is not None and text[start].isalnum() and inside_word:
            open_ = (open_[0], stop, open_[2], open_[3])
        elif open_ is not None and kind == open_[2] and tag[:2] in ("I-", "E-", "L-"):
            open_ = (open_[0], stop, open_[2], max(open_[3], score))
        else:
            if open_ is not None:
                yield open_
            open_ = (start, stop, kind, score) if kind else None
    if open_ is not None:
        yield open_
