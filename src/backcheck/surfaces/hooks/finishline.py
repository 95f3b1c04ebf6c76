"""Commands that cross a finish line: a commit, a push, a publication, a merge, a deployment.

Found in the syntax of the command, not in its letters: what is only quoted, searched for, printed or tried out crosses none.
A command whose words only running would tell crosses the lines that it could.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backcheck.surfaces.hooks import lines, wrappers
from backcheck.surfaces.hooks.shellwords import Call, TooLong, Word, calls_of

MAX_DEPTH = 8
#: Text that another program runs, in which these words stand, cannot be read further.
_LOOSE = re.compile(
    r"\bgit\b.{0,200}?\b(commit|push|merge|cherry-pick|rebase|am|pull|send-pack|update-ref)\b", re.DOTALL
)
_DECODERS = re.compile(r"\b(base64|base32|xxd|openssl|uudecode|rev|tr|gunzip|zcat)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """One line that is crossed: `door` is commit or push, `words` how the command says it, `folder` the one it runs in,
    empty where that is the caller's."""

    door: str
    words: str
    folder: str = ""


def crossings(text: str) -> list[Crossing]:
    """Every finish line that a shell command crosses, in its order."""
    try:
        return list(dict.fromkeys(_in_text(text, 0)))
    except (TooLong, RecursionError):
        return [Crossing(door=lines.PUSH, words="a command that is too long to be read")]


def _in_text(text: str, depth: int) -> Iterator[Crossing]:
    if depth > MAX_DEPTH:
        raise TooLong("commands nested too deep")
    calls = calls_of(text)
    found = False
    folder = ""
    for call in calls:
        if call.words[:1] == ["cd"] and len(call.words) > 1:
            folder = call.words[1] or ""
        for crossing in _of_call(call, depth):
            found = True
            yield (
                crossing
                if crossing.folder or not folder
                else Crossing(door=crossing.door, words=crossing.words, folder=folder)
            )
    if not found and _broken(text, calls):
        yield from _loosely(text)


def _broken(text: str, calls: Sequence[Call]) -> bool:
    """Whether the text was not understood: something of a brace list or a quote stands where a command should."""
    return bool(re.match(r"\s*\{[^\s{}]*,", text)) or (
        not calls and bool(text.strip()) and not text.lstrip().startswith("#")
    )


def _loosely(text: str) -> Iterator[Crossing]:
    match = _LOOSE.search(text.replace(",", " ").replace("'", "").replace('"', ""))
    if match:
        door = lines.GIT.get(match[1], lines.COMMIT)
        yield Crossing(door=door, words=f"git {match[1]}, in text that is run by something else")


def _of_call(call: Call, depth: int) -> Iterator[Crossing]:
    words, stdin = wrappers.unwrap(call)
    if not words:
        return
    name = _name(words[0])
    script = wrappers.script_of(name, words, stdin)
    if script is not None:
        yield from _in_text(script, depth + 1)
        return
    if wrappers.runs_unread(name, words, stdin, call):
        yield from _unread(call, stdin)
        return
    if wrappers.other_language(name):
        yield from _loosely(" ".join(word or "" for word in words[1:]) + "\n" + (stdin or ""))
        return
    if name == "alias":
        for word in words[1:]:
            yield from _in_text((word or "").partition("=")[2], depth + 1)
        return
    crossing = lines.crossed(name, words)
    if crossing is not None:
        door, said, folder = crossing
        yield Crossing(door=door, words=said, folder=folder)
    elif name == "git":
        yield from _alias(words, depth)


def _alias(words: Sequence[Word], depth: int) -> Iterator[Crossing]:
    """`git -c alias.x=commit x`: what the alias stands for, on the same line."""
    given = dict(lines.inline_aliases(words))
    sub = lines.subcommand(words)
    if sub is not None and sub in given:
        value = given[sub]
        yield from _in_text(value[1:] if value.startswith("!") else f"git {value}", depth + 1)


def _unread(call: Call, stdin: str | None) -> Iterator[Crossing]:
    """A shell is given text that only running would tell."""
    raw = " ".join([*call.raw, *(call.source.raw if call.source else ()), stdin or ""])
    loose = list(_loosely(raw))
    yield from loose
    if not loose and _DECODERS.search(raw):
        yield Crossing(door=lines.PUSH, words="a decoded text that a shell runs, which cannot be read here")


def _name(word: Word) -> str:
    """A program's name; one written with wildcards stands for the program that it would find."""
    base = posixpath.basename(word or "")
    if any(c in base for c in "*?["):
        return next((known for known in lines.PROGRAMS if fnmatch.fnmatchcase(known, base)), base)
    return base
