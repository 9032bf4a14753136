"""The wheel: built here, installed in an environment of its own without a compiler, and run."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    "SFUMATO_WHEEL" not in os.environ, reason="takes a minute: make test runs it by SFUMATO_WHEEL=1"
)


def call(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(one) for one in command], capture_output=True, text=True, check=False, **options
    )


def tools_are_here() -> bool:
    found = call(sys.executable, "-m", "pip", "show", "-q", "scikit-build-core", "nanobind")
    return found.returncode == 0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    isolation = ["--no-build-isolation"] if tools_are_here() else []
    built = call(*pip, "wheel", "-q", "--no-deps", *isolation, "--wheel-dir", folder, ROOT)
    assert built.returncode == 0, built.stderr[-2000:]
    (found,) = folder.glob("sfumato-*.whl")
    return found


def test_installed_elsewhere_without_a_compiler(wheel, tmp_path):
    place = tmp_path / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    # Neither compiler nor CMake: what is not in the wheel cannot be made.
    bare = {"PATH": str(place / "bin"), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    bare |= {name: one for name, one in os.environ.items() if name.upper().startswith("PIP_")}
    bare |= {name: one for name, one in os.environ.items() if name.lower().endswith("_proxy")}
    installed = call(
        *(python, "-m", "pip", "--disable-pip-version-check", "install", "-q"),
        *("--only-binary", ":all:", wheel),
        env=bare,
        cwd=tmp_path,
    )
    if "No matching distribution" in installed.stderr or "connection" in installed.stderr.lower():
        pytest.skip("the package index cannot be reached")
    assert installed.returncode == 0, installed.stderr[-2000:]
    ran = call(place / "bin" / "sfumato", "demo", env=bare, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert (tmp_path / "demo-release" / "certificate.json").exists()
    judged = call(place / "bin" / "sfumato", "verify", "demo-release", env=bare, cwd=tmp_path)
    assert judged.returncode == 0, judged.stderr[-2000:]
    where = call(python, "-c", "import sfumato; print(sfumato.__file__)", env=bare, cwd=tmp_path)
    assert str(place) in where.stdout
