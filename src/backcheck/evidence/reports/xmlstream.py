"""XML → events, streaming, bounded, with nothing that a document can make the parser do.

No entity is declared or resolved and nothing is fetched. A DOCTYPE that only names an outer DTD, as Cobertura writers put
it, is passed over; one with rules of its own is refused. Names lose their namespace prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from xml.parsers import expat

from backcheck.evidence.reports.problem import ReportProblem, quoted

MAX_DEPTH = 200
MAX_CHARACTERS = 64 * 1024
MAX_TOKEN = 8 * 1024 * 1024
MAX_NAMES = 10_000
_STEP = 1 << 20

Attributes = dict[str, str]


def walk(
    data: bytes | Iterable[bytes], start: Callable[[str, Attributes], None], end: Callable[[str, str], None]
) -> None:
    """Call `start(name, attributes)` and `end(name, its own text)` for every element. `data` may come in pieces, so that no
    document is held whole. Errors: ReportProblem."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    _Events(parser, start, end)
    try:
        given = 0
        for piece in pieces_of(data):
            parser.Parse(piece, False)
            given += len(piece)
            _bounded(parser, given)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ReportProblem(f"is no XML: {expat.ErrorString(error.code)} at line {error.lineno}") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, ReportProblem):
            raise
        raise ReportProblem("is XML in an encoding that is not known here") from None


def _bounded(parser: expat.XMLParserType, given: int) -> None:
    """What the parser itself would hold: a token that does not end, and every name that it has seen."""
    if given - parser.CurrentByteIndex > MAX_TOKEN:
        raise ReportProblem(f"has a tag of more than {MAX_TOKEN >> 20} MiB")
    if len(parser.intern) > MAX_NAMES:
        raise ReportProblem(f"uses more than {MAX_NAMES:,} names of elements and attributes")


def pieces_of(data: bytes | Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in pieces of bounded size."""
    if isinstance(data, bytes):
        view = memoryview(data)
        for at in range(0, len(view), _STEP):
            yield bytes(view[at : at + _STEP])
    else:
        yield from data


def _plain(attributes: Attributes) -> Attributes:
    """Names without prefix; what has none of its own is not overlaid by what has one."""
    if not any(":" in key for key in attributes):
        return attributes
    stripped = {key.rpartition(":")[2]: value for key, value in attributes.items() if ":" in key}
    return stripped | {key: value for key, value in attributes.items() if ":" not in key}


class _Events:
    """The parser's handlers; each element's own text is kept up to a limit."""

    def __init__(self, parser: expat.XMLParserType, start: Callable[[str, Attributes], None],
                 end: Callable[[str, str], None]) -> None:  # fmt: skip
        self.on_start, self.on_end = start, end
        self.texts: list[list[str]] = []
        self.length = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.skipped
        parser.UnparsedEntityDeclHandler = self.entity
        parser.ExternalEntityRefHandler = self.outer

    def start(self, name: str, attributes: Attributes) -> None:
        if len(self.texts) >= MAX_DEPTH:
            raise ReportProblem(f"is nested deeper than {MAX_DEPTH} levels")
        self.texts.append([])
        self.length = 0
        self.on_start(name.rpartition(":")[2], _plain(attributes))

    def end(self, name: str) -> None:
        text = "".join(self.texts.pop())
        self.length = 0
        self.on_end(name.rpartition(":")[2], text)

    def characters(self, text: str) -> None:
        # White space between elements is no text of anybody; of a long list of them it would be most of the memory.
        if self.texts and self.length < MAX_CHARACTERS and not text.isspace():
            self.length += len(text)
            self.texts[-1].append(text)

    def doctype(self, _name: str, _system: str | None, _public: str | None, own_rules: int) -> None:
        if own_rules:
            raise ReportProblem("brings a DTD of its own, which no report needs")

    def entity(self, name: str, *_: object) -> None:
        raise ReportProblem(f"declares the entity {quoted(name)}, which no report needs")

    def skipped(self, name: str, _parameter: bool) -> None:
        raise ReportProblem(f"uses the entity {quoted(name)}, which is nowhere declared")

    def outer(self, _context: object, _base: object, _system: object, _public: object) -> int:
        raise ReportProblem("refers to another document")
