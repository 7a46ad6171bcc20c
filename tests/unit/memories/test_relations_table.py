"""What the reader of plain statements makes of statements of many forms and domains: entity, concept,
value, cardinality."""

import pytest

from memories.llms.relations import read_relation, split_asides, told_change
from memories.llms.rules_keys import clean_value, entity_key
from memories.llms.rules_wording import to_third_person

#: entity | concept | value | cardinality (s or m), or a dash where the statement tells no lasting state
TABLE = """
The harbour master of Skagen is Jens Krog. > skagen | harbour_master | jens krog | s
Skagen's harbour master is Jens Krog. > skagen | harbour_master | jens krog | s
Jens Krog is the harbour master of Skagen. > skagen | harbour_master | jens krog | s
The tallest peak in Lorvania is Mount Sel. > lorvania | tallest_peak | mount sel | s
Mount Sel is the tallest peak in Lorvania. > lorvania | tallest_peak | mount sel | s
Mount Sel is 2,410 metres high. > mount sel | height | 2,410 metres | s
Lorvania has a population of 4.2 million. > lorvania | population | 4.2 million | s
The population of Lorvania has grown to 4.3 million. > lorvania | population | 4.3 million | s
Lorvania has Belgar as its capital. > lorvania | capital | belgar | s
The currency of Lorvania is the lorv. > lorvania | currency | lorv | s
The official language of Lorvania is Lorvanian. > lorvania | official_language | lorvanian | s
The head of state of Lorvania is Queen Isaura. > lorvania | head_of_state | queen isaura | s
The river Sona flows into Lake Brill. > sona | mouth | lake brill | s
The Sona rises in the Karst hills. > sona | source | karst hills | s
Belgar is located in the province of Upper Lorvania. > belgar | province | upper lorvania | s
Belgar is located in Europe. > belgar | continent | europe | s
Belgar lies on the Sona. > belgar | location | sona | s
The old mill stands in Harrow Lane. > old mill | location | harrow lane | s
The painting hangs in the Corvin Museum. > painting | location | corvin museum | s
The Corvin Museum was designed by Ada Rusk. > corvin museum | designer | ada rusk | s
The Corvin Museum was built in 1911. > corvin museum | built_date | 1911 | s
The Corvin Museum was founded by Emil Corvin. > corvin museum | founder | emil corvin | s
Emil Corvin founded the Corvin Museum. > corvin museum | founder | emil corvin | s
Emil Corvin was born in the town of Dorn. > emil corvin | birthplace | dorn | s
Emil Corvin was born in 1871. > emil corvin | birthday | 1871 | s
Emil Corvin died in the city of Graz. > emil corvin | death_place | graz | s
Emil Corvin died in 1939. > emil corvin | death_date | 1939 | s
Emil Corvin is buried in Graz. > emil corvin | burial_place | graz | s
Ada Rusk graduated from the Belgar Academy. > ada rusk | alma_mater | belgar academy | s
Ada Rusk was educated at the Belgar Academy. > ada rusk | alma_mater | belgar academy | s
The school where Ada Rusk was educated is the Dorn Lyceum. > ada rusk | alma_mater | dorn lyceum | s
"Salt and Iron" was written by Petra Holm. > salt and iron | author | petra holm | s
Petra Holm wrote "Salt and Iron". > salt and iron | author | petra holm | s
The author of Salt and Iron is Petra Holm. > salt and iron | author | petra holm | s
The novel Salt and Iron was written in the language of Danish. > salt and iron | language | danish | s
Salt and Iron was published by Quill House. > salt and iron | publisher | quill house | s
The band Night Ferry was formed in Oslo. > -
"Cold Harbour" was performed by Night Ferry. > cold harbour | performer | night ferry | s
The company that produced Cold Harbour is Fjord Films. > cold harbour | producer | fjord films | s
The film Cold Harbour was directed by Liv Aas. > cold harbour | director | liv aas | s
Liv Aas directed Cold Harbour. > cold harbour | director | liv aas | s
Cold Harbour is set in Bergen. > cold harbour | setting | bergen | s
Rune Dahl plays for Brann. > rune dahl | team | brann | s
Rune Dahl plays the position of striker. > rune dahl | position | striker | s
Rune Dahl's position is left back. > rune dahl | position | left back | s
Rune Dahl plays as a goalkeeper. > rune dahl | position | goalkeeper | s
Brann is coached by Eirik Horn. > brann | coach | eirik horn | s
Eirik Horn coaches Brann. > brann | coach | eirik horn | s
The captain of Brann is Rune Dahl. > brann | captain | rune dahl | s
Brann is associated with the sport of football. > brann | sport | football | s
Liv Aas speaks Norwegian. > liv aas | language | norwegian | m
Liv Aas speaks the language of Sami. > liv aas | language | sami | s
Liv Aas is fluent in Icelandic. > liv aas | language | icelandic | m
Liv Aas is famous for Cold Harbour. > liv aas | famous_for | cold harbour | s
Liv Aas is a citizen of Norway. > liv aas | citizenship | norway | s
Liv Aas is a member of the Film Guild. > liv aas | member_of | film guild | m
Liv Aas is married to Tor Lien. > liv aas | spouse | tor lien | s
Liv Aas works as a film director. > liv aas | occupation | film director | s
Liv Aas works in the field of documentary. > liv aas | field | documentary | s
Liv Aas works for Fjord Films. > liv aas | employer | fjord films | s
Liv Aas is employed by Fjord Films. > liv aas | employer | fjord films | s
Liv Aas visits Sweden. > liv aas | visited | sweden | m
Liv Aas likes strong coffee. > liv aas | likes | strong coffee | m
Liv Aas teaches editing. > liv aas | teaches | editing | m
Liv Aas owns two boats. > liv aas | owns | two boats | m
Tor Lien lives in Molde. > tor lien | residence | molde | s
Tor Lien has moved to Bodo. > tor lien | location | bodo | s
Tor Lien no longer lives in Molde. > tor lien | residence | no longer molde | s
Fjord Films is headquartered in Bergen. > fjord films | headquarters | bergen | s
Fjord Films has its headquarters in Oslo. > fjord films | headquarters | oslo | s
The headquarters of Fjord Films is located in the city of Oslo. > fjord films | headquarters | oslo | s
Fjord Films moved its headquarters to Tromso. > fjord films | headquarters | tromso | s
Fjord Films is a subsidiary of Nordlys. > fjord films | subsidiary_of | nordlys | s
Fjord Films belongs to Nordlys. > fjord films | belongs_to | nordlys | s
Fjord Films is owned by Nordlys. > fjord films | owner | nordlys | s
Nordlys appointed Siri Moe as chief executive officer. > nordlys | ceo | siri moe | s
Siri Moe was appointed CEO of Nordlys. > nordlys | ceo | siri moe | s
Siri Moe has been promoted to head of sales at Nordlys. > nordlys | head_of_sales | siri moe | s
Siri Moe replaced Nils Bø as the chairman of Nordlys. > nordlys | chairperson | siri moe | s
Siri Moe succeeded Nils Bø as chair of Nordlys. > nordlys | chairperson | siri moe | s
Siri Moe became the treasurer of Nordlys. > nordlys | treasurer | siri moe | s
Siri Moe serves as the treasurer of Nordlys. > nordlys | treasurer | siri moe | s
Nils Bø stepped down as CEO of Nordlys. > nordlys | ceo | no longer nils bø | s
Nils Bø is no longer the CEO of Nordlys. > nordlys | ceo | no longer nils bø | s
The CEO of Nordlys is no longer Nils Bø but Siri Moe. > nordlys | ceo | siri moe | s
The CEO of Nordlys was Nils Bø. > -
Nordlys has 1,200 employees. > nordlys | employee_count | 1,200 | s
Nordlys employs 1,250 people. > nordlys | employee_count | 1,250 | s
The number of employees at Nordlys is 1,300. > nordlys | employee_count | 1,300 | s
Nordlys changed its name to Polar. > nordlys | name | polar | s
Nordlys trades as Polar. > nordlys | name | polar | s
The archive holds 4,100 photographs. > archive | photograph_count | 4,100 | s
165 tickets are filed in the tracker. > tracker | ticket_filed_count | 165 | s
I have merged 31 branches into main. > main | branch_merged_count | 31 | s
34 branches have been merged into main. > main | branch_merged_count | 34 | s
I have completed 12 chapters. > mara | chapter_completed_count | 12 | s
I completed 12 chapters yesterday. > -
The checkout page's load time is around 900 ms. > checkout page | load_time | 900 ms | s
The checkout page's load time has dropped to 620 ms. > checkout page | load_time | 620 ms | s
The load time of the checkout page is now 540 ms. > checkout page | load_time | 540 ms | s
The checkout page load time fell to 500 ms. > checkout page | load_time | 500 ms | s
Coverage of the parser module has reached 81 %. > parser module | coverage | 81 % | s
The parser module's coverage is at 83%. > parser module | coverage | 83% | s
The error rate of the gateway rose from 1% to 3%. > gateway | error_rate | 3% | s
The gateway's rate limit was raised from 100 to 250 per minute. > gateway | rate_limit | 250 per minute | s
The gateway depends on the token service. > gateway | depends_on | token service | m
The gateway is written in Rust. > gateway | language | rust | s
The gateway was replaced by the mesh. > gateway | replaced_by | mesh | s
The maintainer of the gateway is Wen Li. > gateway | maintainer | wen li | s
Wen Li maintains the gateway. > gateway | maintainer | wen li | s
The gateway is maintained by Wen Li. > gateway | maintainer | wen li | s
Wen Li restarted the gateway. > -
Nine thousand for fourteen test rides in 2025 was enough. > -
The gateway was restarted by Wen Li. > -
The gateway will be replaced by the mesh. > -
The museum's entrance fee is 14 euros. > museum | entrance_fee | 14 euros | s
The entrance fee of the museum has risen to 16 euros. > museum | entrance_fee | 16 euros | s
The speed limit on Mill Road has been lowered to 30 km/h. > mill road | speed_limit | 30 km/h | s
The museum is home to a rare orchid. > museum | home_to | rare orchid | m
Aspirin is produced by Solva. > aspirin | producer | solva | s
The moon rabbit is native to Lorvania. > moon rabbit | native_to | lorvania | m
The statue is made of bronze. > statue | made_of | bronze | s
Mina weighs 4.2 kg. > mina | weight | 4.2 kg | s
The ticket costs 40 crowns. > ticket | price | 40 crowns | s
My dentist is Dr. Falk. > mara | dentist | dr. falk | s
My sister's piano teacher is Mrs. Oda. > mara's sister | piano_teacher | mrs. oda | s
The meeting in Bergen is cancelled. > -
The rest of the crew is tired. > -
Kim is happy with the result. > -
There is a bakery in Bergen. > -
If the capital of Lorvania is Belgar, tell me. > -
The former CEO of Nordlys is Nils Bø. > -
巴赫尔是洛瓦尼亚的首都 > 洛瓦尼亚 | capital | 巴赫尔 | s
洛瓦尼亚的首都是巴赫尔 > 洛瓦尼亚 | capital | 巴赫尔 | s
洛瓦尼亚的人口达到430万 > 洛瓦尼亚 | population | 430万 | s
北辰公司的董事长由王芳担任 > 北辰公司 | chairperson | 王芳 | s
北辰公司由王芳担任董事长 > 北辰公司 | chairperson | 王芳 | s
王芳被任命为北辰公司的董事长 > 北辰公司 | chairperson | 王芳 | s
赵磊取代王芳成为北辰公司的董事长 > 北辰公司 | chairperson | 赵磊 | s
北辰公司的董事长不再是王芳，而是赵磊 > 北辰公司 | chairperson | 赵磊 | s
北辰公司的总部位于杭州 > 北辰公司 | headquarters | 杭州 | s
北辰公司总部设在杭州 > 北辰公司 | headquarters | 杭州 | s
北辰公司隶属于青岚集团 > 北辰公司 | belongs_to | 青岚集团 | s
北辰公司成立于1998年 > 北辰公司 | founded_date | 1998年 | s
北辰公司由王芳创立 > 北辰公司 | founder | 王芳 | s
王芳创立了北辰公司 > 北辰公司 | founder | 王芳 | s
新图书馆由李明设计 > 新图书馆 | designer | 李明 | s
《长夜》的作者是陈墨 > 长夜 | author | 陈墨 | s
陈墨写了《长夜》 > 长夜 | author | 陈墨 | s
李娜毕业于浙江大学 > 李娜 | alma_mater | 浙江大学 | s
李娜会说法语 > 李娜 | language | 法语 | m
李娜是加拿大公民 > 李娜 | citizenship | 加拿大 | s
张伟与刘芳结婚 > 张伟 | spouse | 刘芳 | s
张伟司职门将 > 张伟 | position | 门将 | s
接口的响应时间从300毫秒降到250毫秒 > 接口 | response_time | 250毫秒 | s
我们把支付服务的超时时间从30秒改为45秒 > 支付服务 | timeout | 45秒 | s
项目的负责人现在为赵磊 > 项目 | owner | 赵磊 | s
门票的价格现在是三十元 > 门票 | price | 三十元 | s
小王是我的朋友 > -
今天的天气很好 > -
"""

ROWS = [tuple(part.strip() for part in line.split(" > ", 1)) for line in TABLE.strip().splitlines()]


def tell(statement: str) -> str:
    """Return what is read of a statement of Mara's, written as the table has it."""
    relation = read_relation(to_third_person(statement))
    if relation is None:
        return "-"
    key = entity_key(relation.entity, speaker="mara")
    value = clean_value(relation.value)
    return f"{key} | {relation.concept} | {value} | {relation.cardinality[0]}"


@pytest.mark.spec("M-04", "W-08")
@pytest.mark.parametrize(("statement", "expected"), ROWS)
def test_a_plain_statement_is_read_as_the_state_it_tells(statement: str, expected: str) -> None:
    assert tell(statement) == expected


@pytest.mark.parametrize(
    ("sentence", "clause", "value"),
    [
        ("The CEO of Nordlys is no longer Nils, it is Siri", "The CEO of Nordlys is no longer Nils", "Siri"),
        ("北辰公司的总部不再是青岛，而是成都", "北辰公司的总部不再是青岛", "成都"),
        ("北辰公司的总部不再是青岛", "北辰公司的总部不再是青岛", "no longer 青岛"),
    ],
)
def test_what_holds_instead_is_looked_for_in_the_next_clause(sentence: str, clause: str, value: str) -> None:
    relation = read_relation(clause, within=sentence)

    assert relation is not None
    assert (relation.value, relation.change) == (value, "explicit")


@pytest.mark.parametrize(
    ("statement", "change"),
    [
        ("The load time of the checkout page is 540 ms.", "none"),
        ("The load time of the checkout page is now 540 ms.", "explicit"),
        ("The checkout page's load time has dropped to 620 ms.", "explicit"),
        ("Siri Moe replaced Nils Bø as the chairman of Nordlys.", "explicit"),
        ("Siri Moe has been promoted to head of sales at Nordlys.", "explicit"),
        ("The gateway was replaced by the mesh.", "explicit"),
        ("Nils Bø is no longer the CEO of Nordlys.", "explicit"),
        ("Rune Dahl's position is left back instead of striker.", "explicit"),
        ("赵磊取代王芳成为北辰公司的董事长", "explicit"),
        ("北辰公司的总部改为杭州", "explicit"),
        ("北辰公司的总部是杭州", "none"),
    ],
)
def test_words_of_change_make_an_explicit_change(statement: str, change: str) -> None:
    relation = read_relation(to_third_person(statement))

    assert relation is not None
    assert relation.change == change


def test_a_small_part_of_a_long_sentence_does_not_stand_for_it() -> None:
    clause = "Wen Li maintains the gateway"

    assert read_relation(clause, within=clause) is not None
    assert read_relation(clause, within=clause + ", and much else was said " * 5) is None


def test_what_is_told_in_passing_is_read_by_itself() -> None:
    sentence = "We look at the checkout page load time, which has now dropped to 500 ms, and want to go on."

    assert list(split_asides(sentence)) == ["the checkout page load time has now dropped to 500 ms"]


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("Actually, the capital of Lorvania is Dorn.", "correction"),
        ("Correction: the capital of Lorvania is Dorn.", "correction"),
        ("Sorry, I was wrong, it is Dorn.", "correction"),
        ("不对，洛瓦尼亚的首都是多恩", "correction"),
        ("The capital of Lorvania is actually Dorn.", "none"),
        ("The capital of Lorvania is Dorn.", "none"),
    ],
)
def test_what_takes_something_back_is_a_correction(said: str, change: str) -> None:
    assert told_change(said) == change
