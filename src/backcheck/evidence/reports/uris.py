"""`file:` URIs and relative references of reports → paths. Nothing is fetched, and no other scheme is taken."""

from __future__ import annotations

from backcheck.evidence.reports.problem import ReportProblem, quoted


def path_of(uri: str) -> str:
    """The path, percent escapes decoded. Errors: ReportProblem for another scheme or a broken escape."""
    rest = uri
    scheme, colon, after = uri.partition(":")
    if colon and scheme.isalpha() and len(scheme) > 1:
        if scheme.lower() != "file":
            raise ReportProblem(f"places something at {quoted(uri)}, which is no file")
        rest = after
        if rest.startswith("//"):
            rest = "/" + rest[2:].partition("/")[2]
    return _decoded(rest, uri)


def _decoded(text: str, uri: str) -> str:
    if "%" not in text:
        return text
    head, *pieces = text.encode("utf-8", "surrogateescape").split(b"%")
    out = [head]
    for piece in pieces:
        try:
            out.append(bytes.fromhex(piece[:2].decode("ascii")) + piece[2:])
        except ValueError:
            raise ReportProblem(f"holds the broken address {quoted(uri)}") from None
        if len(piece) < 2:
            raise ReportProblem(f"holds the broken address {quoted(uri)}")
    return b"".join(out).decode("utf-8", "surrogateescape")
