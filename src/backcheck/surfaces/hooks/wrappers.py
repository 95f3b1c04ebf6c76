"""Commands that run other commands: `env`, `sudo`, `xargs`, `sh -c`, `eval` and their like."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from backcheck.surfaces.hooks.shellwords import Call, Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox"})
_LANGUAGES = (
    "python",
    "pypy",
    "node",
    "nodejs",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "awk",
    "gawk",
    "osascript",
    "tclsh",
)
#: Wrapper → its options that take a value of their own.
_WRAPPERS = {
    "env": {"-u", "--unset", "-C", "--chdir"}, "sudo": {"-u", "-g", "-h", "-p", "-C", "-r", "-t", "-D"},
    "doas": {"-u", "-C"},
    "nohup": set[str](), "nice": {"-n", "--adjustment"}, "ionice": {"-c", "-n", "-p"}, "time": {"-f", "-o"},
    "command": set[str](),
    "exec": {"-a"}, "builtin": set[str](), "setsid": set[str](), "stdbuf": {"-i", "-o", "-e"},
    "timeout": {"-s", "-k", "--signal"},
    "xargs": {"-I", "-n", "-P", "-L", "-d", "-a", "-E", "-s", "--max-args", "--max-procs", "--delimiter"},
    "flock": {"-w", "-E", "--timeout"}, "unbuffer": set[str](), "chronic": set[str](), "caffeinate": {"-t", "-w"},
    "strace": {"-o", "-e", "-p", "-s"}, "ltrace": {"-o", "-e"}, "watch": {"-n", "--interval"}, "parallel": {"-j", "--jobs"},
    "chroot": {"--userspec"}, "arch": set[str](), "proxychains4": set[str](), "direnv": set[str](), "mise": set[str](),
    "poetry": set[str](), "uv": set[str](), "pipenv": set[str](), "hatch": set[str](), "pdm": set[str](), "nix": set[str](),
    "npx": {"-p", "--package"}, "pnpm": set[str](), "bunx": set[str](), "pipx": set[str](), "busybox": set[str](),
}  # fmt: skip
#: Wrappers that run another command only after this word of theirs; without it they are the command itself.
_AFTER = {"poetry": "run", "uv": "run", "pipenv": "run", "hatch": "run", "pdm": "run", "pnpm": "exec", "direnv": "exec",
          "mise": "exec", "nix": "--command", "pipx": "run"}  # fmt: skip
#: Words of their own that come before the command.
_OWN_WORDS = {"timeout": 1, "flock": 1, "chroot": 1}


def unwrap(call: Call) -> tuple[list[Word], str | None]:
    """The words of what really runs, and the text that it reads."""
    words, stdin = list(call.words), call.stdin
    for _ in range(20):
        name = posixpath.basename(words[0] or "") if words else ""
        if name == "xargs" and call.source is not None:
            words = [*_inner(name, words), *_printed(call.source)]
            continue
        if name == "find":
            return _executed(words), stdin
        if name not in _WRAPPERS or (name in _AFTER and _AFTER[name] not in words):
            return words, stdin
        inner = _inner(name, words)
        if not inner or inner == words:
            return words, stdin
        words = inner
    return words, stdin


def _inner(name: str, words: Sequence[Word]) -> list[Word]:
    rest = list(words[1:])
    if name in _AFTER:
        rest = rest[rest.index(_AFTER[name]) + 1 :]
        rest = rest[1:] if name == "direnv" else rest
    options = _WRAPPERS[name]
    own = _OWN_WORDS.get(name, 0)
    while rest:
        word = rest[0]
        if word == "--":
            rest = rest[1:]
        elif word is not None and word.startswith("-") and len(word) > 1:
            rest = rest[2:] if word in options else rest[1:]
        elif name in ("env", "sudo", "doas") and word is not None and "=" in word:
            rest = rest[1:]
        elif own:
            rest, own = rest[1:], own - 1
        else:
            break
    return rest


def _printed(source: Call) -> list[Word]:
    """The words that `echo` or `printf` hands on; unknown for all else."""
    name = source.words[0] if source.words else None
    if name in ("echo", "printf"):
        return [piece for word in source.words[1:] for piece in (word.split() if word is not None else [None])]
    return [None]


def _executed(words: Sequence[Word]) -> list[Word]:
    for flag in ("-exec", "-execdir", "-ok", "-okdir"):
        if flag in words:
            return list(words[list(words).index(flag) + 1 :])
    return []


def script_of(name: str, words: Sequence[Word], stdin: str | None) -> str | None:
    """The shell text that a command runs, where it can be read."""
    if name == "eval":
        return None if None in words[1:] else " ".join(word or "" for word in words[1:])
    if name == "trap" and len(words) > 1:
        return words[1]
    if name in ("su", "script", "watch") or name in SHELLS:
        text = _after_c(words)
        return text if text is not None else (stdin if name in SHELLS and not _file(words) else None)
    return None


def runs_unread(name: str, words: Sequence[Word], stdin: str | None, call: Call) -> bool:
    """Whether a shell runs text that is not at hand."""
    if name == "eval":
        return None in words[1:]
    if name in SHELLS or name in ("su", "script"):
        return None in words[1:] or (not _file(words) and stdin is None and call.source is not None)
    return name in (".", "source") and None in words[1:]


def other_language(name: str) -> bool:
    """Whether a program runs text in another language than the shell's."""
    return name.startswith(_LANGUAGES)


def _after_c(words: Sequence[Word]) -> str | None:
    for number, word in enumerate(words[1:], start=1):
        if word is None:
            return None
        if word in ("--command",) or (word.startswith("-") and not word.startswith("--") and "c" in word[1:]):
            return words[number + 1] if number + 1 < len(words) else None
    return None


def _file(words: Sequence[Word]) -> bool:
    """Whether a shell is given a script's name."""
    return any(word is not None and not word.startswith(("-", "+")) for word in words[1:])
