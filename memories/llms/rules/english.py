"""
Read a plain English clause as the state it tells: «the R of S is O», «S was founded by O», «S moved to O».

Pure. The forms are those of the language, each written once, with the sentence's own noun or verb for its
concept. What fits none is no state: its words are kept (SPEC K-03), and an arbiter judges them (K-06).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from memories.language import word_set
from memories.llms.base import Change
from memories.llms.rules.keys import (
    SYNONYMS,
    agent_of,
    concept_of,
    concept_of_value,
    count_of,
    is_date,
    pairs,
)
from memories.llms.rules.phrases import (
    LEVELS,
    NAME,
    PLACES,
    bare_value,
    deepen,
    is_measure,
    is_name,
    is_person,
    is_subject,
    is_value,
    split_attribute,
    split_compound,
)
from memories.llms.rules.relation import ME, RelationForm
from security.patterns import bounded

LONGEST: Final = 300
"""Characters of a clause that is looked at; a plain statement is shorter."""

_VERBS: Final = pairs(
    """
    live_in live_at reside_in reside_at stay_in work_for work_at work_as report_to belong_to run_on listen_on
    lie_in lie_on stand_in hang_in sit_in sit_on
    cost weigh last expire_on start_on start_at end_on end_at open_at close_at: single;
    use speak know own support like love enjoy prefer hate dislike depend_on: multi
    """
)
"""Verbs of how things stand, with the word that leads to their object → how many objects hold at a time."""

_KINDS: Final = pairs(
    "like love enjoy prefer hate dislike: preference; cost weigh last listen_on run_on: working_state"
)
_ADJECTIVES: Final = pairs("famous_for: single; allergic_to fluent_in responsible_for native_to: multi")
_GROUPS: Final = word_set("citizen resident national student employee subsidiary native")
"""What somebody is of one whole only: «a citizen of O» is replaced, «a member of O» stands beside others."""

_BASE: Final = {verb: verb.partition("_")[0] for verb in _VERBS}
_FORMS: Final = "|".join(
    sorted({root + end for root in _BASE.values() for end in ("", "s", "es")}, key=len)[::-1]
)
_PREP: Final = r"(?:in|at|to|of|on|by|from|for|with|as|after|into)"
_HAVE: Final = r"(?:has |have |had )?"
_NEW: Final = r"(?:new |current |next )?"
_ROLE: Final = r"(?P<r>[\w/-]+(?: [\w/-]+){0,4}?)"
_FROM: Final = r"(?:(?:up|down|back|over) )?(?:from .{1,60}? )?"
_PARTICIPLE: Final = (
    r"(?:[a-z-]+(?:ed|en|wn|rn|ilt|ent|ght|eld|ound|ade|ung|ead)|set|led|run|cast|cut|put|done|sold|won|paid)"
)
_PUT: Final = (
    r"(?:appointed|named|elected|hired|made|nominated|chosen|selected|promoted|chose|picked|confirmed)"
)
_MOVED: Final = (
    r"(?:mov|relocat|migrat|switch|chang|transferr|shift|postpon|reschedul|push|delay|upgrad|updat|extend"
    r"|rais|lower|reduc|increas|bump|adjust|cut|set|renam|shorten|drop|brought|grown|grew|risen|rose|fell"
    r"|fallen|gone|went)[a-z]{0,4}"
)
_GOES: Final = r"(?:moved|moves|moving|relocated|relocates|relocating|migrated|transferred)"
_LEADS: Final = (
    r"(?:maintains|leads|manages|owns|heads|chairs|directs|coaches|edits|hosts|supervises|governs)"
)


_DOUBT: Final = bounded(
    r"^(?:If|When|While|Because|Unless|Maybe)\b|\b(?:will|would|should|could|can|may|might|shall|must|if"
    r"|because|when|while|unless|whether|going to|wants? to|used to|never|not|had)\b|n['’]t\b"
)
_ADVERB: Final = bounded(
    r",? ?(?<![-\w])(?:now|currently|presently|still|also|already|just|recently|officially|finally|really"
    r"|actually|again|mostly|mainly|both|soon|right now|at the moment|these days|nowadays|any ?more"
    r"|once more)(?![-\w'])"
)
_NEWS: Final = bounded(
    r"\b(?:now|no longer|any ?more|instead|as of|from now on|since (?:today|yesterday|(?:this|last) \w+)"
    r"|new)\b"
)
_BUT: Final = bounded(r"\bno longer .{1,60}? but (?:(?:is|are|rather) )?")
_GONE: Final = bounded(
    r"\bno longer (?P<verb>[a-z]+)|\b(?:does not|do not|doesn['’]t|don['’]t) (?P<plain>[a-z]+)"
    r"(?=.* any ?more)"
)
_RATHER: Final = bounded(r",? (?:instead of|rather than) .*$")
_DISLIKE: Final = bounded(
    r"\b(?:do(?:es)? not|do(?:es)?n['’]t|can(?:not|['’]t)) (?:really )?(?:like|stand|enjoy)\b"
)
_DATE_TAIL: Final = bounded(
    r"(?:,? (?:(?:since|as of|from|until|by|on|in|at|starting)\s)*\(?\d{4}-\d\d(?:-\d\d)?"
    r"(?:[T ]\d\d:\d\d)?\)?)$"
)
_DATE_LEAD: Final = bounded(
    r"^(?:(?:from|as of|since|starting|on|in|by|until) )?(?:the \w+ of )?\(?\d{4}-\d\d(?:-\d\d)?\)?"
    r"(?: on)?,? (?=\S+ \S)",
    re.IGNORECASE,
)
_BESIDE: Final = bounded(
    r",? (?:because|so that|since (?!\d)|although|though|unless|until|after|before|when|while|as soon as"
    r"|in order to) .*$|, (?=[a-z])(?!which )[^,]*(?:,.*)?$| the (?:night|morning|evening|afternoon"
    rf"|week) of \d{{4}}.*$| and (?:{_FORMS}) .*$"
)
"""What stands beside a statement: why, when, and what else."""
_SAID: Final = tuple(
    (bounded(said), put)
    for said, put in (
        (r"\bI(?:['’]m| am)\b", f"{ME} is"),
        (r"\bI(?:['’]ve| have)\b", f"{ME} has"),
        (r"\b[Ww]e['’]ve\b", "we have"),
        (r"\b[Ww]e['’]re\b", "we are"),
        (r"\b(?:[Mm]y|[Mm]ine)\b", f"{ME}'s"),
        (r"\b(?:I|me|myself)\b", ME),
    )
)
"""How a speaker says I → the third person, in which the forms are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    """A clause as forms see it: the speaker is ME, adverbs are gone."""

    text: str
    bare: str  #: without a day at its end, which tells since when, or is what is said
    change: Change
    gone: bool  #: «no longer»


def read_english(clause: str) -> RelationForm | None:
    """Return the state that a clause tells; None where no form of the language fits it."""
    if len(clause) > LONGEST:
        return None
    said = _prepare(clause)
    return _read(said.bare, said) or (_read(said.text, said) if said.text != said.bare else None)


def _read(text: str, said: _Clause) -> RelationForm | None:
    for form, build in FORMS:
        match = form.fullmatch(text)
        if match is None or _DOUBT.search(text, 0, match.start("o")):
            continue
        if (found := build(match)) and (told := _finish(found, said)):
            return told
    return None


def _prepare(clause: str) -> _Clause:
    text = " ".join(clause.strip(" .!,;").split())
    for pattern, put in _SAID:
        text = pattern.sub(put, text)
    news = _NEWS.search(text) or bounded(r"(?:from|as of|since|starting) (?:\d|the \w+ of \d)", 2).match(text)
    text = _DISLIKE.sub("dislike", _RATHER.sub("", _BUT.sub("", text)))
    gone = _GONE.search(text) is not None
    text = _GONE.sub(lambda match: match["verb"] or match["plain"], text)
    text = _ADVERB.sub("", _BESIDE.sub("", _DATE_LEAD.sub("", text))).strip(" ,")
    return _Clause(
        text=text, bare=_DATE_TAIL.sub("", text), change="explicit" if news or gone else "none", gone=gone
    )


def _finish(relation: RelationForm, said: _Clause) -> RelationForm | None:
    """Check what was read as a whole, and set what the words of change say."""
    value = relation.value.strip(' .,"“”«»')
    if not is_value(value) or not is_subject(relation.entity) or not relation.concept:
        return None
    if said.gone and relation.cardinality == "multi":
        return None
    change = said.change if relation.change == "none" else relation.change
    return replace(relation, value=f"no longer {value}" if said.gone else value, change=change)


def _of(owner: str, attribute: str, value: str, *, change: Change = "none") -> RelationForm | None:
    """Make a relation of an attribute as said."""
    attribute, owner = deepen(attribute, "of", owner)
    concept, (bare, _) = concept_of(attribute), bare_value(value)
    if concept is None:
        return None
    if is_date(bare) and not _TIMED.search(concept):
        concept = f"{concept}_date"
    kind = "preference" if concept.startswith(("favourite", "preferred")) else "profile"
    return RelationForm(
        entity=owner,
        concept=concept,
        value=bare,
        kind="working_state" if is_measure(bare) else kind,
        change=change,
    )


def _state(entity: str, key: str, value: str, cardinality: str) -> RelationForm:
    """Make a relation of a verb; a noun that says of what class the value is names the concept."""
    bare, noun = bare_value(value)
    concept = SYNONYMS.get(key, key)
    if noun in LEVELS:
        concept = f"{concept}_{noun}"
    elif noun is not None and noun not in PLACES:
        concept, cardinality = SYNONYMS.get(noun, noun), "single"
    return RelationForm(
        entity=entity, concept=concept, value=bare,
        cardinality="multi" if cardinality == "multi" else "single",
        kind=_KINDS.get(key, "profile"),
    )  # fmt: skip


def _office(match: re.Match[str]) -> RelationForm | None:
    """Read «O replaced P as the R of S», «O was appointed R of S», «S appointed O as its new R»."""
    return _of(match["s"], match["r"], match["o"], change="explicit")


def _serves(match: re.Match[str]) -> RelationForm | None:
    return _of(match["s"], match["r"], match["o"])


def _left(match: re.Match[str]) -> RelationForm | None:
    """Read «O resigned as R of S»: nobody is known to hold the office."""
    found = _office(match)
    return found and replace(found, value=f"no longer {found.value}")


def _is_of(match: re.Match[str]) -> RelationForm | None:
    """Read «O is the R of S»; «S is a citizen of O» the other way round."""
    if match["a"] in ("the", "our"):
        return _of(match["s"], match["r"], match["o"])
    key = f"{match['r'].split()[-1].casefold()}_of"
    return _state(match["o"], key, match["s"], "single" if match["r"].split()[-1] in _GROUPS else "multi")


def _count(match: re.Match[str]) -> RelationForm:
    noun = "employees" if match["v"].startswith("employ") else match["n"]
    return RelationForm(
        entity=match["s"], concept=count_of(noun), value=match["o"].rstrip(".,"), kind="working_state"
    )


def _copula(match: re.Match[str]) -> RelationForm | None:
    """Read «the R of S is O», «S's R is located in O», «the session timeout is 30 s»."""
    return _attribute(match, change="none")


def _changed(match: re.Match[str]) -> RelationForm | None:
    """Read «the R of S has moved to O», «the load time went from P to O»."""
    return _attribute(match, change="explicit")


def _titled(match: re.Match[str]) -> RelationForm | None:
    """Read «owner of the billing repo: Tariq»; a heading that names no attribute heads anything."""
    cut = split_attribute(match["s"], match["o"])
    return _of(*cut, match["o"]) if cut else None


def _attribute(match: re.Match[str], *, change: Change) -> RelationForm | None:
    """Read what an attribute is; a figure tells one by its shape or unit, where the subject names none."""
    subject, (bare, noun) = match["s"], bare_value(match["o"])
    cut = split_attribute(subject, bare)
    if is_measure(bare):
        concept = noun or concept_of_value(bare)
        if concept in (None, "date"):
            cut = cut or split_compound(subject)
        if concept is not None and (concept != "date" or cut is None or cut[0] == cut[1]):
            return RelationForm(
                entity=subject, concept=concept, value=bare, kind="working_state", change=change
            )
    return _of(*cut, match["o"], change=change) if cut else None


def _changes(match: re.Match[str]) -> RelationForm | None:
    """Read «S moved its R to O», «we raised the limit of S to O»."""
    if match["r"]:
        return _of(match["who"], match["r"], match["o"], change="explicit")
    return _changed(match) or (_moved(match) if match["v"] else None)


def _moved(match: re.Match[str]) -> RelationForm | None:
    """Read where somebody lives, or something is, from now on."""
    bare, _ = bare_value(match["o"])
    concept = concept_of_value(bare) or ("residence" if is_person(match["s"]) else "location")
    if concept in ("residence", "location") and (any(char.isdigit() for char in bare) or not is_name(bare)):
        return None
    return RelationForm(entity=match["s"], concept=concept, value=bare, change="explicit")


def _joined(match: re.Match[str]) -> RelationForm:
    return RelationForm(entity=match["s"], concept="employer", value=match["o"], change="explicit")


def _passive(match: re.Match[str]) -> RelationForm | None:
    """Read «S was founded by O», «S is located in O»; in the past, only what is sure to last."""
    subject, verb, link, value = match["s"], match["v"].casefold(), match["p"], match["o"]
    key = agent_of(verb) if link == "by" else f"{verb}_{link}"
    bare, noun = bare_value(value)
    is_known = key in SYNONYMS or noun is not None
    if match["be"] not in ("is", "are") and not (
        is_known or (is_name(bare) and is_name(subject) and subject != ME)
    ):
        return None
    if link != "by" and (is_date(bare) or bounded(r"(?:1\d|20)\d\d").fullmatch(bare)):
        key = f"{verb}_date"
    lasts = is_known or (subject != ME and link in ("by", "in", "at", "to", "of", "on", "from"))
    return _state(subject, key, value, "single" if lasts else "multi")


def _adjective(match: re.Match[str]) -> RelationForm | None:
    key = f"{match['v']}_{match['p']}"
    return _state(match["s"], key, match["o"], _ADJECTIVES[key]) if key in _ADJECTIVES else None


def _verb(match: re.Match[str]) -> RelationForm | None:
    """Read «S lives in O», «S uses O»."""
    root = next(
        (root for root in _BASE.values() if match["v"] in (root, f"{root}s", f"{root}es")), match["v"]
    )
    link, _, rest = match["o"].partition(" ")
    key, value = (f"{root}_{link}", rest) if f"{root}_{link}" in _VERBS and rest else (root, match["o"])
    if key not in _VERBS or (_VERBS[key] == "multi" and not is_name(match["s"])):
        return None
    told = _state(match["s"], key, value, _VERBS[key])
    return replace(told, concept=concept_of_value(told.value) or told.concept)


def _classed(match: re.Match[str]) -> RelationForm:
    """Read «S plays the position of O», whatever the verb: the noun says which attribute it is."""
    key = f"{match['v']}_{match['p']}" if match["p"] else match["v"]
    return _state(match["s"], key, match["o"], "single")


def _leads(match: re.Match[str]) -> RelationForm | None:
    return _of(match["s"], agent_of(match["v"]), match["o"])


def _is_a(match: re.Match[str]) -> RelationForm:
    return RelationForm(entity=match["s"], concept="is_a", value=match["o"], cardinality="multi")


def _is_in(match: re.Match[str]) -> RelationForm | None:
    if split_attribute(match["s"], match["o"]) is not None:
        return None
    change: Change = "explicit" if match["back"] else "none"
    return RelationForm(entity=match["s"], concept="location", value=match["o"], change=change)


def _called(match: re.Match[str]) -> RelationForm:
    return RelationForm(entity=ME, concept="name", value=match["o"])


_TIMED: Final = bounded(r"date|day|time|deadline|start|end|expir|month|year|since")
"""What is in a concept that tells of a time by itself."""

Build = Callable[[re.Match[str]], RelationForm | None]

_LINES: Final[tuple[tuple[str, Build], ...]] = (
    (rf"(?P<o>{NAME}) (?:has |have )?(?P<gone>stepped down|resigned|retired) (?:as|from being) (?:the "
     rf")?{_ROLE} (?:of|for|at) "
     r"(?P<s>.{2,80})", _left),
    (rf"(?P<o>{NAME}) (?:serves|acts|works) as (?:the |our )?{_NEW}{_ROLE} (?:of|for|at) "
     rf"(?P<s>.{{2,80}})", _serves),
    (rf"(?P<o>{NAME}) (?=[a-z])(?:.{{2,80}} )?as (?:the |our |its )?{_NEW}{_ROLE} (?:of|for|at) "
     rf"(?P<s>.{{2,80}})", _office),
    (rf"(?P<o>{NAME}) (?:becomes|became|has become|(?:is|was|has been|got) {_PUT})(?: as| to)? (?:the |our "
     rf"|its )?{_NEW}"
     rf"{_ROLE} (?:of|for|at|in) (?P<s>.{{2,80}})", _office),
    (rf"(?P<s>.{{2,80}}?) {_HAVE}{_PUT} (?P<o>{NAME}) (?:as |to be )?(?:its |their |the |our "
     rf")?{_NEW}{_ROLE}", _office),
    (rf"(?P<s>.{{2,80}}?) (?:has|have) (?P<o>.{{1,60}}?) as (?:its|his|her|their) {_NEW}{_ROLE}", _serves),
    (rf"(?P<s>.{{2,80}}?) has (?:its|his|her|their) {_ROLE} (?:in|at) (?P<o>[A-Z].{{1,60}})", _serves),
    (rf"(?P<o>{NAME}) is (?P<a>the|our|an?) {_NEW}{_ROLE} of (?P<s>.{{2,80}})", _is_of),
    (rf"(?P<o>{NAME}) is (?P<s>{NAME}|the \w+)['’]s {_NEW}{_ROLE}", _serves),
    (rf"(?P<o>{NAME}) is (?P<s>our|{ME}'s) {_NEW}{_ROLE}", _serves),
    (r"(?P<s>.{2,60}?) (?P<v>has|have|employs?|holds|contains|includes) (?:about |around |over |some |nearly "
     r"|exactly )?"
     r"(?P<o>\d[\d,.]*[kM]?) (?P<n>[a-z][\w-]*(?: [a-z][\w-]*){0,2})", _count),
    (rf"(?P<s>.{{2,80}}?) has an? {_ROLE} of (?P<o>.{{1,80}})", _serves),
    (rf"(?P<s>.{{3,100}}?) (?:{_HAVE}(?:been )?|is |are |was )?{_MOVED} {_FROM}(?:to|at|as) "
     rf"(?P<o>.{{1,80}})", _changed),
    (r"(?P<s>.{3,100}?) (?:has |have )?(?:reached|hit|exceeded|passed) (?P<o>[$€£¥]?\d.{0,60})", _changed),
    (rf"(?P<who>{ME}|[Ww]e|{NAME}|the [\w ]{{1,30}}?) {_HAVE}(?:(?P<v>{_GOES})|{_MOVED}) (?:(?:its|his|her"
     r"|their) (?P<r>[\w-]+(?: [\w-]+){0,2}?)"
     rf"|(?P<s>(?:the|our|a) .{{2,80}}?|.{{3,80}}?)) {_FROM}to (?P<o>.{{1,80}})", _changes),
    (rf"(?P<s>.{{1,60}}?) (?:is |are )?{_HAVE}(?:been )?{_GOES} {_FROM}to (?P<o>.{{1,80}})", _moved),
    (rf"(?P<s>{NAME}) {_HAVE}joined (?P<o>[A-Z].{{1,60}})", _joined),
    (r"(?P<s>.{3,120}?) (?:is|are|remains|stands|stays) (?:(?:(?:located|based|situated|set|scheduled|called"
     r"|named|planned|fixed|due) )(?:(?:in|at|on|as|for|to) )?|(?:in|at|on|as|for) )?"
     r"(?P<o>.{1,100})", _copula),
    (rf"(?P<s>.{{1,60}}?) (?:is|are) (?:[a-z]+ly )?(?P<v>[a-z]+) (?P<p>{_PREP}) "
     rf"(?P<o>.{{1,80}})", _adjective),
    (rf"(?P<s>.{{1,80}}?) (?P<be>is|are|was|were|has been|have been) (?:[a-z]+ly )?(?P<v>{_PARTICIPLE}) "
     rf"(?P<p>{_PREP}) (?P<o>.{{1,80}})",
     _passive),
    (rf"(?P<s>{NAME}|[Ww]e|.{{2,50}}?) (?P<v>{_FORMS}) (?P<o>.{{1,80}})", _verb),
    (rf"(?P<s>{NAME}) (?P<v>[a-z]+(?:s|ed))(?: (?P<p>{_PREP}))? (?P<o>the [a-z]+ (?:of|called|named) "
     rf".{{1,80}})", _classed),
    (r"(?P<s>(?:[Tt]he|[Oo]ur) .{2,40}?) (?P<v>[a-z]{2,}s) (?P<p>in|at|on) (?P<o>[A-Z].{1,60})", _classed),
    (rf"(?P<o>{NAME}) (?P<v>{_LEADS}) (?P<s>(?:the |our )\S.{{1,60}}|[A-Z\"“].{{1,60}})", _leads),
    (r"(?P<s>.{3,80}?): (?P<o>.{1,60})", _titled),
    (rf"(?P<s>{NAME}|{ME}'s .{{2,30}}?) is an? (?P<o>.{{2,60}})", _is_a),
    (rf"(?P<s>.{{2,60}}?) (?:is|are) (?P<back>back )?(?:in|at) (?P<o>{NAME})", _is_in),
    (rf"(?:[Pp]lease )?call {ME} (?P<o>[A-Z]\w+)", _called),
)  # fmt: skip
FORMS: Final = tuple((bounded(form), build) for form, build in _LINES)
"""The forms, the more telling first."""
