"""What the command line does today: `python tests/golden/record.py [case...]` records it again.

Each case is one JSON file in `recorded/`: of every command line its exit code and what it said, of
every file it left its content, or, where that is long, its hash. What differs from machine to
machine and from version to version (folders, version, seals, the form of packed files) is made the
same. How a run keeps the results of its stages is its own matter and not recorded.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from golden.cases import CASES  # noqa: E402
from support.commands import outcome  # noqa: E402

VERSION = version("sfumato")
RECORDED = HERE / "recorded"
LONGEST = 1200  # characters of a text that are kept as they are
MOST = 24  # entries of a list that are kept as they are
# Cases whose certificates are much the same: what they claim is kept, the rest by a hash.
BRIEF = ("format-", "sanitize-", "suppress-", "anonymize-")
KEPT = ("hashes", "stage_results", "stage_hashes")  # of the private certificate of a run
WHOLE = ("suppress-clinic", "suppress-spans", "anonymize-clinic", "sanitize-tpm")


def observed(name: str) -> dict[str, Any]:
    """Runs a case in a fresh folder and tells what it did."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        _put_inputs(folder, CASES[name])
        given = _files(folder)
        os.chdir(folder)
        try:
            said = [_said(line, folder) for line in CASES[name]]
        finally:
            os.chdir(before)
        left = _files(folder)
        changed = sorted(one for one in given if left.get(one) != given[one])
        brief = name.startswith(BRIEF) and name not in WHOLE
        return {
            "commands": said,
            "inputs changed": changed,
            "files": {
                one: _shown(one, content, folder, brief)
                for one, content in left.items()
                if one not in given and "/stages/" not in one
            },
        }


def _put_inputs(folder: Path, lines: tuple[str, ...]) -> None:
    shutil.copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    if any("clinic/" in line for line in lines):
        with as_file(files("sfumato.examples")) as examples:
            ignored = shutil.ignore_patterns("__*")
            shutil.copytree(examples, folder / "clinic", ignore=ignored)


def _files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _said(line: str, folder: Path) -> dict[str, Any]:
    done = outcome(line)
    told: dict[str, Any] = {"line": line, "exit code": done.code}
    if done.out:
        told["out"] = _text(done.out, folder)
    if done.err:  # tables for people: their columns are as wide as the folder's name
        told["err"] = _text(re.sub(r" *$| +(?= )", "", done.err, flags=re.M).encode(), folder)
    return told


def _shown(name: str, content: bytes, folder: Path, brief: bool) -> Any:
    """A file as it is recorded."""
    if name.endswith(("map", "map.sfumato")) or "/mapping-" in name:
        return "encrypted"  # never twice the same bytes; undone by the case's own lines
    if name.endswith("SHA256SUMS"):
        return _sums_hold(content, (folder / name).parent)
    if name.endswith(".private/certificate.json"):
        brief = True
    if name.endswith(".html"):
        return _hashed(_page(content).encode())
    if name.endswith("documents.json"):
        return _hashed(content)
    if name.endswith(".svg"):
        return "drawn" if content.startswith(b"<svg") else "no drawing"
    if name.endswith((".parquet", ".xlsx")):
        content = unpacked(name, content)
        return {"content": _hashed(content)}
    return _text(unpacked(name, content), folder, brief=brief)


def unpacked(name: str, content: bytes) -> bytes:
    """What a packed file holds, in a form that no packer's version changes."""
    if name.endswith(".gz"):
        return gzip.decompress(content)
    if name.endswith(".zst"):
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj().decompress(content)
    if name.endswith(".xlsx"):
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            return b"".join(one.encode() + b"\n" + parts.read(one) for one in parts.namelist())
    if name.endswith(".parquet"):
        import pyarrow.parquet as pq

        read = pq.ParquetFile(io.BytesIO(content))
        shown = [read.num_row_groups, str(read.schema_arrow), read.read().to_pylist()]
        return json.dumps(shown, default=str).encode()
    return content


def _text(content: bytes, folder: Path, *, brief: bool = False) -> Any:
    """A text: JSON as values, a short one as it is, a long one by its hash."""
    text = content.decode("utf-8", "surrogateescape").replace(str(folder), "FOLDER")
    text = text.replace(f"/private{folder}", "FOLDER")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, dict | list):
        value = _same_everywhere(value)
        if brief and isinstance(value, dict) and "certificate" in value:
            return _brief(value)
        whole = json.dumps(value)
        is_certificate = isinstance(value, dict) and ("certificate" in value or "error" in value)
        return value if is_certificate or len(whole) < 4 * LONGEST else _hashed(whole.encode())
    if len(text) > LONGEST:
        return _hashed(text.encode("utf-8", "surrogateescape"))
    return text.splitlines() if "\n" in text else text


def _same_everywhere(value: Any, name: str = "") -> Any:
    """Plain values without what differs by version, machine and packer."""
    if isinstance(value, dict):
        if name == "hashes":  # of files: the form of packed ones is the packer's
            value = {**value, "files": sorted(value.get("files", {}))}
        return {one: _same_everywhere(inner, one) for one, inner in value.items() if one != "seal"}
    if isinstance(value, list) and len(value) > MOST:
        plain = json.dumps([_same_everywhere(one) for one in value])
        return f"{len(value)} entries, {_hashed(plain.encode())}"
    if isinstance(value, list):
        return [_same_everywhere(one) for one in value]
    if name in ("sha256", "hmac-sha256"):
        return value[:12]
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if value == VERSION or (name in ("sfumato", "version") and isinstance(value, str)):
        return "VERSION"
    return value


def _brief(certificate: dict[str, Any]) -> dict[str, Any]:
    """Claims, verdicts and counts; the rest by a hash, since many cases have much the same."""
    plain = {name: certificate[name] for name in certificate if name not in KEPT}
    return {
        "claims": [one["name"] for one in certificate["claims"]],
        "holds": [one["holds"] for one in certificate["verdicts"]],
        "counts": certificate["counts"],
        "whole": _hashed(json.dumps(plain, sort_keys=True).encode()),
    }


def _hashed(content: bytes) -> str:
    return f"sha256 {hashlib.sha256(content).hexdigest()[:32]}"


def _sums_hold(content: bytes, folder: Path) -> str:
    for line in content.decode().splitlines():
        value, name = line.split("  ", 1)
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != value:
            return "wrong sums"
    return "the sums of its files"


def _page(content: bytes) -> str:
    """The words of a page: drawings and styles are another part's matter."""
    text = content.decode().replace(VERSION, "VERSION")
    for tag in ("svg", "style", "script"):
        text = re.sub(rf"<{tag}\b.*?</{tag}>", "", text, flags=re.DOTALL)
    text = re.sub(r"\b[0-9a-f]{16,}\b", "HASH", text)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def recorded(name: str) -> dict[str, Any]:
    """What was recorded of a case."""
    value: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    return value


def record(name: str) -> None:
    """Writes what a case does now."""
    RECORDED.mkdir(exist_ok=True)
    text = json.dumps(observed(name), ensure_ascii=False, indent=1, sort_keys=True)
    (RECORDED / f"{name}.json").write_text(text + "\n", "utf-8", "surrogateescape")


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        record(case)
    if not sys.argv[1:]:
        for path in RECORDED.glob("*.json"):
            if path.stem not in CASES:
                path.unlink()
