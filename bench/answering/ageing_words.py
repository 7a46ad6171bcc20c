"""What the ageing test speaks of: names made up of syllables, questions, and findings with a figure each."""

from random import Random
from typing import Final

from bench.remembering.chains_words import TOPICS, Topic


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(";"))


_HEADS: Final = _listed(
    "Bal; Cor; Dav; Esk; Fal; Gor; Hul; Ist; Jor; Kal; Lom; Mir; Nav; Ost; Pel; Quor; Ras; Sol; Tam; Ulv; "
    "Ver; Wol; Yor; Zan"
)
_TAILS: Final = _listed(
    "ander; berg; coste; dal; ergo; fane; grove; hurst; inga; jarl; kvist; lund; mere; nova; oril; pont; "
    "rica; stad; tova; umber; vane; wick"
)
_FIRST: Final = _listed(
    "Alma; Bodil; Cyrus; Dunja; Edda; Frode; Gesa; Hamza; Ilka; Jorun; Kaspar; Lorena; Milos; Nele; Otto; "
    "Pia; Rasmus; Selma; Tarek; Ute; Vasco; Wanda; Yann; Zora"
)
_PLACES: Final = _listed("north; south; east; west; upper; lower; inner; outer; old; new; first; second")
_DEVICES: Final = _listed(
    "gate scanner; order portal; price board; ticket desk; stock mirror; route planner; mail filter; "
    "photo store; badge reader; fleet tracker; claims form; audit viewer"
)
_FIRST_ZH: Final = tuple("安柏初丹恩方冠和嘉凯岚明宁佩琪若思桐维希")
_LAST_ZH: Final = tuple("白曹邓范高韩蒋孔雷马潘秦邵谭魏徐叶郑邹傅")

QUESTIONS: Final[dict[tuple[str, bool], tuple[str, ...]]] = {
    ("capital", False): ("What is the capital of {s}?", "Which town is the capital of {s}?"),
    ("ceo", False): ("Who is the CEO of {s}?", "Who leads {s} as its chief executive?"),
    ("headquarters", False): ("Where is {s} headquartered?", "In which town does {s} have its headquarters?"),
    ("residence", False): ("Where does {s} live?", "In which town is {s} based?"),
    ("employer", False): ("Who does {s} work for?", "Which company employs {s}?"),
    ("load_time", False): ("What is the load time of the {s}?", "How long does the {s} take to load?"),
    ("employee_count", False): ("How many employees does {s} have?", "How many people does {s} employ?"),
    ("position", False): ("What position does {s} play?", "In which position does {s} play?"),
    ("maintainer", False): ("Who maintains the {s}?", "Who is the maintainer of the {s}?"),
    ("headquarters", True): ("{s}的总部在哪里？", "{s}的总部设在哪个城市？"),
    ("chairperson", True): ("{s}的董事长是谁？", "谁是{s}的董事长？"),
    ("residence", True): ("{s}住在哪里？", "{s}现在住在哪个城市？"),
}
"""(concept, whether Chinese) → how one asks for it."""

_NAMED: Final = {
    "capital": "land", "ceo": "firm", "headquarters": "firm", "residence": "person", "employer": "person",
    "load_time": "system", "employee_count": "firm", "position": "person", "maintainer": "system",
    "chairperson": "firm",
}  # fmt: skip

ASPECTS: Final = (
    ("draws {n} watts when it stands idle", "How many watts does the {s} draw when idle?"),
    ("needs {n} minutes to warm up in the morning", "How many minutes does the {s} need to warm up?"),
    (
        "stops after {n} hours without an operator",
        "After how many hours does the {s} stop?",
    ),
    ("ran for {n} days between two failures", "For how many days did the {s} run between two failures?"),
    ("takes {n} litres of coolant at a refill", "How many litres of coolant does the {s} take?"),
    ("is served by {n} technicians", "How many technicians serve the {s}?"),
    ("was measured at {n} decibels next to the door", "How many decibels were measured at the {s}?"),
    ("keeps its logs for {n} weeks", "For how many weeks does the {s} keep its logs?"),
    ("is cut off at {n} degrees by the thermal fuse", "At how many degrees is the {s} cut off?"),
    ("has cost {n} euros in spare parts so far", "How many euros did spare parts of the {s} cost?"),
    ("loses {n} packets an hour on the radio link", "How many packets an hour does the {s} lose?"),
    ("has {n} welds that have to be checked by hand", "How many welds of the {s} are checked by hand?"),
    ("lies {n} metres away from the nearest exit", "How many metres is the {s} from the nearest exit?"),
    ("was switched off for {n} shifts in spring", "For how many shifts was the {s} switched off?"),
    ("carries {n} stickers with old serial numbers", "How many stickers does the {s} carry?"),
)
"""What is found out of a machine, and the question; fifteen of them, three for each depth."""

_MACHINES: Final = _listed(
    "paint line; glue press; wash tunnel; pallet lift; foam cutter; chip dryer; tube bender; label oven; "
    "crate turner; sand blaster; film winder; bolt feeder"
)


def is_chinese(topic: Topic) -> bool:
    """Tell whether a topic is told in Chinese."""
    return not topic.entities[0].isascii()


def make_name(topic: Topic, dice: Random) -> str:
    """Make up a name of what a topic is told of: a firm, a land, a person, a system."""
    named = _NAMED[topic.concept]
    if is_chinese(topic):
        given = "".join(dice.sample(_FIRST_ZH, 2))
        return (
            dice.choice(_LAST_ZH) + given if named == "person" else f"{given}{dice.choice(('公司', '集团'))}"
        )
    made = dice.choice(_HEADS) + dice.choice(_TAILS)
    if named == "person":
        return f"{dice.choice(_FIRST)} {made}"
    if named == "system":
        return f"{dice.choice(_PLACES)} {dice.choice(_DEVICES)}"
    return f"{made}ia" if named == "land" else made


def make_machine(dice: Random) -> str:
    """Make up a machine: of a kind, in a hall that has a name."""
    return f"{dice.choice(_MACHINES)} of hall {dice.choice(_HEADS)}{dice.choice(_TAILS)}"


def topic_of(number: int) -> Topic:
    """Return the topic of a chain: all in turn."""
    return TOPICS[number % len(TOPICS)]
