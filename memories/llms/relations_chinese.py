"""Relations in Chinese clauses: «S的R是O», «S由O担任R», «S位于O», «O取代X成为S的R»."""

import re
from dataclasses import replace
from typing import Final

from memories.keys import concept_spelling
from memories.llms.base import Change
from memories.llms.relations_form import LIKELY, Relation
from memories.llms.relations_words import CANONICAL_ZH
from memories.llms.rules_wording import ME, word_set
from memories.llms.rules_words import SYNONYMS_ZH
from security.patterns import bounded

_S: Final = rf"(?P<entity>(?:{ME}|[\w《「“\"])[\w .·\-/&《》「」“”\"'、]{{0,29}}?)"
_O: Final = r"(?P<value>[^，,；;。]{1,60}?)"
_NOW: Final = r"(?:现在|目前|如今|当前|现|已经?|正式|刚刚?|最近|也|都|又|一直|仍然?|还|就|主要|今年|被)*"
_THEN: Final = r"(?:现在|目前|如今|当前|现已|已经|已|现|正式|最近|今年|仍然|仍|依然)*"
_R: Final = r"(?P<attribute>[\w]{1,12}?)"
_END: Final = r"[。.!！了啦哦呢吧]*"
_BE: Final = r"(?:是|为|叫做?|等于)"
_BECOMES: Final = (
    r"(?:改为|改成|改到|变为|变成|变更为|更改为|换成|换为|更换为|更新为|调整为|调整到|调为|调到|升至|升到|"
    r"升级到|升级为|"
    r"提高到|提升到|上升到|上调到|上调至|下调至|增至|增加到|增长到|降至|降到|降低到|下降到|减少到|减至|涨到|"
    r"涨至|跌至|推迟到|"
    r"推迟至|提前到|提前至|延期到|延长到|缩短到|缩短至|达到了?|达|定为|设为|改名为|更名为|迁至|迁到|迁往|"
    r"搬到|搬至|搬迁到|"
    r"搬迁至|转移到|移至|转为|改由)了?"
)
_MEASURED: Final = r"(?:大约|大概|约为|约|将近|接近|超过|至少)*"

_MADE: Final = {
    "创立": "founder", "创办": "founder", "创建": "founder", "建立": "founder", "成立": "founder",
    "创作": "creator", "创造": "creator", "编写": "author", "撰写": "author", "所著": "author",
    "写": "author", "著": "author", "导演": "director", "执导": "director", "设计": "designer",
    "发明": "inventor", "作曲": "composer", "谱曲": "composer", "开发": "developer", "研发": "developer",
    "绘制": "painter", "发现": "discoverer", "演唱": "performer", "演奏": "performer",
    "饰演": "performer", "扮演": "performer", "制作": "producer", "生产": "producer",
    "制造": "manufacturer", "出版": "publisher", "发行": "publisher", "建造": "builder",
    "翻译": "translator", "负责": "owner", "维护": "maintainer", "管理": "manager", "领导": "lead",
    "主持": "host", "拥有": "owner", "运营": "operator", "经营": "operator", "赞助": "sponsor",
    "播出": "broadcaster", "执教": "coach", "指导": "coach", "主编": "editor",
}  # fmt: skip
"""Verb → who did it: «由O创立» and «O创立了S» say who the founder is."""

_PASTS: Final = word_set(
    "创立 创办 创建 创作 编写 撰写 写 著 导演 执导 设计 发明 谱曲 绘制 发现 演唱 建造 翻译 出版"
)
"""Of these, what makes a lasting fact when it is told of a titled work or a name."""

_PLACED: Final = {
    "位于": "location", "坐落于": "location", "坐落在": "location", "地处": "location",
    "设在": "location", "出生于": "birthplace", "出生在": "birthplace", "生于": "birthplace",
    "去世于": "death_place", "逝世于": "death_place", "病逝于": "death_place", "死于": "death_place",
    "葬于": "burial_place", "安葬于": "burial_place", "毕业于": "alma_mater", "就读于": "school",
    "任职于": "employer", "就职于": "employer", "供职于": "employer", "受雇于": "employer",
    "效力于": "team", "隶属于": "belongs_to", "属于": "belongs_to", "归属于": "belongs_to",
    "成立于": "founded_in", "创立于": "founded_in", "创办于": "founded_in", "建于": "built_in",
    "始建于": "built_in", "起源于": "origin", "发源于": "source", "源自": "origin", "来自": "hometown",
    "流入": "mouth", "注入": "mouth", "定居于": "residence", "定居在": "residence", "居住在": "residence",
    "住在": "residence", "居于": "residence", "信奉": "religion", "信仰": "religion", "嫁给": "spouse",
    "娶了": "spouse", "总部设在": "headquarters", "总部位于": "headquarters", "总部在": "headquarters",
    "运行在": "runs_on", "部署在": "runs_on", "从事": "occupation", "司职": "position",
    "发行于": "released_in", "出版于": "published_in", "存放在": "location", "保存在": "location",
    "收藏于": "location", "售价": "price", "重": "weight", "高": "height", "长": "length",
    "隶属": "belongs_to", "主修": "major", "国籍是": "citizenship", "入籍": "citizenship",
    "使用的语言是": "language", "现居": "residence", "占地": "area",
}  # fmt: skip
"""Verb → attribute, single: one position, origin or end at a time."""

_MEASURES: Final = word_set("售价 重 高 长 占地")
"""Of these, what is followed by a number only."""

_MANY: Final = {
    "会说": "language", "能说": "language", "讲": "language", "说": "language", "使用": "uses",
    "采用": "uses", "喜欢": "likes", "支持": "supports", "擅长": "skill", "去过": "visited",
    "访问过": "visited", "参观过": "visited", "拥有": "owns", "教": "teaches", "出售": "sells",
    "销售": "sells", "生产": "produces", "包括": "includes", "包含": "includes", "依赖": "depends_on",
    "毗邻": "borders", "接壤": "borders", "收藏": "collects", "赞助": "sponsors", "学习": "studies",
    "出口": "exports", "加入了": "member_of", "获得了": "won", "获得过": "won",
}  # fmt: skip
"""Verb → attribute, multi: what one likes, speaks, uses, owns does not end another."""

_OFFICE_END: Final = (
    r"(?:者|人|长|员|师|官|裁|席|理|练|都|父|母|亲|妻|夫|子|女|统|相|王|帝|后|主|首|会|作|演|手|星|"
    r"城市|作者|语言|货币|国歌|国花|总部|省会|州府|所在地|部门|品牌|前身|教父|CEO|CTO|CFO)"
)
_UNSURE: Final = bounded(
    r"^(?:今天|明天|昨天|今晚|这|那|它|他|她|我们|你|您|谁|什么|哪|如果|因为|虽然|但|所以|而|每|大家|有人|"
    r"没有)|[?？吗呢]$"
)
_NO_VALUE: Final = bounded(
    r"^(?:不|没|很|非常|太|比较|这样|那样|因为|为了|否|什么|谁|哪|怎)|^(?:对|错|真|假)的?$"
)
_TITLE: Final = bounded(r"[《「“\"](.+?)[》」”\"]")

_ATTRIBUTE: Final = bounded(
    rf"{_S}的{_R}(?P<now>{_THEN}){_MEASURED}(?:{_BE}|(?P<news>{_BECOMES})|在|位于|设在|由(?=.+(?:担任|出任)$)"
    rf"){_MEASURED}{_O}"
    rf"(?:担任|出任)?{_END}"
)
_FROM: Final = bounded(rf"{_S}的{_R}{_THEN}(?:由|从|自)(?P<old>.+?){_BECOMES}{_MEASURED}{_O}{_END}")
_MAKE: Final = bounded(rf"(?:.{{0,12}}?)(?:把|将){_S}的{_R}(?:从.+?)?{_BECOMES}{_O}{_END}")
_NOT_BUT: Final = bounded(
    rf"{_S}的{_R}{_THEN}不再{_BE}(?P<old>[^，,]+)(?:[，,]\s*|而)(?:现在|目前|而|改)*{_BE}{_O}{_END}"
)
_NOT: Final = bounded(rf"{_S}的{_R}{_THEN}不再{_BE}{_O}{_END}")
_HELD: Final = (
    bounded(rf"{_S}的{_R}{_THEN}由{_O}(?P<verb>担任|出任|接任){_END}"),
    bounded(rf"{_S}{_THEN}由{_O}(?P<verb>担任|出任|接任)(?P<attribute>\w{{1,12}}?){_END}"),
    bounded(rf"(?P<verb>由){_O}担任{_S}的{_R}{_END}"),
)
_DONE: Final = bounded(rf"{_S}{_NOW}(?:是由|由|被){_O}(?:所)?(?P<verb>{'|'.join(_MADE)})的?{_END}")
_WHO: Final = r"(?P<value>[\w·.\- ]{2,20}?)"
_OF: Final = rf"(?P<entity>[\w .·\-]{{1,24}}?)的(?P<attribute>\w{{0,8}}?{_OFFICE_END})"
_HOLDS: Final = bounded(
    rf"{_WHO}{_THEN}(?:(?:取代|接替|代替).+?(?:成为了?|担任了?|出任|任)|(?:被)?(?:当选|升任|晋升|任命|提拔|"
    rf"选举|选|接任|出任|"
    rf"就任|开始担任|成)(?:成为|为)?了?){_OF}{_END}"
)
_IS: Final = bounded(rf"{_WHO}(?P<now>{_THEN})(?P<verb>是|不再是|不再担任|担任){_OF}{_END}")
_MADE_BY: Final = bounded(
    rf"(?P<value>[\w·.\- ]{{2,16}}?)(?P<verb>{'|'.join(sorted(_PASTS, key=len, reverse=True))})"
    rf"了(?P<entity>[《「“\"].+|[\w·.\- ]{{2,20}}?){_END}"
)
_MARRIED: Final = bounded(rf"{_S}{_NOW}(?:与|和|跟){_O}(?:结婚|结为夫妻|成婚)了?{_END}")
_FAMOUS: Final = bounded(rf"{_S}{_NOW}(?:以|因){_O}(?:而)?(?:闻名|著称|出名|知名|为人所知){_END}")
_CITIZEN: Final = bounded(rf"{_S}{_NOW}(?:是|拥有|持有|加入){_O}(?:公民|国籍|国民)(?:身份)?{_END}")
_COUNT: Final = bounded(
    rf"{_S}{_NOW}(?:共?有|拥有|包含|雇有|共|收藏了?){_MEASURED}(?P<value>\d[\d,.]*[万亿千]?)(?:多)"
    rf"?(?P<unit>名|个|位|条|篇|本|间|次|台|家|座|张|只|所|辆|件|项)?(?P<attribute>[^\W\d]{{1,8}}?){_END}"
)
_NEWS: Final = bounded(r"现在|如今|现已|现$")


def read_chinese(clause: str) -> Relation | None:
    """Return the relation that a Chinese clause tells, None where its grammar does not say."""
    plain = clause.strip(" ,，。.!！")
    if (match := _MAKE.fullmatch(plain)) and (made := _attribute(**_parts(match), change="explicit")):
        return _finish(made)
    if _UNSURE.search(plain):
        return None
    for reader in (_read_change, _read_office, _read_verb, _read_attribute, _read_held, _read_count):
        if (relation := reader(plain)) and (found := _finish(relation)):
            return found
    return None


def _read_change(clause: str) -> Relation | None:
    for pattern in (_NOT_BUT, _FROM):
        if match := pattern.fullmatch(clause):
            return _attribute(match["entity"], match["attribute"], match["value"], change="explicit")
    if match := _NOT.fullmatch(clause):
        return _attribute(
            match["entity"], match["attribute"], f"no longer {match['value']}", change="explicit"
        )
    return None


def _read_office(clause: str) -> Relation | None:
    """Read who holds an office: «S由O担任R», «O是S的R», «O取代X成为S的R»."""
    for pattern in _HELD:
        if match := pattern.fullmatch(clause):
            return _attribute(**_parts(match), change="explicit" if match["verb"] == "接任" else "none")
    if (match := _IS.fullmatch(clause)) and "的" not in match["value"]:
        gone = match["verb"].startswith("不再")
        value = f"no longer {match['value']}" if gone else match["value"]
        change: Change = "explicit" if gone or _NEWS.search(match["now"]) else "none"
        return _attribute(match["entity"], match["attribute"], value, change=change)
    if (match := _HOLDS.fullmatch(clause)) and "的" not in match["value"]:
        return _attribute(match["entity"], match["attribute"], match["value"], change="explicit")
    return None


def _read_attribute(clause: str) -> Relation | None:
    match = _ATTRIBUTE.fullmatch(clause)
    if match is None:
        return None
    entity, attribute = match["entity"], match["attribute"]
    if "的" in attribute:  # the last 的 joins the attribute
        more, _, attribute = attribute.rpartition("的")
        entity = f"{entity}的{more}"
    change: Change = "explicit" if match["news"] or _NEWS.search(match["now"]) else "none"
    return _attribute(entity, attribute, match["value"], change=change)


def _read_verb(clause: str) -> Relation | None:
    """Read «S位于O», «S毕业于O», «S说O»."""
    for verb in sorted(_PLACED, key=len, reverse=True):
        if verb in clause[1:] and (
            match := bounded(rf"{_S}{_NOW}{verb}{_MEASURED}了?{_O}{_END}").fullmatch(clause)
        ):
            value = match["value"]
            if verb in _MEASURES and not value[0].isdigit():
                continue
            key = _PLACED[verb]
            if value[0].isdigit() and key.endswith(("_in", "place", "origin")):
                key = (
                    "birthday"
                    if key == "birthplace"
                    else f"{key.removesuffix('_in').removesuffix('_place')}_date"
                )
            return _stated(match["entity"], key, value, many=False)
    if match := _MADE_BY.fullmatch(clause):
        return _stated(match["entity"], _MADE[match["verb"]], match["value"], many=False)
    for pattern, key in ((_MARRIED, "spouse"), (_FAMOUS, "famous_for"), (_CITIZEN, "citizenship")):
        if match := pattern.fullmatch(clause):
            return _stated(match["entity"], key, match["value"], many=False)
    for verb in sorted(_MANY, key=len, reverse=True):
        if verb in clause[1:] and (match := bounded(rf"{_S}{_NOW}{verb}{_O}{_END}").fullmatch(clause)):
            if (
                match["value"][0].isdigit()
                or len(match["entity"]) < 2
                or "的" in match["entity"]
                or len(match["value"]) > 12
            ):
                return None
            return replace(_stated(match["entity"], _MANY[verb], match["value"], many=True), firmness=LIKELY)
    return None


def _read_held(clause: str) -> Relation | None:
    match = _DONE.fullmatch(clause)
    if match is None:
        return None
    held = _stated(match["entity"], _MADE[match["verb"]], match["value"], many=False)
    return replace(held, change="explicit") if _NEWS.search(clause) else held


def _read_count(clause: str) -> Relation | None:
    match = _COUNT.fullmatch(clause)
    if match is None or len(match["entity"]) < 2 or match["attribute"][0] in "年月天岁元分秒":
        return None
    found = _stated(
        match["entity"], f"{concept_spelling(match['attribute'])}_count", match["value"], many=False
    )
    return replace(found, kind="working_state")


def _parts(match: re.Match[str]) -> dict[str, str]:
    return {name: match[name] for name in ("entity", "attribute", "value")}


def _attribute(entity: str, attribute: str, value: str, *, change: Change = "none") -> Relation | None:
    found = _stated(entity, attribute, value, many=False)
    return replace(found, change=change) if attribute else None


def _stated(entity: str, attribute: str, value: str, *, many: bool) -> Relation:
    plain = bounded(r"^(?:新任?|现任|当前|最新的?)").sub("", attribute) or attribute
    count = bounded(r"(?P<noun>\w+?)(?:的)?(?:数量|总数|人数|数目|数)").fullmatch(plain)
    key = CANONICAL_ZH.get(plain) or SYNONYMS_ZH.get(plain) or concept_spelling(plain) or plain
    if count and plain not in CANONICAL_ZH:
        key = f"{concept_spelling(count['noun'])}_count"
    return Relation(
        entity=_TITLE.sub(r"\1", entity.strip()),
        concept=key,
        value=_TITLE.sub(r"\1", value.strip()),
        cardinality="multi" if many else "single",
        kind="working_state" if value[:1].isdigit() else "profile",
    )


def _finish(relation: Relation) -> Relation | None:
    bare = relation.value.removeprefix("no longer ")
    if _NO_VALUE.match(bare) or _UNSURE.search(relation.entity) or not bare or len(relation.entity) < 1:
        return None
    if bounded(r"(?:前任?|原|以前|上一?任?|旧|曾|之前)").match(relation.concept) or bounded(
        r"(?:曾经?|以前|之前|原来|不|没有?|未)$"
    ).search(relation.entity):
        return None
    entity = bounded(rf"{_NOW}$").sub("", relation.entity)
    return replace(relation, entity=entity) if entity else None
