"""Commands that cannot fail: a table, and the reading compared with a real shell."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backcheck.contract.shellread import why_it_cannot_fail

CANNOT_FAIL = [
    ("", "no command"),
    ("# pytest", "no command"),
    ("true", "`true`"),
    ("echo ok", "`echo`"),
    ("echo $(pytest)", "`echo`"),
    ("FOO=1 true", "`true`"),
    ("pytest || true", "`||`"),
    ("pytest || :", "`||`"),
    ("pytest || exit 0", "exit 0"),
    ("pytest || echo failed # told", "`||`"),
    ("pytest > /dev/null 2>&1 || true", "`||`"),
    ("pytest \\\n  || true", "`||`"),
    ("pytest ||\ntrue", "`||`"),
    ("a && b || true", "`||`"),
    ("a || b || true", "`||`"),
    ("pytest; exit 0", "exit 0"),
    ("pytest; true", "`true`"),
    ("pytest\necho done", "`echo`"),
    ("x=$(pytest); true", "`true`"),
    ("pytest &", "background"),
    ("pytest | cat", "`cat`"),
    ("pytest 2>&1 | tee log.txt", "`tee`"),
    ("pytest | grep x | tail -n1", "`tail`"),
    ("set -e; true", "`true`"),
    ("set -euo pipefail; pytest || true", "`||`"),
    ("set +e; pytest; exit 0", "exit 0"),
    ("set -e\nset +e\npytest\ntrue", "`true`"),
    ("trap 'exit 0' EXIT; pytest", "trap"),
    ("bash -c 'pytest || true'", "`||`"),
]

CAN_FAIL = [
    "pytest",
    "npm test --silent",
    "pytest && echo ok",
    "true && pytest",
    "echo start; pytest",
    "pytest || false",
    "pytest || exit 1; echo ok",
    "pytest; exit $?",
    "pytest; exit 1",
    "exit 1",
    "set -e; pytest; echo ok",
    "set -e; x=$(pytest); echo ok",
    "set -eu; echo $missing",
    "set -o pipefail; pytest | tee log",
    "set -euo pipefail\npytest | cat",
    "pytest | grep -q passed",
    "pytest | tee log && grep -q passed log",
    "pytest # || true",
    "pytest '# || true'",
    "pytest -k 'a || true'",
    'grep -q "x; exit 0" file',
    "! grep -rn TODO src",
    "(exit 3)",
    "x=$(pytest)",
    "echo ${x:?no x}",
    "echo $((1/0))",
    "echo ok > out/log",
    "cat report",
    "if pytest; then exit 0; fi",
    "for f in *; do pytest $f; done",
    "f() { pytest; }; f; true",
    "cat <<END\ntrue\nEND",
    "exec pytest; true",
    "eval pytest; true",
    "trap 'exit 0' EXIT; exec pytest",
    "trap 'exit 1' EXIT; true",
    "bash -ec 'pytest; true'",
    "bash -o pipefail -c 'pytest | cat'",
    "echo 'open",
    "| true",
    "pytest || ; true",
    "sh run.sh",
    "$RUN || true; $RUN",
    "true; set -e; pytest; true",
    "true | ! pytest && true &",
    "echo a | if",
]

LISTS = [
    (["true"], True),
    (["/usr/bin/true"], True),
    (["echo", "ok"], True),
    (["sh", "-c", "pytest || true"], True),
    (["bash", "-lc", "pytest; exit 0"], True),
    (["bash", "-ec", "pytest; true"], False),
    (["bash", "-e", "-c", "pytest; true"], False),
    (["bash", "-euo", "pipefail", "-c", "pytest | cat"], False),
    (["bash", "-c"], False),
    (["bash", "run.sh"], False),
    (["pytest", "||", "true"], False),
    (["pytest", "-q"], False),
    ([], False),
]


@pytest.mark.parametrize(("run", "reason"), CANNOT_FAIL)
def test_it_cannot_fail(run, reason):
    assert reason in why_it_cannot_fail(run)


@pytest.mark.parametrize("run", CAN_FAIL)
def test_it_can_fail_or_is_not_plain(run):
    assert why_it_cannot_fail(run) == ""


@pytest.mark.parametrize(("run", "never"), LISTS)
def test_a_list_of_arguments(run, never):
    assert bool(why_it_cannot_fail(run)) is never


COMMANDS = st.sampled_from(
    ["true", "false", "echo x", "cat", ":", "exit 0", "exit 1", "false 2>&1", "echo y > /dev/null", "x=1 false",
     "sh -c 'false || true'", "! false", "false # true", "head -n1", "tee", "echo 'a || b'", "x=$(false)", "$(false)",
     "set -e", "set +e", "exec false", "trap 'exit 1' EXIT", "sh -c 'exit 1' &"]
)  # fmt: skip
OPTIONS = st.sampled_from(["", "", "set -e\n", "set +e; ", "set -eu; ", "trap 'exit 0' EXIT; "])
JOINERS = st.sampled_from([" && ", " || ", "; ", " | ", " & ", "\n", " ||\n"])


@st.composite
def _scripts(draw):
    script = draw(OPTIONS) + draw(COMMANDS)
    for _ in range(draw(st.integers(0, 4))):
        script += draw(JOINERS) + draw(COMMANDS)
    return script + draw(st.sampled_from(["", "", " &", ";"]))


@settings(deadline=None, max_examples=100)
@given(_scripts())
def test_a_real_shell_agrees_with_every_script_that_is_said_never_to_fail(script):
    assume(why_it_cannot_fail(script))
    for shell in filter(None, (shutil.which("sh"), shutil.which("bash"))):
        done = subprocess.run([shell, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        assert done.returncode == 0, (shell, script, why_it_cannot_fail(script))


@given(st.text(alphabet="atrue|&;<>(){}$\"'`\\# \n=:?!0exi", max_size=40))
def test_any_text_gets_an_answer(script):
    assert isinstance(why_it_cannot_fail(script), str)
