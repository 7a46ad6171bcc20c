"""What the built-in reader makes of the plain forms of two languages: entity, concept, value, cardinality."""

import pytest

from memories.llms.rules import read_relation
from memories.llms.rules.keys import agent_of, entity_of, value_of

#: A sentence > entity | concept | value | s(ingle) or m(ulti), «!» for an explicit change; «-»: no state.
TABLE = """
The harbour master of Skagen is Jens Krog. > skagen | harbour_master | jens krog | s
Skagen's harbour master is Jens Krog. > skagen | harbour_master | jens krog | s
Jens Krog is the harbour master of Skagen. > skagen | harbour_master | jens krog | s
The school where Ada Rusk was educated is the Dorn Lyceum. > ada rusk | school_was_educated | dorn lyceum | s
The harbour master of Skagen was Jens Krog. > -
The former harbour master of Skagen is Jens Krog. > -
Jens Krog became the harbour master of Skagen. > skagen | harbour_master | jens krog | s !
Skagen appointed Jens Krog as its new harbour master. > skagen | harbour_master | jens krog | s !
Jens Krog succeeded Liv Aas as harbour master of Skagen. > skagen | harbour_master | jens krog | s !
The harbour master of Skagen is no longer Liv Aas but Jens Krog. > skagen | harbour_master | jens krog | s !
Jens Krog resigned as harbour master of Skagen. > skagen | harbour_master | no longer jens krog | s !
The museum was founded by Emil Corvin. > -
The Corvin Museum was founded by Emil Corvin. > corvin museum | founder | emil corvin | s
The gateway is maintained by Wen Li. > gateway | maintainer | wen li | s
Wen Li maintains the gateway. > gateway | maintainer | wen li | s
Wen Li restarted the gateway. > -
The gateway was restarted by Wen Li. > -
Brann is associated with the sport of football. > brann | sport | football | s
Rune Dahl plays the position of striker. > rune dahl | position | striker | s
Liv Aas is a citizen of Norway. > liv aas | citizenship | norway | s
Liv Aas is a member of the Film Guild. > liv aas | member_of | film guild | m
Liv Aas is married to Tor Lien. > liv aas | spouse | tor lien | s
Liv Aas works for Fjord Films. > liv aas | employer | fjord films | s
Liv Aas has joined Fjord Films. > liv aas | employer | fjord films | s !
Liv Aas speaks Norwegian. > liv aas | language | norwegian | m
Liv Aas was excited about the trip. > -
Tor Lien has moved from Molde to Bodo. > tor lien | residence | bodo | s !
Tor Lien no longer lives in Molde. > tor lien | residence | no longer molde | s !
Fjord Films moved its headquarters to Tromso. > fjord films | headquarters | tromso | s !
Fjord Films employs 1,250 people. > fjord films | employee_count | 1,250 | s
The load time of the checkout page is around 540 ms. > checkout page | load_time | 540 ms | s
The checkout page load time fell from 620 to 540 ms. > checkout page | load_time | 540 ms | s !
We raised the rate limit of the gateway to 250. > gateway | rate_limit | 250 | s !
The kickoff is on 2026-04-02. > kickoff | date | 2026-04-02 | s
The deploy is on v2.3. > deploy | version | 2.3 | s
Owner of the billing repo: Tariq. > billing repo | owner | tariq | s
I live in Porto and like it. > mara | residence | porto | s
My dentist is Dr. Falk. > mara | dentist | dr. falk | s
My favorite food is ramen. > mara | favourite_food | ramen | s
I don't like early meetings. > mara | dislike | early meetings | m
I am severely allergic to penicillin. > mara | allergic_to | penicillin | m
Please call me Max. > mara | name | max | s
The meeting in Bergen is cancelled. > -
The rest of the crew is tired. > -
There is a bakery in Bergen. > -
The gateway will be replaced by the mesh. > -
If the capital of Lorvania is Belgar, tell me. > -
She lives in Porto. > -
洛瓦尼亚的首都是巴赫尔 > 洛瓦尼亚 | capital | 巴赫尔 | s
巴赫尔是洛瓦尼亚的首都 > 洛瓦尼亚 | capital | 巴赫尔 | s
赵磊取代王芳成为北辰公司的董事长 > 北辰公司 | chairperson | 赵磊 | s !
北辰公司的董事长不再是王芳，而是赵磊 > 北辰公司 | chairperson | 赵磊 | s !
北辰公司的董事长由王芳担任 > 北辰公司 | chairperson | 王芳 | s
北辰公司总部设在杭州 > 北辰公司 | headquarters | 杭州 | s
李娜毕业于浙江大学 > 李娜 | 毕业于 | 浙江大学 | s
搜索服务由王芳负责 > 搜索服务 | owner | 王芳 | s
我们把支付服务的超时时间从30秒改为45秒 > 支付服务 | timeout | 45秒 | s !
电流上限设为 18 A > 电流 | limit | 18 a | s
我住在杭州 > mara | residence | 杭州 | s
李明搬到了成都 > 李明 | residence | 成都 | s !
我最喜欢的水果是芒果 > mara | favourite_水果 | 芒果 | s
我不喜欢香菜 > mara | dislike | 香菜 | m
我对花生过敏 > mara | allergic_to | 花生 | m
今天的天气很好 > -
小王是我的朋友 > -
"""
ROWS = [tuple(part.strip() for part in line.split(" > ", 1)) for line in TABLE.strip().splitlines()]


def tell(statement: str) -> str:
    """Return what is read of a statement of Mara's, written as the table has it."""
    relation = read_relation(statement)
    if relation is None:
        return "-"
    key, value = entity_of(relation.entity, speaker="mara"), value_of(relation.value, speaker="mara")
    change = " !" if relation.change == "explicit" else ""
    return f"{key} | {relation.concept} | {value} | {relation.cardinality[0]}{change}"


@pytest.mark.spec("M-04", "W-08", "W-12")
@pytest.mark.parametrize(("statement", "expected"), ROWS)
def test_a_plain_statement_is_read_as_the_state_it_tells(statement: str, expected: str) -> None:
    assert tell(statement) == expected


@pytest.mark.spec("M-04")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the roof of the depot", "the depot's roof"),
        ("Production ingest of Kestrel", "Kestrel's production ingest"),
        ("we", "our"),
    ],
)
def test_two_phrases_for_one_thing_have_one_key(one: str, other: str) -> None:
    assert entity_of(one, speaker="mara") == entity_of(other, speaker="mara")


@pytest.mark.parametrize(
    ("verb", "agent"),
    [("maintained", "maintainer"), ("manages", "manager"), ("created", "creator"), ("written", "author"),
     ("employed", "employer"), ("edited", "editor"), ("designed", "designer"), ("leads", "lead")],
)  # fmt: skip
def test_who_does_a_thing_is_named_by_its_verb(verb: str, agent: str) -> None:
    assert agent_of(verb) == agent


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-04-14, at the old depot", "2026-04-14"),
        ("Acme because it pays", "acme"),
        ("the version 2.4.1", "2.4.1"),
        ("it", None),
    ],
)
def test_what_stands_behind_a_value_is_cut_off(text: str, value: str | None) -> None:
    assert value_of(text, speaker="mara") == value
