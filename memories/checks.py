"""What must hold of the chosen language models, and how to mend what does not; no network is asked."""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.utils.module_loading import import_string


@register("models")
def check_language_models(_configs: Sequence[Any] | None = None, **_: Any) -> list[CheckMessage]:
    """Look at each alias of settings.LLMS."""
    messages = [] if "fallback" in settings.LLMS else [_no_fallback()]
    return messages + [message for alias, chosen in settings.LLMS.items() for message in _look(alias, chosen)]


def _look(alias: str, chosen: Mapping[str, Any]) -> Iterator[CheckMessage]:
    # Imported late: it takes 0.3 s, and not every command looks at this.
    from memories.llms import LanguageModel

    try:
        backend = import_string(chosen["BACKEND"])
    except ImportError:
        backend = None
    if not (isinstance(backend, type) and issubclass(backend, LanguageModel)):
        yield Error(
            f"The language model «{alias}» is no backend: {chosen['BACKEND']}.",
            hint="LLMS names a class that is a memories.llms.LanguageModel.",
            id="candor.E020",
        )
    elif chosen["OPTIONS"]:
        yield from _look_at_remote(alias, backend, chosen["OPTIONS"])


def _look_at_remote(alias: str, backend: type[object], options: Mapping[str, Any]) -> Iterator[CheckMessage]:
    # Later still: the built-in rules, which have no options, need no HTTP client.
    from memories.llms.remote import RemoteModel

    if issubclass(backend, RemoteModel):
        if not options.get("api_key") and not (backend.keyless_elsewhere and options.get("base_url")):
            yield _no_key(alias)
        yield from _address(alias, options.get("base_url"))
        yield from _effort(alias, backend.efforts, options.get("effort"))
        yield from _times(alias, options)


def _no_fallback() -> CheckMessage:
    return Error(
        "LLMS has no «fallback»: nobody stands in when the language model is out.",
        hint="Let it name memories.llms.rules.RulesModel, which needs no network.",
        id="candor.E021",
    )


def _no_key(alias: str) -> CheckMessage:
    return Error(
        f"The language model «{alias}» has no key.",
        hint="Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or CANDOR_LLM=rules for the built-in rules.",
        id="candor.E022",
    )


def _address(alias: str, address: str | None) -> Iterator[CheckMessage]:
    if not address:
        return
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
    except ValueError:
        sound = False
    if not sound:
        yield Error(
            f"The address of the language model «{alias}» is no http(s) address.",
            hint="ANTHROPIC_BASE_URL is like https://host, OPENAI_BASE_URL like https://host/v1.",
            id="candor.E023",
        )
    elif parts.scheme == "http" and not _is_near(str(parts.hostname)):
        yield Warning(
            f"The language model «{alias}» is asked in the open: texts and the key can be read on the way.",
            hint="Use https, or an address of your own network.",
            id="candor.W020",
        )


def _is_near(host: str) -> bool:
    """Tell whether a host is this machine or on a private network: by address, or by a name without dots."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host


def _effort(alias: str, known: Sequence[str], effort: str | None) -> Iterator[CheckMessage]:
    if effort is not None and effort not in known:
        yield Error(
            f"The language model «{alias}» knows no such effort: {effort}.",
            hint=f"CANDOR_LLM_EFFORT is empty or one of {', '.join(known)}.",
            id="candor.E024",
        )


def _times(alias: str, options: Mapping[str, Any]) -> Iterator[CheckMessage]:
    if options.get("deadline_seconds", 0) >= settings.CAPTURE_LEASE_SECONDS:
        yield Error(
            f"A turn may take the language model «{alias}» longer than a worker may hold a capture.",
            hint="Let deadline_seconds be well below CANDOR_CAPTURE_LEASE_SECONDS.",
            id="candor.E025",
        )
    elif options.get("timeout", 0) > options.get("deadline_seconds", float("inf")):
        yield Warning(
            f"A request to the language model «{alias}» is cut before its time: a whole turn has less.",
            hint="Lower CANDOR_LLM_TIMEOUT_SECONDS or raise CANDOR_CAPTURE_LEASE_SECONDS.",
            id="candor.W021",
        )
