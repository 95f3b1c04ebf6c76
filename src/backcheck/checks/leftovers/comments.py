"""Comments of languages that no parser here reads: found by their marks, outside quoted text, in one linear pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from backcheck.checks.code.languages import suffix_of


class Note(NamedTuple):
    """A comment: the line (from 1) and the offset at which it starts, and its text with its marks."""

    line: int
    text: str
    start: int


_DOUBLE = r'"(?:\\.|[^"\\\n])*"'
_SINGLE = r"'(?:\\.|[^'\\\n])*'"
#: One character in quotes; a lone quote (a lifetime, an apostrophe) opens nothing.
_CHARACTER = r"'(?:\\[^'\n]{1,8}|[^'\\\n])'"
_BLOCK = r"/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
_MARKUP = r"<!--(?:[^-]|-(?!->))*(?:-->|\Z)"
_HASH = r"(?<![^\s;{(,&|])#[^\n]*"

#: Name of a family → what is skipped as text, what is a comment.
_FAMILIES: dict[str, tuple[str, str]] = {
    "c": (rf"{_DOUBLE}|{_CHARACTER}", rf"//[^\n]*|{_BLOCK}"),
    "quoted": (rf"{_DOUBLE}|{_SINGLE}", rf"(?<!:)//[^\n]*|{_BLOCK}|{_MARKUP}"),
    "php": (rf"{_DOUBLE}|{_SINGLE}", rf"//[^\n]*|{_HASH}|{_BLOCK}|{_MARKUP}"),
    "hash": (rf"{_DOUBLE}|{_SINGLE}", _HASH),
    "ruby": (rf"{_DOUBLE}|{_SINGLE}", rf"{_HASH}|^=begin\b(?:.|\n)*?(?:^=end\b|\Z)"),
    "terraform": (_DOUBLE, rf"//[^\n]*|{_HASH}|{_BLOCK}"),
    "dash": (rf"{_DOUBLE}|{_SINGLE}", rf"--\[\[(?:.|\n)*?(?:\]\]|\Z)|--[^\n]*|{_BLOCK}|\{{-(?:.|\n)*?(?:-\}}|\Z)"),
    "semicolon": (_DOUBLE, r";[^\n]*"),
    "settings": (rf"{_DOUBLE}|{_SINGLE}", r"(?<![^\s])[#;!][^\n]*"),
    "percent": (_DOUBLE, r"(?<!\\)%[^\n]*"),
    "markup": (r"(?!)", rf"{_MARKUP}|\{{#(?:.|\n)*?(?:#\}}|\Z)|<%#(?:.|\n)*?(?:%>|\Z)|{_BLOCK}|(?<![:\w\"'])//[^\n]*"),
    "basic": (_DOUBLE, r"'[^\n]*"),
    "batch": (r"(?!)", r"(?:^|(?<=\n))[ \t]*(?:@?[Rr][Ee][Mm]\b|::)[^\n]*"),
    "fortran": (rf"{_DOUBLE}|{_SINGLE}", r"![^\n]*"),
    "unknown": (rf"{_DOUBLE}", rf"(?<![^\s])(?://|#|--|;|%|\*|'|REM\b)[^\n]*|{_BLOCK}|{_MARKUP}"),
}  # fmt: skip
_SUFFIXES = {
    "c": ".c .h .cc .cpp .cxx .hh .hpp .hxx .cs .java .kt .kts .go .rs .swift .scala .proto .m .mm .zig .sol .d .glsl .cu .ino",
    "quoted": ".dart .groovy .gradle .scss .less .css .sass .styl .jsonc .json5 .vue .svelte .astro "
              ".js .jsx .mjs .cjs .ts .tsx .mts .cts .d.ts .d.mts .d.cts",
    "php": ".php .phtml",
    "hash": ".sh .bash .zsh .fish .ksh .pl .pm .r .yaml .yml .toml .env .cmake .nix .ex .exs .jl .ps1 .psm1 .graphql .gql "
            ".nim .coffee .mk .py .pyi .pyw .pyx .pxd .bzl .star .tcl .awk .sed .dockerfile .gitignore",
    "ruby": ".rb .rake .gemspec",
    "terraform": ".tf .tfvars .hcl",
    "dash": ".sql .lua .hs .elm .ada .adb .ads .vhd .vhdl",
    "semicolon": ".lisp .cl .clj .cljs .cljc .el .scm .rkt .asm .s",
    "settings": ".ini .cfg .conf .properties .editorconfig",
    "percent": ".tex .erl .hrl .sty .bib",
    "markup": ".html .htm .xml .xhtml .md .markdown .mdx .jinja .j2 .erb .ejs .hbs .twig .liquid .xsl .xsd .plist .rst .adoc",
    "basic": ".vb .bas .vbs",
    "batch": ".bat .cmd",
    "fortran": ".f90 .f95 .f03 .f08",
}  # fmt: skip
_OF_SUFFIX = {suffix: family for family, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_OF_NAME = {"makefile": "hash", "dockerfile": "hash", "justfile": "hash", "gemfile": "ruby", "rakefile": "ruby",
            "vagrantfile": "ruby", "jenkinsfile": "quoted", "containerfile": "hash", "cmakelists.txt": "hash"}  # fmt: skip


def family_of(path: str) -> str:
    """The name of the family of comment marks that a file of this name uses."""
    name = path.rpartition("/")[2].lower()
    return _OF_NAME.get(name) or _OF_SUFFIX.get(suffix_of(path)) or ("hash" if name.startswith(".") else "unknown")


@cache
def _lexer(family: str) -> re.Pattern[str]:
    skipped, comment = _FAMILIES[family]
    return re.compile(f"(?:{skipped})|(?P<comment>{comment})", re.MULTILINE)


def notes_of(path: str, text: str) -> list[Note]:
    """Every comment of a file, in order."""
    found = []
    line, at = 1, 0
    for match in _lexer(family_of(path)).finditer(text):
        if match["comment"] is None:
            continue
        start = match.start("comment")
        line += text.count("\n", at, start)
        at = start
        found.append(Note(line, match["comment"], start))
    return found


def without_notes(text: str, notes: list[Note]) -> str:
    """The text with its comments taken out, line for line."""
    parts, at = [], 0
    for note in notes:
        parts += [text[at : note.start], "\n" * note.text.count("\n")]
        at = note.start + len(note.text)
    return "".join([*parts, text[at:]])


def pieces_of(path: str, text: str) -> Iterator[tuple[str, str]]:
    """The text cut into `code`, quoted `text` and `comment`, in order and without a gap."""
    at = 0
    for match in _lexer(family_of(path)).finditer(text):
        if match.start() > at:
            yield "code", text[at : match.start()]
        if match.end() > match.start():
            yield "text" if match["comment"] is None else "comment", match[0]
        at = match.end()
    if at < len(text):
        yield "code", text[at:]
