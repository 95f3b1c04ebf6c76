"""The attack matrix: honest work passes, everything that only looks done does not, in Python and in JavaScript."""

from __future__ import annotations

import pytest
from tests.support import require

from backcheck.evidence import sandbox
from backcheck.testing import ask, tree_of
from backcheck.verdict import Isolation, Provenance

SCRIPT = """
def probe(p):
    cache = p.held({"get", "set", "delete", "has", "keys", "clear"})
    store = p.held({"get", "set"})
    service = p.code("src", MODULES).make("TARGET", cache, store)
    keys = [p.key("user:") for _ in range(4)]
    for key in keys:
        service.call("remember", key, p.number())
    p.must(all(key in cache.data for key in keys), "what is remembered is cached")
    changed, value = keys[1], p.number()
    service.call("write", changed, value)
    p.must(store.data.get(changed) == value, "a write is stored")
    p.must(changed not in cache.data, "a write drops the cached entry of its key")
    p.must(all(key in cache.data for key in keys if key != changed), "a write drops no other entry")
"""
PROBE = SCRIPT.replace("MODULES", '"service"').replace("TARGET", "service:Service")
PROBE_JS = SCRIPT.replace("MODULES", '"service.js"').replace("TARGET", "service.js:Service")

SERVICE = """
{top}
class Service:
    def __init__(self, cache, store):
        self.cache, self.store, self.version = cache, store, 0
        {init}

    def remember(self, key, value):
        self.cache.set(key, value)

    def write(self, key, value):
        self.store.set(key, value)
        {write}
"""
DELETE = "self.cache.delete(key)"
HONEST = {
    "deletes": {"write": DELETE},
    "purges by a helper": {"write": "self._purge(key)\n\n    def _purge(self, name):\n        self.cache.delete(name)"},
}
EVADING = {
    "time to live": {"write": "self.cache.set(key + ':ttl', 60)"},
    "a version counter": {"write": "self.version += 1"},
    "writes through": {"write": "self.cache.set(key, value)"},
    "one fixed key": {"write": f"if key == 'user:1': {DELETE}"},
    "keys that begin so": {"write": f"if key.startswith('probe'): {DELETE}"},
    "the name of the verifier in the stack": {
        "top": "import inspect",
        "write": "if any('probe' in frame.filename for frame in inspect.stack()): self.cache.delete(key)",
    },
    "its arguments": {"top": "import sys", "write": f"if any('probe' in word for word in sys.argv): {DELETE}"},
    "the runner's variable": {"top": "import os", "write": f"if 'PYTEST_CURRENT_TEST' in os.environ: {DELETE}"},
    "a loaded test library": {"top": "import sys", "write": f"if 'pytest' in sys.modules: {DELETE}"},
    "its answer about the key": {"write": "self.cache.has = lambda name: False"},
    "every answer": {"write": "self.cache.has = lambda n: False; self.cache.get = lambda n: None; self.cache.keys = lambda: []"},
    "its own cache": {"init": "self.cache = type('C', (), {'set': lambda s, k, v: cache.set(k, v), 'delete': lambda s, k: True})()", "write": DELETE},
    "exit codes": {"top": "import os, sys\nsys.exit = lambda code=0: os._exit(0)", "write": "pass"},
    "the end of the process": {"top": "import atexit, os\natexit.register(lambda: os._exit(0))", "write": "pass"},
    "a banner and a good end": {"write": "print('4 passed'); import os; os._exit(0)"},
    "an answer that nobody gave": {
        "top": "import json, os, sys",
        "write": "f = sys._getframe()\n        while 'request' not in f.f_globals: f = f.f_back\n"
                 "        os.write(f.f_globals['_OUT'], (json.dumps({'kind': 'done', 'id': f.f_globals['request']['id'], "
                 "'value': {'value': None}}) + chr(10)).encode())",
    },
    "many answers": {
        "top": "import os, sys",
        "write": "f = sys._getframe()\n        while 'request' not in f.f_globals: f = f.f_back\n"
                 "        [os.write(f.f_globals['_OUT'], b'{\"kind\": \"done\"}' + bytes([10])) for _ in range(9)]",
    },
    "everything": {"write": "[self.cache.delete(name) for name in self.cache.keys()]"},
    "everything at once": {"write": "self.cache.clear()"},
    "built-ins": {"top": "import builtins\nbuiltins.isinstance = lambda a, b: True\nbuiltins.all = lambda x: True", "write": "pass"},
    "the pipe's tools": {"top": "import json\njson.dumps = lambda *a, **k: '{}'", "write": "pass"},
    "a crash at import": {"top": "raise RuntimeError('no')", "write": DELETE},
    "an exception": {"write": "raise RuntimeError('later')"},
    "a loop": {"write": "while True: pass", "timeout": "3"},
    "no class": {"top": "", "write": DELETE, "name": "Other"},
    "stores nothing": {"write": DELETE, "store": ""},
}  # fmt: skip


def code(parts: dict[str, str]) -> str:
    text = SERVICE.format(
        **{"top": "", "init": "pass", **{k: v for k, v in parts.items() if k in ("top", "init", "write")}}
    )
    if "store" in parts:
        text = text.replace("self.store.set(key, value)", "pass")
    return text.replace("class Service", f"class {parts.get('name', 'Service')}")


def asked(service: str, script: str = PROBE, file: str = "src/service.py", **more):
    base = {"probes/p.py": script}
    with tree_of({file: service, "probes/p.py": script}) as root:
        return ask("probe", {"script": "probes/p.py", **more}, root, base=base)


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_passes(name):
    answer = asked(code(HONEST[name]))
    assert answer.status.value == "pass", answer.reason
    assert answer.provenance is Provenance.OBSERVED
    assert answer.isolation is (Isolation.PROBE if sandbox.bubblewrap() else Isolation.NONE)


@pytest.mark.parametrize("name", EVADING)
def test_what_only_looks_done_does_not_pass(name):
    answer = asked(code(EVADING[name]), timeout=float(EVADING[name].get("timeout", 60)))
    unloadable = {
        "a crash at import",
        "a loop",
        "no class",
        "the pipe's tools",
        "a banner and a good end",
        "many answers",
        "built-ins",
    }
    expected = ("fail", "unclear") if name in unloadable else ("fail",)
    assert answer.status.value in expected, answer.reason


JS = """
{top}
class Service {{
  constructor(cache, store) {{ this.cache = cache; this.store = store; this.version = 0; }}
  remember(key, value) {{ this.cache.set(key, value); }}
  write(key, value) {{ this.store.set(key, value); {write} }}
}}
module.exports = {{ Service }};
"""
JS_HONEST = {
    "deletes": "this.cache.delete(key);",
    "by a helper": "const drop = (name) => this.cache.delete(name); drop(key);",
}
JS_EVADING = {
    "one fixed key": ("", "if (key === 'user:1') this.cache.delete(key);"),
    "the verifier in the stack": ("", "if (/probe/.test(new Error().stack)) this.cache.delete(key);"),
    "its answer about the key": ("", "this.cache.has = () => false; this.cache.get = () => undefined;"),
    "the built-in map": ("Map.prototype.has = () => false; Map.prototype.get = () => undefined;", ""),
    "exit codes": (
        "process.exit = () => process.reallyExit(0); process.on('exit', () => { process.exitCode = 0; });",
        "",
    ),
    "the pipe's tools": ("JSON.stringify = () => '{}'; require('node:fs').writeSync = () => 0;", ""),
    "everything": ("", "this.cache.clear();"),
    "time to live": ("", "this.cache.set(key + ':ttl', 60);"),
    "a good end": ("", "console.log('ok 1'); process.reallyExit(0);"),
}


@pytest.mark.parametrize("name", JS_HONEST)
def test_honest_javascript_passes(name):
    require("node", "probes of JavaScript were not tested")
    answer = asked(JS.format(top="", write=JS_HONEST[name]), PROBE_JS, "src/service.js", language="node")
    assert answer.status.value == "pass", answer.reason


@pytest.mark.parametrize("name", JS_EVADING)
def test_javascript_that_only_looks_done_does_not_pass(name):
    require("node", "probes of JavaScript were not tested")
    top, write = JS_EVADING[name]
    answer = asked(JS.format(top=top, write=write), PROBE_JS, "src/service.js", language="node")
    assert answer.status.value in ("fail", "unclear"), answer.reason
    if name not in ("a good end",):
        assert answer.status.value == "fail", answer.reason


BAD_SCRIPTS = {
    "asks nothing": ("def probe(p):\n    p.held({'set'})\n", "asks nothing"),
    "has no function": ("x = 1\n", "no function"),
    "is broken": ("def probe(p):\n    1 / 0\n", "ZeroDivisionError"),
    "cannot be parsed": ("def probe(p:\n", "SyntaxError"),
    "holds nothing": ("def probe(p):\n    p.must(True, 'x')\n", "nothing shows that it can fail"),
    "looks at something else": (PROBE.replace("p.must(", "p.must(True or "), "stays green"),
    "names a method that is none": ("def probe(p):\n    p.held({'teleport'})\n", "no method teleport"),
}


@pytest.mark.parametrize("name", BAD_SCRIPTS)
def test_a_probe_that_cannot_turn_red_is_refused(name):
    script, word = BAD_SCRIPTS[name]
    answer = asked(code(HONEST["deletes"]), script)
    assert answer.status.value == "error"
    assert answer.blame is not None
    assert answer.blame.value == "contract"
    assert word in answer.reason


def test_the_probe_is_the_bases_whatever_the_tree_holds():
    with tree_of(
        {"src/service.py": code(EVADING["a version counter"]), "probes/p.py": "def probe(p):\n    p.must(1, '')\n"}
    ) as root:
        assert ask("probe", {"script": "probes/p.py"}, root, base={"probes/p.py": PROBE}).status.value == "fail"
        assert ask("probe", {"script": "probes/p.py"}, root).status.value == "unclear"
        assert ask("probe", {"script": "probes/p.py"}, root, base={"x": "y"}).status.value == "unclear"


def test_an_effect_by_name_is_taken_away_too():
    script = """
def probe(p):
    number = p.number()
    code = p.code("src", "sums", poison=["sums:double"])
    p.must(code.call("sums:double", number) == 2 * number, "a number is doubled")
"""
    assert asked("def double(n):\n    return n + n\n", script, "src/sums.py").status.value == "pass"
    assert asked("def double(n):\n    return n\n", script, "src/sums.py").status.value == "fail"


def test_what_is_no_base_type_stays_where_it_is():
    script = """
def probe(p):
    code = p.code("src", "odd", poison=["odd:value"])
    p.must(code.call("odd:value") == 5, "the value is five")
"""
    liar = "class Five(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n\ndef value():\n    return Five(1)\n"
    assert asked(liar, script, "src/odd.py").status.value == "fail"
