"""How English asks, and by which words a clause is taken for granted: data, read by `rules_asked.py`."""

import re
from typing import Final

from memories.llms.rules_wording import PAST_FORMS
from security.patterns import bounded

_AUXILIARY: Final = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|"
    r"have|had)(?:n['’]t)?"
)
_SUBJECT: Final = (
    r"(?:I|you|we|it|this|that|there|they|he|she|my|our|your|the|these|those|any\w*|some\w*|"
    r"one|(?-i:[A-Z])\w+)\b"
)
_ASKS: Final = (
    rf"(?:{_AUXILIARY}\s+{_SUBJECT}"
    rf"|(?:what|how|why|whom?|whose)\b|(?:what|how|who|where)['’]s\b|(?:who|where|when|(?<![,\w] )which)"
    rf"\s+{_AUXILIARY}\b"
    rf"|which\s+(?:of\s+)?(?:\w+\s+){{1,4}}?{_AUXILIARY}\s"
    r"|any\s+(?:chance|ideas?|advice|tips?|suggestions?|thoughts|recommendations?|pointers)\b"
    r"|(?:I['’]m|I am|I was|we['’]re|we are)\s+(?:wondering|curious|unsure|(?:not sure|asking)\s+(?:how|what|"
    r"if|"
    r"whether|which|why|where|about))\b|(?:I|we)\s+(?:wonder|(?:would|['’]?d)\s+like\s+to\s+know|(?:want|"
    r"need)\s+"
    r"to\s+know|was hoping you)\b|I['’]d\s+like\s+to\s+know\b"
    r"|(?:please\s+)?(?:help\s+(?:me|us)|show\s+me\s+how|walk\s+me\s+through|explain\s+(?:how|why|what|to))"
    r"\b)"
)
"""How asking begins, at the border of a clause."""

ASKED: Final = bounded(
    r"(?:(?P<first>^)|(?P<sign>\s*[,;:–—]\s+|\s+-+\s+)|\s+(?=(?:and|but|so)\b))"
    rf"(?:(?:and|but|so|then|also|now|well|anyway)\b,?\s+){{0,2}}(?={_ASKS})",
    re.IGNORECASE,
)
TOLD: Final = bounded(
    r"(?:[,;–—]\s+|\s-+\s+)(?:(?:and|but|by the way|for context),?\s+)?"
    r"(?=(?:we|my|our)\s|I(?:['’](?:m|ve|d))?\s"
    r"(?!(?:wonder|guess|mean|think|should|can|could|need to know|was wondering)\b))"
)
"""Where somebody who has asked goes on to tell: «can you help me with it, I have two of them»."""

INDIRECT: Final = bounded(
    r"(?:what|how|why|who|whom|whose|where|when|which)\b(?!\s+(?:can|could|should|would|do)\s+(?:I|we|you)\b)",
    re.IGNORECASE,
)
"""Words that ask only where a question mark follows: «what we need is …» tells."""

GIVEN: Final = bounded(
    r"(?:(?<=\s)|^)(?:"
    r"(?P<sure>now that|(?:given|considering|in (?:view|light) of|because of|based on|due to|make use of|use|"
    r"with|"
    r"despite|about)?\s*the fact that|given that|considering(?: that)?|seeing (?:that|as|how)|bearing in "
    r"mind that|"
    r"keeping in mind that|knowing that|even though|although|since|because|as)\s+"
    r"(?=(?:I|we|my|our|the|this|these|those|it|he|she|they|his|her|their|there|(?-i:[A-Z])\w+|\d+|\ue000)\b)"
    r"|(?P<after>after)\s+(?=(?:I|we|my|our|the|he|she|they|(?-i:[A-Z])\w+)\b)"
    r"|(?P<at>with)\s+(?=(?:my|our|the|his|her|their)\s)"
    r")",
    re.IGNORECASE,
)
"""What leads up to a clause that is taken for granted."""

VERB: Final = bounded(
    r"\b(?:is|are|am|was|were|has|have|had|will|can|must|needs?|cost|cut|put|set|hit|let|[a-z]{2,}(?:ed|es)|"
    r"[a-z]{3,}s|"
    rf"{'|'.join(sorted(PAST_FORMS))})\b|['’](?:m|s|re|ve|ll)\b"
)
CLAUSE: Final = bounded(rf"\b(?:I|we|he|she|they)\b|{VERB.pattern}|\b(?:is|are|let)\b", re.IGNORECASE)
PAST: Final = bounded(
    rf"^(?:(?:just|finally|already|recently)\s+)?(?:[a-z]{{2,}}ed|{'|'.join(sorted(PAST_FORMS))}"
    r"|cut|put|set|hit|quit|read)\b"
)
SAID: Final = bounded(
    r"(?P<who>(?:I|we|he|she|they|it|there|this|these|those)\b(?:['’]\w+)?|[^,]+?(?=\s(?:is|are|was|were|has|"
    r"have)\b)"
    r"|(?:(?:my|our|the|his|her|their)\s+)?[\w-]+(?:\s+[\w-]+){0,2}?(?=\s))(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
WITH: Final = bounded(
    r"(?P<who>(?:my|our|the|his|her|their)\s+[^,?]{2,60}?)\s+(?P<now>now\s+|currently\s+|already\s+|still\s+)"
    r"?"
    r"(?:being\s+|(?=(?:at|up to|down to|over|under|above|below|around|set (?:to|for)|scheduled for|due|"
    r"planned for)\s+"
    r"(?:\S+\s+){0,3}?\S*\d)|(?<=now\s)(?=(?:in|on)\s))(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
TREND: Final = bounded(
    r"(?P<who>(?P<lead>the|my|our)\s+(?:(?:recent|steady|sudden|rapid|fast|slow|big|huge|large|strong)\s+)"
    r"?(?:growth|"
    r"increase|rise|drop|fall|decline|jump|surge|decrease)\s+(?:of|in)\s+)(?P<what>[\w'’-]+"
    r"(?:\s+[\w'’-]+)*)",
    re.IGNORECASE,
)
_OWNER: Final = r"(?:\b(?:the|my|our|his|her|their|this|these)\b|\b\d+)\s+"
RELATIVE: Final = bounded(
    rf"(?P<who>{_OWNER}(?:(?:[\w'’/.-]+\s+){{0,9}}?[\w'’/.-]+(?=,\s+which)|(?:(?!{_OWNER})[\w'’/.-]+\s+)"
    rf"{{0,4}}?[\w'’/.-]+"
    r"(?=\s))),?\s+(?:which|that)\s+"
    r"(?P<rest>(?:(?:now|currently|already|still|just|recently)\s+)?(?:is|are|was|were|has|have|had|takes?|"
    r"took|costs?|"
    r"runs?|ran|returns?|holds?|contains?|includes?|covers?|uses?|supports?|starts?|ends?|opens?|closes?|"
    r"weighs?|"
    r"measures?|grew|rose|fell|dropped|reached|needs?|serves?|handles?|shows?|gets?|got)\b(?:[^,;?]|(?<=\d)"
    r",(?=\d))*)",
    re.IGNORECASE,
)
OWN_MANY: Final = bounded(
    r"\b(?P<who>my|our)\s+(?P<what>\d[\d,.]*(?:\s?-?\s?(?!years?\b)[a-z][\w-]*)"
    r"{0,2}?\s+[a-z][\w-]*[a-z]s\b(?:\s+of\s+[\w-]+)?)"
    r"(?!-)",
    re.IGNORECASE,
)
OWN_MUCH: Final = bounded(
    r"\b(?P<who>(?:my|our)\s+(?:[a-z][\w-]*\s+){0,3}?[a-z][\w-]*)"
    r"\s+of\s+(?P<what>[$€£¥]?\d[\d,.]*\w*(?:\s(?!to\b|and\b|"
    r"or\b|for\b|in\b|on\b|at\b|by\b|with\b|without\b|so\b|if\b|when\b|while\b)[\w%€$£]+)?)",
    re.IGNORECASE,
)
FIGURE: Final = bounded(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozen)\b")
LONG: Final = 20
"""Words from which a sentence is a chain of statements, each a note of its own. Our choice."""
JOINT: Final = bounded(
    r"(?P<told>,\s+(?:and|but|so)\s+)(?=(?:I|we|my|our)\b)"
    r"|(?:,\s+|\s+)(?P<sure>considering(?: that)?|given that|given the fact that|now that)\s+"
    r"(?=(?:I|we|my|our|the|his|her|their|(?-i:[A-Z])\w+|\d+)\b)",
)
DEPENDS: Final = bounded(r"(?:if|when|whenever|unless|once|before|until|while|as soon as)\b", re.IGNORECASE)
"""Beginnings whose sentence falls apart when it is cut."""
_HANGS: Final = r"[\s,;:–—-]+(?:and|but|so|then|also|or)"
LOOSE: Final = bounded(  # begins at the start of a run only: else each place of it is tried
    rf"(?<![\s,;:–—-]){_HANGS}(?:{_HANGS})*[\s,;:–—?？!.，；。、！-]*$"
    r"|(?<![\s,;:–—?？!.，；。、！-])[\s,;:–—?？!.，；。、！-]*$",
    re.IGNORECASE,
)
"""What a cut leaves hanging."""
