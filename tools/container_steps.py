"""Tries the steps of the Containerfile where no builder exists: `python tools/container_steps.py`.

Copies what COPY names into a fresh folder, installs it there as RUN does (into an environment
of its own), and starts ENTRYPOINT with ENV in a fresh private folder. Then a client asks for the
schema without and with the token. `--no-deps` installs the package alone and takes the packages it
needs from this environment, where no registry answers. `--wheel` takes a wheel that was built
before, so that nothing is compiled twice.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOKEN = "a-token-of-this-trial-0123456789abcdef"


def steps() -> list[tuple[str, str]]:
    """The instructions of the file, lines joined."""
    text = (ROOT / "Containerfile").read_text("utf-8")
    lines = re.sub(r"\\\n\s*", "", "\n".join(x for x in text.split("\n") if x[:1] != "#"))
    return [tuple(line.split(None, 1)) for line in lines.split("\n") if line.strip()]  # type: ignore[misc]


def copied(folder: Path, listed: str) -> None:
    """What a COPY of the first stage copies."""
    *given, target = shlex.split(listed)
    for name in given:
        source, to = ROOT / name, folder / target / ("" if (ROOT / name).is_dir() else name)
        if source.is_dir():
            skip = shutil.ignore_patterns("__pycache__", "*.so", "*.pyc")
            shutil.copytree(source, folder / target, ignore=skip, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, to)


def installed(folder: Path, command: str, alone: bool, wheel: Path | None) -> Path:
    """The environment that RUN makes, in this folder in place of /opt."""
    target = folder / "opt"
    asked = re.search(r"pip install --no-cache-dir '([^']+)'", command)
    assert asked is not None
    more = ["--system-site-packages"] if alone else []
    subprocess.run([sys.executable, "-m", "venv", *more, str(target)], check=True)
    if alone:
        ours = subprocess.run(
            [sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip
        place = next((target / "lib").glob("python*/site-packages"))
        (place / "packages.pth").write_text(ours + "\n")
    flags = ["--no-deps", "--no-build-isolation"] if alone else []
    name, _, extras = asked[1].partition("[")
    name = name if wheel is None else str(wheel.absolute())
    what = name if alone else f"{name}[{extras}"
    command_ = [str(target / "bin/python"), "-m", "pip", "install", "-q", "--no-cache-dir", *flags]
    subprocess.run([*command_, what], check=True, cwd=folder / "src")
    return target


def asked(url: str, token: str | None) -> tuple[int, bytes]:
    """An answer's code and content."""
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, b""


def main() -> None:
    """Tries all steps, and tells each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-deps", action="store_true", dest="alone")
    parser.add_argument("--wheel", type=Path, help="a wheel of this checkout, in place of a build")
    given = parser.parse_args()
    listed = steps()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "src").mkdir()
        first = listed[: [i for i, one in enumerate(listed) if one[0] == "FROM"][1]]
        for name, rest in first:
            if name == "COPY":
                copied(folder / "src", rest)
                print(f"COPY {rest}: done")
        run = next(rest for name, rest in first if name == "RUN" and "pip install" in rest)
        target = installed(folder, run, given.alone, given.wheel)
        print("RUN pip install: done")
        environment = dict(
            part.split("=", 1)
            for name, rest in listed
            if name == "ENV"
            for part in shlex.split(rest)
        )
        data = folder / "data"
        environment |= {"SFUMATO_STUDIO": str(data), "SFUMATO_TOKEN": TOKEN, "PATH": os.defpath}
        entry = json.loads(next(rest for name, rest in listed if name == "ENTRYPOINT"))
        entry[0] = entry[0].replace("/opt/sfumato", str(target))
        entry[entry.index("--port") + 1] = "0"
        server = subprocess.Popen(entry, env=environment, cwd=folder, stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().decode().strip()
            for _ in range(300):
                try:
                    closed, _ = asked(f"{address}openapi.json", None)
                    break
                except OSError:
                    time.sleep(0.1)
            code, schema = asked(f"{address}openapi.json", TOKEN)
            _, told = asked(f"{address}about", TOKEN)
            assert (closed, code) == (401, 200), (closed, code)
            home = subprocess.run(
                [str(target / "bin/python"), "-c", "import sfumato; print(sfumato.__file__)"],
                check=True, capture_output=True, text=True, cwd=folder,
            ).stdout.strip()  # fmt: skip
            assert home.startswith(str(target)), "this checkout was used"
            assert oct(data.stat().st_mode)[-3:] == "700"
            routes, version = len(json.loads(schema)["paths"]), json.loads(told)["version"]
            print(f"ENTRYPOINT: version {version} answers, {routes} routes, 401 without the token")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
