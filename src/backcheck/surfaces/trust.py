"""Whose signatures count here: the keys that the base's contract names, and nobody's where the base has none."""

from __future__ import annotations

from backcheck.surfaces.locate import Place


def trusted_keys(place: Place) -> tuple[str, ...]:
    """The contract's keys if it was read from the base, else none: whoever wrote the tree could have named his own."""
    if place.contract is None or place.contract_from != "base":
        return ()
    return place.contract.trusted_keys


def record_keys(place: Place) -> tuple[str, ...]:
    """The keys whose records of runs count, likewise only from the base: its recorders' keys, and its reviewers'."""
    if place.contract is None or place.contract_from != "base":
        return ()
    return (*place.contract.recorder_keys, *place.contract.trusted_keys)


def why_none(place: Place) -> str:
    """Why no key is trusted here, or empty text where some are."""
    if place.contract is None:
        return "there is no contract here"
    if place.contract_from != "base":
        why = "there is no base" if place.base is None else "the base has no contract"
        return f"{why}, and keys that a contract of the tree names do not count"
    if not place.contract.trusted_keys:
        return f"the base's {place.contract.path} trusts no key"
    return ""
