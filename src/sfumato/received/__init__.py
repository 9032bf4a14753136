"""What anybody does with a release they were given: a file or a folder, judged by its certificate.

`judge_release` takes `Inputs` (the release, and what else there is) and gives `ReceivedVerdicts`.
It runs no method. Where a steward has the private folder, the caller passes what judges stages
again.
"""

from __future__ import annotations
