"""Users' regular expressions, compiled once and always bounded: RE2 runs in linear time, the rest has a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from backcheck.evidence.jsregex import JsSyntaxError, rewrite
from backcheck.evidence.literals import required_words

MAX_PATTERN = 20_000
#: Seconds that one search of a pattern beyond RE2 may take.
TIMEOUT = 2.0
NATIVE_FLAGS = frozenset("ims")
DIALECTS = ("native", "javascript")
#: Bytes that are scanned for words at once.
_SCANNED = 64 * 1024


class PatternError(ValueError):
    """The pattern cannot be compiled; the text says why."""


class PatternTimeout(Exception):
    """A search ran longer than TIMEOUT: the pattern is catastrophic on this text."""


class Pattern(NamedTuple):
    """A compiled pattern over UTF-8 bytes with LF line ends.

    `fast` (RE2) never misses a match; where `exact` is set it decides what `fast` found.
    """

    source: str
    fast: Any
    exact: Any | None
    #: `fast` as a question of yes or no, without the cost of a match object: it is asked of every file.
    probe: Callable[[bytes], bool]
    #: The dialect's own line ends hold a CR, so a pattern can ask for one.
    sees_cr: bool = False
    #: Words of which every match holds one; empty where none is known.
    words: tuple[bytes, ...] = ()
    #: Finds these words, ten times as fast as one `in` for each.
    scan: Callable[[Any], Any] | None = None

    def may_match(self, data: bytes) -> bool:
        """Whether `fast` finds anything; False is final."""
        return not self.lacks(data) and bool(self.probe(data))

    def lacks(self, data: bytes) -> bool:
        """Whether none of the words stands in the data; then nothing in it matches. CR and NUL between them are no matter."""
        scan = self.scan
        if scan is None:
            return False
        if len(data) <= _SCANNED:
            return not scan(data)
        # All that is found in a piece is listed, so pieces are small.
        view, more = memoryview(data), max(map(len, self.words))
        return not any(scan(view[at : at + _SCANNED + more]) for at in range(0, len(data), _SCANNED))

    def with_words(self, words: Iterable[str]) -> Pattern:
        """The pattern, knowing words of which every match holds one."""
        known = tuple(word.encode() for word in sorted(words))
        if not known:
            return self
        from ahocorasick_rs import BytesAhoCorasick

        return self._replace(words=known, scan=BytesAhoCorasick(known).find_matches_as_indexes)

    def search(self, data: bytes) -> int | None:
        """Byte offset of the first match, or None. Errors: PatternTimeout."""
        found = self.fast.search(data)
        if found is None:
            return None
        if self.exact is None:
            return int(found.start())
        text = data.decode("utf-8", "replace")
        try:
            match = self.exact.search(text, timeout=TIMEOUT)
        except TimeoutError:
            raise PatternTimeout(f"/{self.source}/ took longer than {TIMEOUT:g} s") from None
        return None if match is None else len(text[: match.start()].encode("utf-8", "replace"))

    def matching_lines(self, data: bytes, *, limit: int) -> list[int]:
        """Numbers (from 1) of lines that match by themselves, at most `limit`. Errors: PatternTimeout."""
        hits: list[int] = []
        number, counted, at = 1, 0, 0
        while at <= len(data) and len(hits) < limit:
            found = self.fast.search(data, at)
            if found is None:
                break
            # A match may run over line ends; only what a line holds by itself counts.
            start = data.rfind(b"\n", at, found.start()) + 1 or at
            end = data.find(b"\n", start)
            end = len(data) if end < 0 else end
            if self.search(data[start:end]) is not None:
                number += data.count(b"\n", counted, start)
                counted = start
                hits.append(number)
            at = end + 1
        return hits


def compile_pattern(source: str, flags: str = "", *, dialect: str = "native", lines: bool = False) -> Pattern:
    """Compile a pattern. `lines`: `^` and `$` are line ends, for searches line by line. Errors: PatternError."""
    if not source:
        raise PatternError("the pattern is empty")
    if len(source) > MAX_PATTERN:
        raise PatternError(f"the pattern is {len(source):,} characters long; the limit is {MAX_PATTERN:,}")
    if dialect == "javascript":
        try:
            made = rewrite(source, flags, lines=lines)
        except JsSyntaxError as error:
            raise PatternError(str(error)) from None
        pattern = _pattern(source, made.fast, made.exact)._replace(sees_cr=True)
        return pattern.with_words(required_words(source, flags))
    unknown = sorted(set(flags) - NATIVE_FLAGS)
    if unknown:
        raise PatternError(f"no flag `{unknown[0]}`; the flags are i, m and s")
    inline = "".join(sorted(set(flags) | ({"m"} if lines else set())))
    return _native(source, f"(?{inline})" if inline else "")


def _native(source: str, head: str) -> Pattern:
    try:
        return _pattern(source, head + source, None).with_words(required_words(source, head.strip("(?)")))
    except PatternError as refused:
        if not any(mark in source for mark in ("(?=", "(?!", "(?<=", "(?<!", "\\1", "\\2", "(?P=")):
            raise
        try:
            # RE2 has no look-around and no back-references: everything goes to the engine with a clock.
            return _pattern(source, "", head + source)
        except PatternError:
            raise refused from None


def _pattern(source: str, fast: str, exact: str | None) -> Pattern:
    compiled = _re2(fast)
    return Pattern(source, compiled, None if exact is None else _regex(exact), _probe(compiled))


def _probe(compiled: Any) -> Callable[[bytes], bool]:
    import re2

    inner, anchors = getattr(compiled, "_regexp", None), getattr(re2, "_Anchor", None)
    if inner is None or anchors is None:
        return lambda data: compiled.search(data) is not None
    match, anywhere = inner.Match, anchors.UNANCHORED
    return lambda data: match(anywhere, data, 0, len(data))[0][0] >= 0


def _re2(source: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    try:
        return re2.compile(source, options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        text = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise PatternError(f"invalid pattern: {text}") from None


def _regex(source: str) -> Any:
    import regex

    try:
        return regex.compile(source, regex.VERSION0)
    except regex.error as error:
        raise PatternError(f"invalid pattern: {error}") from None
