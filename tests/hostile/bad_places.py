"""Contracts that are no regular files, calls that are wrong, and folders that are not what they seem."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.bad_contracts import GOOD, HERE
from tests.hostile.bad_model import FORGE, NATIVE, NOT_PASS, SKILLGATE, WRONG, Bad

FOREIGN_GOOD = {
    SKILLGATE: json.dumps({"version": 1, "gates": [{"type": "file-exists", "file": "a.txt"}]}),
    FORGE: json.dumps({"task": "t", "files": ["a.txt"]}),
}


def special(kind: str, target: Path) -> None:
    """Put something that is no regular file at a path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if kind == "folder":
        target.mkdir()
    elif kind == "FIFO":
        os.mkfifo(target)
    elif kind == "socket":
        # Bound by a short name: a socket's path may have about a hundred bytes.
        folder, before = os.open(target.parent, os.O_RDONLY), os.getcwd()
        os.fchdir(folder)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(target.name)
        os.chdir(before)
        os.close(folder)
    elif kind == "loop":
        target.symlink_to(target.name)
    elif kind == "sparse 2 GB":
        with target.open("wb") as handle:
            handle.truncate(2 * 1024**3)
    elif kind == "no right to read":
        target.write_text(GOOD)
        target.chmod(0)
    else:
        target.symlink_to({"zero": "/dev/zero", "full": "/dev/full", "tty": "/dev/tty", "terminal": "/dev/ptmx", "stdin": "/dev/stdin",
                           "memory": "/proc/self/mem", "kernel log": "/proc/kmsg", "password file": "/etc/passwd",
                           "parent": "..", "root": "/", "dangling out": "/nowhere/at/all"}[kind])  # fmt: skip


KINDS = (
    "folder",
    "FIFO",
    "socket",
    "loop",
    "sparse 2 GB",
    "zero",
    "full",
    "tty",
    "terminal",
    "stdin",
    "memory",
    "password file",
    "parent",
    "root",
)


def contract_files() -> Iterator[Bad]:
    """Each kind in the place of each contract."""
    for name in (NATIVE, SKILLGATE, FORGE):
        for kind in KINDS:
            yield Bad(kind="contract is no file", name=f"{kind} as {name}", lay=lambda f, k=kind, n=name: special(k, f / n), files=HERE,  # type: ignore[misc]
                      place=kind != "loop")  # fmt: skip
    for kind in KINDS:
        yield Bad(kind="named contract is no file", name=kind, lay=lambda f, k=kind: special(k, f / "x.yaml"), files=HERE,  # type: ignore[misc]
                  call=("check", "--json", "x.yaml"), place=False)  # fmt: skip
    outside: tuple[tuple[str, Callable[[Path], object]], ...] = (
        ("link out", lambda f: linked_out(f, NATIVE)), ("folder is a link out", folder_out), ("folder is a file", lambda f: (f / ".backcheck").write_text("x")),
        ("folder is a FIFO", lambda f: os.mkfifo(f / ".backcheck")), ("folder is a loop", lambda f: (f / ".backcheck").symlink_to(".backcheck")),
    )  # fmt: skip
    for name, lay in outside:
        yield Bad(kind="contract elsewhere", name=name, lay=lay, files=HERE, place=name == "link out")
    pairs = [
        (a, b)
        for a in (SKILLGATE, ".skillgate/done.yaml", ".skillgate/done.yml", ".skillgate.yaml", ".skillgate.yml")
        for b in (FORGE,)
    ]
    for a, b in pairs:
        yield Bad(
            kind="two contracts",
            name=f"{a} and {b}",
            files={**HERE, a: FOREIGN_GOOD[SKILLGATE], b: FOREIGN_GOOD[FORGE]},
            place=False,
        )
    yield Bad(kind="contract missing", name="nothing there", files=HERE, place=False)
    yield Bad(kind="contract missing", name="wrong case", files={**HERE, ".backcheck/Contract.yaml": GOOD}, place=False)


def linked_out(folder: Path, name: str) -> None:
    outside = folder.parent / f"{folder.name}-outside.yaml"
    outside.write_text(GOOD)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).symlink_to(outside)


def folder_out(folder: Path) -> None:
    outside = folder.parent / f"{folder.name}-outside"
    outside.mkdir()
    (outside / "contract.yaml").write_text(GOOD)
    (folder / ".backcheck").symlink_to(outside)


def calls() -> Iterator[Bad]:
    """Arguments of the command line that cannot be meant."""
    files = {**HERE, NATIVE: GOOD}
    for words in (
        ("check", "--nobody"), ("check", "--at", "deploy"), ("check", "--at", ""), ("check", "--only", "nobody"), ("check", "--only", ""), ("check", "--base", "HEAD"),
        ("check", "--base", ""), ("check", "--base", "--help"), ("check", "--base", "a\nb"), ("check", "--tree", "index"), ("check", "--tree", "HEAD"), ("check", "--tree", ""),
        ("check", "--tree", "nobody"), ("check", "--tree", "-x"), ("check", "-C", "nowhere"), ("check", "-C", "a.txt"), ("check", "nowhere.yaml"), ("check", "."),
        ("check", ""), ("check", "a", "b"), ("check", "a.txt"), ("check", "/dev/null"), ("check", "/dev/zero"), ("check", "/nowhere/x.yaml"), ("check", "--json=1"), ("check", "-x"),
        ("check", "--base"), ("check", "--only"), ("check", "-C"), ("chekc",), ("CHECK",), ("",), ("--nobody",), ("check", "--only", "a\x1b[2J"), ("check", "x" * 5000),
        ("check", "--no-cache=no"), ("check", "--quiet", "--nobody\n"), ("check", "a\nb.yaml"), ("check", "-C", "a\nb"), ("check", "--tree", "\udcff"), ("check", "\udcff"),
        ("explain", "nobody"), ("explain", "a", "b"), ("explain", "../human"), ("explain", ""), ("completion", "nobody"), ("completion",), ("doctor", "nowhere"), ("doctor", "-C", "nowhere"),
    ):  # fmt: skip
        yield Bad(kind="call", name=" ".join(words)[:60], files=files, call=words, place=False)


def deep(folder: Path, levels: int, name: str = "d") -> None:
    """Nested folders with a forbidden word at the bottom."""
    before = os.getcwd()
    os.chdir(folder)
    for _ in range(levels):
        os.mkdir(name)
        os.chdir(name)
    Path("evil.txt").write_text("FORBIDDEN\n")
    os.chdir(before)


def many(folder: Path, count: int) -> None:
    for number in range(count):
        (folder / f"{number}.txt").write_text("fine\n")
    (folder / f"{count}.txt").write_text("FORBIDDEN\n")


ABSENT = 'version: 1\nrequirements:\n  - {id: a, check: absent, with: {glob: "**", pattern: "^FORBIDDEN"}}\n'
#: The same contract twice, by names that no glob here covers: what is asked is about the rest of the tree.
TREE_CONTRACT = ABSENT.replace('"**"', '["**/*.txt", "x*", "x*/**"]')


def raw_name(folder: Path, name: bytes, text: bytes = b"FORBIDDEN\n") -> None:
    with open(os.fsencode(folder) + b"/" + name, "wb") as handle:
        handle.write(text)


def trees() -> Iterator[Bad]:
    """Trees in which a forbidden word is hard to get at, or something is no file: never a pass."""
    lays: dict[str, Callable[[Path], object]] = {
        **{f"only a {kind}": (lambda f, k=kind: special(k, f / "x.txt")) for kind in KINDS if kind not in ("folder", "parent", "root")},  # type: ignore[misc]
        **{f"a {kind} among files": (lambda f, k=kind: among(k, f))  # type: ignore[misc]
           for kind in KINDS if kind not in ("folder", "parent", "root", "loop")},
        "300 levels": lambda f: deep(f, 300), "199 levels": lambda f: deep(f, 199), "path over the system's limit": lambda f: deep(f, 100, "d" * 100),
        "5,000 files": lambda f: many(f, 5000), "long name": lambda f: (f / ("n" * 251 + ".txt")).write_text("FORBIDDEN\n"),
        "name that is no UTF-8": lambda f: raw_name(f, b"\xff\xfe.txt"), "name of newlines": lambda f: raw_name(f, b"\n\n.txt"), "name of escapes": lambda f: raw_name(f, b"\x1b[2J.txt"),
        "name like a glob": lambda f: raw_name(f, b"[x].txt"), "name with surrogate bytes": lambda f: raw_name(f, b"\xed\xa0\x80.txt"), "hidden name": lambda f: raw_name(f, b".x.txt"),
        "UTF-16 text": lambda f: raw_name(f, b"x.txt", "FORBIDDEN\n".encode("utf-16")), "UTF-16 without mark": lambda f: raw_name(f, b"x.txt", "a\nFORBIDDEN\n".encode("utf-16-be")),
        "UTF-8 mark": lambda f: raw_name(f, b"x.txt", b"\xef\xbb\xbfFORBIDDEN\n"), "carriage returns": lambda f: raw_name(f, b"x.txt", b"a\rFORBIDDEN\rb"),
        "zero width": lambda f: raw_name(f, b"x.txt", "FOR\u200bBIDDEN\n".encode()), "look-alikes": lambda f: raw_name(f, b"x.txt", "FORВIDDEN\n".encode()),
        "full width": lambda f: raw_name(f, b"x.txt", "ＦＯＲＢＩＤＤＥＮ\n".encode()), "after invalid bytes": lambda f: raw_name(f, b"x.txt", b"\xff\xff\nFORBIDDEN\n"),
        "after NUL": lambda f: raw_name(f, b"x.txt", b"\0\0\0\nFORBIDDEN\n"), "in a line of 20 MB": lambda f: raw_name(f, b"x.txt", b"a" * 20_000_000 + b"\nFORBIDDEN"),
        "at the edge of a window": lambda f: raw_name(f, b"x.txt", b"a" * (8 * 1024 * 1024 - 4) + b"\nFORBIDDEN\n"), "600 MB of nothing": lambda f: sparse(f / "x.txt", 600),
        "after 30 MB of nothing": lambda f: sparse(f / "x.txt", 30, b"\nFORBIDDEN\n"),
        "in a folder named .GIT": lambda f: deep(f, 1, ".GIT"),
    }  # fmt: skip
    for name, lay in lays.items():
        yield Bad(kind="tree", name=name, files={NATIVE: TREE_CONTRACT}, lay=lay, exits=NOT_PASS)


def among(kind: str, folder: Path) -> None:
    special(kind, folder / "x.txt")
    (folder / "y.txt").write_text("fine\n")


def sparse(path: Path, mebibytes: int, tail: bytes = b"") -> None:
    with path.open("wb") as handle:
        handle.truncate(mebibytes * 1024 * 1024)
        handle.seek(0, os.SEEK_END)
        handle.write(tail)


#: Checks that read one path, with arguments besides it: none may pass over something that is no file.
ONE_PATH: dict[str, tuple[str, dict[str, object]]] = {
    "file-exists": ("file", {}), "file-contains": ("file", {"pattern": "."}), "file-lacks": ("file", {"patterns": ["ERROR"]}), "evidence": ("file", {}),
    "schema": ("file", {"schema": {"type": "object"}}), "content": ("file", {"forbidden": ["lgtm"]}), "restatement": ("file", {}), "shape": ("file", {}),
}  # fmt: skip
#: Texts that say nothing, which none of these checks but existence may take for evidence.
HOLLOW = {"empty": b"", "blank": b" \n\t\r\n", "NUL": b"\0" * 64, "mark": b"\xef\xbb\xbf", "UTF-16 mark": b"\xff\xfe", "zero widths": "\u200b\u200b\ufeff\n".encode(),
          "no-break spaces": "\u00a0\u2003\u3000\n".encode()}  # fmt: skip


def one_path() -> Iterator[Bad]:
    """Every check that reads one path × everything that can stand there instead of a file with text."""
    for check, (field, rest) in ONE_PATH.items():
        text = json.dumps(
            {"version": 1, "requirements": [{"id": "a", "check": check, "with": {**rest, field: "x.txt"}}]}
        )
        for kind in (*KINDS, "dangling out", "missing"):
            if kind == "sparse 2 GB" and check == "file-exists":
                continue
            lay = (lambda f, k=kind: special(k, f / "x.txt")) if kind != "missing" else (lambda _f: None)  # type: ignore[misc]
            yield Bad(kind=f"{check} on no file", name=kind, files={NATIVE: text}, lay=lay, exits=NOT_PASS)
        for name, data in HOLLOW.items():
            if check != "file-exists" and not (check == "file-contains" and data):
                yield Bad(kind=f"{check} on nothing", name=name, files={NATIVE: text, "x.txt": data}, exits=NOT_PASS)
        for path in ("/etc/passwd", "../x.txt", "a/../../x", "~/.profile", "\\u0000", "x" * 5000, "a/" * 2000 + "b"):
            raw = text.replace('"x.txt"', f'"{path}"')
            yield Bad(kind=f"{check} out of the tree", name=path[:20], files={NATIVE: raw}, exits=NOT_PASS)


def places() -> list[Bad]:
    """All of them; without what this system has no device for."""
    found = [*contract_files(), *calls(), *trees(), *one_path()]
    return [bad for bad in found if not ("memory" in bad.name and not Path("/proc/self/mem").exists())]


def clear(folder: Path) -> None:
    """Remove an input, also where its paths are longer than the system takes at once."""
    shutil.rmtree(folder, ignore_errors=True)


__all__ = ("WRONG", "clear", "places")
