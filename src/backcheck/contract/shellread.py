"""Commands that cannot fail: a careful reading of what the exit code of a shell command can be.

It says so only where it is sure. Whatever is not plain (control words, functions, here-documents, `eval`) is taken to
be able to fail.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from backcheck.contract.shellcommands import AndOr, Command, is_assignment, lists_of
from backcheck.contract.shelltext import Token, Unread, tokens

_SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "ash"}
_ALWAYS_ZERO = {"true", ":", "echo"}
#: The last one of a pipeline decides its code, and these end well whatever comes in.
_SINKS = {"cat", "tee", "head", "tail", "sort", "uniq", "wc", "tr", "cut", "nl", "less", "more", "column", "tac", "rev"}
#: Words of the shell's grammar: a script that has one as a command is not read.
_GRAMMAR = {
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function", "select",
    "coproc", "time", "{", "}", "!", "[[", "]]",
}  # fmt: skip
#: Commands by which the shell goes on otherwise than with the next one.
_LEAVES = {
    "exit", "exec", "eval", "source", ".", "return", "kill", "trap", "set", "shopt", "alias", "break", "continue",
    "shift", "local", "readonly", "export", "unset", "declare", "typeset", "times",
}  # fmt: skip
_GOES_AWAY = {"exec", "kill", "trap", "eval", "source", "."}


def why_it_cannot_fail(run: str | Sequence[str]) -> str:
    """Why a command's exit code is 0 whatever happens, in words; empty where it can be another.

    `run` is text for `sh -c`, or a list of arguments.
    """
    if isinstance(run, str):
        return _script(run)
    words = list(run)
    if not words:
        return ""
    name = posixpath.basename(words[0])
    if name in _SHELLS:
        return _shell_call(words)
    if name in {"true", "echo"}:
        return f"`{name}` always ends with 0"
    return ""


def _shell_call(words: list[str]) -> str:
    """`sh -c TEXT`, with flags of their own before the text."""
    options: list[str] = []
    rest = words[1:]
    while rest and rest[0].startswith(("-", "+")):
        flag = rest.pop(0)
        if flag == "-o" and rest:
            options += ["-o", rest.pop(0)]
            continue
        options.append(flag)
        if not flag.startswith("--") and "c" in flag[1:]:
            if not rest:
                return ""
            stops = any(not o.startswith("--") and o.startswith("-") and "e" in o[1:] for o in options)
            return _script(rest[0], stops="errexit" in options or stops, pipefail="pipefail" in options)
    return ""


def _beyond(token: Token) -> bool:
    """Whether a token is more than this reading covers: groups, functions, expansions that can end the shell."""
    if token.operator:
        return token.text in {"(", ")", ";;", "|&"}
    return not token.plain and ("$((" in token.text or ("${" in token.text and "?" in token.text))


def _script(source: str, *, stops: bool = False, pipefail: bool = False) -> str:
    try:
        found = tokens(source)
        if any(map(_beyond, found)):
            return ""
        lists = lists_of(found)
    except Unread:
        return ""
    if any(_names(part) & _GRAMMAR for part in lists):
        return ""
    if not lists:
        return "there is no command in it"
    while lists and (option := _set_option(lists[0])):
        stops, pipefail = _with_option(option, stops, pipefail)
        if any("u" in word or word == "nounset" for word in option) and not all(token.plain for token in found):
            return ""
        lists = lists[1:]
    if not lists:
        return "it only sets options"
    trap = _trap(lists[0])
    if trap and len(lists) > 1 and not any(_unreadable(part, _GOES_AWAY) for part in lists[1:]):
        return trap
    if any(_unreadable(part) for part in lists[:-1]):
        return ""
    last = _why(lists[-1], pipefail, last=True)
    if not last or (stops and not all(_why(part, pipefail, last=False) for part in lists[:-1])):
        return ""
    return last


def _names(part: AndOr) -> set[str]:
    return {command.words[0].text for _, pipeline in part for command in pipeline if command.words}


def _unreadable(part: AndOr, words: set[str] = _LEAVES) -> bool:
    """Whether a list holds a command of these words, by which the shell may end early, or one that is not plain."""
    names = [command.words[0] for _, pipeline in part for command in pipeline if command.words]
    return any(not (name.plain or is_assignment(name)) or name.text in words for name in names)


def _why(part: AndOr, pipefail: bool, *, last: bool) -> str:
    """Why a list of pipelines ends with 0; empty where it may not."""
    if part[-1][0] == "&":
        return "it runs in the background, so its code is lost"
    if any(_unreadable([item]) for item in part[:-1]):
        return ""
    reason = ""
    for number, (joiner, pipeline) in enumerate(part):
        here = _pipeline(pipeline, pipefail, last=last and number == len(part) - 1)
        if joiner == "||":
            reason = reason or (here and f"`||` takes every failure away: {here}")
        elif joiner == "&&":
            reason = reason and here
        else:
            reason = here
    return reason


def _pipeline(commands: list[Command], pipefail: bool, *, last: bool) -> str:
    final = commands[-1]
    if not final.words or not final.words[0].plain or not final.sure:
        return ""
    name = posixpath.basename(final.words[0].text)
    rest = [word.text for word in final.words[1:]]
    reason = ""
    if name in _ALWAYS_ZERO:
        reason = f"`{name}` always ends with 0"
    elif name == "exit" and last and rest == ["0"]:
        reason = "it ends with `exit 0`"
    elif name in _SHELLS and all(word.plain for word in final.words):
        reason = _shell_call([name, *rest])
    elif name in _SINKS and len(commands) > 1 and (name == "tee" or all(word.startswith("-") for word in rest)):
        reason = f"only the code of `{name}`, the last of the pipeline, counts (no `pipefail`)"
    if not reason or (pipefail and len(commands) > 1 and not all(_zero(command) for command in commands)):
        return ""
    return reason


def _zero(command: Command) -> bool:
    return bool(command.sure and command.words and command.words[0].plain and command.words[0].text in _ALWAYS_ZERO)


def _set_option(part: AndOr) -> list[str] | None:
    """The options of a plain `set`, where a list is one."""
    if len(part) != 1 or len(part[0][1]) != 1 or not part[0][1][0].words:
        return None
    words = [word.text for word in part[0][1][0].words]
    return words[1:] if words[0] == "set" and len(words) > 1 else None


def _with_option(options: list[str], stops: bool, pipefail: bool) -> tuple[bool, bool]:
    for number, option in enumerate(options):
        on = option.startswith("-")
        if option[:1] in "-+" and not option.startswith("--"):
            stops = on if "e" in option[1:] else stops
        value = options[number + 1] if option.endswith("o") and number + 1 < len(options) else ""
        pipefail = on if value == "pipefail" else pipefail
        stops = on if value == "errexit" else stops
    return stops, pipefail


def _trap(part: AndOr) -> str:
    """`trap 'exit 0' EXIT` makes every ending a good one."""
    if len(part) != 1 or len(part[0][1]) != 1:
        return ""
    words = [word.text for word in part[0][1][0].words]
    ends_well = len(words) == 3 and words[0] == "trap" and words[1].strip() == "exit 0" and words[2] in {"EXIT", "0"}
    return "a trap turns every ending into `exit 0`" if ends_well else ""
