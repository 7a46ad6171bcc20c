"""Names of entities, the noise check, types, abbreviations, and which names are one (SPEC M-10)."""

from collections.abc import Iterator
from itertools import count
from uuid import UUID

import pytest

from memories.entity_resolution.aliases import Directory, Known, Said
from memories.entity_resolution.entities import salience
from memories.entity_resolution.mentions import Spoken, read_names
from memories.entity_resolution.name_forms import are_forms_of_one, full_given_names, short_given_names
from memories.entity_resolution.other_names import find_same_names
from memories.language.abbreviations import Abbreviation, find_abbreviations
from memories.language.entity_names import Named, initial_form, is_noise, name_key
from memories.language.entity_types import infer_type
from memories.language.tokens import find_proper_names

pytestmark = pytest.mark.spec("M-10")


@pytest.mark.parametrize(
    "name",
    [
        "a", "7", "张", "12.5", "500 ms", "$200", "3rd",  # single characters, numbers
        "the", "the other one", "因为", "这个",  # stop words
        "User", "assistant 2", "Agent", "tool", "Speaker 1", "speaker A", "用户", "助手",  # labels
        "2026-03-04", "March", "3 March 2026", "Monday morning", "Q3 2026", "2026年3月5日",  # dates
        "connect()", "x = 3", "import os", "--force", "def main", "https://candor.test/a", "a->b",  # code
        "a\ufffdbc", "xkcdqw", "llllama", "$%^ab", "■■ page", "l1k3 th1s 1s", "a1b2c3d4",  # debris
        "Wow", "Lately I've", "true",  # what opens a sentence, words of code
        "see you soon", "I think it is fine", "他昨天说，明天再来", "…", "",  # talk
    ],
)  # fmt: skip
def test_what_names_nothing_is_refused(name: str) -> None:
    assert is_noise(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Mel", "JWT", "HTTPS", "US", "U.S.", "C++", "R&D", "AT&T", "Node.js", "docs/a.md", "v2.3",
        "PROJ-123",
        "max_tokens", "json web token", "May Chen", "April Jones", "staging server", "Krk", "iPhone 15",
        "O'Brien", "Plan B", "H2O", "COVID-19", "Agent Smith", "张伟", "北京大学", "量子计算", "三星",
        "十月传媒",
    ],
)  # fmt: skip
def test_what_may_be_a_name_is_let_in(name: str) -> None:
    assert not is_noise(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Auth-Service's", "auth service"),
        ("auth_service", "Auth Service"),
        ("GPT-4", "gpt 4"),
        ("ＪＷＴ", "jwt"),
        ("张 伟", "张伟"),
        ("《三体》", "三体"),
        ("GPT 模型", "GPT模型"),
        ("J. Smith", "j smith"),
        ("U.S.A.", "USA"),
        ("“Apollo”", "Apollo"),
        ("James’", "James"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"), [("Plan A", "Plan B"), ("The Who", "who"), ("node.js", "node js"), ("v2.3", "v2.4")]
)
def test_other_names_keep_their_own_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Dr. Watson", "", "person"),
        ("Ann", "Ann said that the build is broken.", "person"),
        ("王老师", "", "person"),
        ("李明", "李明说明天开会。", "person"),
        ("Acme Corp", "", "organisation"),
        ("北京大学", "", "organisation"),
        ("Baker Street", "", "place"),
        ("杭州市", "", "place"),
        ("PROJ-123", "", "identifier"),
        ("memories/storage/read.py", "", "identifier"),
        ("max_tokens", "", "identifier"),
        ("billing-service", "", "product"),
        ("Windows 11", "", "product"),
        ("Project Apollo", "", "project"),
        ("登月项目", "", "project"),
        ("Raft protocol", "", "concept"),
        ("Apollo", "We met at Apollo.", "thing"),
        ("阿波罗", "我们看了阿波罗。", "thing"),
    ],
)
def test_a_cue_tells_the_type_and_none_leaves_a_thing(name: str, text: str, expected: str) -> None:
    assert infer_type(name, text) == expected


def test_the_role_in_a_state_tells_the_type() -> None:
    assert infer_type("ann", "", subject_of="employer") == "person"
    assert infer_type("Lisbon", "", value_of="residence") == "place"
    assert infer_type("Acme", "", value_of="employer") == "organisation"
    assert infer_type("Ann", "", value_of="manager") == "person"
    assert infer_type("acme", "", subject_of="residence") == "thing"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We sign it with a JSON Web Token (JWT).", [("JWT", "JSON Web Token")]),
        ("JWT (JSON Web Token) it is.", [("JWT", "JSON Web Token")]),
        ("the Department of Energy (DOE) said", [("DOE", "Department of Energy")]),
        ("The United Nations (UN) met the WHO.", [("UN", "United Nations")]),
        ("Extensible Markup Language (XML)", [("XML", "Extensible Markup Language")]),
        ("large language models (LLMs)", [("LLM", "large language model")]),
        ("我在北京大学（北大）工作。", [("北大", "北京大学")]),
        ("中国科学院（以下简称“中科院”）发布", [("中科院", "中国科学院")]),
        ("I saw Ann (OK) at the meeting (AM).", []),
        ("We met Bob (CEO) there.", []),
        ("他去了上海（出差）。", []),
    ],
)  # fmt: skip
def test_a_short_form_is_read_only_where_its_letters_are_the_long_ones(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert find_abbreviations(text) == tuple(Abbreviation(short=short, long=long) for short, long in expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Robert Miller (Bob) joined.", [("Bob", "Robert Miller")]),
        ("We run Kubernetes (K8s) here.", [("K8s", "Kubernetes")]),
        ("海岚（Hailan）的预算批准了。", [("Hailan", "海岚")]),
        ("Hailan (海岚) is the code name.", [("海岚", "Hailan")]),
        ("Ольга Баринова (Olga Barinova) signed.", [("Olga Barinova", "Ольга Баринова")]),
        ('Robert "Bob" Miller signed.', [("Bob", "Robert Miller"), ("Bob Miller", "Robert Miller")]),
        ("Priya Raman goes by Pri.", [("Pri", "Priya Raman")]),
        ("Project Hawk was renamed to Falcon.", [("Falcon", "Project Hawk")]),
        ("KMS stands for Key Management Service.", [("KMS", "Key Management Service")]),
        ("银杏又名白果，是缓存集群。", [("银杏", "白果")]),
        ("Jürgen Falk, auch Jogi genannt, fährt.", [("Jogi", "Jürgen Falk")]),
        ("Étienne Garnier, dit Titi, gère le stock.", [("Titi", "Étienne Garnier")]),
        ("Сергей Лапин, он же Лапа, чинит сервер.", [("Лапа", "Сергей Лапин")]),
        # a place, a role, a firm, a speaker, two things side by side
        ("Clara Nunes (Recife) owns the fleet.", []),
        ("Nadia Lahlou (CFO) signs.", []),
        ("Ian Wolfe (Siemens) visited.", []),
        ("杨帆（成都）负责渠道。", []),
        ("Nous quittons Lyon, dit Garnier.", []),
        ("Wir liefern nach Berlin, auch Hamburg.", []),
        ("Anna Weiss, formerly Siemens, joined us.", []),
        ("Anna steht für Qualität.", []),
        ("Mistral is not Sirocco.", []),
    ],
)
def test_a_text_says_that_two_names_are_one_and_a_bracket_alone_does_not(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert find_same_names(text) == tuple(Abbreviation(short=short, long=long) for short, long in expected)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("김민수", "Kim Minsu"),
        ("Bob Miller", "Robert Miller"), ("K8s", "Kubernetes"), ("JWT", "JSON Web Token"),
        ("RWA", "Regional Water Authority"), ("PostHog", "Post Hog"), ("Acme", "Acme GmbH"),
        ("Ann Weiss", "Dr. Ann Weiss"), ("Ann Weiss", "Ann M. Weiss"), ("José Ibarra", "Jose Ibarra"),
        ("Günther Maier", "Guenther Maier"), ("Zhang Wei", "张伟"), ("Wei Zhang", "张伟"),
        ("Дмитрий Козлов", "Dmitry Kozlov"), ("박지훈", "Park Jihoon"), ("Heron Project", "Project Heron"),
    ],
)  # fmt: skip
def test_other_forms_of_a_name_are_known_from_the_names_alone(one: str, other: str) -> None:
    assert are_forms_of_one(one, other)
    for pair in ((one, other), (other, one)):
        book = Book()
        earlier, later, again = (book.who(name) for name in (*pair, pair[0]))
        # What sounds the same in another alphabet may be seen only when the first name comes again.
        assert book.directory.follow(earlier) == book.directory.follow(later) == again


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna Berg", "Hannah Berg"), ("Jon Bauer", "John Bauer"), ("Paul Reyes", "Paula Reyes"),
        ("Atlas 2", "Atlas 3"), ("node-17", "node-71"), ("Java", "JavaScript"), ("AWS", "AWS Lambda"),
        ("K3s", "Kubernetes"), ("Lund", "Lund Shipping"), ("张伟", "张维"), ("Marin Kovac", "Marina Kovac"),
        ("上海", "Shantou"), ("Falcon", "Project Falcon"),
    ],
)  # fmt: skip
def test_names_that_only_look_alike_stay_two(one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        book = Book()
        earlier, later = (book.who(name) for name in pair)
        assert book.directory.follow(earlier) != later


def test_a_form_that_fits_two_means_neither() -> None:
    book = Book()
    inc, gmbh = book.who("Omnia Inc."), book.who("Omnia GmbH")

    assert len({inc, gmbh, book.who("Omnia")}) == 3
    assert len({book.who("Alexander Rossi"), book.who("Alexandra Rossi"), book.who("Alex Rossi")}) == 3


def test_a_name_without_capitals_is_known_again_where_it_stands() -> None:
    book = Book()
    hailan = book.read("海岚（Hailan）的预算批准了。")[0].entity_id

    (said,) = book.read("下周二讨论海岚的排期")

    assert (said.entity_id, [named.name for named in said.names]) == (hailan, ["海岚"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("张伟负责支付系统的迁移。", [("张伟", "person")]),
        ("王小明和李娜昨天在杭州开会。", [("王小明", "person"), ("李娜", "person"), ("杭州", "place")]),
        ("货柜从鹿特丹发出。", [("鹿特丹", "person")]),  # a name, if of another kind
        ("我明白，城市的标准最好第一时间定。", []),
        ("電池は東京の倉庫にあります。", []),  # Japanese is not read
        ("The plan is done.", []),
    ],
)
def test_proper_names_in_chinese_are_found_with_what_they_name(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert find_proper_names(text) == expected


def test_short_given_names_are_no_other_given_names() -> None:
    assert {"bob", "rob"} <= short_given_names("robert")
    assert "robert" in full_given_names("bob")
    assert not {"anna"} & short_given_names("hannah")
    assert "jack" in short_given_names("john")
    assert "jon" not in short_given_names("john")


def test_a_memory_names_its_entity_its_names_and_its_value_once_each() -> None:
    spoken = Spoken(
        memory_id=UUID(int=1), content="Ann Kowalski lives in Lisbon, says user 2.", rank=1, trusted=True,
        entities=("Ann Kowalski", "Lisbon", "user 2", "3"), entity_key="ann kowalski",
        concept_key="residence", value="lisbon",
    )  # fmt: skip

    assert read_names(spoken).names == (
        Named(key="ann kowalski", name="Ann Kowalski", type="person"),
        Named(key="lisbon", name="Lisbon", type="place"),
    )


def test_a_word_that_opens_the_sentence_is_no_part_of_the_name() -> None:
    spoken = Spoken(
        memory_id=UUID(int=1), content="", rank=1, trusted=True, entities=("Wow John", "John", "Hey")
    )

    assert [named.name for named in read_names(spoken).names] == ["John"]


@pytest.mark.parametrize(("memories", "expected"), [(0, 0.0), (1, 0.2), (4, 0.5), (16, 0.8)])
def test_salience_counts_memories_by_its_formula(memories: int, expected: float) -> None:
    assert salience(memories) == pytest.approx(expected)


def test_initials_are_those_of_two_plain_words() -> None:
    assert initial_form("John Smith") == "j smith"
    for name in ("Smith", "J. Smith", "john smith", "World Trade Center", "张 伟"):
        assert initial_form(name) is None


class Book:
    """A directory with numbered ids, asked memory by memory."""

    def __init__(self, *known: Known) -> None:
        self.ids: Iterator[int] = count(1)
        self.directory = Directory(known, new_id=lambda: UUID(int=next(self.ids)))

    def read(self, content: str, *names: str, rank: int = 1, trusted: bool = True) -> list[Said]:
        spoken = Spoken(memory_id=UUID(int=99), content=content, rank=rank, trusted=trusted, entities=names)
        return self.directory.read(spoken, read_names(spoken))

    def who(self, name: str, rank: int = 1) -> UUID:
        return self.read("", name, rank=rank)[0].entity_id


def test_an_acronym_means_its_long_form_once_a_text_says_so() -> None:
    book = Book()
    (said,) = book.read("A JSON Web Token (JWT) is used.", "JSON Web Token", "JWT")

    assert [named.name for named in said.names] == ["JSON Web Token", "JWT"]
    assert book.who("JWT") == book.who("json web tokens".removesuffix("s")) == said.entity_id


def test_an_acronym_of_two_long_forms_stays_apart_from_both() -> None:
    book = Book()
    book.read("The Postal Exchange (PX) agreed.", "Postal Exchange")
    book.read("The Project Xenon (PX) began.", "Project Xenon")

    assert len({book.who("PX"), book.who("Postal Exchange"), book.who("Project Xenon")}) == 3


def test_an_acronym_seen_before_is_taken_over_by_its_long_form() -> None:
    book = Book()
    before = book.who("JWT")
    (said,) = book.read("A JSON Web Token (JWT) is used.")

    assert book.directory.moves == [(before, said.entity_id)]
    assert book.who("JWT") == said.entity_id


def test_what_an_agent_infers_teaches_no_names() -> None:
    book = Book()
    (said,) = book.read("A JSON Web Token (JWT) is used.", trusted=False)

    assert [named.name for named in said.names] == ["JSON Web Token", "JWT"]
    assert book.who("JWT") != said.entity_id


def test_initials_mean_the_only_one_they_fit() -> None:
    book = Book()

    assert book.who("John Smith") == book.who("J. Smith")


def test_initials_seen_first_are_taken_over_by_the_full_name() -> None:
    book = Book()
    initials = book.who("J. Smith")
    full = book.who("John Smith")

    assert book.directory.moves == [(initials, full)]
    assert book.who("J. Smith") == full


def test_initials_that_fit_two_stay_apart() -> None:
    book = Book()
    john, jane = book.who("John Smith"), book.who("Jane Smith")

    assert len({john, jane, book.who("J. Smith")}) == 3
    book.who("Jack Smith")
    assert book.who("J. Smith") not in {john, jane, book.who("Jack Smith")}


def test_a_given_name_alone_is_nobody_in_particular() -> None:
    book = Book()

    assert book.who("John") != book.who("John Smith")


def test_a_name_known_above_is_somebody_else_below() -> None:
    above = UUID(int=50)
    book = Book(Known(key="apollo", entity_id=above, rank=3, entity_rank=3))

    below = book.who("Apollo", rank=1)

    assert below != above
    assert book.directory.moves == [(above, below)]
    assert book.who("Apollo", rank=3) == below


def test_an_alias_learnt_above_means_nothing_below() -> None:
    mars = UUID(int=50)
    book = Book(
        Known(key="project mars", entity_id=mars, rank=1, entity_rank=1),
        Known(key="px", entity_id=mars, rank=2, entity_rank=1, is_alias=True),
    )

    assert book.who("PX", rank=2) == mars
    assert book.who("PX", rank=1) != mars


def test_a_persons_word_on_a_name_outweighs_what_is_learnt() -> None:
    mars, venus = UUID(int=50), UUID(int=51)
    book = Book(
        Known(key="project mars", entity_id=mars, rank=1, entity_rank=1),
        Known(key="project venus", entity_id=venus, rank=1, entity_rank=1),
        Known(key="pv", entity_id=mars, rank=1, entity_rank=1, is_alias=True, is_manual=True),
    )
    book.read("Project Venus (PV) began.")

    assert book.who("PV") == mars
    assert "pv" not in {key for key, _ in book.directory.learnt}
