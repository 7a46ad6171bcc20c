"""What a sentence tells beside its form: names, figures, reasons. What tells none is talk (SPEC W-05)."""

import re
from dataclasses import dataclass
from typing import Final

from memories.llms.cue import cue
from memories.llms.names import find_entities
from memories.llms.rules_wording import ME, name_speaker
from memories.tokens import content_words
from security.patterns import bounded

TELLING_WORDS: Final = 6
"""Content words from which a person's sentence tells something, though it names nobody and no number. Our
choice."""
FEW_WORDS: Final = 3
"""The same for one that does, or says why, or what somebody must do."""

_DATE: Final = bounded(r"\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?")
_REASON: Final = cue(
    r"\b(?:because|since(?! (?:\d|(?:we|i|then|last|yesterday|the \w+ of)\b))|due to|so that|therefore|"
    r"caused? by|comes? from|reason|in order to|which is why|that['’]s why|unless|otherwise|"
    r"only (?:if|when|after)|as long as)\b",
    r"因为|由于|所以|因此|导致|原因|为了|以便|否则|除非",
)
_PROMISE: Final = cue(
    r"\b(?:please|instead|no longer|any ?more|back to|again|now|replace[sd]?|changed?|changes|moved|switched|"
    r"stopped|must|need(?:s|ed)? to|ha(?:s|ve) to|agreed|promised?|approved|responsible|deadline|due|wants?|"
    r"prefers?|expects?|allowed|forbidden|required?|owns?|don['’]t|do not|never|always|(?:is|are) "
    r"(?:planning|trying|building|writing|working|preparing|developing|learning|organi[sz]ing|creating|"
    r"implementing|"
    r"designing))\b",
    r"必须|需要|负责|"
    r"同意|承诺|要求|不要|不能|禁止|应该|习惯|请|請|别|別|不再|改成|改为|改為|换成|換成|需要|負責|要求|應該|"
    r"習慣",
)


_SUBJECT: Final = bounded(
    rf"^(?:there (?:is|are|was|were) (?:no|an?|one|two|three|only|\d)\b|(?:the|our|my|{ME}'s|all|every|each|"
    rf"both|most|some|no|any) (?!(?:weather|day|week|weekend|best|"
    rf"same|only|"
    r"other|way|thing|point|idea|fun)\b)\w|(?!(?:it|he|she|they|you|we|this|that|these|those|there|here|what|"
    r"who|how|why|when|where|which|nothing|something|anything|everything|someone|anyone|"
    r"everyone)\b)\w{3,}(?: \w+)? (?:is|are|was|were|has|have|go(?:es)?|gets?|comes?|hangs?|stays?|lies?|"
    r"stands?|works?|runs?|needs?|complains?|belongs?|costs?|takes?|opens?|closes?|starts?|ends?|uses?|"
    r"requires?|moves?|sits?|lives?|includes?|contains?)\b)",
    re.IGNORECASE,
)
"""Beginnings of a plain statement about a thing: «The lift …», «Keys hang …»."""
_SPELLED: Final = cue(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|"
    r"hundred|thousand|million|dozens?|half|twice|third|quarter|percent)\b",
    r"[两二三四五六七八九十百千万]+[个台次天周月年名位条件种倍元块人份套组]",
)
_FEELING: Final = cue(
    r"\b(?:so (?!that)|such a|great|amazing|awesome|lovely|beautiful|gorgeous|inspiring|inspired|proud|glad|"
    r"happy|wonderful|incredible|fantastic|fun|nice|sweet|cool|love|loved|excited|exciting|enjoy|blessed|"
    r"grateful|thankful|stoked|feels?|feeling|hope|wish|dreams?)\b|!$",
    r"！$|真好|太好|开心|高兴|喜欢|希望|加油|"
    r"感动",
)
_LISTENER: Final = bounded(r"\b(?:you|your|yours|let['’]s)\b|[你您]", re.IGNORECASE)
_CALLED: Final = bounded(
    r"(?:^(?:hey|hi|hello|wow|woah|whoa|oh|yes|yeah|no|thanks|thank you|congrats)[,!]? |, "
    r"?)(?-i:[A-Z][\w'’-]+)(?=\s*(?:[,.!?]|$))",
    re.IGNORECASE,
)
"""Somebody called by name: «Sounds good, Anna!» tells nothing of Anna."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What a sentence brings."""

    words: int  #: content words, dates left out
    names: bool  #: it names somebody or something beside the speaker
    figures: bool  #: it holds a figure that is no date of its own
    reason: bool  #: it says why, or under which condition
    commitment: bool  #: somebody must, may, wants, is asked to; or something changes
    subject: bool  #: it is a plain statement about a thing
    own: bool  #: it speaks of the speaker, or of «us»
    chat: bool  #: it says how somebody feels, or is said to somebody rather than told


def weigh_worth(text: str) -> Worth:
    """Weigh a sentence in the third person."""
    undated = _CALLED.sub("", _DATE.sub(" ", text))
    commitment = _PROMISE.is_in(undated)
    plain = undated.replace(ME, " someone ")
    words = set(content_words(name_speaker(undated, "")))
    return Worth(
        words=len(words)
        + sum(not word.isascii() for word in words) // 2
        + (commitment and _DATE.search(text) is not None),
        names=bool(find_entities(plain)),
        figures=any(char.isdigit() for char in undated) or _SPELLED.is_in(undated),
        reason=_REASON.is_in(text.replace(ME, " someone ")),
        commitment=commitment,
        subject=_SUBJECT.match(text) is not None,
        own=ME in text or text.casefold().startswith(("we ", "our ", "我们")),
        chat=_FEELING.is_in(plain) or _LISTENER.search(plain) is not None,
    )


def is_telling(worth: Worth, *, role: str, leaning: bool, told: bool) -> bool:
    """
    Tell whether a sentence is worth keeping, though no form fits it.

    leaning: it begins with a word that leans on what was said before; told: it happened, or names a day.
    An assistant's own sentence has to be concrete; a person's or a tool's may be short.
    """
    concrete = worth.names or worth.figures
    if worth.chat and not (told or worth.figures or worth.reason or worth.commitment):
        return worth.names and worth.words >= TELLING_WORDS and not leaning
    if role == "assistant":
        few = FEW_WORDS if concrete or worth.reason else TELLING_WORDS + 2 * (not told)
    elif leaning:
        few = FEW_WORDS if concrete else TELLING_WORDS - told - worth.commitment
    elif worth.subject or concrete or worth.reason or worth.commitment or told:
        telling = concrete + told + worth.subject
        few = FEW_WORDS - (telling >= 2) - (worth.figures and told and worth.own) - (role == "tool")
    else:
        few = TELLING_WORDS
    return worth.words >= few
