"""What words of a sentence can give away, apart from what it says. The words themselves lie by language."""

from __future__ import annotations

from enum import StrEnum


class Cue(StrEnum):
    """Each value reads as the end of "the sentence …"."""

    #: Addresses whoever judges.
    INSTRUCTION = "gives orders to whoever judges it"
    NEGATION = "denies something"
    DOUBLE_NEGATION = "denies twice"
    HEDGE = "is not sure of itself"
    QUESTION = "asks"
    CONDITION = "speaks of a condition"
    QUOTE = "quotes or repeats what was asked"
    EXAMPLE = "gives an example"
    #: Of another time, or replaced by something later.
    PAST = "speaks of an earlier state"
    #: Often only the tense of a report, so a doubt for nothing but numbers.
    WAS = "may speak of an earlier state"
    CHANGE = "speaks of a change"
    AFTERWARDS = "speaks of what came after"
    CONTRAST = "takes something back"
    SCOPE = "may speak of a part only"
    REFUSAL = "tells what is turned away"
    #: Says that something was reached, finished or is in order.
    DONE = "says that something is done"
    AIM = "names an aim"
    PLANNED = "announces work"
    MENTION = "tells what a text is about, or what is usual"
    PRAISE = "praises"
    WEAK_PRAISE = "praises a little"
    UNDONE = "says that it was not done"
    #: Counts what is missing, not what is there.
    INVERSE = "counts what is missing"
    #: Counts what came on top of what was there.
    ADDED = "counts what was added"
    #: A day that is told by its distance.
    RELATIVE_DAY = "names a day by its distance"
    RECURRING = "speaks of a habit"
    #: Another event's day: of a rule, a version, a text.
    OTHER_EVENT = "dates something else"
