"""A release signed with a key file that the user names, by OpenSSH."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ..core.errors import BadInput, NotInstalled

SPACE, SUMS = "sfumato-release", "SHA256SUMS"
SIGNATURE = f"{SUMS}.sig"


def signed(folder: Path, key: str) -> Path:
    """The signature of a release folder's list of hashes, beside that list."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise NotInstalled(
            "ssh-keygen is not installed", where="sign", remedy="sign elsewhere, by the line shown"
        )
    path = Path(key).expanduser()
    if not key.strip() or not path.is_file():
        raise BadInput("there is no such key file", where="key", remedy="name its whole path")
    made = folder.parent / SIGNATURE
    made.unlink(missing_ok=True)
    copied = folder.parent / SUMS
    shutil.copyfile(folder / SUMS, copied)
    command = [program, "-Y", "sign", "-q", "-f", str(path.absolute()), "-n", SPACE, str(copied)]
    done = subprocess.run(  # noqa: S603 - a fixed program, a file that exists
        command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    copied.unlink(missing_ok=True)
    if done.returncode or not made.is_file():
        raise BadInput(
            "the key could not sign",
            where="key",
            remedy="a private key without a pass-phrase, or one that an agent holds, is needed",
        )
    return made.replace(folder / SIGNATURE)
