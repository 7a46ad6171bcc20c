"""
Read a plain Chinese clause as the state it tells: S的R是O, S由O负责, S搬到O, O取代P成为S的R.

Pure. As in English (`english`), the concept is the clause's own noun or verb.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from memories.language import content_words
from memories.llms.rules.keys import SYNONYMS, concept_of, concept_of_value, is_date, pairs
from memories.llms.rules.phrases import is_measure
from memories.llms.rules.relation import ME, RelationForm
from security.patterns import bounded

LONGEST: Final = 120
"""Characters of a clause that is looked at."""

_S: Final = rf"(?P<s>{ME}\w{{0,12}}?|[\w《「“\"][\w .·\-/&《》「」“”\"]{{0,29}}?)"
_O: Final = r"\s*(?P<o>[^，,；;。]{1,60}?)"
_WHO: Final = r"(?P<o>[\w·.\- ]{2,20}?)"
_R: Final = r"(?P<r>\w{1,12}?)"
_BE: Final = r"(?:是|为|叫做?|等于|达到?了?)"
_BECOME: Final = (
    r"(?:[改变换调升降增减提涨跌推延缩迁搬转移更]\w{0,3}?(?:[为成至到往]|名为)|改由|改走|改用)了?"
)
_MANAGES: Final = r"(?:负责|维护|管理|领导|主持|掌管)"
_TASTES: Final = pairs(
    "更喜欢 偏好 偏爱 更习惯: prefer; 喜欢 爱 热爱 爱好: like; 讨厌 受不了 反感 厌恶: dislike"
)
_LIKES: Final = "|".join(sorted(_TASTES, key=len, reverse=True))
_MEASURE_WORD: Final = "[名个位条篇本间次台家座张只辆件项]"

_ADVERB: Final = bounded(
    r"现在|目前|如今|当前|现已|已经|刚刚|最近|正式|依然|仍然|一直|大约|大概|约为|超过|至少"
)
_NEWS: Final = bounded(r"现在|如今|现已|不再|新任|从今|改|起$")
_UNSURE: Final = bounded(
    r"^(?:今天|明天|昨天|今晚|这|那|它|他|她|你|您|谁|什么|哪|如果|因为|虽然|但|所以|而|每|大家|有人|没有|请"
    r"|别|可能)|[?？吗呢]$"
)
_NO_VALUE: Final = bounded(
    r"^(?:不|没|很|非常|太|比较|这样|那样|因为|为了|否|什么|谁|哪|怎)|^(?:对|错|真|假)的?$"
)
_OFFICE: Final = bounded(
    r"(?:[者人长员师官裁席理监任父母妻夫子女都会商主手队家]|总部|地址|作者|首府|代表|货币|语言|平台)$"
)
_LEAD: Final = bounded(
    r"^(?:\d{4}-\d\d-\d\d\S*?(?:起|开始)?|从今天起|今年|所以|另外|还有|其实|注意)[，,：:\s]*"
)
_WHOLE: Final = bounded(r"[。.!！了啦哦吧]+$")
_TITLE: Final = bounded(r"[《「“\"](.+?)[》」”\"]")
_FAVOURITE: Final = bounded(r"(?P<who>.+?)最(?:喜欢|爱|常用)的?$")
_DATE: Final = bounded(r"\d{4}-\d\d|\d{1,2}月|\d{4}年")


def read_chinese(clause: str) -> RelationForm | None:
    """Return the state that a clause tells; None where no form of the language fits it."""
    if len(clause) > LONGEST:
        return None
    news = _NEWS.search(clause) is not None
    plain = bounded(r"我(?!们|国|方|司|家\b)|俺|本人").sub(ME, _LEAD.sub("", clause.strip(" ,，。.!！")))
    plain = _WHOLE.sub("", _ADVERB.sub("", plain)).strip(" ,，")
    for form, build in FORMS:
        match = form.fullmatch(plain)
        if match and (found := build(match)) and (told := _finish(found)):
            return replace(told, change="explicit") if news and told.change == "none" else told
    return None


def _finish(relation: RelationForm) -> RelationForm | None:
    value = _TITLE.sub(r"\1", relation.value.strip())
    entity = _TITLE.sub(r"\1", relation.entity.strip())
    bare = value.removeprefix("no longer ")
    if not bare or not entity or _NO_VALUE.match(bare) or _UNSURE.search(entity) or _UNSURE.search(bare):
        return None
    if bounded(r"(?:曾经?|以前|之前|原来|不|没有?|未)$").search(entity) or len(bare) > 40:
        return None
    kind = "working_state" if is_measure(bare) and relation.kind == "profile" else relation.kind
    return replace(relation, entity=entity, value=value, kind=kind)


def _of(owner: str, attribute: str, value: str, *, explicit: bool = False) -> RelationForm | None:
    if (favourite := _FAVOURITE.fullmatch(owner)) is not None:
        return RelationForm(
            entity=favourite["who"],
            concept=f"favourite_{concept_of(attribute)}",
            value=value,
            kind="preference",
        )
    concept = concept_of(attribute)
    if concept is None:
        return None
    return RelationForm(entity=owner, concept=concept, value=value, change="explicit" if explicit else "none")


def _split(phrase: str, value: str) -> tuple[str, str] | None:
    """Cut 支付服务的超时时间, or before a figure 电流上限, into whose attribute it is and which."""
    if (concept := concept_of_value(value)) is not None:
        return bounded(r"的?(?:版本|日期|时间)$").sub("", phrase), concept
    owner, of, attribute = phrase.rpartition("的")
    if of:
        return (owner, attribute) if owner and 0 < len(attribute) <= 12 else None
    known = [word for word in SYNONYMS if not word.isascii() and phrase.endswith(word)]
    words = known or content_words(phrase)
    if not words or not phrase.endswith(words[-1]):
        return None
    owner = phrase.removesuffix(words[-1]).strip()
    return (owner or words[-1], words[-1]) if owner or is_measure(value) else None


def _becomes(match: re.Match[str]) -> RelationForm | None:
    """Read 把S的R改为O, S的R从P降到O."""
    cut = _split(match["s"], match["o"])
    return _of(*cut, match["o"], explicit=True) if cut else None


def _copula(match: re.Match[str]) -> RelationForm | None:
    """Read S的R是O, 电流上限设为18A."""
    if "的" not in match["s"] and not (is_measure(match["o"]) or match["v"] in ("设在", "位于")):
        return None
    cut = _split(match["s"], match["o"])
    return _of(*cut, match["o"]) if cut else None


def _office(match: re.Match[str]) -> RelationForm | None:
    return _of(match["s"], match["r"], match["o"], explicit=True)


def _holds(match: re.Match[str]) -> RelationForm | None:
    return _of(match["s"], match["r"] or match["r2"], match["o"]) if match["r"] or match["r2"] else None


def _is_of(match: re.Match[str]) -> RelationForm | None:
    """Read 巴赫尔是洛瓦尼亚的首都; 小王是我的朋友 tells no office."""
    if (
        "的" in match["o"]
        or not _OFFICE.search(match["r"])
        or (match["s"] == ME and match["r"] in ("家人", "主人"))
    ):
        return None
    return _of(match["s"], match["r"], match["o"])


def _is_a(match: re.Match[str]) -> RelationForm | None:
    is_somebody = match["s"] == ME or bounded(r"[\u4e00-\u9fff]{2,4}|[A-Z][\w ]+").fullmatch(match["s"])
    if not is_somebody or "的" in match["o"] or is_measure(match["o"]):
        return None
    return RelationForm(entity=match["s"], concept="is_a", value=match["o"], cardinality="multi")


def _not_but(match: re.Match[str]) -> RelationForm | None:
    cut = _split(match["s"], match["o"])
    return _of(*cut, match["o"], explicit=True) if cut else None


def _gone(match: re.Match[str]) -> RelationForm | None:
    found = _not_but(match)
    return found and replace(found, value=f"no longer {found.value}")


def _does(match: re.Match[str]) -> RelationForm | None:
    """Read S由O负责, O负责S: the verb is the concept."""
    return _of(match["s"], match["v"], match["o"])


def _stands(match: re.Match[str]) -> RelationForm | None:
    """Read S位于O, S住在O."""
    key = f"{match['v']}{match['p']}"
    if _DATE.match(match["o"]):
        key = f"{match['v']}_date"
    return RelationForm(entity=match["s"], concept=SYNONYMS.get(key, key), value=match["o"])


def _works(match: re.Match[str]) -> RelationForm:
    return RelationForm(entity=match["s"], concept="employer", value=match["o"])


def _moves(match: re.Match[str]) -> RelationForm | None:
    if "的" in match["s"] or is_measure(match["o"]):
        return None
    is_person = match["s"] == ME or bounded(r"[\u4e00-\u9fff]{2,4}(?<![公司部门室库店厂线队])").fullmatch(
        match["s"]
    )
    concept = "date" if is_date(match["o"]) else "residence" if is_person else "location"
    return RelationForm(entity=match["s"], concept=concept, value=match["o"], change="explicit")


def _likes(match: re.Match[str]) -> RelationForm:
    concept = _TASTES[match["v"]]
    concept = "dislike" if match["no"] and concept == "like" else concept
    return RelationForm(
        entity=match["s"], concept=concept, value=match["o"], cardinality="multi", kind="preference"
    )


def _count(match: re.Match[str]) -> RelationForm | None:
    if match["n"][0] in "年月天岁元分秒" or len(match["s"]) < 2 - (match["s"] == ME):
        return None
    return RelationForm(
        entity=match["s"], concept=f"{match['n']}_count", value=match["o"], kind="working_state"
    )


def _many(concept: str) -> Callable[[re.Match[str]], RelationForm]:
    return lambda match: RelationForm(
        entity=match["s"], concept=concept, value=match["o"], cardinality="multi"
    )


def _one(concept: str) -> Callable[[re.Match[str]], RelationForm]:
    return lambda match: RelationForm(entity=match["s"], concept=concept, value=match["o"])


_LINES: Final[tuple[tuple[str, Callable[[re.Match[str]], RelationForm | None]], ...]] = (
    (rf"(?:.{{0,12}}?)(?:把|将){_S}(?:从.{{1,20}}?)?{_BECOME}{_O}", _becomes),
    (rf"{_WHO}(?:取代|接替|代替).{{1,20}}?(?:成为了?|担任|出任|任){_S}的{_R}", _office),
    (rf"{_WHO}(?:被?任命为|被?选为|当选为?|升任|出任|接任|就任|成为了?){_S}的{_R}", _office),
    (rf"{_S}(?:的{_R})?由{_WHO}(?:担任|出任)(?P<r2>\w{{1,12}})?", _holds),
    (rf"{_S}不再(?:是|为)[^，,]{{1,20}}(?:[，,]\s*|而)(?:而|改)*(?:是|为){_O}", _not_but),
    (rf"{_S}不再(?:是|为){_O}", _gone),
    (rf"{_S}(?:是)?由{_WHO}(?P<v>{_MANAGES}|[\u4e00-\u9fff]{{2}})的?", _does),
    (rf"{_S}(?:从|由)[^从由]{{1,20}}?{_BECOME}{_O}", _becomes),
    (rf"{_S}(?P<v>{_BE}|设为|定为|设在|位于|在){_O}", _copula),
    (rf"{_S}{_BECOME}{_O}", _becomes),
    (rf"{_WHO}是{_S}的{_R}", _is_of),
    (rf"{_WHO}(?P<v>{_MANAGES})(?P<s>[\w .-]{{2,20}})", _does),
    (rf"{_S}(?P<v>[\u4e00-\u9fff]{{1,2}})(?P<p>于){_O}", _stands),
    (rf"{_S}(?P<v>居?住|定居|现居)(?P<p>在|于)?{_O}", _one("residence")),
    (rf"{_S}在{_O}(?:工作|上班|任职|就职)", _works),
    (rf"{_S}(?:从.{{1,12}}?)?(?:搬|迁|移居|搬家)(?:到|至|往|去|回)了?{_O}", _moves),
    (rf"{_S}(?P<no>不再?|不太)?(?P<v>{_LIKES})(?:是|上了)?{_O}", _likes),
    (rf"{_S}(?:共?有|雇有|拥有)(?P<o>\d[\d,.]*[万亿千]?)多?{_MEASURE_WORD}?(?P<n>[^\W\d]{{1,8}}?)", _count),
    (rf"{_S}对{_O}(?:严重)?过敏", _many("allergic_to")),
    (rf"{_S}(?:会说|能说|会讲){_O}", _many("language")),
    (rf"{_S}(?:与|和|跟){_O}(?:结婚|成婚)", _one("spouse")),
    (rf"{_S}(?:名?叫|叫做){_O}", _one("name")),
    (rf"{_S}是(?:一?[名个位])?{_O}", _is_a),
)  # fmt: skip
FORMS: Final = tuple((bounded(form), build) for form, build in _LINES)
"""The forms, the more telling first."""
