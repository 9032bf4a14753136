"""Commands on Spark in a process of their own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys

# One process, and so one Java, for several commands.
SEVERAL = """
import json, sys
from sfumato.cli.app import run
codes = []
for one in json.loads(sys.argv[1]):
    codes.append(run(one))
print(json.dumps(codes))
"""


def several(folder, *commands, **environment):
    """The exit codes of commands, and what they say."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SEVERAL, json.dumps(commands)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", **environment},
        check=False,
    )
    return json.loads(ran.stdout.splitlines()[-1]), ran.stderr


def on_a_terminal(folder, *command):
    """The exit code of a command, and all that it writes to a terminal."""
    ours, theirs = pty.openpty()
    asked = [sys.executable, "-W", "ignore", "-c", "from sfumato.cli import main; main()"]
    process = subprocess.Popen([*asked, *command], cwd=folder, stderr=theirs)
    os.close(theirs)
    told = b""
    with contextlib.suppress(OSError):  # it ends with the last who could write
        while piece := os.read(ours, 1 << 16):
            told += piece
    os.close(ours)
    return process.wait(), re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told.decode())
