"""
Read the few relations that can be reasoned with from a sentence's own words (SPEC E-10). Pure.

A closed table: what is part of what, lies in what, lives where, is a member, needs, or is a kind of what. A
sentence is read only if it is that relation and nothing else: name, relation, name. One with a doubt, a
«not», a time or a second clause is left to who can read it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from memories.language import name_key
from memories.llms.rules import is_hedged
from security.patterns import bounded

Predicate = Literal["part_of", "member_of", "located_in", "residence", "depends_on", "kind_of"]

LONGEST: Final = 200
"""Characters of a sentence that is looked at. Ours: two names and a relation take less."""

MOST_WORDS: Final = 5
"""Words of a name without its article; longer phrases are clauses. Ours."""

MOST_SIGNS: Final = 16
"""Characters of a name in a script without spaces. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRelation:
    """What a sentence says: `subject`, words of a relation, `object`, as it writes them."""

    subject: str
    object: str
    subject_key: str  #: the subject's one spelling, without its article
    object_key: str
    predicate: Predicate
    verb: str  #: between the two, without the preposition; both may stand in another sentence
    preposition: str = ""
    suffix: str = ""  #: behind the object, where a language has it there
    is_worded: bool = True  #: its words say the predicate; «is the capital of» says more

    @property
    def is_place(self) -> bool:
        """Return whether the preposition goes with the object: «in Norway»."""
        return self.predicate in _PLACES


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """How a language says a relation: verb and preposition between the names, or a suffix behind both."""

    predicate: Predicate
    middle: re.Pattern[str]
    suffix: re.Pattern[str] | None = None
    inverse: bool = False  #: the whole is named first: «includes»
    is_worded: bool = True


_EN_IN: Final = "in|at|inside|within"
_DE_IN: Final = "in der|in dem|in den|im|in|am|an der|auf der"
_FR_IN: Final = "à la|à l[’']|à|au|aux|en|dans le|dans la|dans les|dans l[’']|dans|sur la|sur le"
_ES_IN: Final = "en el|en la|en los|en las|en"
_FR_OF: Final = "du|de la|des|de l[’']|de|d[’']"
_ES_OF: Final = "del|de la|de los|de las|de"
_DE_TO: Final = "zur|zum|zu der|zu dem|zu"

_SPACED: Final[tuple[tuple[Predicate, str, str], ...]] = (
    ("part_of", r"(?:is|are) (?:a |an )?(?:part|subsidiary|component|module|division) ", "of"),
    ("part_of", r"belongs? ", "to"),
    ("part_of", r"geh[öo]r(?:t|en) ", _DE_TO),
    ("part_of", r"(?:ist|sind) (?:ein )?Teil ", "von der|vom|von|der|des"),
    ("part_of", r"(?:fait|font) partie ", _FR_OF),
    ("part_of", r"appartien(?:t|nent) ", "à la|à l[’']|à|au|aux"),
    ("part_of", r"forman? parte ", _ES_OF),
    ("part_of", r"pertenecen? ", "al|a la|a los|a las|a"),
    ("member_of", r"is (?:a )?member ", "of"),
    ("member_of", r"ist (?:ein )?Mitglied ", "im|in der|in dem|in|der|des|von"),
    ("member_of", r"est membre ", _FR_OF),
    ("member_of", r"es miembro ", _ES_OF),
    ("located_in", r"(?:is|are) (?:located |situated |based )?", _EN_IN),
    ("located_in", r"(?:liegt|liegen|steht|stehen|befindet sich|befinden sich) ", _DE_IN),
    ("located_in", r"(?:se trouve|se trouvent|est situ[ée]e?|sont situ[ée]e?s) ", _FR_IN),
    ("located_in", r"(?:est[áa]n?|se encuentran?|queda)(?: situad[oa]s?| ubicad[oa]s?)? ", _ES_IN),
    ("residence", r"(?:lives|resides) ", _EN_IN),
    ("residence", r"(?:wohnt|lebt) ", _DE_IN),
    ("residence", r"(?:habite|vit|réside) ", _FR_IN),
    ("residence", r"(?:vive|reside) ", _ES_IN),
    ("depends_on", r"(?:depends?|relies|rely) ", "on"),
    ("depends_on", r"h[äa]ng(?:t|en) ab ", "vom|von der|von dem|von"),
    ("depends_on", r"dépend(?:ent)? ", _FR_OF),
    ("depends_on", r"dependen? ", _ES_OF),
    ("kind_of", r"(?:is|are) (?:a |an )?(?:kind|type|form) ", "of"),
    ("kind_of", r"(?:ist|sind) eine Art ", "von|"),
    ("kind_of", r"(?:est|sont) une sorte ", _FR_OF),
    ("kind_of", r"es un tipo ", _ES_OF),
)
"""Predicate, verb, and the prepositions that may follow it: English, German, French, Spanish."""

_PLACES: Final = frozenset({"located_in", "residence"})

_CAPITALS: Final = (
    r"is the capital ()of", rf"ist die Hauptstadt (){_DE_TO}", r"ist die Hauptstadt ()(?:von|der|des)",
    rf"est la capitale ()(?:{_FR_OF})", rf"es la capital ()(?:{_ES_OF})",
)  # fmt: skip
_WHOLES: Final = (
    r"(?:includes?|contains?|comprises?)", r"(?:umfasst|enthält|beinhaltet)", r"(?:comprend|contient|inclut)",
    r"(?:incluye|contiene|comprende)",
)  # fmt: skip

_UNSPACED: Final[tuple[tuple[Predicate, str, str, bool, bool], ...]] = (
    ("part_of", r"(?:隶属于|归属于|属于|隸屬於|屬於)", "", False, True),
    ("part_of", r"是", r"的(?:一部分|组成部分|子公司|子模块)", False, True),
    ("part_of", r"は", r"(?:の一部(?:です|だ|である)?|に属し(?:ている|ています|ます)|に属する)", False, True),
    ("member_of", r"是", r"的(?:一名)?(?:成员|一员|成員)", False, True),
    ("member_of", r"は", r"の(?:メンバー|一員)(?:です|だ|である)?", False, True),
    ("member_of", r"は", r"に所属し(?:ている|ています|ます)", False, True),
    ("located_in", r"(?:位于|坐落于|坐落在|地处|位於)", "", False, True),
    ("located_in", r"是", r"的(?:首都|省会|首府)", False, False),
    ("located_in", r"は", r"(?:に(?:あります|ある|位置し(?:ている|ています|ます)|位置する))", False, True),
    ("located_in", r"は", r"の(?:首都|県庁所在地)(?:です|だ|である)?", False, False),
    ("residence", r"(?:居住在|定居在|住在)", "", False, True),
    ("residence", r"は", r"に住んで(?:いる|います)", False, True),
    ("depends_on", r"(?:依赖于|取决于|依赖)", "", False, True),
    ("depends_on", r"は", r"に依存し(?:ている|ています|ます)", False, True),
    ("kind_of", r"是一种", "", False, True),
    ("kind_of", r"は", r"の一種(?:です|だ|である)?", False, True),
)  # fmt: skip
"""Predicate, what stands between the names, what behind, whether the whole is named first, whether the words
say the predicate itself: Chinese and Japanese."""

_ARTICLE: Final = bounded(
    r"\b(?:the|an?|our|der|die|das|den|dem|des|ein|eine|unsere?|le|la|les|un|une|notre|el|los|las|una|nuestr[oa])"
    r" |\bl[’']",
    re.IGNORECASE,
)
_DEFINITE: Final = bounded(
    r"(?:the|our|der|die|das|den|dem|des|unsere?|le|la|les|notre|el|los|las|nuestr[oa]) |l[’']", re.IGNORECASE
)
_NO_NAME: Final = bounded(
    r"\b(?:it|he|she|they|we|you|i|this|that|these|those|there|here|who|what|which|where|when|if|because|since"
    r"|until|from|as|only|still|never|not|no|nor|neither|none|nobody|nothing|every|each|some|any|most|many|few|all"
    r"|both|and|or|but|said|says|thinks?|told|not|will|would|should|could|may|might|must|now|also"
    r"|es|er|sie|wir|ihr|ich|dies|dieser|diese|dieses|hier|dort|da|wer|was|wenn|weil|seit|bis|ab|als|nur|noch"
    r"|nie|nicht|kein|keine|niemand|nichts|alle|einige|und|oder|aber|sagt|sagte|jetzt|auch"
    r"|il|elle|ils|elles|on|nous|vous|je|ce|cela|ça|ceci|ici|qui|quoi|où|quand|si|parce|depuis|jusqu|dès|ne|pas"
    r"|jamais|aucun|aucune|personne|rien|tout|tous|toutes|et|ou|mais|dit|maintenant|aussi"
    r"|ella|ellos|ellas|nosotros|esto|eso|esta|este|aquí|allí|quien|que|cuando|porque|desde|hasta|nunca|nadie"
    r"|nada|ningún|ninguna|todos?|todas?|y|e|pero|dijo|dice|ahora|también)\b|n['’]t\b|[,;:!?()\"“”«»\n\t]",
    re.IGNORECASE,
)
"""What no name holds: what points back, doubts, denies, joins or asks; and marks of a second clause."""
_NO_SIGN: Final = bounded(
    r"[，、。；：！？（）「」“”,;:!?\s]|[我你您他她它]|这|那|是|一[些个座名种位条]|某|不|没|未|和|与|及|或|都|也|将|会|如果|因为|これ|それ|あれ|ここ"
    r"|そこ|ない|もし|私|僕|彼|誰|何"
)
_CJK: Final = bounded(r"[\u3040-\u30ff\u3400-\u9fff]")
_LOWER_BETWEEN: Final = frozenset(
    ["of", "de", "del", "la", "le", "les", "des", "du", "von", "der", "the", "für", "for", "d"]
)
_END: Final = " .!。！"


def _spaced(predicate: Predicate, verb: str, prepositions: str) -> _Form:
    middle = bounded(rf" (?P<verb>{verb})(?P<preposition>{prepositions})(?: |(?<=[’']))")
    return _Form(predicate=predicate, middle=middle)


_SPACED_FORMS: Final = (
    *(_spaced(*row) for row in _SPACED),
    *(
        _Form(
            predicate="located_in",
            middle=bounded(rf" (?P<verb>{verb})(?P<preposition>)(?: |(?<=[’']))"), is_worded=False,
        )
        for verb in _CAPITALS
    ),
    *(
        _Form(
            predicate="part_of", middle=bounded(rf" (?P<verb>{verb})(?P<preposition>) "), inverse=True,
            is_worded=False,
        )
        for verb in _WHOLES
    ),
)  # fmt: skip
_UNSPACED_FORMS: Final = tuple(
    _Form(
        predicate=predicate, middle=bounded(f"(?P<verb>{verb})(?P<preposition>)"),
        suffix=bounded(f"(?:{suffix})$") if suffix else None, inverse=inverse, is_worded=is_worded,
    )
    for predicate, verb, suffix, inverse, is_worded in _UNSPACED
)  # fmt: skip


def read_relation(sentence: str) -> StatedRelation | None:
    """Return the relation that a plain sentence states, in one of six languages; None for any other."""
    text = sentence.strip(_END)
    if not text or len(text) > LONGEST or is_hedged(text):
        return None
    unspaced = _CJK.search(text) is not None
    return next(_read(text, _UNSPACED_FORMS if unspaced else _SPACED_FORMS, unspaced=unspaced), None)


def key_of(name: str) -> str:
    """Return a name's one spelling, without an article."""
    plain = name.strip(_END)
    while (article := _ARTICLE.match(plain)) is not None:
        plain = plain[article.end() :]
    return name_key(plain)


def word(subject: str, relation: StatedRelation, last: StatedRelation) -> str:
    """
    Say in the words of `relation` that the subject stands in it to the object of `last`.

    relation: of the conclusion's predicate. The object keeps the preposition that it was said with.
    """
    place = relation.is_place and last.is_place and last.preposition
    preposition = last.preposition if place else relation.preposition
    subject = subject[:1].upper() + subject[1:]
    if _CJK.search(subject + relation.verb):
        return f"{subject}{relation.verb}{last.object}{relation.suffix}。"
    lead = f"{subject} {relation.verb.strip()} {preposition}".rstrip()
    return f"{lead}{'' if lead[-1] in '’' + chr(39) else ' '}{last.object}."


def _read(text: str, forms: tuple[_Form, ...], *, unspaced: bool) -> Iterator[StatedRelation]:
    for form in forms:
        body, suffix = text, ""
        if form.suffix is not None:
            if (found := form.suffix.search(text)) is None:
                continue
            body, suffix = text[: found.start()], found[0]
        places = list(form.middle.finditer(body))
        if len(places) != 1:
            continue
        [at] = places
        first, second = body[: at.start()].strip(), body[at.end() :].strip()
        is_name = _is_unspaced_name if unspaced else _is_spaced_name
        if not (is_name(first) and is_name(second) and _are_things(first, second, form)):
            continue
        subject, whole = (second, first) if form.inverse else (first, second)
        yield StatedRelation(
            subject=subject, object=whole, subject_key=key_of(subject), object_key=key_of(whole),
            predicate=form.predicate, verb=at["verb"], preposition=at["preposition"], suffix=suffix,
            is_worded=form.is_worded,
        )  # fmt: skip


def _are_things(first: str, second: str, form: _Form) -> bool:
    """Tell whether both phrases mean one thing wherever they are said: «a meeting», «progress» do not."""
    if form.predicate == "kind_of" or _CJK.search(first):
        return True
    bare = form.predicate in _PLACES or form.inverse  # «is in progress», «includes raising the pressure»
    return _is_one_thing(first, may_be_bare=not form.inverse) and _is_one_thing(second, may_be_bare=not bare)


def _is_one_thing(text: str, *, may_be_bare: bool) -> bool:
    if _DEFINITE.match(text) is not None:
        return True
    return not _ARTICLE.match(text) and (may_be_bare or not text.islower())


def _is_spaced_name(text: str) -> bool:
    """Tell whether words can be a name: few, none that points or joins, no clause of a capital and a verb."""
    article = _ARTICLE.match(text)
    plain = text[article.end() :] if article else text
    words = plain.split()
    if not 1 <= len(words) <= MOST_WORDS or _NO_NAME.search(plain) or _ARTICLE.search(f" {plain} "):
        return False
    if words[0][0].isdigit() and not words[0][-1].isalpha():
        return False
    low = [not word[0].isupper() and not word[0].isdigit() for word in words]
    inner = [word for word, lower in zip(words[1:-1], low[1:-1], strict=True) if lower]
    if not low[0] and not low[-1] and any(word not in _LOWER_BETWEEN for word in inner):
        return False  # «Peter thinks Router»
    return any(char.isalpha() for char in plain)


def _is_unspaced_name(text: str) -> bool:
    return 2 <= len(text) <= MOST_SIGNS and _NO_SIGN.search(text) is None
