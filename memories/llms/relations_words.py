"""Words of relations: which verbs tell a state, what it is called, and whether it holds one value or many."""

from typing import Final, Literal

from memories.llms.rules_wording import word_set

Cardinality = Literal["single", "multi"]


def _pairs(text: str) -> dict[str, str]:
    """Return «a b: c; …» as {a: c, b: c}."""
    entries = (entry.split(":") for entry in text.split(";") if entry.strip())
    return {word: name.strip() for words, name in entries for word in words.split()}


POSITIONS: Final = _pairs(
    """
    live_in live_at live_near reside_in reside_at dwell_in settle_in: residence;
    work_for work_at: employer; work_as serve_as: occupation; report_to answer_to: manager;
    sit_in sit_on lie_in lie_on stand_in stand_on hang_in rest_in: location;
    play_as: position; play_for: team; study_at: school; attend: school; graduate_from: alma_mater;
    belong_to: belongs_to; run_on: runs_on; live_on: runs_on; originate_in originate_from stem_from: origin;
    die_in die_at: death_place; die_of die_from: cause_of_death; hail_from: hometown;
    cost: price; weigh: weight; last: duration; bear: name; start_at start_on begin_at begin_on: start;
    end_at end_on: end; open_at: start; close_at: end;  flow_into: mouth; rise_in: source;
    represent: represents; specialise_in specialize_in: speciality; major_in: major; worship: religion;
    face: facing; date_from: age; measure: size; occupy: location; trade_as: name; air_on: broadcaster;
    """
)
"""
Verb (with its preposition) → attribute, single: somebody lives, works, belongs and stands in one place at a
time, is born and dies once, and a measure has one reading. A newer statement replaces the former.
"""

ACCUMULATING: Final = _pairs(
    """
    speak: language; like love enjoy adore: likes; hate dislike loathe: dislikes; know: knows; use: uses;
    own possess: owns; visit: visited; teach: teaches; study learn: studies; support: supports;
    collect: collects; play: plays; produce make manufacture: produces; sell offer: sells; supply: supplies;
    include contain comprise: includes; depend_on rely_on: depends_on;
    follow: follows; read: reads; wear: wears; eat: eats; drink: drinks; drive: drives; grow: grows;
    practise practice: practises; believe_in: believes_in; compete_in: competes_in; border: borders;
    connect_to link_to: connected_to; serve: serves; host: hosts; sponsor: sponsors; work_with: works_with;
    work_on: works_on; participate_in: participates_in; invest_in: invests_in;
    breed: breeds; sing: sings; cover: covers; employ: employs; accept: accepts; ship_to: ships_to;
     export: exports; import: imports; win: won; translate: translates; treat: treats;
    integrate_with: integrates_with; consist_of: consists_of; cooperate_with collaborate_with: works_with;
    """
)
"""
Verb (with its preposition) → attribute, multi: who likes, speaks, knows, uses or has been to one thing may
well like, speak, know … another. A further value stands beside the former.
"""

PAST_STATES: Final = word_set("die_in die_at die_of graduate_from work_in play_for study_at win visit attend")
"""Verbs whose past still says something of their subject."""

LEADING: Final = _pairs(
    """
    lead: lead; manage: manager; head: head; chair: chairperson; direct: director; coach train: coach;
    run: head; edit: editor; host: host; captain: captain; govern: governor; rule: ruler; maintain:
    maintainer;
    own: owner; moderate: moderator; curate: curator; oversee supervise: supervisor; broadcast: broadcaster;
    """
)
"""Verb of who is at the head of a named thing → the office, single, of that thing."""

CREATORS: Final = _pairs(
    """
    found co-found establish: founder; create: creator; write author pen: author; direct: director;
    invent: inventor; compose: composer; design: designer; develop: developer; paint: painter;
    discover: discoverer; perform sing: performer; produce: producer; publish: publisher; build: builder;
    manufacture: manufacturer; record: performer; translate: translator; sculpt: sculptor; illustrate:
    illustrator;
    own: owner; lead: lead; manage: manager; maintain: maintainer; head: head; chair: chairperson; run: head;
    employ: employer; coach train: coach; edit: editor; operate: operator; broadcast air: broadcaster;
    supervise: supervisor; host: host; distribute: distributor; raise: raised_by; advise: adviser;
    """
)
"""Verb → who did it: «written by» and «wrote» say who the author is."""

MAKING: Final = word_set(
    "found co-found establish create write author invent compose design develop paint discover perform "
    "produce publish direct build sculpt translate illustrate"
)
"""Verbs whose past makes a lasting fact of a *named* work; «Kim wrote the report» is a day's work."""

LASTING: Final = MAKING | word_set(
    "bear bury educate locate situate name record manufacture raise sing set headquarter cast film shoot "
    "release marry christen baptise baptize incorporate introduce launch base broadcast air distribute crown"
)
"""Verbs whose passive in the past still holds: how something came into the world. «Was restarted» does
not."""

PARTICIPLES: Final = _pairs(
    """
    located_in located_on located_at situated_in situated_on situated_at found_in stationed_in: location;
    headquartered_in headquartered_at: headquarters; born_in born_at: birthplace; born_on: birthday;
    buried_in buried_at: burial_place; educated_at educated_in schooled_at trained_at: alma_mater;
    employed_by employed_at: employer; employed_as: occupation; married_to: spouse; named_after: namesake;
    known_as called: name; known_for famed_for noted_for renowned_for celebrated_for: famous_for;
    set_in: setting; dedicated_to: dedicated_to; hosted_on hosted_at deployed_on deployed_to: runs_on;
    written_in: language; made_of: made_of; composed_of: made_of; based_in: residence; based_on: based_on;
    signed_to: label; sung_in: language;
    """
)
"""Participle with its preposition → attribute; others keep their own words: made_of, related_to."""

SHARED_PARTICIPLES: Final = word_set(
    "used supported sponsored inspired influenced visited attended surrounded followed loved backed funded "
    "endorsed required needed shared bordered involved included featured mentioned translated trained "
    "certified "
    "interested"
)
"""Participles that several may share: «used by Acme» does not end «used by Borealis»."""

ADJECTIVES: Final = _pairs(
    """
    famous_for popular_for notable_for best-known_for: famous_for; responsible_for accountable_for:
    responsible_for;
    fluent_in: language; proficient_in skilled_in good_at expert_in: skill; allergic_to: allergy;
    native_to endemic_to indigenous_to: native_to; capable_of: capable_of; available_in available_on:
    available_in;
    compatible_with: compatible_with; home_to: home_to; loyal_to: loyal_to; adjacent_to close_to next_to
    near_to: near;
    active_in: active_in; fond_of: likes; resident_in: residence; subject_to: subject_to; equal_to: value;
    """
)
"""Adjective with its preposition → attribute."""

SHARED_ADJECTIVES: Final = word_set(
    "language skill allergy available_in compatible_with home_to near active_in likes capable_of "
    "responsible_for "
    "native_to subject_to"
)
"""Attributes of adjectives that hold several values; the others («famous for») name the one that counts."""

MEMBERSHIPS: Final = word_set(
    "citizen national resident inhabitant native subsidiary part province suburb district capital division "
    "department employee student pupil tributary branch child son daughter moon region colony chapter"
)
"""What something is of one whole only: «a citizen of O» is replaced, «a member of O» stands beside others."""

CLASS_NOUNS: Final = word_set(
    "language sport religion faith position field profession occupation genre role rank title discipline "
    "instrument nationality industry currency party denomination style format subject"
)
"""Nouns that name the attribute itself: «plays the position of O» is «the position is O»."""

SETTLEMENTS: Final = word_set(
    "city town village municipality place area year month port island company district"
)
"""Nouns that only say what kind of thing O is: «in the city of O» is «in O»."""

LEVELS: Final = word_set("continent country nation state province region county")
"""Nouns of a level: what lies in one city lies in one country too, and neither replaces the other."""

CONTINENTS: Final = word_set("asia africa europe oceania antarctica") | {"north america", "south america"}

CANONICAL: Final = _pairs(
    """
    chief_executive chief_executive_officer: ceo; chief_technology_officer: cto; chief_financial_officer: cfo;
    chief_operating_officer: coo; chairman chairwoman chair: chairperson;
    head_coach: coach;
    head_quarters hq headquarter head_office main_office: headquarters; citizen_of national_of: citizenship;
    nationality: citizenship; resident_of inhabitant_of: residence; native_of: hometown; faith: religion;
    profession: occupation; football_club club: team; mother_tongue: native_language; writer: author;
    singer: performer; maker: manufacturer; creator_of: creator; employee_of: employer; spouse_of: spouse;
    wife husband: spouse; place_of_death: death_place; place_of_birth: birthplace; date_of_birth: birthday;
    birth_date: birthday; birth_place: birthplace; work_place: employer; teammate: teammate; nation: country;
    resident: residence; alma_mater: alma_mater; inhabitants: population; boss: manager; principal: head;
    """
)
"""Attribute → the one key it is kept under, beside `rules_words.SYNONYMS`."""

ATTRIBUTE_NOUNS: Final = word_set(
    """
    age altitude amount anthem area author average balance bandwidth birthday birthplace birthrate brand
    brother
    budget capacity capital captain category ceo chairman chairperson champion chancellor chief cloud coach
    code
    colour color commander concentration conductor continent coordinator count country coverage creator
    currency
    deadline density depth deputy designer developer diameter director distance domain duration editor
    elevation
    email employer energy fee flag founder framework frequency founding genre god goal governor head
    headquarters
    height host income interest judge king language latency lead leader length level licence license limit
    location logo maintainer majority manager margin mascot mass mayor mean member minimum maximum minister
    motto
    mother father name nickname number occupation officer operator opponent origin owner parent partner
    percentage pharmacist phone population port position precision president price principal priority producer
    profit publisher queen quota radius rank ranking rate rating ratio religion rent residence result revenue
    role ruler salary score seat secretary setting share size slogan smell source species speed sponsor spouse
    stadium status style supervisor supplier surface symbol team temperature term theme throughput timeout
    title
    topic total trainer turnover type uptime value velocity venue version voltage volume wage wavelength
    weight
    width winner yield accuracy agent allergy ambassador architect blood breed broadcaster caretaker
    """
)
"""Nouns that are attributes of something, so that «in», «at» and «for» after them join it to its owner."""

NO_ATTRIBUTES: Final = word_set(
    "rest most some all one part half bit lot lots kind sort majority any each both none many much few "
    "several "
    "couple pair group bunch piece end middle front back side top bottom beginning start problem point thing "
    "fact "
    "idea reason question case kinds sorts result plan way copy purpose matter issue bulk example"
)
"""Nouns before «of» that name a share or an abstraction, and no attribute."""

PLACE_NOUNS: Final = word_set(
    "headquarters office offices seat venue base campus factory plant stadium home store shop warehouse "
    "laboratory lab studio depot datacenter grave birthplace origin location residence"
)
"""Attributes that are places: «is located in O» tells their value."""

PAIRED_HEADS: Final = word_set(
    "time date rate count size limit number level score ratio price address length code"
)
"""Heads that take the noun before them along: «response time», «error rate»."""

UNSURE_VERBS: Final = word_set(
    """
    say think believe hope mean seem look feel sound get go come take do ask tell suggest appear try plan
    stop keep help let wonder agree claim argue expect want wish decide give put turn show call happen
    find hear see remember forget consider intend propose recommend complain worry matter add change move fix
    update send start begin continue finish end open close fail crash break pass wait stay become remain
    release deploy merge review test check note notice mention guess doubt return leave arrive
    need require lack miss reach hit rise fall drop join lose set handle cause make turn thank last refer
    """
)
"""Verbs that report, happen or lean on more: in the present they tell no lasting relation by themselves."""

MEASURING: Final = _pairs(
    "tall high: height; long: length; wide broad: width; deep: depth; old: age; heavy: weight; thick: "
    "thickness"
)
"""Adjective behind a measure → what is measured."""

CHANGING: Final = word_set(
    "change move raise lower increase reduce cut set update bump upgrade downgrade switch migrate rename "
    "extend "
    "postpone push reschedule drop rise grow climb fall improve shrink go jump slip reach hit become adjust "
    "shorten double decrease decline swell correct revise total stand sit amount average equal exceed be "
    "stay remain measure read come"
)
"""Verbs that bring an attribute to a value: «rose to O», «has reached O», «was set to O»."""

NEWS: Final = CHANGING - word_set(
    "set stand sit amount average equal exceed be total stay remain measure read come"
)
"""Of these, those that say that it was another before."""

OFFICES: Final = word_set(
    "appoint elect name promote make nominate hire select choose install confirm crown designate"
)
"""Verbs that put somebody in an office."""

IRREGULAR: Final = _pairs(
    """
    is are was were been be am: be; has have had: have; wrote written: write; built: build; sang sung: sing;
    made: make; led: lead; ran: run; grew grown: grow; rose risen: rise; fell fallen: fall; became become:
    become;
    went gone: go; found: find; founded: found; known knew: know; born borne: bear; taught: teach; held: hold;
    shot: shoot; set: set; cut: cut; hit: hit; read: read; drove driven: drive; wore worn: wear; ate eaten:
    eat;
    drank drunk: drink; spoke spoken: speak; chose chosen: choose; lay lain: lie; stood: stand; sat: sit;
    hung: hang; died dies dying: die; lies: lie; bought: buy; sold: sell; won: win; drew drawn: draw;
    paid: pay; kept: keep; left: leave; took taken: take; gave given: give; came: come; goes: go; does: do;
    shrank shrunk: shrink; swelled swollen: swell; broadcast: broadcast; cast: cast; slept: sleep; met: meet;
    lost: lose; bred: breed; sent: send; rode ridden: ride; flew flown: fly; thought: think; said: say;
    """
)
"""Irregular forms → lemma."""

KNOWN_VERBS: Final = frozenset(
    {
        key.partition("_")[0]
        for table in (POSITIONS, ACCUMULATING, LEADING, CREATORS, PARTICIPLES)
        for key in table
    }
    | LASTING
    | CHANGING
    | OFFICES
    | UNSURE_VERBS
    | set(IRREGULAR.values())
    | {"replace", "succeed", "swap", "step", "resign", "retire", "take", "relocate"}
)
"""Every infinitive of these tables."""

CANONICAL_ZH: Final = {
    "首席执行官": "ceo", "总裁": "president", "总经理": "general_manager", "主席": "chairperson",
    "董事长": "chairperson", "总统": "president", "总理": "prime_minister", "首相": "prime_minister",
    "市长": "mayor", "国王": "king", "女王": "queen", "教练": "coach", "主教练": "coach",
    "队长": "captain", "校长": "headmaster", "创始人": "founder", "创办人": "founder", "作者": "author",
    "导演": "director", "首都": "capital", "省会": "provincial_capital", "人口": "population",
    "面积": "area", "高度": "height", "海拔": "elevation", "长度": "length", "重量": "weight",
    "体重": "weight", "身高": "height", "年龄": "age", "货币": "currency",
    "官方语言": "official_language", "国籍": "citizenship", "宗教": "religion", "信仰": "religion",
    "配偶": "spouse", "母公司": "parent_company", "总部": "headquarters", "所在地": "location",
    "位置": "location", "出生地": "birthplace", "出生日期": "birthday", "母校": "alma_mater",
    "职位": "occupation", "职务": "occupation", "雇主": "employer", "响应时间": "response_time",
    "平均响应时间": "average_response_time", "覆盖率": "coverage", "测试覆盖率": "test_coverage",
    "准确率": "accuracy", "速度": "speed", "限速": "speed_limit", "门票": "ticket_price",
    "票价": "ticket_price", "薪水": "salary", "工资": "salary", "收入": "income", "开发者": "developer",
    "供应商": "supplier", "赞助商": "sponsor", "主持人": "host", "设计师": "designer", "吉祥物": "mascot",
    "CEO": "ceo", "CTO": "cto", "CFO": "cfo", "配额": "quota", "容量": "capacity", "温度": "temperature",
    "主题": "theme", "口号": "slogan", "球队": "team", "专业": "major", "联系人": "contact",
    "负责人": "owner", "经理": "manager", "国歌": "anthem", "时区": "timezone",
}  # fmt: skip
"""Chinese attribute → its key, beside `rules_words.SYNONYMS_ZH`; others keep their own characters."""
