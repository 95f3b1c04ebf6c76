"""Commands in configuration: which of them judge the work, and whether their failure is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backcheck.contract.shellread import why_it_cannot_fail

#: A command by which a project judges itself: tests, types, style, coverage.
_JUDGES = re.compile(
    r"""(?:^|[\s;&|(`"'/])(?:
      pytest | py\.test | tox | nox | unittest | nosetests? |
      (?:coverage|hatch|pdm|poetry|uv|rye|pipenv)\ run\ \S*(?:test|lint|check|type)\S* | coverage\ report |
      ruff\ (?:check|format\ --check) | flake8 | pylint | mypy | pyright | basedpyright | black\ [^;&|]*--check |
      (?:npm|pnpm|yarn|bun)\ (?:run\ |run-script\ )?(?:test|tests|lint|typecheck|type-check|check|coverage)[\w:-]* |
      (?:npx\ |yarn\ |pnpm\ (?:exec\ )?)?(?:jest|vitest|mocha|ava|tap|tape|eslint|xo|standard|tsc|nyc|c8) |
      cypress\ run | playwright\ test | node\ [^;&|]*--test | go\ (?:test|vet) | golangci-lint |
      cargo\ (?:test|clippy|nextest) | make\ (?:test|tests|check|lint)[\w-]* |
      pre-commit\ run | gradlew?\ (?:test|check) | mvn\ (?:test|verify) | rspec | rake\ (?:test|spec) | phpunit
    )(?=$|[\s;&|)`"':-])""",
    re.VERBOSE,
)
#: Installing, asking a version and saying something judge nothing.
_NO_JUDGING = re.compile(
    r"\b(?:install|add|upgrade|update|download|sync|uninstall|echo|printf|cat|which|command -v|brew|apt(?:-get)?)\b[^;&|]*$"
)
#: A message or a title is no command, but for what a shell is given to run.
_QUOTED = re.compile(r"'[^'\n]*\s[^'\n]*'|\"[^\"\n]*\s[^\"\n]*\"")
_SHELL = re.compile(r"\b(?:ba|z|da)?sh\s+(?:-\w+\s+)*-\w*c\b")


def judges(command: str) -> bool:
    """Whether a command line holds one by which the project judges itself."""
    if not _SHELL.search(command):
        command = _QUOTED.sub("''", command)
    for part in re.split(r"&&|\|\||;|\||\n", command):
        found = _JUDGES.search(part)
        if found and not _NO_JUDGING.search(part[: found.end()]) and "--version" not in part:
            return True
    return False


def lost(script: str, *, stops: bool = True, pipefail: bool = False) -> Iterator[tuple[int, str, str]]:
    """(line from 0, command, why) for each judging command of a script whose failure does not end it.

    `stops`: the shell is started so that it ends at the first failure (`-e`); `pipefail` likewise.
    """
    lines = [(number, text.strip()) for number, text in logical_lines(script) if text.strip()]
    for place, (number, command) in enumerate(lines):
        if re.match(r"set\s+[-+]", command):
            stops, pipefail = _set(command, stops, pipefail)
        elif judges(command):
            why = _why(command, stops=stops, pipefail=pipefail)
            rest = "\n".join(text for _, text in lines[place + 1 :])
            if not why and not stops and rest and _ignored(rest):
                why = "the shell goes on after a failure here, and nothing looks at the code"
            if why:
                yield number, command, why


def _set(command: str, stops: bool, pipefail: bool) -> tuple[bool, bool]:
    for sign, letters, option in re.findall(r"([-+])(\w+)(?:\s+(\w+))?", command.partition(" ")[2]):
        stops = sign == "-" if "e" in letters.removesuffix("o") or option == "errexit" else stops
        pipefail = sign == "-" if option == "pipefail" else pipefail
    return stops, pipefail


def logical_lines(script: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations joined, each with the number of its first line."""
    waiting, start = "", 0
    for number, raw in enumerate(script.split("\n")):
        start = start if waiting else number
        if raw.rstrip().endswith("\\"):
            waiting += raw.rstrip()[:-1] + " "
        else:
            yield start, waiting + raw
            waiting = ""
    if waiting:
        yield start, waiting


def _why(command: str, *, stops: bool, pipefail: bool) -> str:
    options = [*(["-e"] if stops else []), *(["-o", "pipefail"] if pipefail else [])]
    why = why_it_cannot_fail(["bash", *options, "-c", command])
    if why:
        return why
    # `|| [ $? -eq 5 ]`: pytest's code for a run without a test taken for a good one.
    if re.search(r"\|\|\s*(?:\[\[?|test)\s*\"?\$\?\"?\s*(?:-eq|==?)\s*5\b", command):
        return "a run that found no test counts as a good one"
    return ""


def _ignored(rest: str) -> bool:
    """Whether nothing below asks for the code of a command."""
    return not re.search(r"\$\?|\bexit\s+(?:[1-9$\"])|PIPESTATUS|\bset\s+-\w*e", rest)
