"""Which lines of a text are new against another: for files in which something was found; others need no comparison."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

#: A shortest edit takes (lines x lines / 64) steps and (lines x lines / 8) bytes; a stretch of more pairs is parted first.
MOST_PAIRS = 200_000_000
#: Pairs that all stretches of one text together may have; what is left then is counted, not compared.
ALL_PAIRS = 2_000_000_000
#: How often a stretch is parted again.
_LEVELS = 4

#: A stretch that differs: old lines from..to, new lines from..to (numbers from 0, the last not included).
Stretch = tuple[int, int, int, int]


def new_lines(before: str | None, after: str) -> set[int]:
    """Numbers (from 1) of the lines of `after` that an edit of `before` puts in; all where there was nothing.

    The edit is a shortest one as long as what differs is small (14,000 lines on either side). Beyond, lines that both texts
    hold once are taken for the same, as a patience diff does, and the stretches between them are compared; a stretch that
    has too few of these is counted: a line is new there for each time that the old stretch has it less often.
    """
    if not after:
        return set()
    # What ends in a line end has no further line.
    lines = after.removesuffix("\n").split("\n")
    if not before:
        return set(range(1, len(lines) + 1))
    old = before.removesuffix("\n").split("\n")
    first, end, start, stop = _trimmed(old, lines, (0, len(old), 0, len(lines)))
    numbers: dict[str, int] = {}
    left = [numbers.setdefault(line, len(numbers)) for line in old[first:end]]
    right = [numbers.setdefault(line, len(numbers)) for line in lines[start:stop]]
    budget = ALL_PAIRS
    found: set[int] = set()
    for a, b, c, d in _stretches(left, right, (0, len(left), 0, len(right)), _LEVELS):
        pairs = (b - a) * (d - c)
        budget -= pairs
        compare = _put_in if pairs <= MOST_PAIRS and budget >= 0 else _more_often
        found.update(compare(left[a:b], right[c:d], start + c + 1))
    return found


def _trimmed(old: Sequence[object], new: Sequence[object], whole: Stretch) -> Stretch:
    """A stretch without what both sides begin and end with."""
    first, end, start, stop = whole
    while first < end and start < stop and old[first] == new[start]:
        first, start = first + 1, start + 1
    while first < end and start < stop and old[end - 1] == new[stop - 1]:
        end, stop = end - 1, stop - 1
    return first, end, start, stop


def _stretches(old: Sequence[int], new: Sequence[int], whole: Stretch, levels: int) -> Iterator[Stretch]:
    """Where the two differ and something is new; a large part is parted at lines that both hold once."""
    stretch = first, end, start, stop = _trimmed(old, new, whole)
    if start == stop:
        return
    anchors = _anchors(old, new, stretch) if levels and (end - first) * (stop - start) > MOST_PAIRS else []
    if not anchors:
        yield stretch
        return
    for here, there in [*anchors, (end, stop)]:
        yield from _stretches(old, new, (first, here, start, there), levels - 1)
        first, start = here + 1, there + 1


def _anchors(old: Sequence[int], new: Sequence[int], stretch: Stretch) -> list[tuple[int, int]]:
    """Places of lines that stand once in either part, as many as keep their order in both."""
    first, end, start, stop = stretch
    places = {line: number for number, line in enumerate(old[first:end], start=first)}
    before, after = Counter(old[first:end]), Counter(new[start:stop])
    pairs = [(places[line], number) for number, line in enumerate(new[start:stop], start=start)
             if after[line] == 1 and before[line] == 1]  # fmt: skip
    # The longest rising run of old places: `tails` are the lowest ends of runs of each length, `back` leads to the run.
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for number, (place, _) in enumerate(pairs):
        length = bisect_left(tails, place)
        tails[length : length + 1] = [place]
        ends[length : length + 1] = [number]
        back.append(ends[length - 1] if length else -1)
    run: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        run.append(pairs[number])
        number = back[number]
    return run[::-1]


def _put_in(old: Sequence[int], new: Sequence[int], offset: int) -> set[int]:
    """Numbers of the lines that a shortest edit puts in; `offset` is the first one's number."""
    if not old:
        return set(range(offset, offset + len(new)))
    from rapidfuzz.distance import Indel

    return {offset + item.dest_pos for item in Indel.editops(old, new) if item.tag == "insert"}


def _more_often(old: Sequence[int], new: Sequence[int], offset: int) -> set[int]:
    """Numbers of the lines that the old part has less often."""
    left = Counter(old)
    found = set()
    for number, line in enumerate(new, start=offset):
        left[line] -= 1
        if left[line] < 0:
            found.add(number)
    return found
