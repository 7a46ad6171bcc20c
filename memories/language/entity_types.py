"""
What an entity is, by cues in its name, its sentence and its role in a state; a thing when unsure (SPEC M-10).

Pure. Cues are conservative on purpose: a wrong type filters an entity away, «thing» filters nothing.
"""

from typing import Final

from memories.language.entity_names import CJK
from memories.language.token_words import word_set
from security.patterns import bounded

PERSON_OF: Final = word_set(
    "birthday birthplace age spouse occupation employer hometown alma_mater school sibling children child "
    "father mother hobby diet religion nationality gender profession job height pet allergy death_place "
    "cause_of_death"
)
"""Concepts that only people have: whoever has one is a person. Residence is not among them; firms reside,
too."""

PERSON_IS: Final = word_set(
    "spouse manager founder author director chief_executive_officer ceo cto lead maintainer supervisor coach "
    "editor chairperson inventor composer painter father mother sibling child"
)
PLACE_IS: Final = word_set(
    "residence hometown birthplace location headquarters death_place burial_place capital city country"
)
ORGANISATION_IS: Final = word_set("employer alma_mater publisher manufacturer broadcaster")
"""Concepts whose value is a person, a place, an organisation."""

_IDENTIFIER: Final = bounded(
    r"[A-Z]{2,}-\d+|v\d+(?:\.\d+)+\S*|[\w.+-]+@[\w-]+\.[\w.]+|[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*"
    r"|[\w.-]+(?:/[\w.-]+){2,}|[\w.-]+/[\w-]+[._][\w.-]+|[\w-]+\.(?:py|js|ts|go|rs|sql|md|json|ya?ml|toml|txt|csv|pdf|sh)"
)
_HONORIFIC: Final = bounded(
    r"(?:Mr|Mrs|Ms|Mx|Dr|Prof|Professor|Sir|Dame|Judge|Captain)\.? [A-Z]\S*(?: [A-Z]\S*)*"
)
_TITLED: Final = bounded(r"[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|教授|博士|医生|律师|经理|总监|同学|师傅)")
_ENDINGS: Final = (
    (
        "organisation",
        r"(?:.+\s)(?:Inc|Ltd|LLC|GmbH|Corp|Corporation|Company|Co|AG|PLC|SE|University|Institute|Bank|Ministry|Agency|"
        r"Foundation|Association|Hospital|School|College|Committee|Council|Airlines|Group|Department)\.?",
        r"[^的，]{2,10}(?:公司|集团|大学|银行|医院|学院|研究院|研究所|委员会|协会|基金会|政府|法院|出版社|事务所)",
    ),
    (
        "place",
        r"(?:.+\s)(?:Street|Avenue|Boulevard|Road|Square|City|County|Airport|Station|River|Lake|Island|Valley|Bridge|"
        r"Park|Harbour|Harbor)",
        r"[^的，]{2,10}(?:市|省|县|镇|村|路|街|机场|车站|火车站|公园|广场|半岛|群岛)",
    ),
    (
        "project",
        r"(?:Project\s.+|.+\s(?:[Pp]roject|[Ii]nitiative|[Pp]rogramme|[Mm]igration))",
        r"[^的，]{2,10}(?:项目|工程|计划)",
    ),
    (
        "product",
        r".+[\s-](?:[Ss]ervice|[Ss]erver|[Aa]pp|API|api|CLI|cli|SDK|sdk|[Dd]atabase|db|DB|[Gg]ateway|[Qq]ueue|[Ww]orker|bot)"
        r"|[A-Z]\w+ v?\d+(?:\.\d+)*",
        r"[^的，]{2,10}(?:系统|平台|软件|应用|数据库|服务器|手机|浏览器|客户端|框架)",
    ),
    (
        "concept",
        r".+\s(?:[Mm]ethod|[Tt]heory|[Aa]lgorithm|[Pp]rotocol|[Pp]rinciple|[Ll]aw|[Pp]attern|[Mm]odel|[Ee]ffect)",
        r"[^的，]{2,10}(?:理论|算法|方法|原理|协议|定律|主义|机制|效应)",
    ),
)  # fmt: skip
_CUES: Final = tuple((name, bounded(latin), bounded(cjk)) for name, latin, cjk in _ENDINGS)

_PERSON_NAME: Final = bounded(
    r"[A-ZÀ-ÞŁŚŻ][^\W\d_]+(?:[ '-][A-ZÀ-ÞŁŚŻ][^\W\d_]*\.?){0,2}|[\u4e00-\u9fff]{2,4}"
)
_DOES: Final = bounded(
    r",? (?:who )?(?:also |then |just )?(?:said|says|told|asked|asks|thinks|thought|wants|wanted|"
    r"prefers|likes|loves|hates|works|married|was born|lives|agreed|promised|called me)\b"
    r"|'s (?:birthday|wife|husband|mother|father|sister|brother)"
)
_DOES_ZH: Final = bounded(r"说|告诉|认为|觉得|喜欢|住在|出生|今年\d+岁|想要|结婚")
"""What a person does, right behind their name."""


def infer_type(name: str, text: str, *, subject_of: str | None = None, value_of: str | None = None) -> str:
    """
    Return the type of an entity named in this text.

    subject_of, value_of: the concept key of the state whose entity, or whose value, it is.
    """
    if _IDENTIFIER.fullmatch(name):
        return "identifier"
    if _HONORIFIC.fullmatch(name) or _TITLED.fullmatch(name):
        return "person"
    is_cjk = CJK.search(name) is not None
    for type_, latin, cjk in _CUES:
        if (cjk if is_cjk else latin).fullmatch(name):
            return type_
    return _by_role(subject_of, value_of) or ("person" if _acts_as_person(name, text) else "thing")


def _by_role(subject_of: str | None, value_of: str | None) -> str | None:
    if subject_of in PERSON_OF or value_of in PERSON_IS:
        return "person"
    if value_of in PLACE_IS:
        return "place"
    return "organisation" if value_of in ORGANISATION_IS else None


def _acts_as_person(name: str, text: str) -> bool:
    if not _PERSON_NAME.fullmatch(name):
        return False
    deed = _DOES_ZH if CJK.search(name) else _DOES
    at = text.find(name)
    while at >= 0:
        if deed.match(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False
