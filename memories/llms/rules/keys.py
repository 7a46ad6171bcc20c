"""
From the words of a clause to the keys of a state: entity, concept, value (SPEC M-04). Pure.

A concept is named by the sentence's own noun or verb. Only where a language has two words for one thing that
share no stem does the short list of `SYNONYMS` say so.
"""

from typing import Final

from memories.language import concept_spelling, entity_spelling, word_set
from memories.llms.rules.relation import ME
from security.patterns import bounded


def pairs(text: str) -> dict[str, str]:
    """Return «a b: c; …» as {a: c, b: c}."""
    entries = (entry.split(":") for entry in text.split(";") if entry.strip())
    return {word: name.strip() for words, name in entries for word in words.split()}


SYNONYMS: Final = pairs(
    """
    chief_executive chief_executive_officer: ceo; chairman chairwoman chair 董事长 主席: chairperson;
    head_quarters hq head_office main_office headquartered_in headquartered_at 总部: headquarters;
    live_in live_at reside_in reside_at settle_in based_in home_town 住在 居住在 定居在 现居: residence;
    work_for work_at employee_of employed_at 任职于 就职于: employer; boss report_to 经理 上司: manager;
    located_in located_at situated_in lie_in stand_in 位于: location; married_to wife husband: spouse;
    born_in 出生于 出生在: birthplace; born_on date_of_birth: birthday; writer 作者: author;
    citizen_of nationality 国籍: citizenship; costs cost 价格 单价: price; expires expires_on: expiry;
    负责 负责人 owned_by: owner; 维护: maintainer; 首都: capital; 版本: version; 端口: port;
    截止日期: deadline;
    超时 超时时间: timeout; 上限 限制: limit; 预算: budget; 状态: status; 对接人 联系人 接口人: contact;
    speak fluent_in: language; work_as: occupation; weigh: weight; last: duration; run_on: runs_on
    """
)
"""Concept as said → the one key it is kept under, for what the two languages say in unlike words."""

_AGENTS: Final = pairs(
    "written wrote: author; led leads: lead; built: builder; made: maker; coached coaches: coach; "
    "hosted hosts: host;chaired chairs: chairperson; headed heads: head; taught: teacher; sung: singer"
)
_LATIN_AGENT: Final = bounded(r"(?:at|ct|it|vent|ess)$")

_FRESH: Final = bounded(r"^(?:(?:new|current|latest|updated|actual)\s+|新任?|现任|当前|最新的?)+", 2)
_FORMER: Final = bounded(
    r"^(?:(?:old|former|previous|initial|original|ex|last|first)\b|旧|前任?|原|以前|之前|上一)", 2
)
_COUNT: Final = bounded(r"(?:total )?(?:number|count|amount) of ([\w -]+)|([\w-]+) count")
_DETERMINER: Final = bounded(
    r"^(?:(?:the|a|an|our|their|this|that|its|your|his|her|all|every|each|some|any|both)\s+)+|^(?:这个|那个"
    r"|这|那|(?:我们|咱们)(?!家)的?|所以|但是?|不过|而且|因此)",
    2,
)
_TEAM: Final = ("", "we", "our", "us", "我们")
_QUOTES: Final = "\"'“”‘’「」『』《》`"
_OWNED: Final = bounded(r"(?<=\w)['’]s (?=\w)")
_OF: Final = bounded(r"(?P<head>(?:[\w-]+ )?[a-z][\w-]*) of (?:the |our |an? )?(?P<whole>[\w].*)")
_CLAIMED: Final = word_set("task tasks duty duties assignment assignments responsibility 任务 职责 工作")
"""What is somebody's to do is no attribute of theirs: who gave it to them decides (SPEC W-17)."""
_EMPTY: Final = word_set("it that this them these those here there so one what him her 它 他 她 这 那 什么")
_VERSION: Final = bounded(r"(?:version |release )?v?(\d+(?:\.\d+)+[\w.-]*|\d+)", 2)
_DATED: Final = bounded(r"\(?\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?\)?")
_TAIL: Final = bounded(
    r"(?:,?\s+(?:because|since|so that|which|who|where|while|although|though|unless|until|if|when|as of"
    r"|after|before|instead of|rather than|due to|thanks to|according to)\b.*|[,;] (?:and|but|so|not|as|for"
    r"|then|that|this|it|he|she|they|we|you|the|our|my|its|his|her|at|in|on|from|with|by|to)\b.*| [–—-] .*"
    r"|\s+(?:too|as well|anyway|instead|at present|lately|for good)|,?\s+(?:(?:on|in|since|from|as of|until"
    r"|by|at|before|after|due)\s+)*\(?\d{4}-\d\d(?:-\d\d)?[^,]{0,20}|[,，;；].*[\u3400-\u9fff].*|(?:因为"
    r"|由于|从而|之后|以后).*|了)$",
    2,
)
"""What stands behind a value and is none of it: reasons, contrasts, times."""


def concept_of(attribute: str) -> str | None:
    """Return the concept that an attribute names; None if it is a former one, or no words are left."""
    plain = _FRESH.sub("", attribute.strip())
    if not plain or _FORMER.match(plain) or plain.split()[-1].casefold() in _CLAIMED:
        return None
    if count := _COUNT.fullmatch(plain):
        return count_of(count[1] or count[2])
    key = concept_spelling(plain.replace("favorite", "favourite"))
    return SYNONYMS.get(key, key) if key else None


def count_of(noun: str) -> str:
    """Return the concept under which a number of things is kept: «12 employees» is an employee_count."""
    words = [
        _singular(word)
        for word in noun.casefold().split()
        if word not in ("total", "new", "more", "different")
    ]
    return f"{concept_spelling(' '.join(words))}_count"


def agent_of(participle: str) -> str:
    """Return who does what a verb says: maintained → maintainer, created → creator."""
    verb = participle.casefold()
    if verb in _AGENTS:
        return _AGENTS[verb]
    root = (
        verb.removesuffix("ing").removesuffix("ied")
        if verb.endswith(("ing", "ied"))
        else verb.removesuffix("ed")
    )
    root = root.removesuffix("s") if root == verb else root
    root = root.removesuffix("e")
    if root[-1:] == root[-2:-1] and root[-1:] not in "sl":
        root = root[:-1]
    agent = root + ("or" if _LATIN_AGENT.search(root) else "er")
    return SYNONYMS.get(agent, agent)


def entity_of(text: str, *, speaker: str) -> str:
    """
    Return the key of an entity as said; ME becomes the speaker, «team» stands for nobody named.

    Phrases of one thing meet: «the roof of the depot» and «the depot's roof».
    """
    plain = _DETERMINER.sub("", text.strip(_QUOTES + " ")).replace("’", "'")
    if (of := _OF.fullmatch(plain)) is not None:
        plain = f"{of['whole']} {of['head']}"
    plain = _OWNED.sub(" ", plain).replace(f"{ME}的", ME).replace(ME, f" {speaker} ")
    key = (entity_spelling(plain.removesuffix("'s").removesuffix("的")) or "").removesuffix(" s")
    return "team" if key in _TEAM else key


def value_of(text: str, *, speaker: str) -> str | None:
    """Return a value stripped to what it is, in lower case; None if nothing is left."""
    value = text.strip(" .。,，")
    while not _DATED.fullmatch(value) and (shorter := _TAIL.sub("", value).strip(" ,;:，。.!")) != value:
        value = shorter
    value = _DETERMINER.sub("", value.strip(_QUOTES + " ")).strip(_QUOTES + " ")
    if version := _VERSION.fullmatch(value):
        value = version[1]
    value = " ".join(value.replace(ME, f" {speaker} ").casefold().split())
    return None if not value or value in _EMPTY else value


def concept_of_value(value: str) -> str | None:
    """Return which attribute a value tells by its shape: a day is a date, «2.4» a version."""
    if is_date(value):
        return "date"
    return (
        "version"
        if bounded(r"(?:version |v)?\d+\.\d+\.\d+[\w.-]*|(?:version |v)\d[\w.-]*", 2).fullmatch(value)
        else None
    )


def is_date(value: str) -> bool:
    """Tell whether a value is a day or a month."""
    return _DATED.fullmatch(value.strip(" .")) is not None


def _singular(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if bounded(r"(?:s|x|z|ch|sh)es$").search(noun):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun
