"""Runs the tests of the compiled core under the compiler's sanitizers: `make sanitize`.

Both extensions are built in a folder of their own (build/sanitize-KINDS) and take the place of the
usual ones inside this run alone. A report of a sanitizer ends the run. Memory that Python itself
keeps until its end would be reported as lost, so leaks are not looked for.

    python tools/sanitize.py address,undefined [PYTEST ARGUMENTS]
    python tools/sanitize.py thread tests/unit/kernels/test_external.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Sanitizers take memory of their own, so what measures memory says nothing there.
MEASURED = ("tests/properties/test_suppress_memory.py::test_five_times_the_allowance_on_real_text",)
LIBRARIES = {"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so"}
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:report_signal_unsafe=0",
    "CI": "true",  # the same examples each time
}


def tests() -> list[str]:
    """Everything that calls a kernel with arrays of its own.

    >>> "tests/properties/test_covers.py" in tests()
    True
    """
    properties = sorted(ROOT.glob("tests/properties/test_*.py"))
    called = [one for one in properties if "sfumato.kernels" in one.read_text("utf-8")]
    names = [str(one.relative_to(ROOT)) for one in called]
    return ["tests/unit/kernels", "tests/fuzz/test_kernels.py", *names]


def build(kinds: str) -> Path:
    """Builds both extensions with the sanitizers; returns their folder."""
    folder = ROOT / "build" / f"sanitize-{kinds.replace(',', '-')}"
    nanobind = _told(sys.executable, "-m", "nanobind", "--cmake_dir")
    options = {
        "CMAKE_BUILD_TYPE": "None",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": nanobind,
        "SFUMATO_SANITIZE": kinds,
    }
    given = [f"-D{name}={value}" for name, value in options.items()]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *given], check=True)
    subprocess.run(
        ["cmake", "--build", folder, "--target", "_core", "_checks", "-j", "2"], check=True
    )
    return folder


def run(kinds: str, arguments: list[str]) -> int:
    """Runs tests on the extensions that have the sanitizers."""
    folder = build(kinds)
    libraries = [_told("gcc", f"-print-file-name={LIBRARIES[kind]}") for kind in kinds.split(",")]
    # The C++ library stands beside them: its exceptions must be known to the sanitizer.
    libraries.append(_told("gcc", "-print-file-name=libstdc++.so"))
    environment = {
        **os.environ,
        **ENVIRONMENT,
        "LD_PRELOAD": " ".join(libraries),
        "SFUMATO_EXTENSIONS": str(folder),
        "PYTHONPATH": str(ROOT / "tests"),
    }
    # What a sanitizer says goes past pytest: it ends the process before anything caught is shown.
    quiet = ["-q", "-x", "--capture=sys", "-p", "support.extensions"]
    command = [sys.executable, "-m", "pytest", *quiet]
    command += [f"--deselect={one}" for one in MEASURED]
    command += arguments or tests()
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def _told(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1] if len(sys.argv) > 1 else "address,undefined", sys.argv[2:]))
