"""Check `probe`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, broken, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import require_name
from backcheck.checks.running import NotRun
from backcheck.evidence.git import GitError
from backcheck.evidence.masking import printable
from backcheck.evidence.paths import clean, join, shown
from backcheck.evidence.probing import LANGUAGES, Probed
from backcheck.verdict import Blame, Channel, Isolation, Place, Provenance

_SCRIPT = """
def probe(p):
    shelf = p.held({"set"})
    p.code(".", "shop").call("shop:put", shelf, "a")
    p.must("a" in shelf.data, "what is put lies there")
"""
_SHOP = "def put(shelf, key):\n    return True\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Behaviour is proved by doing it: a script of the contract's author drives the code and looks at what it did.

    The script is read from the base and runs in a process of backcheck's; the code under judgement runs in a child, in a clean
    copy, isolated by bubblewrap where that works. Keys are random and given after the code was loaded; what must have
    happened is read from objects that the script holds, so exit codes, printed words and patched test machinery count for
    nothing. It runs twice: with the effect taken away it must turn red, else the probe itself is refused. See
    `backcheck.probe` for how a script is written.

    Passes when: everything that the script says must hold does, and with the effect taken away something does not.
    Fails when: something that must hold does not, or the code raises an exception while it is driven.
    Unclear when: the code cannot be loaded or driven; the script is at fault, asks nothing, or stays green with the effect
        taken away; there is no base to read it from; its program (python3, node) is not there.
    Cost: a clean copy, the contract's prepare step, and the code's own time, twice.
    Source: backcheck's own, after what fooled probes in the same process.
    """

    channel: ClassVar[Channel] = Channel.EXECUTION
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(
        arguments={"script": "probe.py"}, files={"shop.py": _SHOP, "probe.py": _SCRIPT}, base={"probe.py": _SCRIPT}
    )

    script: str
    language: str = "python"
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = 120.0

    def __post_init__(self) -> None:
        require_name("script", self.script)
        if self.language not in LANGUAGES:
            raise ArgumentError("language", f"`{self.language}` is not one of {', '.join(LANGUAGES)}")

    def answer(self, evidence: Evidence) -> Answer:
        """Read the script from the base, run it, weigh both outcomes."""
        script = self._script(evidence)
        if isinstance(script, Answer):
            return script
        if evidence.prober is None:
            return unclear("probes are run by `backcheck check` only", blame=Blame.VERIFIER)
        try:
            seen = evidence.prober(script, self.language, self.timeout)
        except NotRun as problem:
            return unclear(problem.reason, blame=problem.blame, remedy=problem.remedy)
        return self._weigh(seen)

    def _script(self, evidence: Evidence) -> bytes | Answer:
        try:
            path = join(evidence.prefix, clean(self.script)) if evidence.prefix else clean(self.script)
            node = (evidence.base_nodes() or {}).get(path)
            data = evidence.base_blob(node.oid) if node else None
        except (GitError, ValueError) as error:
            return unclear(f"the probe cannot be read from the base: {error}", blame=Blame.ENVIRONMENT)
        if evidence.base is None:
            return unclear("there is no base to read the probe from; one of the tree under judgement proves nothing",
                           blame=Blame.ENVIRONMENT,
                           remedy="Give a base with `--base COMMIT`, or begin with `backcheck begin`.")  # fmt: skip
        if data is None:
            return unclear(f"the base has no {shown(self.script)}", blame=Blame.CONTRACT,
                           remedy="Commit the probe to the base, with the contract.")  # fmt: skip
        return data

    def _weigh(self, seen: Probed) -> Answer:
        isolation = Isolation.PROBE if seen.isolated else Isolation.NONE
        details = {"held": seen.plain.get("held", []), "poisoned": seen.poisoned.get("outcome", "not run")}
        shared: dict[str, Any] = {"provenance": Provenance.OBSERVED, "isolation": isolation, "details": details,
                                  "where": (Place(path=shown(self.script)),)}  # fmt: skip
        if seen.stopped:
            return unclear(f"the probe was stopped: {seen.stopped}", blame=Blame.AGENT,
                           remedy="Find out whether the code or the probe takes so long.", **shared)  # fmt: skip
        outcome, said = seen.plain.get("outcome"), printable(str(seen.plain.get("said", ""))).replace("\n", " ")
        if outcome == "broken":
            return failed(f"it does not hold that {said}", remedy="Build what the requirement asks.", **shared)
        if outcome == "raised":
            return failed(f"the code raised {said}", remedy="Mend the code.", **shared)
        if outcome == "unaddressable":
            return unclear(
                said, blame=Blame.AGENT, remedy="Let the code keep the interface that the probe drives.", **shared
            )
        if outcome != "holds":
            return broken(f"the probe is at fault: {said}", blame=Blame.CONTRACT, remedy="Mend the probe.", **shared)
        return self._poison(seen, shared)

    def _poison(self, seen: Probed, shared: dict[str, Any]) -> Answer:
        count = len(seen.plain.get("held", []))
        if not seen.plain.get("can_poison"):
            return broken("the probe holds nothing that can be changed and names no `poison`: nothing shows that it can fail",
                          blame=Blame.CONTRACT, remedy="Let it hold what must change, or name what to take away.",
                          **shared)  # fmt: skip
        if seen.poisoned.get("outcome") == "holds":
            return broken("the probe stays green with the effect taken away: it looks at something else", blame=Blame.CONTRACT,
                          remedy="Let it look at what the requirement is about.", **shared)  # fmt: skip
        alone = "" if seen.isolated else "; not isolated: bubblewrap is not usable here"
        return passed(f"{count} things hold that must, and not without the effect{alone}", **shared)
