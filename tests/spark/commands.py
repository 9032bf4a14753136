"""Commands on Spark in a process of their own."""

from __future__ import annotations

import json
import os
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
