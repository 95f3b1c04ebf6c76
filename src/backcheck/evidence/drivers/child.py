"""Runs beside the code under judgement and does what the probe asks, a message at a time. Standard library only.

Nothing that is said here is believed: it hands back raw values of exact base types, and the probe draws its conclusions
from what it holds itself.
"""

import importlib
import json
import os
import sys

_IN, _OUT = os.dup(0), os.dup(1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
# What the code prints must not be taken for an answer.
os.dup2(2, 1)
_BASE = (str, int, float, bool, type(None))
_objects = {}
_buffer = b""


class Client:
    """Stands for an object that the probe holds: every call goes there."""

    def __init__(self, number, methods):
        for name in methods:
            setattr(self, name, _method(number, name))


def _method(number, name):
    def call(*arguments, **named):
        _send(
            {
                "kind": "held",
                "object": number,
                "method": name,
                "arguments": [_encode(a) for a in arguments],
                "named": {key: _encode(value) for key, value in named.items()},
            }
        )
        return _decode(_receive())

    return call


def _send(message):
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(_OUT, data) :]


def _receive():
    global _buffer
    while b"\n" not in _buffer:
        piece = os.read(_IN, 65536)
        if not piece:
            os._exit(0)
        _buffer += piece
    line, _, _buffer = _buffer.partition(b"\n")
    return json.loads(line)


def _encode(value, depth=0):
    if type(value) in _BASE:
        return {"value": value}
    if depth < 20 and type(value) in (list, tuple):
        return {"list": [_encode(item, depth + 1) for item in value]}
    if depth < 20 and type(value) is dict and all(type(key) is str for key in value):
        return {"map": {key: _encode(item, depth + 1) for key, item in value.items()}}
    _objects[len(_objects) + 1] = value
    return {"object": len(_objects), "type": type(value).__name__}


def _decode(said):
    if "value" in said:
        return said["value"]
    if "list" in said:
        return [_decode(item) for item in said["list"]]
    if "map" in said:
        return {key: _decode(item) for key, item in said["map"].items()}
    if "held" in said:
        return Client(said["held"], said["methods"])
    if "missing" in said:
        raise KeyError(said["missing"])
    return _objects[said["object"]]


def _target(name):
    module, _, path = name.partition(":")
    found = importlib.import_module(module)
    for part in path.split(".") if path else ():
        found = getattr(found, part)
    return found


def _poison(name):
    owner, _, last = name.rpartition("." if "." in name.partition(":")[2] else ":")
    setattr(_target(owner), last, lambda *arguments, **named: None)


def _do(message):
    kind = message["kind"]
    if kind == "load":
        sys.path[:0] = message["paths"]
        for name in message["modules"]:
            importlib.import_module(name)
        for name in message["poison"]:
            _poison(name)
        return None
    target = _target(message["target"]) if "target" in message else _objects[message["object"]]
    if message.get("method"):
        target = getattr(target, message["method"])
    arguments = [_decode(item) for item in message["arguments"]]
    return target(*arguments, **{key: _decode(item) for key, item in message["named"].items()})


while True:
    request = _receive()
    try:
        answer = {"kind": "done", "id": request["id"], "value": _encode(_do(request))}
    except BaseException as error:
        answer = {"kind": "raised", "id": request["id"], "type": type(error).__name__, "text": str(error)[:500]}
    _send(answer)
