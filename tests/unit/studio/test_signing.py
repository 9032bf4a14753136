"""A release signed with a key file: OpenSSH itself finds the signature good, and no other."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from sfumato.core.errors import BadInput
from sfumato.studio.signing import SIGNATURE, SPACE, SUMS, signed

KEYGEN = shutil.which("ssh-keygen")
pytestmark = pytest.mark.skipif(KEYGEN is None, reason="signing needs ssh-keygen (OpenSSH)")


@pytest.fixture
def release(tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / SUMS).write_text("00  data/notes.csv\n")
    return folder


def key(path, word=""):
    made = [KEYGEN, "-q", "-t", "ed25519", "-N", word, "-C", "", "-f", str(path)]
    subprocess.run(made, check=True, capture_output=True)
    return path


def is_good(signature, content):
    command = [KEYGEN, "-Y", "check-novalidate", "-n", SPACE, "-s", str(signature)]
    return subprocess.run(command, input=content, capture_output=True, check=False).returncode == 0


def test_openssh_finds_the_signature_good(release, tmp_path):
    signature = signed(release, str(key(tmp_path / "key")))
    content = (release / SUMS).read_bytes()
    assert is_good(signature, content)
    assert not is_good(signature, content + b"11  data/other.csv\n")
    assert sorted(path.name for path in release.iterdir()) == [SUMS, SIGNATURE]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key", "key.pub", "release"]


def test_keys_that_cannot_sign_are_refused(release, tmp_path):
    (tmp_path / "text").write_text("no key")
    for name in ("", str(tmp_path / "absent"), str(tmp_path / "text")):
        with pytest.raises(BadInput):
            signed(release, name)
    with pytest.raises(BadInput, match="could not sign"):
        signed(release, str(key(tmp_path / "locked", "a pass-phrase")))
    assert not (release / SIGNATURE).exists()
