"""What chains of changes are made of: relations in several wordings, English and Chinese, and talk
between."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A relation that one value holds of: the names it is told of, its values, and how it may be put."""

    concept: str  #: the key under which the service keeps it
    entities: tuple[str, ...]
    values: tuple[str, ...]
    plain: tuple[str, ...]  #: {s} the name, {o} the value
    changed: tuple[str, ...]  #: wordings for a later value; {p} is the one before


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";"))


_FIRMS: Final = _listed(
    "Solvane; Kestrel Labs; Tidewater; Corvane; Dunmere; Fennick; Garrow; Oakhaven; Larkfield; Yarrow"
)
_LANDS: Final = _listed("Lorvania; Estmark; Ulmeria; Tavoy; Quessia; Norlund; Brasova; Halveria")
_PEOPLE: Final = _listed(
    "Jens Krog; Ada Rusk; Petra Holm; Liv Moen; Rune Dahl; Siri Berg; Wen Li; Tor Lien; Ines Falk; Omar "
    "Said; "
    "Nadia Rahal; Hugo Marchand; Keiko Mori; Paulo Serra"
)
_TOWNS: Final = _listed("Bergen; Lyon; Gdansk; Porto; Turku; Graz; Cork; Tartu; Varna; Delft; Malmo; Trieste")
_SYSTEMS: Final = _listed(
    "checkout page; search gateway; token service; invoice archive; parcel scanner; label printer"
)
_FIRMS_ZH: Final = _listed("北辰公司; 青岚集团; 海潮科技; 远山物流; 松石出版社; 云帆银行")
_PEOPLE_ZH: Final = _listed("王芳; 赵磊; 陈墨; 李娜; 孙丽; 周杰; 林一; 张伟; 刘洋; 吴敏")
_TOWNS_ZH: Final = _listed("杭州; 成都; 苏州; 厦门; 青岛; 昆明; 大连; 西安")
_NUMBERS: Final = tuple(str(number) for number in range(140, 980, 37))

TOPICS: Final = (
    Topic(
        concept="capital",
        entities=_LANDS,
        values=_TOWNS,
        plain=_listed(
            "The capital of {s} is {o}.; {s}'s capital is {o}.; {o} is the capital of {s}.; {s} has {o} as "
            "its capital."
        ),
        changed=_listed(
            "The capital of {s} is now {o}.; The capital of {s} has moved to {o}.; {o} is now the capital of "
            "{s}."
        ),
    ),
    Topic(
        concept="ceo",
        entities=_FIRMS,
        values=_PEOPLE,
        plain=_listed(
            "The CEO of {s} is {o}.; {s}'s chief executive officer is {o}.; {o} is the CEO of {s}.; "
            "{o} serves as the chief executive of {s}."
        ),
        changed=_listed(
            "{o} has replaced {p} as the CEO of {s}.; {s} appointed {o} as its new CEO.; {o} was appointed "
            "CEO of {s}.; "
            "The CEO of {s} is no longer {p} but {o}."
        ),
    ),
    Topic(
        concept="headquarters",
        entities=_FIRMS,
        values=_TOWNS,
        plain=_listed(
            "The headquarters of {s} is in {o}.; {s} is headquartered in {o}.; {s} has its headquarters in "
            "{o}.; "
            "The head office of {s} is located in the city of {o}."
        ),
        changed=_listed("{s} moved its headquarters to {o}.; {s}'s headquarters is now in {o}."),
    ),
    Topic(
        concept="residence",
        entities=_PEOPLE,
        values=_TOWNS,
        plain=_listed("{s} lives in {o}.; {s} resides in {o}.; {s} is based in {o}."),
        changed=_listed("{s} has moved to {o}.; {s} now lives in {o}.; {s} relocated from {p} to {o}."),
    ),
    Topic(
        concept="employer",
        entities=_PEOPLE,
        values=_FIRMS,
        plain=_listed("{s} works for {o}.; {s} is employed by {o}.; {s}'s employer is {o}."),
        changed=_listed("{s} has joined {o}.; {s} now works for {o}."),
    ),
    Topic(
        concept="load_time",
        entities=_SYSTEMS,
        values=tuple(f"{number} ms" for number in _NUMBERS),
        plain=_listed(
            "The {s}'s load time is around {o}.; The load time of the {s} is {o}.; The {s} has a load time "
            "of {o}."
        ),
        changed=_listed(
            "The load time of the {s} has dropped to {o}.; The {s}'s load time went from {p} to {o}.; "
            "The {s} load time has now reached {o}."
        ),
    ),
    Topic(
        concept="employee_count",
        entities=_FIRMS,
        values=_NUMBERS,
        plain=_listed(
            "{s} has {o} employees.; {s} employs {o} people.; The number of employees at {s} is {o}."
        ),
        changed=_listed("{s} now has {o} employees.; The number of employees of {s} has grown to {o}."),
    ),
    Topic(
        concept="position",
        entities=_PEOPLE,
        values=_listed("goalkeeper; left back; striker; sweeper; winger; playmaker; libero; centre forward"),
        plain=_listed("{s} plays the position of {o}.; {s}'s position is {o}.; The position of {s} is {o}."),
        changed=_listed("{s} now plays the position of {o}.; {s}'s position is now {o} instead of {p}."),
    ),
    Topic(
        concept="maintainer",
        entities=_SYSTEMS,
        values=_PEOPLE,
        plain=_listed(
            "{o} maintains the {s}.; The {s} is maintained by {o}.; The maintainer of the {s} is {o}."
        ),
        changed=_listed("The {s} is now maintained by {o}.; {o} replaced {p} as the maintainer of the {s}."),
    ),
    Topic(
        concept="headquarters",
        entities=_FIRMS_ZH,
        values=_TOWNS_ZH,
        plain=_listed("{s}的总部在{o}。; {s}的总部位于{o}。; {s}总部设在{o}。"),
        changed=_listed("{s}的总部迁至{o}。; {s}的总部现在是{o}。; {s}的总部不再是{p}，而是{o}。"),
    ),
    Topic(
        concept="chairperson",
        entities=_FIRMS_ZH,
        values=_PEOPLE_ZH,
        plain=_listed("{s}的董事长是{o}。; {o}是{s}的董事长。; {s}由{o}担任董事长。; {s}的董事长由{o}担任。"),
        changed=_listed("{o}取代{p}成为{s}的董事长。; {o}被任命为{s}的董事长。; {s}的董事长换成了{o}。"),
    ),
    Topic(
        concept="residence",
        entities=_PEOPLE_ZH,
        values=_TOWNS_ZH,
        plain=_listed("{s}住在{o}。; {s}定居在{o}。"),
        changed=_listed("{s}搬到{o}了。; {s}现在住在{o}。"),
    ),
)
"""Names, values and wordings of our own; nothing of them is taken from a set of data."""
