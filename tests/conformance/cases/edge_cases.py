"""Files, folders, commands and encodings at their edges, gate by gate."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from .case_model import CONTRACT_PATHS, Case, Entry, Gate, Tree, case
from .contract_text import contract

if TYPE_CHECKING:
    import random


def _raw(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode()}


_LINK_OUT: Entry = {"symlink": "/etc/passwd"}
_DIR: Entry = {"dir": True}
_FIFO: Entry = {"fifo": True}


def _exists(file: Any) -> Gate:
    return {"id": "g", "type": "file-exists", "file": file}


def _holds(file: Any) -> Gate:
    return {"id": "g", "type": "evidence", "file": file}


def _contains(pattern: str, flags: str = "", file: str = "a") -> Gate:
    return {"id": "g", "type": "file-contains", "file": file, "pattern": pattern} | ({"flags": flags} if flags else {})


def _absent(pattern: str, glob: Any = "*.js", **more: Any) -> Gate:
    return {"id": "g", "type": "absent", "glob": glob, "pattern": pattern, **more}


def _run(run: str, **more: Any) -> Gate:
    return {"id": "g", "type": "command", "run": run, **more}


def _entries(path: str, **more: Any) -> Gate:
    return {"id": "g", "type": "not-empty", "path": path, **more}


Row = tuple[str, str, Gate, Tree]

_FILES: list[Row] = [
    ("exists-present", "", _exists("a"), {"a": "x"}),
    ("exists-missing", "", _exists("a"), {"b": "x"}),
    ("exists-case", "", _exists("readme.md"), {"README.md": "x"}),
    ("exists-empty-file", "", _exists("a"), {"a": ""}),
    ("exists-folder", "folder-as-file", _exists("src"), {"src/a": "x"}),
    ("exists-folder-slash", "folder-as-file", _exists("src/"), {"src/a": "x"}),
    ("exists-empty-folder", "folder-as-file", _exists("CHANGELOG.md"), {"CHANGELOG.md": _DIR}),
    ("exists-dangling", "", _exists("a"), {"a": {"symlink": "none"}}),
    ("exists-link-inside", "", _exists("a"), {"a": {"symlink": "b"}, "b": "x"}),
    ("exists-link-out", "link-out-of-root", _exists("a"), {"a": _LINK_OUT}),
    ("exists-link-loop", "", _exists("a"), {"a": {"symlink": "b"}, "b": {"symlink": "a"}}),
    ("exists-through-linked-folder", "", _exists("l/x"), {"l": {"symlink": "d"}, "d/x": "x"}),
    ("exists-absolute", "path-out-of-root", _exists("/etc/passwd"), {"a": "x"}),
    ("exists-parent", "path-out-of-root", _exists("../../../../../../../../../etc/passwd"), {"a": "x"}),
    ("exists-parent-and-back", "path-with-parent", _exists("src/../a"), {"a": "x", "src/b": "x"}),
    ("exists-dot-slash", "", _exists("./a"), {"a": "x"}),
    ("exists-double-slash", "", _exists("src//b"), {"src/b": "x"}),
    ("exists-slash-after-file", "slash-after-file", _exists("a/"), {"a": "x"}),
    ("exists-empty-path", "empty-path", _exists(""), {"a": "x"}),
    ("exists-dot", "folder-as-file", _exists("."), {"a": "x"}),
    ("exists-empty-list", "empty-list", _exists([]), {"a": "x"}),
    ("exists-list", "", _exists(["a", "b"]), {"a": "x", "b": ""}),
    ("exists-list-one-missing", "", _exists(["a", "b", "c"]), {"a": "x", "c": "x"}),
    ("exists-list-with-empty", "empty-path", _exists(["a", ""]), {"a": "x"}),
    ("exists-list-twice", "", _exists(["a", "a"]), {"a": "x"}),
    ("exists-glob", "", _exists("*.md"), {"README.md": "x"}),
    ("exists-named-like-glob", "", _exists("*.md"), {"*.md": "x"}),
    ("exists-fifo", "fifo", _exists("a"), {"a": _FIFO}),
    ("exists-space-and-umlaut", "", _exists(["my notes.txt", "gr\u00f6\u00dfe.md"]), {"my notes.txt": "x", "gr\u00f6\u00dfe.md": "x"}),
    ("exists-decomposed-name", "", _exists("caf\u00e9"), {"cafe\u0301": "x"}),
    ("exists-dot-file", "", _exists([".env.example", ".github/CODEOWNERS"]), {".env.example": "", ".github/CODEOWNERS": "* @a"}),
    ("exists-deep", "", _exists("a/b/c/d/e/f.txt"), {"a/b/c/d/e/f.txt": "x"}),
    ("exists-below-file", "", _exists("a/b"), {"a": "x"}),
    ("exists-backslash", "", _exists("src\\b"), {"src/b": "x"}),
    ("exists-in-git-folder", "git-folder", _exists(".git/config"), {"a": "x"}),
    ("evidence-present", "", _holds("e.txt"), {"e.txt": "14 passed\n"}),
    ("evidence-missing", "", _holds("e.txt"), {"a": "x"}),
    ("evidence-empty", "", _holds("e.txt"), {"e.txt": ""}),
    ("evidence-space", "whitespace-evidence", _holds("e.txt"), {"e.txt": " "}),
    ("evidence-newlines", "whitespace-evidence", _holds("e.txt"), {"e.txt": "\n\n\t\n"}),
    ("evidence-bom", "whitespace-evidence", _holds("e.txt"), {"e.txt": "\ufeff"}),
    ("evidence-nul", "whitespace-evidence", _holds("e.txt"), {"e.txt": _raw(b"\0\0")}),
    ("evidence-one-letter", "", _holds("e.txt"), {"e.txt": "x"}),
    ("evidence-binary", "", _holds("shot.png"), {"shot.png": _raw(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")}),
    ("evidence-utf16", "", _holds("e.txt"), {"e.txt": _raw("\ufeff14 passed".encode("utf-16-le"))}),
    ("evidence-invalid-utf8", "", _holds("e.txt"), {"e.txt": _raw(b"ok \xff\xfe 14 passed")}),
    ("evidence-folder", "folder-as-evidence", _holds("e"), {"e/x": "x"}),
    ("evidence-empty-folder", "folder-as-evidence", _holds("e"), {"e": _DIR}),
    ("evidence-link-inside", "", _holds("e"), {"e": {"symlink": "f"}, "f": "real"}),
    ("evidence-link-to-empty", "", _holds("e"), {"e": {"symlink": "f"}, "f": ""}),
    ("evidence-link-out", "link-out-of-root", _holds("e"), {"e": _LINK_OUT}),
    ("evidence-link-to-contract", "evidence-is-the-contract", _holds("e"), {"e": {"symlink": ".skillgate/done.yaml"}}),
    ("evidence-dangling", "", _holds("e"), {"e": {"symlink": "none"}}),
    ("evidence-fifo", "fifo", _holds("e"), {"e": _FIFO}),
    ("evidence-device", "device", _holds("e"), {"e": {"symlink": "/dev/null"}}),
    ("evidence-empty-path", "empty-path", _holds(""), {"a": "x"}),
    ("evidence-absolute", "path-out-of-root", _holds("/etc/passwd"), {"a": "x"}),
    ("contains-yes", "", _contains("bar"), {"a": "foo bar"}),
    ("contains-no", "", _contains("bar"), {"a": "foo baz"}),
    ("contains-missing-file", "", _contains("bar"), {"b": "bar"}),
    ("contains-folder", "", _contains("bar", file="d"), {"d/bar": "bar"}),
    ("contains-empty-file", "", _contains("bar"), {"a": ""}),
    ("contains-empty-pattern", "empty-pattern", _contains(""), {"a": "x"}),
    ("contains-empty-both", "empty-pattern", _contains(""), {"a": ""}),
    ("contains-bom-start", "bom", _contains("^foo"), {"a": "\ufefffoo"}),
    ("contains-bom-elsewhere", "", _contains("foo$"), {"a": "\ufefffoo"}),
    ("contains-crlf", "", _contains("^bar$", "m"), {"a": "foo\r\nbar\r\nbaz"}),
    ("contains-crlf-lf", "", _contains("foo\\nbar"), {"a": "foo\r\nbar"}),
    ("contains-cr-only", "", _contains("^bar$", "m"), {"a": "foo\rbar\rbaz"}),
    ("contains-utf16", "utf16", _contains("bar"), {"a": _raw("\ufefffoo bar".encode("utf-16-le"))}),
    ("contains-latin-1", "invalid-utf8", _contains("caf\u00e9"), {"a": _raw("caf\u00e9".encode("latin-1"))}),
    ("contains-beside-invalid", "invalid-utf8", _contains("bar"), {"a": _raw(b"\xfd\xfc bar")}),
    ("contains-replacement", "invalid-utf8", _contains("\\ufffd"), {"a": _raw(b"x\xff")}),
    ("contains-nul", "", _contains("bar"), {"a": _raw(b"\0bar\0")}),
    ("contains-link-inside", "", _contains("bar"), {"a": {"symlink": "b"}, "b": "bar"}),
    ("contains-link-out", "link-out-of-root", _contains("root"), {"a": _LINK_OUT}),
    ("contains-parent", "path-out-of-root", _contains("root", file="../../../../../../../../../etc/passwd"), {"a": "x"}),
    ("contains-dangling", "", _contains("x"), {"a": {"symlink": "none"}}),
    ("contains-fifo", "fifo", _contains("x"), {"a": _FIFO}),
    ("contains-fifo-behind-link", "fifo", _contains("x"), {"a": {"symlink": "f"}, "f": _FIFO}),
    ("contains-only-in-comment", "", _contains("unreleased", "i"), {"a": "<!-- Unreleased -->\n"}),
    ("contains-astral", "", _contains("\U0001f389"), {"a": "shipped \U0001f389\n"}),
    ("contains-catastrophic", "catastrophic-regex", _contains("^(\\w+\\s?)*$"), {"a": "word" * 12 + "!"}),
]  # fmt: skip

_SCANS: list[Row] = [
    ("absent-clean", "", _absent("TODO"), {"a.js": "x\n"}),
    ("absent-hit", "", _absent("TODO"), {"a.js": "x\nTODO\n"}),
    ("absent-last-line-no-newline", "", _absent("TODO$"), {"a.js": "x\nTODO"}),
    ("absent-empty-file", "", _absent("TODO"), {"a.js": ""}),
    ("absent-empty-pattern", "empty-pattern", _absent(""), {"a.js": "x"}),
    ("absent-empty-pattern-empty-file", "empty-pattern", _absent(""), {"a.js": ""}),
    ("absent-blank-line", "", _absent("^$"), {"a.js": "x\n"}),
    ("absent-blank-line-none", "", _absent("^$"), {"a.js": "x"}),
    ("absent-caret-each-line", "", _absent("^b"), {"a.js": "a\nb\n"}),
    ("absent-across-lines", "across-lines", _absent("foo\\nbar"), {"a.js": "foo\nbar\n"}),
    ("absent-dotall-across", "across-lines", _absent("foo.bar", flags="s"), {"a.js": "foo\nbar\n"}),
    ("absent-class-across", "across-lines", _absent("\\{[\\s\\S]*TODO"), {"a.js": "f() {\n TODO\n}\n"}),
    ("absent-crlf-dollar", "crlf-dollar", _absent("TODO$"), {"a.js": "x\r\n// TODO\r\ny\r\n"}),
    ("absent-crlf-plain", "", _absent("TODO"), {"a.js": "x\r\n// TODO\r\n"}),
    ("absent-crlf-s-dollar", "", _absent("TODO\\s*$"), {"a.js": "x\r\n// TODO\r\n"}),
    ("absent-crlf-dollar-m", "", _absent("TODO$", flags="m"), {"a.js": "x\r\n// TODO\r\n"}),
    ("absent-carriage-return", "", _absent("\\r"), {"a.js": "x\r\ny\r\n"}),
    ("absent-carriage-return-end", "", _absent("\\r$"), {"a.js": "x\r\ny\r\n", "b.js": "z\n"}),
    ("absent-carriage-return-clean", "", _absent("\\r$"), {"a.js": "x\ny\n"}),
    ("absent-trailing-space-crlf", "crlf-dollar", _absent("[ \\t]+$"), {"a.js": "x  \r\n"}),
    ("absent-trailing-space", "", _absent("[ \\t]+$"), {"a.js": "x\n  y\nz \n"}),
    ("absent-any-white-end-crlf", "", _absent("\\s$"), {"a.js": "x\r\n"}),
    ("absent-no-final-newline-set", "", _absent("^[^x]*$"), {"a.js": "x\n"}),
    ("absent-tab", "", _absent("^\\t"), {"a.js": "x\n\ty\n"}),
    ("absent-form-feed", "", _absent("^TODO"), {"a.js": "x\x0cTODO\n"}),
    ("absent-next-line", "", _absent("^TODO"), {"a.js": "x\u0085TODO\n"}),
    ("absent-dollar-before-separator", "", _absent("TODO$", flags="m"), {"a.js": "TODO\u2029x\n"}),
    ("absent-dot-across-cr", "", _absent("a.b"), {"a.js": "a\rb\n"}),
    ("absent-cr-only", "", _absent("^TODO"), {"a.js": "x\rTODO\ry"}),
    ("absent-cr-only-hit", "", _absent("TODO"), {"a.js": "x\rTODO\ry"}),
    ("absent-line-separator", "", _absent("^TODO"), {"a.js": "x\u2028TODO"}),
    ("absent-line-separator-m", "", _absent("^TODO", flags="m"), {"a.js": "x\u2028TODO"}),
    ("absent-bom-caret", "bom", _absent("^TODO"), {"a.js": "\ufeffTODO\n"}),
    ("absent-utf16", "utf16", _absent("TODO"), {"a.js": _raw("// TODO\n".encode("utf-16-le"))}),
    ("absent-utf16-bom", "utf16", _absent("TODO"), {"a.js": _raw("\ufeff// TODO\n".encode("utf-16-le"))}),
    ("absent-utf16-clean", "utf16", _absent("TODO"), {"a.js": _raw("\ufeffx = 1\n".encode("utf-16-le"))}),
    ("absent-latin-1", "invalid-utf8", _absent("TODO"), {"a.js": _raw("// caf\u00e9\n".encode("latin-1"))}),
    ("absent-latin-1-hit", "invalid-utf8", _absent("TODO"), {"a.js": _raw("// caf\u00e9\nTODO\n".encode("latin-1"))}),
    ("absent-binary-beside", "", _absent("TODO", "**/*", ignore=[".skillgate/**"]), {"a.js": "x\n", "logo.png": _raw(b"\x89PNG\r\n\x1a\n\0\xff\xfe")}),
    ("absent-nul", "", _absent("TODO"), {"a.js": _raw(b"\0TODO\0\n")}),
    ("absent-flags-g", "", _absent("TODO", flags="g"), {"a.js": "x\nTODO\nTODO\n", "b.js": "TODO\n"}),
    ("absent-flags-g-clean", "", _absent("TODO", flags="gi"), {"a.js": "x\ny\n"}),
    ("absent-flags-y-indented", "sticky-flag", _absent("TODO", flags="y"), {"a.js": " TODO\n"}),
    ("absent-flags-y-start", "", _absent("TODO", flags="y"), {"a.js": "TODO\n"}),
    ("absent-flags-i", "", _absent("todo", flags="i"), {"a.js": "ToDo\n"}),
    ("absent-zero-width", "", _absent("TODO"), {"a.js": "T\u200bODO\n"}),
    ("absent-homoglyph", "", _absent("TODO"), {"a.js": "T\u041eDO\n"}),
    ("absent-link-inside", "", _absent("TODO"), {"l.js": {"symlink": "d/x.txt"}, "d/x.txt": "TODO\n"}),
    ("absent-linked-folder", "", _absent("TODO", "**/*.js"), {"lnk": {"symlink": "src"}, "src/a.js": "x\n", "b.js": "y"}),
    ("absent-linked-folder-hit", "linked-folder", _absent("TODO", "lnk/**/*.js"), {"lnk": {"symlink": "src"}, "src/a.js": "TODO\n"}),
    ("absent-linked-folder-beside", "linked-folder", _absent("TODO", ["lnk/**/*.js", "b.js"]), {"lnk": {"symlink": "src"}, "src/a.js": "TODO\n", "b.js": "x"}),
    ("absent-linked-folder-ignored-target", "linked-folder", _absent("TODO", "**/*.js", ignore=["src/**"]), {"lnk": {"symlink": "src"}, "src/a.js": "TODO\n", "b.js": "x"}),
    ("absent-linked-file-ignored-target", "linked-file", _absent("TODO", "**/*.js", ignore=["src/**"]), {"l.js": {"symlink": "src/a.js"}, "src/a.js": "TODO\n", "b.js": "x"}),
    ("absent-linked-file-only", "linked-file", _absent("TODO", "l.js"), {"l.js": {"symlink": "a.txt"}, "a.txt": "x\n"}),
    ("absent-link-out", "link-out-of-root", _absent("zzzqqq"), {"l.js": _LINK_OUT, "b.js": "x"}),
    ("absent-link-out-hit", "link-out-of-root", _absent("root"), {"l.js": _LINK_OUT, "b.js": "x"}),
    ("absent-link-loop", "link-loop", _absent("TODO", "**/*.js"), {"src/up": {"symlink": ".."}, "src/a.js": "x\n"}),
    ("absent-dangling", "dangling-link", _absent("TODO"), {"l.js": {"symlink": "none"}, "b.js": "x\n"}),
    ("absent-dangling-only", "no-file-matched", _absent("TODO"), {"l.js": {"symlink": "none"}}),
    ("absent-fifo-beside", "fifo", _absent("TODO"), {"p.js": _FIFO, "b.js": "x\n"}),
    ("absent-fifo-only", "fifo", _absent("TODO"), {"p.js": _FIFO}),
    ("absent-fifo-behind-link", "fifo", _absent("TODO"), {"l.js": {"symlink": "p"}, "p": _FIFO, "b.js": "x\n"}),
    ("absent-device-behind-link", "device", _absent("TODO"), {"l.js": {"symlink": "/dev/null"}, "b.js": "x\n"}),
    ("absent-folder-named-like-file", "", _absent("TODO"), {"d.js/x.txt": "x\n", "a.js": "x\n"}),
    ("absent-folder-named-like-file-hit", "", _absent("TODO"), {"d.js/x.txt": "TODO\n", "a.js": "x\n"}),
    ("absent-own-contract", "own-contract", _absent("SECRET_TOKEN", "**/*"), {"a.js": "x\n"}),
    ("absent-own-contract-ignored", "", _absent("SECRET_TOKEN", "**/*", ignore=[".skillgate/**"]), {"a.js": "x\n"}),
    ("absent-own-yaml", "own-contract", _absent("SECRET_TOKEN", "**/*.{yaml,yml}"), {"a.yaml": "x: 1\n"}),
    ("absent-parent-glob", "path-out-of-root", _absent("zzzqqq", "../*.zzz"), {"a.js": "x\n"}),
    ("absent-newline-in-name", "", _absent("TODO"), {"a\nb.js": "TODO\n"}),
    ("absent-space-in-name", "", _absent("TODO"), {"a b.js": "TODO\n"}),
    ("absent-long-line", "", _absent("TODO"), {"a.js": "x" * 100_000 + " TODO\n"}),
    ("absent-many-files", "", _absent("TODO", "src/**/*.js"), {f"src/d{n % 7}/f{n}.js": f"x{n}\n" for n in range(120)}),
    ("absent-catastrophic", "catastrophic-regex", _absent("(a+)+$"), {"a.js": "a" * 32 + "b\n"}),
    ("absent-backtracking", "", _absent("(x+x+)+y"), {"a.js": "x" * 14 + "\n"}),
    ("empty-one", "", _entries("d"), {"d/a": "x"}),
    ("empty-none", "", _entries("d"), {"d": _DIR}),
    ("empty-missing", "", _entries("d"), {"a": "x"}),
    ("empty-file", "", _entries("d"), {"d": "x"}),
    ("empty-gitkeep", "only-placeholders", _entries("d"), {"d/.gitkeep": ""}),
    ("empty-subfolder", "only-placeholders", _entries("d"), {"d/x": _DIR}),
    ("empty-empty-file", "only-placeholders", _entries("d"), {"d/x.txt": ""}),
    ("empty-dangling", "only-placeholders", _entries("d"), {"d/x": {"symlink": "none"}}),
    ("empty-fifo", "only-placeholders", _entries("d"), {"d/x": _FIFO}),
    ("empty-dot-file", "", _entries("d"), {"d/.config": "x"}),
    ("empty-min-2", "", _entries("d", min=2), {"d/a": "x", "d/b": "y"}),
    ("empty-min-3", "", _entries("d", min=3), {"d/a": "x", "d/b": "y"}),
    ("empty-min-counts-folders", "", _entries("d", min=2), {"d/a": "x", "d/b/c": "y"}),
    ("empty-min-not-deep", "", _entries("d", min=3), {"d/a/b": "x", "d/a/c": "y", "d/a/d": "z"}),
    ("empty-min-0", "min-zero", _entries("d", min=0), {"d": _DIR}),
    ("empty-min-0-full", "min-zero", _entries("d", min=0), {"d/a": "x"}),
    ("empty-min-negative", "min-zero", _entries("d", min=-5), {"d": _DIR}),
    ("empty-root", "", _entries("."), {"a": "x"}),
    ("empty-nested", "", _entries("a/b/c"), {"a/b/c/d": "x"}),
    ("empty-linked-folder", "linked-folder", _entries("l"), {"l": {"symlink": "d"}, "d/a": "x"}),
    ("empty-link-out", "link-out-of-root", _entries("l"), {"l": {"symlink": "/etc"}}),
    ("empty-parent", "path-out-of-root", _entries("../../../../../../../../../etc"), {"a": "x"}),
    ("empty-absolute", "path-out-of-root", _entries("/etc"), {"a": "x"}),
    ("empty-git-folder", "git-folder", _entries(".git"), {"a": "x"}),
]  # fmt: skip

_COMMANDS: list[Row] = [
    ("command-true", "", _run("true"), {}),
    ("command-false", "", _run("false"), {}),
    ("command-exit-3", "", _run("echo no >&2; exit 3"), {}),
    ("command-not-found", "", _run("definitely-not-a-command --x"), {}),
    ("command-empty", "empty-command", _run(""), {}),
    ("command-blank", "empty-command", _run("   "), {}),
    ("command-comment", "empty-command", _run("# later"), {}),
    ("command-colon", "", _run(":"), {}),
    ("command-syntax-error", "", _run("if true; then"), {}),
    ("command-pipeline", "masked-failure", _run("false | cat"), {}),
    ("command-or-true", "masked-failure", _run("false || true"), {}),
    ("command-not", "", _run("! test -e debug.log"), {}),
    ("command-not-red", "", _run("! test -e debug.log"), {"debug.log": "x"}),
    ("command-cd", "", _run("cd src && test -f a"), {"src/a": "x"}),
    ("command-cwd", "", _run("test -f here && test -f ./.skillgate/done.yaml"), {"here": "x"}),
    ("command-glob", "", _run("cat src/*.txt | sort -c"), {"src/1.txt": "a\n", "src/2.txt": "b\n"}),
    ("command-here-doc", "", _run("cat <<'X' | cut -c1 > /dev/null\nabc\nX\n"), {}),
    ("command-quotes", "", _run("""test "$(printf '%s' "a b" | wc -c | tr -d ' ')" = 3"""), {}),
    ("command-arithmetic", "", _run("test $((2 + 3)) -eq 5"), {}),
    ("command-case", "", _run('case "$(cat v)" in 1.*) exit 0;; *) exit 1;; esac'), {"v": "1.2\n"}),
    ("command-reads-stdin", "", _run('test "$(cat | wc -c | tr -d " ")" = 0'), {}),
    ("command-script", "", _run("./t.sh"), {"t.sh": {"text": "#!/bin/sh\nexit 0\n", "mode": "0755"}}),
    ("command-script-red", "", _run("./t.sh"), {"t.sh": {"text": "#!/bin/sh\nexit 9\n", "mode": "0755"}}),
    ("command-script-no-x", "", _run("./t.sh"), {"t.sh": {"text": "#!/bin/sh\nexit 0\n", "mode": "0644"}}),
    ("command-killed", "", _run("kill -9 $$"), {}),
    ("command-term", "", _run("kill -TERM $$"), {}),
    ("command-exit-256", "", _run("exit 256"), {}),
    ("command-noise-red", "", _run("printf '\\033[31mred\\033[0m\\377\\n' >&2; exit 1"), {}),
    ("command-900k", "", _run("head -c 900000 /dev/zero | tr '\\0' a"), {}),
    ("command-2m-green", "output-over-1-mib", _run("head -c 2000000 /dev/zero | tr '\\0' a"), {}),
    ("command-2m-stderr-green", "output-over-1-mib", _run("head -c 2000000 /dev/zero | tr '\\0' a >&2"), {}),
    ("command-2m-red", "", _run("head -c 2000000 /dev/zero | tr '\\0' a; exit 1"), {}),
    ("command-timeout", "", _run("sleep 5", timeout=300), {}),
    ("command-timeout-compound", "", _run("sleep 5; true", timeout=300), {}),
    ("command-in-time", "", _run("sleep 0.1", timeout=9000), {}),
    ("command-timeout-0", "timeout-zero", _run("sleep 0.2", timeout=0), {}),
    ("command-timeout-0-red", "timeout-zero", _run("exit 1", timeout=0), {}),
    ("command-background", "background-process", _run("sleep 1 & true"), {}),
    ("command-background-detached", "background-process", _run("(sleep 1) >/dev/null 2>&1 & true"), {}),
    ("command-writes", "command-writes-tree", _run("touch made"), {"a": "x"}),
    ("command-writes-tmp", "", _run('f=$(mktemp) && echo x > "$f" && test -s "$f" && rm "$f"'), {}),
    ("command-deletes", "command-writes-tree", _run("rm a"), {"a": "x"}),
    ("command-home", "", _run('test -n "$PATH"'), {}),
    ("command-git-folder", "git-folder", _run("test -d .git"), {}),
    ("command-ignored-file", "ignored-by-git", _run("test -f dist/app.js"), {"dist/app.js": "x", ".gitignore": "dist/\n"}),
    ("command-untracked-file", "", _run("test -f new.txt"), {"new.txt": "x"}),
]  # fmt: skip

# More than one gate, or a repository around it: what one gate does must not change another's answer.
_SEVERAL: list[tuple[str, str, list[Gate], Tree, str]] = [
    ("several-order", "", [_run("false"), _run("true"), _exists("a")], {"a": "x"}, "none"),
    ("several-write-then-exists", "command-writes-tree", [_run("touch made"), _exists("made")], {"a": "x"}, "none"),
    ("several-exists-then-write", "command-writes-tree", [_exists("made"), _run("touch made")], {"a": "x"}, "none"),
    ("several-repairs", "command-writes-tree", [_run("echo ok > a"), _contains("ok")], {"a": "bad\n"}, "none"),
    ("several-deletes-then-scan", "command-writes-tree", [_run("rm a.js"), _absent("TODO")], {"a.js": "TODO\n", "b.js": ""}, "none"),
    ("several-env", "", [_run("export X=1; cd /"), _run('test -z "$X"'), _exists("a")], {"a": "x"}, "none"),
    ("ignored-hit", "ignored-by-git", [_absent("TODO", "**/*.js")], {"build/a.js": "TODO\n", ".gitignore": "build/\n", "b.js": "x"}, "commit"),
    ("ignored-only", "ignored-by-git", [_absent("TODO", "build/*.js")], {"build/a.js": "TODO\n", ".gitignore": "build/\n"}, "commit"),
    ("ignored-evidence", "ignored-by-git", [_holds(".skillgate/evidence/t.txt")], {".skillgate/evidence/t.txt": "14 passed\n", ".gitignore": ".skillgate/evidence/\n"}, "commit"),
    ("ignored-evidence-empty", "ignored-by-git", [_holds("t.log")], {"t.log": "", ".gitignore": "*.log\n"}, "commit"),
    ("ignored-exists", "ignored-by-git", [_exists("dist/app.js")], {"dist/app.js": "x", ".gitignore": "dist/\n"}, "commit"),
    ("ignored-contains", "ignored-by-git", [_contains("ok", file="t.log")], {"t.log": "ok\n", ".gitignore": "*.log\n"}, "commit"),
    ("ignored-not-empty", "ignored-by-git", [_entries("out", min=2)], {"out/a": "x", "out/b": "y", ".gitignore": "out/\n"}, "commit"),
    ("ignored-command", "ignored-by-git", [_run("cat out/a")], {"out/a": "x", ".gitignore": "out/\n"}, "commit"),
    ("ignored-contract", "ignored-by-git", [_run("true")], {".gitignore": ".skillgate/\n", "a": "x"}, "commit"),
    ("ignored-info-exclude-like", "", [_absent("TODO", "**/*.js")], {"a/.gitignore": "*\n", "a/x.js": "TODO\n", "b.js": "x"}, "commit"),
    ("git-folder-not-scanned", "", [_absent("repositoryformatversion", "**/*", ignore=[".skillgate/**"])], {"a": "x"}, "commit"),
    ("git-folder-command", "", [_run("test -d .git")], {"a": "x"}, "commit"),
    ("git-attributes", "", [_absent("TODO", "**/*.js")], {".gitattributes": "*.js export-ignore -text\n", "a.js": "TODO\n"}, "commit"),
    ("git-submodule-like", "", [_absent("TODO", "**/*.js")], {"sub/.git": "gitdir: ../.git/modules/sub\n", "sub/a.js": "TODO\n", "b.js": "x"}, "none"),
]  # fmt: skip

# What decoding takes away is still there for a pattern that asks for it.
_AS_WRITTEN: list[tuple[str, Gate, Tree]] = [
    ("absent-names-separator", _absent("[\\u2028\\u2029]"), {"a.js": "x\u2028y\n"}),
    ("absent-names-separator-clean", _absent("[\\u2028\\u2029]"), {"a.js": "x\ny\n"}),
    ("absent-white-before", _absent("\\sTODO"), {"a.js": "x\u2029TODO\n"}),
    ("absent-across-separator", _absent("x[^]TODO"), {"a.js": "x\u2028TODO\n"}),
    ("absent-dot-all-separator", _absent("a.b", flags="s"), {"a.js": "a\u2028b\n"}),
    ("absent-names-bom", _absent("\\ufeff"), {"a.js": "\ufeffx\n"}),
    ("absent-bom-first-character", _absent("^[^T]"), {"a.js": "\ufeffTODO\n"}),
    ("absent-nul-in-utf16", _absent("\\0"), {"a.js": _raw("\ufeffTODO".encode("utf-16-le"))}),
    ("absent-nul-every-second", _absent("a.b"), {"a.js": _raw(b"a\0b\0c\0d\0e\0\n")}),
]  # fmt: skip


def edges(rng: random.Random) -> list[Case]:
    """Return one case for each row of the tables."""
    cases = []
    for name, edge, gate, tree in (*_FILES, *_SCANS, *_COMMANDS):
        cases.append(case(name, contract([gate], rng, CONTRACT_PATHS[0]), tree, edge=edge))
    for name, edge, gates, tree, git in _SEVERAL:
        named = [gate | {"id": f"g{number}"} for number, gate in enumerate(gates)]
        cases.append(case(name, contract(named, rng, CONTRACT_PATHS[0]), tree, edge=edge, git=git))
    cases += _unreadable(rng)
    for name, gate, tree in _AS_WRITTEN:
        cases.append(case(name, contract([gate], rng, CONTRACT_PATHS[0]), tree))
    return cases


def _unreadable(rng: random.Random) -> list[Case]:
    """Return the cases whose point is lost on root, who may read everything."""
    closed: Entry = {"text": "TODO\n", "mode": "0000"}
    rows: list[tuple[str, Gate, Tree]] = [
        ("unreadable-scan", _absent("TODO"), {"a.js": closed, "b.js": "x\n"}),
        ("unreadable-evidence", _holds("a"), {"a": closed}),
        ("unreadable-contains", _contains("TODO"), {"a": closed}),
        ("unreadable-exists", _exists("a"), {"a": closed}),
    ]
    return [
        case(name, contract([gate], rng, CONTRACT_PATHS[0]), tree, edge="unreadable", unprivileged=True)
        for name, gate, tree in rows
    ]
