"""api: any operation by its name, so that nothing of the API is out of reach."""

from __future__ import annotations

import json
import sys
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from candor import requests
from candor.cli.session import AsJson, plain, service, show
from candor.file import File
from candor.wire.call import Operation, listed


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(api)


def names(incomplete: str) -> list[tuple[str, str]]:
    """Return the operations that begin so, for completion."""
    return [(name, one.summary) for name, one in requests.OPERATIONS.items() if name.startswith(incomplete)]


def api(
    context: typer.Context,
    operation: Annotated[
        str | None, typer.Argument(help="Its name; none: list all.", autocompletion=names)
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option("-f", "--field", help="name=text, name:=JSON, name=@file, name=- ; may be repeated."),
    ] = None,
    describe: Annotated[bool, typer.Option("--describe", help="Tell its fields; send nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Send any operation of the API; the answer is its JSON."""
    if operation is None:
        show(
            {name: one.summary for name, one in requests.OPERATIONS.items()},
            as_json,
            lambda all_: "\n".join(f"{name}\n    {summary}" for name, summary in all_.items()),
        )
        return
    known = requests.OPERATIONS.get(operation)
    if known is None:
        raise typer.BadParameter(f"«{operation}» is none; `candor api` lists all")
    if describe:
        show(_described(known), as_json, _told)
        return
    arguments = _arguments(known, field or [])
    with service(context, as_json) as client:
        answer = getattr(client, operation)(**arguments)
    sys.stdout.write(
        answer if isinstance(answer, str) else json.dumps(plain(answer), ensure_ascii=False, indent=2) + "\n"
    )


def _described(known: Operation[Any]) -> dict[str, Any]:
    fields: dict[str, Any] = dict.fromkeys((*known.in_path, *known.in_query, *known.in_headers), "")
    if known.body is not None:
        known.body.model_rebuild()
        fields |= {name: one.description or "" for name, one in known.body.model_fields.items()}
    needed = [*known.in_path, *_needed_in_query(known)]
    needed += (
        [name for name, one in known.body.model_fields.items() if one.is_required()] if known.body else []
    )
    return {
        "summary": known.summary,
        "method": known.method,
        "path": known.path,
        "needed": needed,
        "fields": fields,
    }


def _needed_in_query(known: Operation[Any]) -> list[str]:
    takes = signature(getattr(requests, known.name)).parameters
    return [name for name in known.in_query if takes[name].default is Parameter.empty]


def _told(one: dict[str, Any]) -> str:
    lines = [one["summary"], f"{one['method']} /api/v1/{one['path']}"]
    lines += [
        f"  {name}{' (needed)' if name in one['needed'] else ''}  {told}"
        for name, told in one["fields"].items()
    ]
    return "\n".join(lines)


def _arguments(known: Operation[Any], fields: list[str]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for given in fields:
        name, is_json, text = _split(given)
        if name not in known.arguments:
            takes = ", ".join(known.arguments) or "none"
            raise typer.BadParameter(f"{known.name} has no field «{name}»; it takes {takes}")
        value = _file(name, text) if _is_file(known, name) else _value(name, text, is_json=is_json)
        many = name in known.in_query and name in arguments
        arguments[name] = [*listed(arguments[name]), value] if many else value
    missing = [name for name in _described(known)["needed"] if name not in arguments]
    if missing:
        raise typer.BadParameter(f"{known.name} needs {', '.join(missing)}")
    return arguments


def _split(given: str) -> tuple[str, bool, str]:
    name, equals, text = given.partition("=")
    if not equals or not name.rstrip(":"):
        raise typer.BadParameter(f"«{given}» is neither name=text nor name:=JSON")
    return name.removesuffix(":"), name.endswith(":"), text


def _is_file(known: Operation[Any], name: str) -> bool:
    if not known.is_form or known.body is None or name not in known.body.model_fields:
        return False
    known.body.model_rebuild()
    return known.body.model_fields[name].annotation is File


def _file(name: str, text: str) -> File:
    try:
        return File.at(text.removeprefix("@"))
    except OSError as error:
        raise typer.BadParameter(f"{name}: {error}") from None


def _value(name: str, text: str, *, is_json: bool) -> Any:
    try:
        if is_json:
            return json.loads(text)
        if text == "-":
            return sys.stdin.read()
        return Path(text[1:]).read_text("utf-8") if text.startswith("@") else text
    except (ValueError, OSError) as error:
        raise typer.BadParameter(f"{name}: {error}") from None
