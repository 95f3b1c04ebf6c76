"""Rows about command: exit codes, output, time limits, what outlives a command, what it can reach."""

from typing import Any

from tests.conformance.rows import MARK, Answer, Node, Row, Special, gate, gates, row
from tests.conformance.table_gates import WRONG_TYPE

NO_COMMAND = "A command that runs nothing shows nothing, so the contract is wrong."
LIMIT = "A time limit is a whole number of milliseconds, at least 1; nothing may hold the verdict for ever."
MUCH = "Output of any length is read and only its edges are kept; the exit code decides."
ALONE = "Whatever a command started ends with it, so nothing changes the tree behind the verdict."
MASKED = "What looks like a credential is masked in every reason."
NO_SECRET = "A command gets a short list of variables and none of the caller's credentials."

SESSION = f"python3 -c 'import os, time; os.fork() or (os.setsid(), time.sleep(60.{MARK}))'"
TOKEN = "ghp_" + "aB3dE6gH9" * 4


def command(
    name: str,
    run: Any,
    peer: int,
    ours: Answer | None = None,
    why: str = "",
    *,
    keys: dict[str, Any] | None = None,
    tree: dict[str, Node] | None = None,
    group: str = "command",
    **more: Any,
) -> Row:
    """A row with one command gate."""
    return row(group, name, gate("command", run=run, **(keys or {})), tree, peer=peer, ours=ours, why=why, **more)


EXITS = [
    command("exit 0", "true", 0),
    command("five lines of errors", "for i in 1 2 3 4 5; do echo line-$i >&2; done; exit 3", 1, says="line-5"),
    command("red with output only", "echo one; echo two; exit 1", 1, says="two"),
    command("red with output and errors", "echo plain; echo wrong >&2; exit 1", 1, says="wrong"),
    command("red without a word", "exit 7", 1, says="7"),
    command("not found", "no-such-command-here", 1),
    command("empty", "", 1, "exit 2", NO_COMMAND),
    command("list", ["true"], 1, "exit 2", WRONG_TYPE),
    command("boolean", True, 1, "exit 2", WRONG_TYPE),
    command("comment only", "# nothing to do", 0, "exit 2", NO_COMMAND),
    command("shell is /bin/sh", "echo shell=$0 >&2; exit 1", 1, says="shell=/bin/sh"),
    command("pipeline hides a failure", "false | cat", 0),
    command("alternative hides a failure", "false || true", 0),
]

LIMITS = [
    command("longer than its limit", "sleep 60", 1, keys={"timeout": 300}, own_process=True),
    command("limit 0", "sleep 0.1", 0, "exit 2", LIMIT, keys={"timeout": 0}),
    command("negative limit", "true", 1, "exit 2", LIMIT, keys={"timeout": -1}),
    command("limit as a string", "true", 1, "exit 2", LIMIT, keys={"timeout": "300"}),
    command("limit with a fraction", "true", 1, "exit 2", LIMIT, keys={"timeout": 0.5}),
    command(
        "child that ignores the request to end",
        f"trap '' TERM; sleep 5.{MARK}; true",
        1,
        keys={"timeout": 300},
        own_process=True,
        no_process_left=True,
    ),
    command(
        "grandchild that holds the output open",
        f"sleep 60.{MARK} | cat; true",
        1,
        keys={"timeout": 300},
        own_process=True,
        no_process_left=True,
    ),
    command(
        "background child that holds the output open",
        f"sleep 5.{MARK} & true",
        0,
        why=ALONE,
        own_process=True,
        no_process_left=True,
    ),
    command(
        "background child that lets go of the output",
        f"(sleep 60.{MARK}; touch late) >/dev/null 2>&1 & true",
        0,
        why=ALONE,
        own_process=True,
        no_process_left=True,
    ),
]

OUTPUT = [
    command(
        "2 MB of output, exit 0",
        "head -c 2000000 /dev/zero | tr '\\0' a",
        1,
        "PASS",
        MUCH,
        fault="output size",
    ),
    command(
        "2 MB of errors, exit 0",
        "head -c 2000000 /dev/zero | tr '\\0' a >&2",
        1,
        "PASS",
        MUCH,
        fault="output size",
    ),
    command("900 kB of output, exit 0", "head -c 900000 /dev/zero | tr '\\0' a", 0),
    command("killed by a signal", "kill -9 $$", 1),
    command(
        "control characters in the output",
        "printf '\\033[2J\\033[31mred\\033[0m\\n' >&2; exit 1",
        1,
        args=(),
        never_says=("\x1b",),
    ),
    command("output that is not UTF-8", "printf '\\377\\376wrong\\n' >&2; exit 1", 1, says="wrong"),
    command("credential in the output", f"echo token={TOKEN} >&2; exit 1", 1, why=MASKED, never_says=(TOKEN,)),
    command("nothing to read", "cat | wc -c >&2; exit 1", 1, says="0"),
    row(
        "command",
        "one gate uses what an earlier one made",
        gates(
            {"id": "a", "type": "command", "run": "touch made"},
            {"id": "b", "type": "file-exists", "file": "made"},
        ),
        peer=0,
        gates_seen={"a": "pass", "b": "pass"},
    ),
    row(
        "command",
        "a red gate does not keep the next from being asked",
        gates({"id": "a", "type": "command", "run": "false"}, {"id": "b", "type": "command", "run": "true"}),
        peer=1,
        gates_seen={"a": "fail", "b": "pass"},
    ),
]


def _suite(name: str, tree: dict[str, Node], peer: int, ours: Answer | None = None, why: str = "", **more: Any) -> Row:
    """A project's own test script, run as the contract says; the files stand for what an agent can write."""
    return command(name, more.pop("run", "sh ./suite"), peer, ours, why, tree=tree, group="command-3", **more)


SUITES = [
    _suite("script that does nothing", {"suite": "exit 0\n"}, 0),
    _suite("no test left to collect", {"suite": "for t in tests/*.sh; do [ -e $t ] && sh $t; done; exit 0\n"}, 0),
    _suite("every test skipped", {"suite": "echo '0 passed, 2 skipped'\n"}, 0),
    _suite(
        "runner's shell replaced by configuration",
        {
            "runner.conf": "shell=true\n",
            "suite": ". ./runner.conf; $shell ./tests.sh\n",
            "tests.sh": "exit 1\n",
        },
        0,
    ),
    _suite(
        "runner told by configuration to run nothing",
        {
            "runner.conf": "run=no\n",
            "suite": ". ./runner.conf; [ $run = yes ] && sh ./tests.sh\n",
            "tests.sh": "exit 0\n",
        },
        1,
    ),
    _suite(
        "tool replaced by one in the tree",
        {
            "tools/checker": Special(kind="file", start=b"#!/bin/sh\nexit 0\n", mode=0o755),
            "suite": "PATH=$PWD/tools:$PATH checker src\n",
        },
        0,
    ),
    _suite(
        "1.2 MB of output, exit 0",
        {"suite": "yes 'ok line' | head -c 1200000\n"},
        1,
        "PASS",
        MUCH,
        fault="output size",
    ),
    # The row was seen with 35 s against the usual 30 s; shortened here, and the usual limit has its own test.
    _suite("green but slower than its limit", {"suite": "sleep 35\n"}, 1, keys={"timeout": 500}, own_process=True),
    _suite(
        "credential of the caller",
        {},
        1,
        why=NO_SECRET,
        run="echo got:$FAKE_DEPLOY_TOKEN >&2; exit 1",
        env={"FAKE_DEPLOY_TOKEN": "tok_visible_123"},
        says="got:",
        never_says=("tok_visible_123",),
    ),
    _suite(
        "command that rewrites the contract",
        {},
        0,
        "UNCLEAR",
        "A command that changes what is being judged leaves the answer open.",
        run="printf 'gates: []' > .skillgate/done.yaml",
    ),
    _suite(
        "background child when the limit is hit",
        {},
        1,
        why=ALONE,
        run=f"(sleep 60.{MARK}; touch late) & sleep 60.{MARK}",
        keys={"timeout": 300},
        own_process=True,
        no_process_left=True,
    ),
    _suite(
        "background child in a session of its own when the limit is hit",
        {},
        1,
        why=ALONE,
        run=f"{SESSION}; sleep 60.{MARK}",
        keys={"timeout": 1000},
        own_process=True,
        no_process_left=True,
    ),
    _suite(
        "background child after exit 0",
        {},
        0,
        why=ALONE,
        run=f"(sleep 60.{MARK}; touch late) >/dev/null 2>&1 &",
        own_process=True,
        no_process_left=True,
    ),
    _suite(
        "background child after exit 0, ignoring the request to end",
        {},
        0,
        why=ALONE,
        run=f"(trap '' TERM; sleep 60.{MARK}; sleep 60.{MARK}) >/dev/null 2>&1 &",
        own_process=True,
        no_process_left=True,
    ),
    _suite("waits for an answer at a prompt", {}, 1, run="read x; echo got:$x >&2; exit 1", says="got:"),
    _suite("busy for a second", {}, 0, run="timeout 1 sh -c 'while :; do :; done'; true", own_process=True),
]

ROWS: list[Row] = EXITS + LIMITS + OUTPUT + SUITES
