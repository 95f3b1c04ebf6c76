"""The kit with which a contract's author proves behaviour by doing it.

A probe is a script with one function, `probe(p)`. It runs in backcheck's own process tree; the code under judgement runs in
a child, and the two speak over a pipe. What must have happened is read from objects that the probe holds (`p.held`): the
code only has a client of them, so it can do the deed or not, but cannot say that it did. Keys are random and given after
the code was loaded. The script is run twice: once as it is, and once with the effect taken away, which must turn it red.

    def probe(p):
        cache = p.held({"get", "set", "delete"})
        service = p.code("src", "limits.service").make("limits.service:Service", cache)
        key, other = p.key(), p.key()
        service.call("remember", key, 5)
        service.call("remember", other, 7)
        p.must(key in cache.data, "the cache is filled")
        service.call("write", key, 9)
        p.must(key not in cache.data, "a write drops the cached entry of its key")
        p.must(other in cache.data, "and no other")

Standard library only, so that it starts quickly and nothing of the tree is loaded.
"""

from __future__ import annotations

import json
import os
import runpy
import secrets
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_MESSAGE = 4 * 1024 * 1024
MAX_CALLS = 100_000
SECONDS = 30.0
#: Methods of a held object that change it; in the poison run they do nothing.
CHANGING = frozenset({"set", "put", "add", "delete", "remove", "pop", "clear", "update", "append", "write", "send", "publish",
                      "insert", "push", "enqueue", "expire", "increment", "decrement", "evict", "invalidate"})  # fmt: skip


class Broken(Exception):
    """What must hold does not."""


class Raised(Exception):
    """The code under judgement raised; the text is its own."""


class Unaddressable(Exception):
    """The probe could not be carried out: the code cannot be loaded or driven, or does not answer."""


@dataclass(slots=True)
class Held:
    """An object that the probe holds: a mapping with the usual methods, or a table of functions. `calls` lists every call."""

    methods: Mapping[str, Callable[..., Any]]
    data: dict[Any, Any] = field(default_factory=dict)
    calls: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    number: int = 0
    poisoned: bool = False

    def answer(self, method: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """One call from the code."""
        if method not in self.methods:
            raise Unaddressable(f"the code calls `{method}`, which this object does not have")
        self.calls.append((method, tuple(arguments)))
        if self.poisoned and method in CHANGING:
            return None
        return self.methods[method](*arguments, **named)


def _mapping(data: dict[Any, Any]) -> dict[str, Callable[..., Any]]:
    return {
        "get": lambda key, default=None: data.get(key, default), "has": lambda key: key in data, "keys": lambda: list(data),
        "set": lambda key, value, **_: data.__setitem__(key, value), "put": lambda key, value: data.__setitem__(key, value),
        "delete": lambda key: data.pop(key, None) is not None, "remove": lambda key: data.pop(key, None),
        "pop": lambda key, default=None: data.pop(key, default), "clear": data.clear, "size": lambda: len(data),
    }  # fmt: skip


class Handle:
    """An object of the code under judgement, which stays in the child."""

    def __init__(self, code: Code, number: int, kind: str) -> None:
        self._code, self.number, self.kind = code, number, kind

    def call(self, method: str, *arguments: Any, **named: Any) -> Any:
        """Call a method; returns a value of base types, or a Handle. Errors: Raised, Unaddressable."""
        return self._code.ask({"kind": "call", "object": self.number, "method": method}, arguments, named)


class Code:
    """The child with the code under judgement."""

    def __init__(self, probe: Probe, command: Sequence[str], folder: str) -> None:
        self._probe = probe
        self._process = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self._rest = b""

    def make(self, target: str, *arguments: Any, **named: Any) -> Handle:
        """Call `module:name` (a class, mostly) and keep what it gives. Errors: Raised, Unaddressable."""
        made = self.call(target, *arguments, **named)
        if not isinstance(made, Handle):
            raise Unaddressable(f"{target} gives {made!r} and no object")
        return made

    def call(self, target: str, *arguments: Any, **named: Any) -> Any:
        """Call `module:name`. Errors: Raised, Unaddressable."""
        return self.ask({"kind": "call", "target": target}, arguments, named)

    def ask(
        self, message: dict[str, Any], arguments: Sequence[Any] = (), named: Mapping[str, Any] | None = None
    ) -> Any:
        """Send one request and serve the held objects until its answer comes."""
        number = secrets.token_hex(8)
        given = {
            "arguments": [self._encode(a) for a in arguments],
            "named": {k: self._encode(v) for k, v in (named or {}).items()},
        }
        self._send({**message, **given, "id": number})
        deadline = time.monotonic() + SECONDS
        for _ in range(MAX_CALLS):
            said = self._receive(deadline)
            kind = said.get("kind")
            if kind == "held":
                self._send(self._served(said))
            elif kind in ("done", "raised") and said.get("id") == number:
                if kind == "raised":
                    raise Raised(f"{str(said.get('type'))[:100]}: {str(said.get('text'))[:500]}")
                return self._decode(said.get("value"))
            else:
                raise Unaddressable("the code's process answered what was not asked")
        raise Unaddressable(f"the code made more than {MAX_CALLS:,} calls")

    def _served(self, said: Mapping[str, Any]) -> dict[str, Any]:
        held = self._probe.held_by(said.get("object"))
        arguments, named = said.get("arguments"), said.get("named")
        if not isinstance(arguments, list) or not isinstance(named, dict) or not isinstance(said.get("method"), str):
            raise Unaddressable("the code's process calls in a form that is none")
        try:
            result = held.answer(said["method"], [self._decode(a) for a in arguments],
                                 {str(k): self._decode(v) for k, v in named.items()})  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            return {"missing": str(error)[:200]}
        return self._encode(result)

    def _send(self, message: Mapping[str, Any]) -> None:
        stream = self._process.stdin
        data = json.dumps(message).encode() + b"\n"
        try:
            while stream is not None and data:
                data = data[stream.write(data) or 0 :]
        except OSError:
            raise Unaddressable(f"the code's process is gone (exit {self._process.wait()})") from None

    def _receive(self, deadline: float) -> dict[str, Any]:
        stream = self._process.stdout
        while stream is not None and b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([stream], [], [], left)[0]:
                raise Unaddressable(f"the code did not answer within {SECONDS:g} s")
            piece = os.read(stream.fileno(), 65536)
            self._rest += piece
            if not piece:
                raise Unaddressable(f"the code's process ended instead of answering (exit {self._process.wait()})")
            if len(self._rest) > MAX_MESSAGE:
                raise Unaddressable("the code's process answers without end")
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            raise Unaddressable("the code's process answered in a form that is none")
        return said

    def _encode(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Held):
            return {"held": value.number, "methods": sorted(value.methods)}
        if isinstance(value, Handle):
            return {"object": value.number}
        if isinstance(value, list | tuple):
            return {"list": [self._encode(item) for item in value]}
        if isinstance(value, dict):
            return {"map": {str(key): self._encode(item) for key, item in value.items()}}
        return {"value": value}

    def _decode(self, said: Any) -> Any:
        """A raw value of base types; anything else stays where it is and becomes a handle."""
        if not isinstance(said, dict):
            raise Unaddressable("the code's process gave a value in a form that is none")
        if "value" in said and isinstance(said["value"], str | int | float | bool | None):
            return said["value"]
        if isinstance(said.get("list"), list):
            return [self._decode(item) for item in said["list"]]
        if isinstance(said.get("map"), dict):
            return {str(key): self._decode(item) for key, item in said["map"].items()}
        if isinstance(said.get("object"), int):
            return Handle(self, said["object"], str(said.get("type"))[:100])
        raise Unaddressable("the code's process gave a value in a form that is none")

    def end(self) -> None:
        """End the child; how it ends says nothing."""
        self._process.kill()
        self._process.wait()


class Probe:
    """What a script is given."""

    def __init__(self, command: Sequence[str], folder: str, *, poisoned: bool) -> None:
        self._command, self._folder, self.poisoned = command, folder, poisoned
        self._held: dict[int, Held] = {}
        self._codes: list[Code] = []
        self.can_poison = False
        self.held_true: list[str] = []

    def key(self, prefix: str = "") -> str:
        """A name that nobody can foresee."""
        return prefix + secrets.token_hex(secrets.randbelow(6) + 5)

    def number(self, low: int = 1, high: int = 1_000_000) -> int:
        """A number that nobody can foresee, `low` and `high` included."""
        return low + secrets.randbelow(high - low + 1)

    def held(self, methods: Iterable[str] | Mapping[str, Callable[..., Any]]) -> Held:
        """An object of the probe's own. Names pick methods of a mapping; a mapping of functions makes any other object."""
        data: dict[Any, Any] = {}
        known = _mapping(data)
        if isinstance(methods, Mapping):
            table = dict(methods)
        else:
            unknown = sorted(set(methods) - set(known))
            if unknown:
                raise ValueError(f"a held mapping has no method {unknown[0]}; it has {', '.join(sorted(known))}")
            table = {name: known[name] for name in methods}
        made = Held(table, data, number=len(self._held) + 1, poisoned=self.poisoned)
        self.can_poison = self.can_poison or bool(CHANGING & set(table))
        self._held[made.number] = made
        return made

    def held_by(self, number: object) -> Held:
        """The held object with this number. Errors: Unaddressable."""
        if not isinstance(number, int) or number not in self._held:
            raise Unaddressable("the code's process calls an object that it was not given")
        return self._held[number]

    def code(self, path: str | Sequence[str] = ".", *modules: str, poison: Sequence[str] = ()) -> Code:
        """A fresh process with the code, whose modules are looked for in `path`; `poison` names functions
        (`module:Class.method`) that do nothing in the poison run. Errors: Unaddressable where it cannot be loaded."""
        code = Code(self, self._command, self._folder)
        self._codes.append(code)
        self.can_poison = self.can_poison or bool(poison)
        paths = [path] if isinstance(path, str) else list(path)
        try:
            code.ask(
                {
                    "kind": "load",
                    "paths": paths,
                    "modules": list(modules),
                    "poison": list(poison) if self.poisoned else [],
                }
            )
        except Raised as error:
            raise Unaddressable(f"the code cannot be loaded: {error}") from None
        return code

    def must(self, condition: object, what: str) -> None:
        """Errors: Broken where the condition does not hold. `what` says what must hold."""
        if not condition:
            raise Broken(what)
        self.held_true.append(what)

    def end(self) -> None:
        """End every child."""
        for code in self._codes:
            code.end()


def run_script(script: str, command: Sequence[str], folder: str, *, poisoned: bool) -> dict[str, Any]:
    """Run one script; its outcome as plain values: `holds`, `broken`, `raised`, `unaddressable` or `faulty` (the script's)."""
    probe = Probe(command, folder, poisoned=poisoned)
    try:
        function = runpy.run_path(script).get("probe")
        if not callable(function):
            return {"outcome": "faulty", "said": "the script has no function `probe`"}
        function(probe)
        outcome, said = (
            ("holds", "") if probe.held_true else ("faulty", "the probe asks nothing: it never calls `must`")
        )
    except Broken as error:
        outcome, said = "broken", str(error)
    except Raised as error:
        outcome, said = "raised", str(error)
    except Unaddressable as error:
        outcome, said = "unaddressable", str(error)
    except Exception as error:  # noqa: BLE001 - whatever a script does is told as its own fault
        outcome, said = "faulty", f"{type(error).__name__}: {error}"
    finally:
        probe.end()
    return {"outcome": outcome, "said": said[:500], "held": probe.held_true[:50], "can_poison": probe.can_poison}


def main() -> None:
    """`python -I -m backcheck.probe REQUEST ANSWER`: two files of JSON."""
    with open(sys.argv[1], "rb") as file:
        request = json.load(file)
    outcome = run_script(request["script"], request["command"], request["folder"], poisoned=request["poisoned"])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(outcome, file)


if __name__ == "__main__":
    main()
