"""`.forge/content-verify.json`, read as it is: product files, per-file contracts, evidence gates, layer 3."""

from __future__ import annotations

import hashlib
import posixpath
import re
import shlex
from typing import Any

from backcheck.contract.fields import Fields
from backcheck.contract.load import check_unique, positions_below
from backcheck.contract.model import Contract, Requirement
from backcheck.contract.nodes import Document, parse
from backcheck.errors import UserError

NAME = ".forge/content-verify.json"
TYPES = ("regex", "negative", "llm", "argument-space")
STRENGTHS = ("L1", "L2", "L3", "L4")
_INLINE_FLAGS = re.compile(r"\(\?([ims]+)\)")
_NUMBER_IN_PATTERN = re.compile(r"\\d|\[[^\]]*\d[^\]]*\]|\d")


def load_forge(raw: bytes, path: str) -> Contract:
    """Parse a content-verify file. Errors: UserError at its place; an unknown type or a missing pattern is one."""
    document = parse(raw, path)
    fields = Fields(document, "", document.data, "the contract")
    task = fields.text("task", required=True)
    files = fields.texts("files")
    fields.text("model")
    requirements, notes = _product_files(document, fields, files)
    gates = fields.raw("evidence_gates")
    if gates is not None:
        requirements += _evidence_gates(document, Fields(document, "evidence_gates", gates, "`evidence_gates`"), files)
    notes += _layer3(document, fields)
    fields.finish()
    seen: list[str] = []
    for requirement in requirements:
        check_unique(requirement.id, seen, requirement.position)
        seen.append(requirement.id)
    digest = hashlib.sha256(raw).hexdigest()
    return Contract(
        path=path,
        format="forge",
        digest=digest,
        task=task,
        requirements=tuple(requirements),
        notes=tuple(notes),
    )


def _product_files(document: Document, fields: Fields, files: tuple[str, ...]) -> tuple[list[Requirement], list[str]]:
    """The requirements on each product file, and notes on what a per-file contract leaves unasked."""
    raw_contracts = fields.raw("contracts", {})
    contracts = Fields(document, "contracts", raw_contracts, "`contracts`")
    found: list[Requirement] = []
    notes: list[str] = []
    for index, file in enumerate(files):
        where = document.at(f"files.{index}")
        found += [
            Requirement(id=f"shape:{file}", check="shape", arguments={"file": file}, position=where,
                        description=f"{file} is a text, not a placeholder"),
            Requirement(id=f"restatement:{file}", check="restatement", arguments={"file": file}, position=where,
                        description=f"{file} holds work, not a restatement of the task"),
        ]  # fmt: skip
        if contracts.raw(file) is None:
            continue
        content = _content(document, file, contracts)
        found += [content] if content is not None else []
        if content is None:
            notes.append(f"the contract of {file} gives no length and no words: only `shape` and `restatement` ask it")
    contracts.finish()
    return found, notes


def _content(document: Document, file: str, contracts: Fields) -> Requirement | None:
    """The `content` requirement of one file, or None where its contract gives no criterion.

    Without one the other tool's layer asks nothing and goes on; it is no requirement here, so nothing passes by it.
    """
    # Built by hand: a file name holds dots, and dotted paths are how positions are kept.
    rule = Fields(document, contracts.path(file), contracts.data[file], "a file's contract")
    arguments: dict[str, Any] = {"file": file}
    low = rule.integer("minLen", 0, low=0, high=10_000_000)
    words, forbidden = rule.texts("keywords"), rule.texts("noKeywords")
    rule.finish()
    if not (low or words or forbidden):
        return None
    arguments |= {"min_length": low} if low else {}
    arguments |= {"keywords": list(words)} if words else {}
    arguments |= {"forbidden": list(forbidden)} if forbidden else {}
    return Requirement(
        id=f"content:{file}", check="content", arguments=arguments, position=rule.where(),
        description=f"{file} has its declared length and words",
        stricter=("a forbidden word or a length below the declared one is a failure by itself, not a question",),
    )  # fmt: skip


def _evidence_gates(document: Document, fields: Fields, files: tuple[str, ...]) -> list[Requirement]:
    folder = fields.text("evidence_dir")
    folders = [folder] if folder else _default_folders(files)
    found: list[Requirement] = []
    strengths = []
    for key, item in fields.items("requirements"):
        rule = Fields(document, key, item, "an evidence requirement")
        made, strength = _evidence_requirement(document, rule, folders)
        strengths.append(strength)
        found += made
    fields.finish()
    if strengths and all(strength == "L1" for strength in strengths):
        raise UserError("every requirement is of the weakest strength, L1; such a contract proves nothing",
                        where=fields.where("requirements"), slug="contract-weakest")  # fmt: skip
    return found


def _default_folders(files: tuple[str, ...]) -> list[str]:
    parents = dict.fromkeys(posixpath.dirname(file) for file in files) or {"": None}
    return [posixpath.join(parent, ".skillgate/evidence") for parent in parents]


def _evidence_requirement(document: Document, rule: Fields, folders: list[str]) -> tuple[list[Requirement], str]:
    name = rule.text("id", required=True)
    kind = rule.choice("type", "regex", TYPES)
    evidence = rule.text("evidence_file", required=kind != "argument-space")
    description = rule.text("desc")
    strength = rule.choice("strength", "", ["", *STRENGTHS, *(s.lower() for s in STRENGTHS)]).upper()
    rule.raw("verify_keyspace")
    check, arguments = _check_of(kind, rule, description)
    rule.finish()
    positions = positions_below(document, rule.key)
    positions |= {"with.pattern": rule.where("pattern"), "with.patterns": rule.where("patterns")}
    found = []
    for number, folder in enumerate(folders):
        label = name if number == 0 else f"{name}@{folder}"
        made: dict[str, Any] = {"position": rule.where(), "positions": positions, "description": description}
        if evidence:
            path = posixpath.join(folder, evidence)
            if kind in {"regex", "negative"}:
                arguments = arguments | {"file": path}
            found.append(Requirement(id=f"evidence:{label}", check="evidence", arguments={"file": path}, **made,
                                     stricter=("white space alone is no evidence", "paths stay below the root")))  # fmt: skip
        if check != "human" or number == 0:
            found.append(Requirement(id=label, check=check, arguments=arguments, **made, stricter=_STRICTER[kind]))
    return found, strength


def _check_of(kind: str, rule: Fields, description: str) -> tuple[str, dict[str, Any]]:
    if kind == "llm":
        rule.texts("patterns")
        rule.text("pattern")
        return "human", {"question": description or rule.text("id")}
    if kind == "argument-space":
        command = rule.text("verify_command", required=True)
        rule.text("pattern")
        try:
            return "command", {"run": shlex.split(command), "timeout": 30.0}
        except ValueError as error:
            raise UserError(f"`verify_command` cannot be split: {error}", where=rule.where("verify_command"),
                            slug="contract-value") from None  # fmt: skip
    single = rule.text("pattern")
    patterns = [single] if single else list(rule.texts("patterns"))
    rule.texts("patterns")
    if not patterns:
        raise UserError("a requirement of this type needs `pattern` or `patterns`", where=rule.where(),
                        slug="contract-missing")  # fmt: skip
    return _text_check(kind, patterns)


def _text_check(kind: str, patterns: list[str]) -> tuple[str, dict[str, Any]]:
    plain, flags = zip(*(_split_flags(pattern) for pattern in patterns), strict=True)
    arguments: dict[str, Any] = {"dialect": "javascript", "flags": "".join(sorted(set("".join(flags))))}
    if kind == "negative":
        return "file-lacks", arguments | {"patterns": list(plain)}
    numeric = [p for p in plain if _NUMBER_IN_PATTERN.search(p)]
    words = [p for p in plain if p not in numeric]
    # A number OR-ed with its own name would be green wherever the name stands: numbers must each match.
    arguments |= {"all": numeric} if numeric else {}
    arguments |= {"any": words} if words else {}
    return "file-contains", arguments


def _split_flags(pattern: str) -> tuple[str, str]:
    match = _INLINE_FLAGS.match(pattern)
    return (pattern[match.end() :], match[1]) if match else (pattern, "")


_STRICTER: dict[str, tuple[str, ...]] = {
    "regex": (
        "one requirement that does not match rejects, whatever the others say",
        "a pattern with a number must match even where `patterns` offers words as well",
    ),
    "negative": ("invisible and look-alike characters do not hide a match",),
    "llm": ("with no judge configured a person must look; nothing passes unread",),
    "argument-space": ("a verifier that cannot be started is an error, not the agent's failure",),
}


def _layer3(document: Document, fields: Fields) -> list[str]:
    value = fields.raw("layer3")
    if value is None:
        return []
    rule = Fields(document, "layer3", value, "`layer3`")
    threshold = rule.raw("divergence_threshold", 0.8)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 < threshold <= 1:
        raise UserError("`divergence_threshold` must be a number above 0 and at most 1",
                        where=rule.where("divergence_threshold"), slug="contract-value")  # fmt: skip
    output = rule.text("uncertain_output", ".forge/verify-uncertain.json")
    rule.finish()
    return [
        f"layer3: votes that agree less than {threshold} go to a person; the queue is `backcheck queue`, beside {output}"
    ]
