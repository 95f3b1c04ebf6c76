"""Check `secrets`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, broken, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.changes import LINK, SUBMODULE, Change
from backcheck.checks.secrets.detector import Detector, DetectorError, Missing, known_secrets, load
from backcheck.checks.secrets.hunt import Hit, Hunt, Sureness, hunt, known_before
from backcheck.checks.touched import check_globs, scope_of, touched
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.masking import MASK, mask
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance

_REMEDY = "Take it out, read it from the environment or a store of secrets, and revoke it: what was committed is known."


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The change brings no secret into the tree: keys and tokens of services, private keys, passwords in addresses.

    The detector is Kingfisher's library with its built-in rules, asked in this process and without the network; a secret
    is never verified, kept or shown. Each file is searched as it lies there (base64 and UTF-16 decoded), as a reader sees
    it (invisible and look-alike characters folded), with pieces of quoted text joined, and archives are opened two levels
    deep. Names of files are searched as well. No comment in the tree can make it look away; only `allow` can.

    What the base held in a file that was changed or removed is not new; with `whole` every file of the tree is searched,
    and nothing is old. Examples from services' own documentation and values without any randomness are no secrets.

    Passes when: there is none. Doubtful ones (passwords of examples, tokens in tests and documents) are listed in the pass.
    Fails when: there is one.
    Unclear when: it is one of a kind that is often meant so (a private key in tests, a JSON web token, a password in an
        address, a hit inside encoded data); nothing differs from the base; no file matches; a file is unreadable, larger than
        128 MiB or an archive that cannot be opened; or there is no base and `whole` is not set. An error where the detector
        is not installed (`pip install backcheck[secrets]`) or does not find a known secret.
    Cost: half a second, or five where the detector's rules must be compiled first; then about 100 MB each second.
    Source: backcheck's own; the rules are Kingfisher's and Betterleaks'.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(arguments={}, base={}, files={"config.py": known_secrets()["github-pat"]})

    #: Globs of the files that are searched; all where none is given. They count from the contract's root.
    paths: list[str] = field(default_factory=list)
    #: Search the whole tree, not only what changed.
    whole: bool = False
    #: `GLOB` or `GLOB:RULE`, as a report names the rule: secrets there are meant.
    allow: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_globs("paths", self.paths)
        for item in self.allow:
            glob, rule = _split(item)
            check_globs("allow", [glob])
            if glob.startswith("!") or (not rule and not glob.strip("*/")):
                raise ArgumentError("allow", f"`{item}` allows every secret; nothing would be checked")

    def answer(self, evidence: Evidence) -> Answer:
        """Search the change, or the tree."""
        paths = self._whole(evidence) if self.whole else self._changed(evidence)
        if isinstance(paths, Answer):
            return paths
        try:
            detector = load()
            there = [path for path, change in paths.items() if change is not Change.REMOVED]
            result = hunt(evidence, detector, there)
            return self._weigh(self._kept(evidence, detector, result, paths), result)
        except Missing as error:
            return broken(
                str(error),
                blame=Blame.ENVIRONMENT,
                remedy="Install it beside backcheck: `pip install backcheck[secrets]`.",
            )
        except DetectorError as error:
            return broken(str(error), remedy="Reinstall `kingfisher-secret-scanner` beside backcheck.")
        except (GitError, WorkerDied) as error:
            return unclear(f"not everything could be searched: {error}", blame=Blame.ENVIRONMENT)

    def _changed(self, evidence: Evidence) -> dict[str, Change] | Answer:
        change = touched(evidence, self.paths)
        if isinstance(change, Answer):
            return change
        if not change.all:
            return unclear(
                "nothing differs from the base: there is nothing to search",
                blame=Blame.AGENT,
                remedy="Do the work first.",
            )
        return change.paths

    def _whole(self, evidence: Evidence) -> dict[str, Change] | Answer:
        scope = scope_of(self.paths, evidence.prefix) if self.paths else None
        found = {
            path: Change.ADDED
            for path, (mode, _) in evidence.final_nodes().items()
            if mode not in {LINK, SUBMODULE} and (scope is None or path in scope)
        }
        if not found:
            return unclear("no file matches: nothing was searched", blame=Blame.CONTRACT,
                           remedy="Correct the glob, or remove the requirement.")  # fmt: skip
        return found

    def _kept(
        self, evidence: Evidence, detector: Detector, result: Hunt, paths: dict[str, Change]
    ) -> list[tuple[str, Hit]]:
        """Hits that are new and not allowed."""
        allowed = [(scope_of([glob], evidence.prefix), rule) for glob, rule in map(_split, self.allow)]
        kept = [
            (path, hit) for path, hit in result.found
            if not any(path in scope and rule in {"", hit.rule} for scope, rule in allowed)
        ]  # fmt: skip
        if not kept or self.whole:
            return kept
        known = known_before(evidence, detector, paths)
        return [(path, hit) for path, hit in kept if hit.digest not in known]

    def _weigh(self, found: list[tuple[str, Hit]], result: Hunt) -> Answer:
        by_weight = {sure: [item for item in found if item[1].sureness is sure] for sure in Sureness}
        plain, open_ones, noted = by_weight[Sureness.PLAIN], by_weight[Sureness.OPEN], by_weight[Sureness.NOTED]
        # A report shows places with their lines; these are not to be shown.
        details = {
            "lines_withheld": True,
            "searched": result.searched,
            "noted": [_told(path, hit) for path, hit in noted[:MAX_PLACES]],
        }
        if plain:
            return failed(
                f"{_counted(plain)}: {_first(plain)}",
                where=_places([*plain, *open_ones]),
                remedy=_REMEDY,
                details=details,
            )
        if result.problems:
            path, reason = result.problems[0]
            places = tuple(Place(path=_name(p), note=why) for p, why in result.problems[:MAX_PLACES])
            return unclear(f"not everything could be searched: {_name(path)} {reason}", where=places, details=details,
                           blame=Blame.ENVIRONMENT, remedy="Make the file readable, or let a person look at it.")  # fmt: skip
        if open_ones:
            reason = f"{_counted(open_ones)} that may be meant so: {_first(open_ones)}"
            return unclear(reason, where=_places(open_ones), blame=Blame.AGENT, details=details,
                           remedy="Take it out, or let a person decide; the contract can `allow` its place.")  # fmt: skip
        extra = f"; {len(noted)} doubtful: {_first(noted)}" if noted else ""
        return passed(f"no secret in {result.searched:,} files{extra}", where=_places(noted), details=details)


def _split(item: str) -> tuple[str, str]:
    glob, colon, rule = item.rpartition(":")
    return (glob, rule) if colon else (item, "")


def _name(path: str) -> str:
    return mask(shown(path), {})


def _told(path: str, hit: Hit) -> str:
    line = f":{hit.line}" if hit.line else ""
    name = MASK if hit.how == "in the name of the file" else _name(path)
    return f"{name}{line} {hit.rule}{f' ({hit.how})' if hit.how else ''}"


def _counted(found: list[tuple[str, Hit]]) -> str:
    return f"{len(found)} secret{'s' if len(found) > 1 else ''}"


def _first(found: list[tuple[str, Hit]]) -> str:
    return "; ".join(_told(path, hit) for path, hit in found[:3]) + ("; ..." if len(found) > 3 else "")


def _places(found: list[tuple[str, Hit]]) -> tuple[Place, ...]:
    return tuple(
        Place(
            path=MASK if hit.how == "in the name of the file" else _name(path),
            line=hit.line,
            note=f"{hit.rule} {hit.how}".strip(),
        )
        for path, hit in found[:MAX_PLACES]
    )
