"""Texts of SFUMATO_DATA, most with their identifiers marked: what several benchmarks read."""

from __future__ import annotations

import io
import json
import re
import tarfile
from typing import Any

import polars
import zstandard
from tables import DATA

from sfumato.core.spans import Span
from sfumato.recognizers import brat

Gold = tuple[list[str], list[Span], set[str]]
"""Texts, spans, and which labels identify directly."""

MEDDOCAN_DIRECT = {
    *("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "CORREO_ELECTRONICO", "CALLE"),
    *("NUMERO_TELEFONO", "NUMERO_FAX", "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"),
    *("ID_TITULACION_PERSONAL_SANITARIO", "ID_CONTACTO_ASISTENCIAL"),
    "ID_EMPLEO_PERSONAL_SANITARIO",
}


def unpacked(name: str) -> bytes:
    with open(DATA / name, "rb") as stream:
        return zstandard.ZstdDecompressor().stream_reader(stream).read()


def notes(count: int | None = None) -> Gold:
    """The synthetic clinical notes, or the first of them."""
    texts, spans, direct = [], [], set()
    for document, line in enumerate(unpacked("notes.jsonl.zst").splitlines()[:count]):
        note = json.loads(line)
        texts.append(note["text"])
        for one in note["spans"]:
            spans.append(Span(document, one["start"], one["end"], one["label"]))
            if one["id_type"] == "DIRECT":
                direct.add(one["label"])
    return texts, spans, direct


def meddocan(part: str = "") -> Gold:
    """MEDDOCAN's Spanish cases, all or those of one part."""
    files = {}
    with tarfile.open(fileobj=io.BytesIO(unpacked("meddocan.tar.zst"))) as archive:
        for member in archive:
            if member.isfile() and f"/{part}" in member.name:
                files[member.name] = archive.extractfile(member).read()
    texts, spans = [], []
    for name in sorted(name for name in files if name.endswith(".ann")):
        spans += brat.read(files[name], len(texts), name)
        texts.append(files[name[:-3] + "txt"].decode("utf-8"))
    return texts, spans, MEDDOCAN_DIRECT


def patients() -> list[str]:
    """Whose each of the notes is."""
    return [json.loads(line)["patient_id"] for line in unpacked("notes.jsonl.zst").splitlines()]


def note_gold() -> list[list[dict[str, Any]]]:
    """The marks of the notes, with what the benchmark for text anonymization asks of them."""
    return [json.loads(line)["spans"] for line in unpacked("notes.jsonl.zst").splitlines()]


def blogs(people: int | None) -> polars.DataFrame:
    """The posts of the first people of the blogs, or of all."""
    frame = polars.read_csv(io.BytesIO(unpacked("blogs.csv.zst")), infer_schema=False)
    chosen = frame["id"].unique(maintain_order=True)[:people]
    return frame.filter(polars.col("id").is_in(chosen.implode())).with_columns(
        polars.col("text").fill_null("")
    )


def medline() -> list[str]:
    """The English abstracts, in order."""
    abstracts = unpacked("medline_en.txt.zst").decode()
    return re.split(r"^<<<DOC .*>>>\n", abstracts, flags=re.MULTILINE)[1:]
