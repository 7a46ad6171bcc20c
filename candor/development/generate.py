"""
Write `models.py`, `requests.py` and `surface.py` from the service's OpenAPI description.

    python manage.py spectacular --format openapi-json | python -m candor.development.generate

The three files are what a person would write: they are read, reviewed and kept like any other. A test says
when they are not what the service serves.
"""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = Path(__file__).resolve().parents[1]
FILES: Final = ("models.py", "requests.py", "surface.py")
PREFIX: Final = "/api/v1/"

OTHER_NAMES: Final = {
    "AnswerShown": "RecallAnswer",
    "ResultShown": "RecallResult",
    "ItemShown": "ContextItem",
    "ContextShown": "Context",
    "QuestionAskedRequest": "RecallRequest",
    "ContextAskedRequest": "ContextRequest",
    "EventShown": "AuditEvent",
    "TrailPage": "AuditPage",
    "MarkShown": "SessionMark",
    "RangeShown": "TimeRange",
    "UseShown": "MemoryUse",
    "HeldShown": "HeldPeriod",
    "Part": "HealthPart",
    "PolicyEnum": "NamedPolicy",
    "OutcomeWishOutcomeEnum": "TaskOutcome",
    "RightsEnum": "Right",
    "ScopesEnum": "Scope",
    "StepsEnum": "SleepStepName",
    "ReasonEnum": "VerificationReason",
    "ResultEnum": "UseResult",
}
"""Components whose name says little outside the service."""

HEADER: Final = (
    '"""{what}\n\nWritten by `python -m candor.development.generate`; change the service instead."""\n\n'
)


@dataclass(frozen=True)
class Argument:
    """One argument of an operation."""

    name: str
    kind: str
    required: bool
    told: str


def public_name(component: str) -> str:
    """Return the client's name of a component: without the suffixes that tell the service's serializers."""
    if component in OTHER_NAMES:
        return OTHER_NAMES[component]
    name = component.removeprefix("Patched") if component.startswith("Patched") else component
    name = re.sub(r"(Wish|Asked)Request$", "Request", name)
    name = re.sub(r"(Shown|Wish)([A-Za-z]*)Enum$", r"\2", name)
    name = re.sub(r"(Enum|Shown|Schema|Response)$", "", name)
    if component.endswith("ChangesRequest") or component in ("ChannelSetRequest", "WeightsSetRequest"):
        name = name.removesuffix("Request")
    return name


def described(text: str | None) -> str:
    """Return a description without the list of an enumeration's values, which its type has."""
    return re.split(r"\n*\* `", text or "")[0].strip()


class Types:
    """The types of a description's schemas, by the client's names."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.schemas: Mapping[str, Any] = document["components"]["schemas"]
        self.names = {name: public_name(name) for name in self.schemas}
        clash = len(self.names) - len(set(self.names.values()))
        if clash:
            seen: dict[str, list[str]] = {}
            for component, name in self.names.items():
                seen.setdefault(name, []).append(component)
            raise SystemExit(f"Two components have one name: {[s for s in seen.values() if len(s) > 1]}")

    def of(self, schema: Mapping[str, Any], *, sent: bool, argument: bool = False) -> str:
        """Return a schema's type; sent: of a body; argument: as a function takes it."""
        if "allOf" in schema:
            return self.of(schema["allOf"][0], sent=sent, argument=argument)
        if "oneOf" in schema:
            parts = [self.of(one, sent=sent, argument=argument) for one in schema["oneOf"]]
            return " | ".join(dict.fromkeys(parts))
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2], sent=sent, argument=argument)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            known = [self.of({**schema, "type": one}, sent=sent, argument=argument) for one in kinds]
            return " | ".join(known)
        return self._plain(schema, sent=sent, argument=argument)

    def _named(self, component: str, *, sent: bool, argument: bool) -> str:
        schema = self.schemas[component]
        if schema.get("type") == "null":
            return "None"
        name = self.names[component]
        name = f"models.{name}" if argument else name
        if "enum" in schema:
            return name if sent or argument else f"{name} | str"
        return f"{name} | Mapping[str, Any]" if argument else name

    def _plain(self, schema: Mapping[str, Any], *, sent: bool, argument: bool) -> str:
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
        kind, form = schema.get("type"), schema.get("format")
        if kind == "array":
            inner = self.of(schema["items"], sent=sent, argument=argument)
            return f"Sequence[{inner}]" if argument else f"list[{inner}]"
        if kind == "object":
            more = schema.get("additionalProperties")
            inner = self.of(more, sent=sent, argument=argument) if isinstance(more, dict) else "Any"
            return f"Mapping[str, {inner}]" if argument else f"dict[str, {inner}]"
        if kind == "string" and form == "binary":
            return "File" if argument else "FormFile"
        if kind == "string":
            text = {"uuid": "UUID", "date-time": "datetime", "date": "date"}.get(form or "", "str")
            return f"{text} | str" if argument and text != "str" else text
        return {"integer": "int", "number": "float", "boolean": "bool", "null": "None"}.get(kind or "", "Any")


def models_text(types: Types, sent: frozenset[str]) -> str:
    """Return `models.py`."""
    enums, classes = [], []
    for component, schema in types.schemas.items():
        name = types.names[component]
        if "enum" in schema:
            values = ", ".join(json.dumps(one) for one in schema["enum"])
            enums.append(f"{name}: TypeAlias = Literal[{values}]")
        elif schema.get("type") == "object":
            classes.append(_class_text(types, name, schema, sent=component in sent))
    head = HEADER.format(what="What is sent and what is answered, by the names of the API.")
    head += "from __future__ import annotations\n\nfrom datetime import date, datetime\n"
    head += (
        "from typing import Any, Literal, TypeAlias\nfrom uuid import UUID\n\nfrom pydantic import Field\n\n"
    )
    head += "from candor.wire.call import Answer, Body\nfrom candor.file import FormFile\n\n"
    return head + "\n".join(sorted(enums)) + "\n\n\n" + "\n\n\n".join(classes) + "\n"


def _class_text(types: Types, name: str, schema: Mapping[str, Any], *, sent: bool) -> str:
    required = set(schema.get("required", ()))
    lines = [f"class {name}({'Body' if sent else 'Answer'}):"]
    lines += [f'    """{described(schema.get("description")) or name}"""', ""]
    for field, one in schema.get("properties", {}).items():
        kind = types.of(one, sent=sent)
        told = described(one.get("description"))
        optional = field not in required
        if optional and "None" not in kind.split(" | "):
            kind += " | None"
        options = ["default=None"] if optional else []
        options += [f"description={json.dumps(told, ensure_ascii=False)}"] if told else []
        field_name = field + "_" if keyword.iskeyword(field) else field
        if not told:
            lines.append(f"    {field_name}: {kind}" + (" = None" if optional else ""))
        else:
            lines.append(f"    {field_name}: {kind} = Field({', '.join(options)})")
    return "\n".join(lines)


@dataclass(frozen=True)
class Described:
    """One operation of the description."""

    name: str
    method: str
    path: str
    spec: Mapping[str, Any]

    @property
    def parameters(self) -> list[Mapping[str, Any]]:
        """Those of the path in its order, then the others by name."""
        order = re.findall(r"{(\w+)}", self.path)
        found = self.spec.get("parameters", [])
        placed = [one for name in order for one in found if one["in"] == "path" and one["name"] == name]
        return placed + [one for one in found if one["in"] != "path"]

    @property
    def body(self) -> str | None:
        """The component that is sent."""
        return next((one["schema"]["$ref"].rpartition("/")[2] for one in self.content.values()), None)

    @property
    def content(self) -> Mapping[str, Any]:
        """What is sent, by media type; empty: nothing."""
        found: Mapping[str, Any] = self.spec.get("requestBody", {}).get("content", {})
        return found

    @property
    def is_form(self) -> bool:
        """Whether what is sent goes as a form."""
        return "multipart/form-data" in self.content

    @property
    def answers(self) -> dict[int, str | None]:
        """Status to component; `str` for what is no JSON, None for nothing."""
        found: dict[int, str | None] = {}
        for status, answer in self.spec["responses"].items():
            content = answer.get("content", {})
            kind = next(iter(content), None)
            reference = content[kind]["schema"].get("$ref", "") if kind else ""
            component = reference.rpartition("/")[2]
            if status.startswith("2"):
                found[int(status)] = component or ("str" if kind else None)
            elif kind == "application/json":
                found[int(status)] = component  # an answer with the status of a problem: `health_ready`
        return found


def argument_name(parameter: Mapping[str, Any]) -> str:
    """Return the argument of a parameter: a header's in lower case, the person's by its one name."""
    if parameter["in"] != "header":
        return str(parameter["name"])
    return str(parameter["name"]).removeprefix("Candor-").replace("-", "_").lower()


def operations_of(document: Mapping[str, Any]) -> Iterator[Described]:
    """Yield every operation, by name."""
    found = [
        Described(spec["operationId"], method.upper(), path.removeprefix(PREFIX), spec)
        for path, methods in document["paths"].items()
        for method, spec in methods.items()
    ]
    yield from sorted(found, key=lambda one: one.name)


def arguments_of(one: Described, types: Types) -> list[Argument]:
    """Return the arguments of an operation: those that must be given first."""
    found = [
        Argument(
            argument_name(parameter),
            types.of(parameter["schema"], sent=True, argument=True),
            parameter.get("required", False),
            described(parameter.get("description") or parameter["schema"].get("description")),
        )
        for parameter in one.parameters
    ]
    if one.body:
        schema = types.schemas[one.body]
        found += [
            Argument(
                name,
                types.of(field, sent=True, argument=True),
                name in schema.get("required", ()),
                described(field.get("description")),
            )
            for name, field in schema["properties"].items()
        ]
    names = [argument.name for argument in found]
    assert len(names) == len(set(names)), (one.name, names)
    return sorted(found, key=lambda argument: not argument.required)


def requests_text(document: Mapping[str, Any], types: Types) -> str:
    """Return `requests.py`."""
    head = HEADER.format(what="A function for each operation of the API, that returns the call of it.")
    head += "from __future__ import annotations\n\nfrom collections.abc import Mapping, Sequence\n"
    head += "from datetime import datetime\nfrom typing import Any, Final, Literal\nfrom uuid import UUID\n\n"
    head += "from candor import models\nfrom candor.wire.call import NOT_GIVEN, Call, NotGiven, Operation\n"
    head += "from candor.file import File\n\n"
    parts = [_operation_text(one, types) for one in operations_of(document)]
    names = "\n".join(f'    "{one.name}": {constant_name(one.name)},' for one in operations_of(document))
    table = "OPERATIONS: Final[Mapping[str, Operation[Any]]] = {\n" + names + "\n}\n"
    return head + "\n\n".join(parts) + "\n\n\n" + table + '"""Every operation, by its name."""\n'


def constant_name(name: str) -> str:
    """Return the constant that describes an operation."""
    return name.upper()


def answer_type(one: Described, types: Types) -> str:
    """Return what the operation returns."""
    kinds = []
    for component in one.answers.values():
        kinds.append("None" if component is None else component)
    return " | ".join(
        dict.fromkeys(kind if kind in ("None", "str") else f"models.{types.names[kind]}" for kind in kinds)
    )


def row_of(one: Described, types: Types) -> tuple[str, str] | None:
    """Return what is on a list's pages, and the argument that takes a page's `next`; None for no list."""
    component = one.answers.get(200)
    schema = types.schemas.get(component or "", {})
    if not {"results", "next"} <= set(schema.get("properties", ())):
        return None
    row = types.names[schema["properties"]["results"]["items"]["$ref"].rpartition("/")[2]]
    told = described(schema["properties"]["next"].get("description"))
    named = re.match(r"`(\w+)`", told)
    return f"models.{row}", named[1] if named else "cursor"


def _operation_text(one: Described, types: Types) -> str:
    arguments = arguments_of(one, types)
    placed = {place: [p for p in one.parameters if p["in"] == place] for place in ("path", "query", "header")}
    returned = answer_type(one, types)
    constant = constant_name(one.name)
    summary = described(one.spec.get("summary") or one.spec.get("description"))
    fields = [f'name="{one.name}"', f'method="{one.method}"', f'path="{one.path}"']
    fields.append(f"summary={json.dumps(summary, ensure_ascii=False)}")
    for name, place in (("in_path", "path"), ("in_query", "query")):
        if placed[place]:
            fields.append(f"{name}={tuple(p['name'] for p in placed[place])!r}")
    if placed["header"]:
        headers = {argument_name(p): p["name"] for p in placed["header"]}
        fields.append(f"in_headers={headers!r}")
    if one.body:
        fields.append(f"body=models.{types.names[one.body]}")
    if one.is_form:
        fields.append("is_form=True")
    answers = {
        status: "None" if c is None else c if c == "str" else f"models.{types.names[c]}"
        for status, c in one.answers.items()
    }
    fields.append("answers={" + ", ".join(f"{status}: {kind}" for status, kind in answers.items()) + "}")
    row = row_of(one, types)
    if row:
        fields.append(f"row={row[0]}")
        fields += [f'page_by="{row[1]}"'] if row[1] != "cursor" else []
    body = f"{constant}: Final[Operation[{returned}]] = Operation({', '.join(fields)},)\n\n\n"
    return body + _function_text(one, arguments, returned, summary)


def _function_text(one: Described, arguments: list[Argument], returned: str, summary: str) -> str:
    positional = [argument for argument in arguments if argument.required][:2]
    signature = [f"{argument.name}: {argument.kind}" for argument in positional]
    others = [argument for argument in arguments if argument not in positional]
    signature += ["*"] if others else []
    signature += [
        f"{argument.name}: {argument.kind}" + ("" if argument.required else " | NotGiven = NOT_GIVEN")
        for argument in others
    ]
    told = [f"{argument.name}: {argument.told}" for argument in arguments if argument.told]
    told = [
        "\n".join(textwrap.wrap(line, 105, initial_indent="    ", subsequent_indent="        "))
        for line in told
    ]
    summary = "\n    ".join(textwrap.wrap(summary, 100))
    doc = f'    """\n    {summary}\n\n' + "\n".join(told) + '\n    """' if told else f'    """{summary}"""'
    # long: none, they are tables
    text = f"def {one.name}({', '.join(signature)}{',' if others else ''}) -> Call[{returned}]:"
    if len(signature) + len(told) > 40:
        text += "  # long: a list of what may be given"
    return f"{text}\n{doc}\n    return Call({constant_name(one.name)}, locals())\n"


def surface_text(document: Mapping[str, Any], types: Types) -> str:
    """Return `surface.py`."""
    head = HEADER.format(what="Every operation as a method of either client, and an iterator for every list.")
    head += "from __future__ import annotations\n\nfrom candor import requests\n"
    head += "from candor.wire.binding import listing, operation\n\n\n"
    lines = [
        "class Surface:",
        '    """The API: what `Candor` does at once, `AsyncCandor` returns to be awaited."""',
        "",
    ]
    for one in operations_of(document):
        lines.append(f"    {one.name} = operation(requests.{one.name})")
        if row_of(one, types):
            lines.append(f"    {iterator_name(one.name)} = listing(requests.{one.name})")
    return head + "\n".join(lines) + "\n"


def iterator_name(operation: str) -> str:
    """Return the iterator of a list: `list_memories` has `iter_memories`."""
    return "iter_" + operation.removeprefix("list_").removeprefix("get_")


def generate(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the files by name, formatted."""
    types = Types(document)
    sent = frozenset(name for name in types.schemas if name.endswith("Request"))
    texts = {
        "models.py": models_text(types, sent),
        "requests.py": requests_text(document, types),
        "surface.py": surface_text(document, types),
    }
    return {name: formatted(text, name) for name, text in texts.items()}


def formatted(text: str, name: str) -> str:
    """Return the code as ruff writes it, without imports that nothing uses."""
    ruff = str(Path(sys.executable).parent / "ruff")
    path = str(PACKAGE / name)
    for command in (
        ["check", "--fix-only", "--exit-zero", "--quiet", "--stdin-filename", path, "-"],
        ["format", "--quiet", "--stdin-filename", path, "-"],
    ):
        text = subprocess.run([ruff, *command], input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> None:
    """Read the description and write the files."""
    for name, text in generate(json.load(sys.stdin)).items():
        (PACKAGE / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
