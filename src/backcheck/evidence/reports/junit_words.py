"""What the dialects of JUnit XML call an outcome: elements inside a case, and states in its attributes."""

from __future__ import annotations

from backcheck.evidence.reports.results_model import Outcome
from backcheck.evidence.reports.xmlstream import Attributes

ELEMENTS = {"failure": Outcome.FAILED, "error": Outcome.ERROR, "skipped": Outcome.SKIPPED}
#: The same, as writers that do not keep to the form spell them.
_LIKE = {
    **ELEMENTS, "fail": Outcome.FAILED, "failed": Outcome.FAILED, "failures": Outcome.FAILED, "errors": Outcome.ERROR,
    "errored": Outcome.ERROR, "exception": Outcome.ERROR, "skip": Outcome.SKIPPED, "disabled": Outcome.SKIPPED,
    "ignored": Outcome.SKIPPED, "pending": Outcome.SKIPPED, "notrun": Outcome.SKIPPED,
}  # fmt: skip
_STATES = {
    **dict.fromkeys(("", "run", "ran", "pass", "passed", "passing", "success", "successful", "succeeded", "ok", "completed",
                     "complete", "executed", "finished", "done"), Outcome.PASSED),
    **dict.fromkeys(("notrun", "disabled", "skip", "skipped", "ignored", "suppressed", "pending", "todo"), Outcome.SKIPPED),
    **dict.fromkeys(("fail", "failed", "failing", "failure", "timeout", "timedout", "broken"), Outcome.FAILED),
    **dict.fromkeys(("error", "errored", "crash", "crashed", "aborted", "canceled", "cancelled", "interrupted"),
                    Outcome.ERROR),
    "flaky": Outcome.FLAKY,
}  # fmt: skip


def outcome_of_element(name: str, attributes: Attributes, case: Attributes) -> Outcome | None:
    """The outcome that an element inside a case tells, or None where it tells none."""
    if name.startswith("flaky"):
        return Outcome.FLAKY
    outcome = _LIKE.get(name.lower())
    if outcome is Outcome.SKIPPED:
        if attributes.get("type") == "pytest.xfail":
            return Outcome.XFAILED
        # ctest writes a test whose program is missing as skipped; one that asked to be skipped says so.
        message = attributes.get("message", "")
        if case.get("status") == "notrun" and message and not message.startswith("SKIP_"):
            return Outcome.ERROR
    return outcome


def outcome_of_states(case: Attributes) -> tuple[Outcome, str]:
    """The worst outcome that the attributes of a case tell, and a state that is not known, or empty text."""
    worst, unknown = Outcome.PASSED, ""
    for key in ("status", "result"):
        said = case.get(key, "").strip().lower().replace("_", "").replace("-", "")
        outcome = _STATES.get(said)
        if outcome is None:
            unknown = case[key]
        else:
            worst = worse(worst, outcome)
    return worst, unknown


_ORDER = (
    Outcome.PASSED, Outcome.XFAILED, Outcome.SKIPPED, Outcome.FLAKY, Outcome.XPASSED, Outcome.FAILED, Outcome.ERROR,
)  # fmt: skip
_RANK = {outcome: rank for rank, outcome in enumerate(_ORDER)}


def worse(one: Outcome, other: Outcome) -> Outcome:
    """The worse of two outcomes; the first where they are equally bad."""
    return other if _RANK[other] > _RANK[one] else one
