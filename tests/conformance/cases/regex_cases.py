"""JavaScript's regular expressions as gates' authors use them, and where other engines read them differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .case_model import CONTRACT_PATHS, Case, Gate, case
from .contract_text import contract

if TYPE_CHECKING:
    import random

# pattern, flags, a text that it finds, a text of the same kind that it does not find.
_USED: list[tuple[str, str, str, str]] = [
    (r"\bTODO\b(?!\s*\(#\d+\))", "", "x = 1  # TODO later\n", "x = 1  # TODO (#12) later\nTODOS\n"),
    (r"(?<!\w)eval\(", "", "a = eval(b)\n", "a = medieval(b)\n"),
    (r"(?<=\$\s*)\d+(?:\.\d\d)?", "", "costs $ 12.50\n", "costs 12.50 USD\n"),
    (
        r"""(password|secret|token)\s*[:=]\s*(['"])[^'"]{8,}\2""",
        "i",
        "API_TOKEN = 'abcdefgh1'\n",
        "token = 'short'\n",
    ),
    (r"^## \[?Unreleased\]?$", "mi", "# Log\n\n## [unreleased]\n\nx\n", "# Log\n ## [Unreleased]\n"),
    (r"^\s*(?:it|describe|test)\.(?:only|skip)\s*\(", "m", "a();\n  it.only('x')\n", "a(); it.only('x')\n"),
    (r"https?:\/\/(?!localhost)[\w.-]+\/", "", "see https://example.org/x\n", "see http://localhost/x\n"),
    (r"\d{1,3}(?:\.\d{1,3}){3}", "", "bind 10.0.0.12:80\n", "version 1.2.3\n"),
    (r"#[0-9a-f]{3}(?:[0-9a-f]{3})?\b", "i", "color: #FFaa00;\n", "issue #12z\n"),
    (r"(?<year>\d{4})-(?<month>0[1-9]|1[0-2])-\d\d", "", "on 2024-11-30\n", "on 2024-13-30\n"),
    (r"(?<q>['\"])use strict\k<q>", "", "'use strict';\n", "'use strict\";\n"),
    (r"\b(\w+)\s+\1\b", "i", "this is The the end\n", "that hat is it\n"),
    (
        r"^import .+ from 'lodash';$",
        "m",
        "import a from 'b';\nimport _ from 'lodash';\n",
        "import _ from 'lodash'; // x\n",
    ),
    (r"\u00e9t\u00e9", "", "un \u00e9t\u00e9 chaud\n", "un ete chaud\n"),
    (r"\x41\x42C", "", "ABC\n", "abc\n"),
    (r"caf\u00e9|na\u00efve", "i", "CAF\u00c9\n", "cafe\n"),
    (r"\p{Lu}\p{Ll}+", "u", "\u00c9cole\n", "\u00e9cole\n"),
    (r"\p{Script=Greek}", "u", "\u03b1 = 1\n", "a = 1\n"),
    (r"\u{1F600}", "u", "ok \U0001f600\n", "ok :)\n"),
    (r"^.$", "u", "\U0001f600", "ab"),
    (r"[\u4e00-\u9fff]{2,}", "", "\u5b8c\u6210\n", "done\n"),
    (r"start[\s\S]*?end", "", "start\nmiddle\nend\n", "end\nstart\n"),
    (r"start.*end", "s", "start\nmiddle\nend\n", "end\nstart\n"),
    (r"foo\r?\nbar", "", "foo\r\nbar\n", "foo\n\nbar\n"),
    (r"^$", "m", "a\n\nb\n", "a\nb"),
    (r"(?:ab){2,3}c", "", "ababc\n", "abc\n"),
    (r"a{2}", "", "baab\n", "bab\n"),
    (r"<([a-z]+)[^>]*>.*?<\/\1>", "", "<b class='x'>y</b>\n", "<b>y</i>\n"),
    (r"[^\x00-\x7F]", "", "na\u00efve\n", "naive\n"),
    (r"\[x\]\s.*(?:done|fertig)", "i", "- [X] All Done\n", "- [ ] all done\n"),
    (r"(?=.*\bunit\b)(?=.*\be2e\b)", "", "ran e2e and unit\n", "ran unit and unite2e\n"),
    (r"\t", "", "a\tb\n", "a b\n"),
    (r"\.(?:js|ts)x?['\"]$", "m", "import './a.tsx'\n", "import './a.css'\n"),
    (r"v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?", "", "v1.2.3-rc.1+b5\n", "v1.2\n"),
    (r"\$\{[^}]*\}", "", "a ${b} c\n", "a $b c\n"),
    (r"[\w.+-]+@[\w-]+\.[\w.]+", "", "mail me@example.org\n", "mail me at example\n"),
    (r"\bfunction\s*\*?\s*[A-Za-z_$][\w$]*\s*\(", "", "function* gen$1() {}\n", "functional(x)\n"),
    (r"[-+*\/]=", "", "a /= 2\n", "a = 2\n"),
    (r"fo+?b|ba*r", "", "foooob\n", "baz fo\n"),
    (r"TODO|FIXME|XXX", "g", "a FIXME b\n", "todo\n"),
]
# As above, where engines and even readers disagree; the peer's recorded answer is the reference.
_TRICKY: list[tuple[str, str, str, str]] = [
    (r"done$", "", "all done", "all done\n"),
    (r"^done$", "m", "x\ndone\ny", "x\ndone \ny"),
    (r"\d", "", "7", "\u0667"),
    (r"^\w+$", "", "cafe", "caf\u00e9"),
    (r"\bcaf\u00e9\b", "", "un caf\u00e9s", "un caf\u00e9 noir"),
    (r"a\sb", "", "a\u00a0b", "a\x1fb"),
    (r"a\sb", "", "a\ufeffb", "a\u0085b"),
    (r"a.b", "", "a\x0bb", "a\u2028b"),
    (r"^b", "m", "a\u2028b", "a\x0bb"),
    (r"[^]", "", "\n", ""),
    (r"[]", "", "", "anything"),
    (r"x*", "", "", "nothing"),
    (r"^.$", "", "\u00e9", "\U0001f600"),
    (r"^[\ud83d\ude00]{2}$", "", "\U0001f600", "\U0001f601"),
    (r"s", "i", "S", "\u017f"),
    (r"s", "iu", "\u017f", "z"),
    (r"\w", "iu", "\u212a", "-"),
    (r"\u00df", "i", "\u00df", "SS"),
    (r"i", "i", "I", "\u0130"),
    (r"\u03c3", "i", "\u03c2 \u03a3", "\u03b1"),
    (r"\u{3}", "", "uuu", "\x03"),
    (r"\p{L}", "", "p{L}", "a"),
    (r"\Afoo", "", "Afoo", "foo"),
    (r"foo\Z", "", "fooZ", "foo"),
    (r"\Q.\E", "", "QxE", "."),
    (r"[[:alpha:]]+", "", "a]", "abc"),
    (r"[a-z&&[^b]]", "", "q]", "c"),
    (r"[\w--\d]", "v", "a", "5"),
    (r"[\b]", "", "\x08", "b"),
    (r"x{,3}", "", "x{,3}", "xxx"),
    (r"a{", "", "a{", "a"),
    (r"]}", "", "]}", "]"),
    (r"(a)?b\1$", "", "b", "ba"),
    (r"\1(a)", "", "a", "b"),
    (r"(?:(a)|b)*\1c", "", "abc", "xc0"),
    (r"\101", "", "A", "101"),
    (r"\cJ", "", "\n", "J"),
    (r"\-\_\@\'", "", "-_@'", "-_@"),
    (r"\k<n>", "", "k<n>", "n"),
    (r"a\/b", "", "a/b", "a\\/b"),
    (r"a/b/c", "", "a/b/c", "abc"),
    (r"(?!)", "", "", "any"),
    (r"TODO", "y", "TODO first", "  TODO"),
    (r"(?=(a+))a*b\1", "", "baaabac", "bcc"),
    (r"(?<=(\d+)(\d+))$", "", "1053", "abcd"),
    (r"a|ab(?:c|bcd)(?:d*)", "", "abcd", "bcd"),
    (r"\u{61}", "u", "a", "u"),
    (r"\ud83d", "", "\U0001f600", "\U00010400"),
]
# The tricky readings again, in patterns that look around or back: these are what simple engines cannot run.
_COMBINED: list[tuple[str, str, str, str]] = [
    (r"(?=d)done$", "", "done", "done\n"),
    (r"(?<=x)\d", "", "x7", "x\u0667"),
    (r"(?!-)^\w+$", "", "cafe", "caf\u00e9"),
    (r"(?<!\w)caf\u00e9\b", "", "caf\u00e9s", "caf\u00e9 x"),
    (r"a(?=.b).b", "", "a\x0bb", "a\u2028b"),
    (r"(?<=^)b", "m", "a\nb", "a\x0bb"),
    (r"(a|b)\s\1", "", "a\u00a0a", "a\x1fa"),
    (r"(s)\1", "i", "sS", "s\u017f"),
    (r"(\w)\1", "iu", "\u212ak", "ab"),
    (r"^(?:(\w+) = \1;?)$", "m", "x\nfoo = foo;\n", "foo = bar;\n"),
    (r"(?<![\w.])os\.system(?=\()", "", "  os.system('x')\n", "macos.system('x')\n"),
    (r"(?<=import\s+\{[^}]*)\bfoo\b", "", "import { a, foo } from 'x'\n", "import { a } from 'foo'\n"),
    (r"^(?!.*\bskip\b).*\btest\b", "m", "run the test\n", "skip the test\n"),
    (r"^(?!\s*(?:#|\/\/)).*password", "im", "  Password = 1\n", "  # password = 1\n"),
    (r"(?:^|[^\\])\$\{(?!ENV_)", "", "a ${HOME}\n", "a ${ENV_HOME}\n"),
    (r"(?<!async\s)function\s+\w+(?=\()", "", "function f() {}\n", "async function f() {}\n"),
    (r"(['\"`])(?:(?!\1).)*TODO(?:(?!\1).)*\1", "", "x = \"a 'TODO' b\"\n", "x = 'a' TODO \"b\"\n"),
    (r"(?=[A-Z])[^a-z]{3}(?![A-Z])", "", "xABCd\n", "xABd\n"),
    (r"\p{L}(?=\d)", "u", "\u00e97", "\u0667\u0667"),
    (r"(?<=\p{Lu})\p{N}", "u", "\u00c97", "\u00e97"),
    (r"\p{Emoji_Presentation}", "u", "\U0001f389", "#"),
    (r"\p{General_Category=Uppercase_Letter}\P{L}", "u", "A-", "AB"),
    (r"[^\P{L}a-z]", "u", "\u00e9", "e7"),
    (r"\p{ASCII}\p{Any}", "u", "ab", "\u00e9"),
    (r"(?<n>a)(?<m>b)\k<m>\k<n>", "u", "abba", "abab"),
    (r"(?<a>.)(?<b>.)\2\1", "", "xyyx", "xyxy"),
    (r"a*?$", "", "b", ""),
    (r"(?:a*)*b", "", "aab", "aac"),
    (r"(?:a?)*?$", "", "ab", "\n"),
    (r"(z)((a+)?(b+)?(c))*$", "", "zaacbbbcac", "zab"),
    (r"[\s\S]{3}", "", "a\nb", "ab"),
    (r"[\d-x]", "", "-", "y"),
    (r"[\w-]+", "", "a-b", "+"),
    (r"[a\-z]", "", "-", "b"),
    (r"[$-\/]", "", "+", "a"),
    (r"[\]]", "", "]", "["),
    (r"[^\]]", "", "[", "]"),
    (r"\0", "", "\x00", "0"),
    (r"\8", "", "8", "\x08"),
    (r"(a)\2", "", "a\x02", "aa"),
    (r"\x4", "", "x4", "\x04"),
    (r"\u12", "", "u12", "\x12"),
    (r"\c", "", "\\c", "c"),
    (r"(?=a)*b", "", "b", "a"),
    (r"(?=a){2}a", "", "a", "b"),
    (r"\$\(", "", "$(", "("),
    (r"\r$", "", "a\r", "a\r\n"),
    (r"\r\n", "", "a\r\nb", "a\nb"),
    (r"[^\r]\n", "", "a\n", "a\r\n"),
    (r"\bK\b", "i", "\u212a k", "\u212a"),
    (r"[\u{1F300}-\u{1F5FF}]", "u", "\U0001f389", "\U0001f600"),
    (r"[^\u0000-\uFFFF]", "u", "\U0001f389", "\uffff"),
    (r".{2}$", "", "\U0001f600", "b"),
]
# What the peer cannot compile, so that the gate cannot pass.
_WRONG: list[tuple[str, str]] = [
    (r"(?i)todo", ""), (r"(?i:todo)", ""), (r"(?P<a>x)", ""), (r"(?#note)x", ""), (r"a++", ""), (r"(?>a)", ""),
    (r"(", ""), (r"[z-a]", ""), (r"x{2,1}", ""), (r"*a", ""), (r"\-", "u"), (r"\p{Nope}", "u"), (r"x", "q"),
    (r"x", "ii"), (r"(?<a>x)(?<a>y)", ""), (r"(?<y>\d{4})-|-(?<y>\d{4})", ""), (r"x", "uv"), (r"\k<b>(?<a>x)", ""),
    (r"(?<=a", ""), (r"]", "u"), (r"{1}", ""), (r"x", "x"), (r"\u{110000}", "u"), (r"(?<1a>x)", ""),
]  # fmt: skip
_PARSED = ("x", "o", "yes", "a b")


def _gates(pattern: str, flags: str, rng: random.Random) -> list[Gate]:
    """Ask one pattern in both directions; half the time add the question that it must not survive."""
    tail = {"flags": flags} if flags or rng.random() < 0.2 else {}
    gates: list[Gate] = [
        {"id": "found", "type": "file-contains", "file": "data/yes.txt", "pattern": pattern, **tail},
        {"id": "not-found", "type": "absent", "glob": "data/no.txt", "pattern": pattern, **tail},
    ]
    if rng.random() < 0.6:
        gates.append({"id": "whole", "type": "file-contains", "file": "data/no.txt", "pattern": pattern, **tail})
    if rng.random() < 0.6:
        gates.append({"id": "by-line", "type": "absent", "glob": "data/yes.*", "pattern": pattern, **tail})
    return gates


def regexes(rng: random.Random) -> list[Case]:
    """Return one case for each pattern."""
    cases = []
    for kind, table in (("used", _USED), ("tricky", _TRICKY), ("combined", _COMBINED)):
        for number, (pattern, flags, yes, no) in enumerate(table):
            path = rng.choices(CONTRACT_PATHS, weights=[8, 2, 2, 1, 2])[0]
            text = contract(_gates(pattern, flags, rng), rng, path)
            edge = "sticky-flag" if "y" in flags else ""
            tree = {"data/yes.txt": yes, "data/no.txt": no}
            cases.append(case(f"regex-{kind}-{number:03}", text, tree, path=path, edge=edge))
    for number in range(0, len(_WRONG), 2):
        gates: list[Gate] = []
        for offset, (pattern, flags) in enumerate(_WRONG[number : number + 2]):
            gate: Gate = {"id": f"g{offset}", "type": "file-contains", "file": "a.txt", "pattern": pattern}
            if rng.random() < 0.4:
                gate = {"id": f"g{offset}", "type": "absent", "glob": "*.txt", "pattern": pattern}
            gates.append(gate | ({"flags": flags} if flags else {}))
        tree = {"a.txt": " ".join(_PARSED) + " aaa todo xy 2024- -2025 - ] {1}\n"}
        path = rng.choice(CONTRACT_PATHS)
        text = contract(gates, rng, path)
        cases.append(case(f"regex-wrong-{number:03}", text, tree, path=path, edge="wrong-regex"))
    return cases
