"""Check `schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import read_text, require_name
from backcheck.contract.nodes import parse_data
from backcheck.errors import UserError
from backcheck.evidence.paths import shown
from backcheck.verdict import Blame, Channel, Place, Provenance

MAX_ERRORS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A JSON or YAML file fits a JSON Schema.

    `schema` is written in the contract, or is the path of a schema file. A schema file lies in the tree under judgement:
    protect it with `diff-scope`, or write the schema into the contract. Nothing is fetched: a `$ref` to elsewhere is a
    wrong schema.

    Passes when: the file parses (JSON by its ending, else YAML 1.2; no duplicate keys, aliases or tags) and is valid.
    Fails when: it is missing, does not parse, or breaks the schema; every place is listed as a JSON pointer.
    Unclear when: the file is too large (16 MiB) or the schema file cannot be used.
    Cost: reads one file; validation in compiled code.
    Source: JSON Schema, all drafts that `jsonschema-rs` knows.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "a.json", "schema": {"type": "object", "required": ["name"]}}, files={"a.json": "{}"}
    )

    file: str
    schema: str | dict[str, Any]

    def __post_init__(self) -> None:
        require_name("file", self.file)
        if isinstance(self.schema, dict):
            if not self.schema:
                raise ArgumentError("schema", "an empty schema accepts everything")
            try:
                _validator(self.schema)
            except ValueError as error:
                raise ArgumentError("schema", str(error)) from None
        else:
            require_name("schema", self.schema)

    def answer(self, evidence: Evidence) -> Answer:
        """Parse and validate."""
        path = shown(self.file)
        text = read_text(evidence, self.file)
        if isinstance(text, Answer):
            return text
        try:
            data = parse_data(text, self.file)
        except UserError as error:
            line = getattr(error.where, "line", 0)
            return failed(f"{path} cannot be parsed: {error.message}", where=(Place(path=path, line=line),),
                          remedy="Write a well-formed file.")  # fmt: skip
        schema = self._schema(evidence)
        if isinstance(schema, Answer):
            return schema
        try:
            validator = _validator(schema)
            errors = [error for error, _ in zip(validator.iter_errors(data), range(MAX_ERRORS), strict=False)]
        except ValueError as error:
            return unclear(f"the schema cannot be used: {error}", blame=Blame.CONTRACT)
        if not errors:
            return passed(f"{path} fits the schema", where=(Place(path=path),))
        places = tuple(Place(path=path, note=f"{_pointer(error)}: {error.message[:200]}") for error in errors)
        return failed(f"{path} breaks the schema at {places[0].note}", where=places,
                      remedy="Correct the values at these places.")  # fmt: skip

    def _schema(self, evidence: Evidence) -> dict[str, Any] | Answer:
        if isinstance(self.schema, dict):
            return self.schema
        path = shown(self.schema)
        text = read_text(evidence, self.schema)
        if isinstance(text, Answer):
            return unclear(f"the schema file cannot be had: {text.reason}", blame=Blame.CONTRACT, where=text.where)
        try:
            data = parse_data(text, self.schema)
        except UserError as error:
            return unclear(f"the schema {path} cannot be parsed: {error.message}", blame=Blame.CONTRACT)
        if not isinstance(data, dict) or not data:
            return unclear(
                f"the schema {path} is empty or no mapping; it would accept everything", blame=Blame.CONTRACT
            )
        return data


def _pointer(error: Any) -> str:
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in error.instance_path]
    return "/" + "/".join(steps) if steps else "the top"


def _refuse(uri: str) -> Any:
    raise ValueError(f"it refers to {uri}; nothing is fetched")


def _validator(schema: dict[str, Any]) -> Any:
    """A compiled validator. Errors: ValueError."""
    import jsonschema_rs

    try:
        options = jsonschema_rs.RegexOptions()
        return jsonschema_rs.validator_for(schema, retriever=_refuse, pattern_options=options)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(str(error).strip().splitlines()[0][:300]) from None
    except Exception as error:  # noqa: BLE001 - the binding's reference errors share no base class
        raise ValueError(str(error).strip().splitlines()[0][:300]) from None
