"""Attributes by path, with `git check-attr` as the oracle."""

from __future__ import annotations

import pytest
from tests.support import Repo

from backcheck.evidence.attributes import Attributes

NAMES = ("eol", "text", "filter", "ident", "working-tree-encoding")
FILES = {
    ".gitattributes": """# a comment
* text=auto
*.sh eol=lf
[attr]odd filter=odd ident
*.odd odd
*.bin binary
/top.c ident
docs/** eol=crlf
docs/*.md -eol
"with space.txt" filter=spaced
"quo\\"ted.c" ident
!nothing.c eol=crlf
  indented.c eol=crlf
*.[ch] working-tree-encoding=UTF-16
a/**/z.c filter=deep
gone.sh !eol
*.late eol=crlf
*.late eol=lf
trailing.c\teol=crlf\tident
""",
    "a/.gitattributes": "*.sh eol=crlf\nb/y.sh -eol\n/top.c -ident\n",
    "a/b/.gitattributes": "x.sh !eol filter\n",
}
PATHS = ["x.sh", "a/x.sh", "a/b/x.sh", "a/b/y.sh", "q.odd", "m.bin", "top.c", "a/top.c", "docs/a.txt", "docs/x/y.md", "docs/a.md",
         "with space.txt", 'quo"ted.c', "!nothing.c", "nothing.c", "indented.c", "a/z.c", "a/b/z.c", "a/b/c/z.c", "gone.sh",
         "a/gone.sh", "k.late", "trailing.c", "deep/with space.txt", "README"]  # fmt: skip


@pytest.fixture
def repo_of_rules(repo: Repo) -> Repo:
    for path, text in FILES.items():
        repo.write(path, text)
    return repo


@pytest.mark.parametrize("path", PATHS)
def test_as_git_reads_them(repo_of_rules, path):
    ours = Attributes(
        lambda folder: FILES.get(f"{folder}/.gitattributes" if folder else ".gitattributes", "").encode()
    ).of(path)
    raw = repo_of_rules.git("check-attr", "-z", *NAMES, "--", path).split("\0")
    theirs = {
        name: {"set": "true", "unset": "false"}.get(value, value)
        for name, value in zip(raw[1::3], raw[2::3], strict=False)
    }
    assert {name: ours.get(name, "unspecified") for name in NAMES} == theirs
