"""Generate the cases of the differential run against skillgate 0.5.0: the same ones every time.

`python -m tests.conformance.generate` prints them, one JSON object a line.
"""

from __future__ import annotations

import json
import random
import sys

from .cases.case_model import Case, check_unique
from .cases.contract_cases import contracts
from .cases.edge_cases import edges
from .cases.glob_cases import globs
from .cases.ordinary_cases import ordinary
from .cases.regex_cases import regexes
from .cases.sync_cases import syncs

SEED = 20_240_501


def generate() -> list[Case]:
    """Return every case; each family has its own stream, so that one may grow without the others."""
    cases = [
        *ordinary(random.Random(SEED), 128),
        *regexes(random.Random(SEED + 1)),
        *globs(random.Random(SEED + 2)),
        *contracts(random.Random(SEED + 3)),
        *syncs(random.Random(SEED + 4), 32),
        *edges(random.Random(SEED + 5)),
    ]
    check_unique(cases)
    return cases


def main() -> None:
    """Print the cases."""
    for one in generate():
        sys.stdout.write(json.dumps(one, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
