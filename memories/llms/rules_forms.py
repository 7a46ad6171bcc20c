"""Words by which English sentences are cut, dropped and classed: data, read by `rules.py`."""

import re
from typing import Final

from memories.llms.rules_wording import ME


def _has(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)


KNOWLEDGE_CUES: Final[tuple[tuple[str, re.Pattern[str], float], ...]] = (
    (
        "correction",
        _has(
            r"^(?:no|nope|wait|sorry|hmm|oh)[,. ]+actually\b",
            r"^(?:no|nope|wait|sorry|hmm|oh)?[,. ]*(?:correction\b|scratch that|i stand corrected|(?:let me|"
            r"to) correct (?:myself|that)|i misspoke|my mistake|i was wrong|that(?:['’]s| is| was) (?:wrong|"
            r"not (?:right|correct)))",
            r"^(?:no|nope),? (?:it|that|the|my|i|we|he|she|they)\b",
            r"\bwas (?:wrong|mistaken) (?:about|when|that|in)\b",
            r"\bcontrary to what\b",
            r"\b(?:used to|had) th(?:ink|ought)\b",
            r"\bcorrect(?:ion|ing) (?:to|of|what|the|my)\b",
            r", not \w[\w .-]* as (?:i|we|he|she|they|previously)\b",
        ),
        0.9,
    ),
    (
        "decision",
        _has(
            r"\b(?:we|i|they|he|she|team|board|(?-i:[A-Z]\w+))(?:['’]ve| have| has)?(?: \w+ly| all| finally)"
            r"? (?:decided|agreed|chose|settled on|opted|resolved (?:to|that)|went with|picked|"
            r"standardi[sz]ed on|ruled out|voted)\b",
            r"\b(?:are|['’]re|am|['’]m|is) (?:going|sticking|moving ahead) with\b",
            r"^(?:decision|agreed)\b",
            r"\bit was (?:decided|agreed)\b",
            r"\bthe decision (?:is|was) to\b",
            r"\bwe(?:['’]ll| will) (?:use|adopt|go with|drop|keep|stay with) .+ (?:because|instead of|over|"
            r"rather than|since)\b",
        ),
        0.9,
    ),
    (
        "negative",
        _has(
            r"\b(?:did(?:n['’]t| not)|does(?:n['’]t| not)|won['’]t|never|hasn['’]t|has not) (?:really |"
            r"actually |even )?(?:work|worked|help|helped|fix|fixed|solve|solved|scale|scaled|hold up|pan "
            r"out|pay off|improve|survive)\b",
            r"\bfail(?:s|ed|ing)? (?:because|due to|when|with|after|miserably|as|on)\b",
            r"\b(?:dead end|in vain|to no avail)\b",
            r"\b(?:i|we|they|he|she|(?-i:[A-Z]\w+))(?:['’]ve| have| has)?(?: also)? tried .+ (?:but "
            r"(?!i['’]m|i am|can|could|what|how)|and it (?:failed|broke)|without (?:success|luck|effect))",
            r"\bmade (?:it|things|everything) worse\b",
            r"\b(?:had|has|made) no (?:effect|difference)\b",
            r"\bhad to (?:be )?(?:revert|roll(?:ed)? back|abandon|scrap|back out)",
            r"\bbackfired\b",
            r"\bwas a mistake\b",
        ),
        0.85,
    ),
    (
        "finding",
        _has(
            r"\broot cause\b",
            r"^(?:finding|observation|lesson|insight|takeaway)\s*:",
            r"\b(?:comes?|came) from (?:the|an?|our|their)\b",
            r"\bcaused by\b",
            r"\bturn(?:s|ed) out\b",
            r"\bfound (?:out )?(?:that|why|(?:the|an?) (?:cause|bug|reason|leak|regression|error|flaw|hole))"
            r"\b",
            r"\bfigured out\b",
            r"\bdiscovered\b",
            r"\b(?:reason|culprit|cause|bottleneck) (?:is|was|for|why)\b",
            r"\b(?:is|was|were|are) due to\b",
            r"\b(?:learned|learnt|realised|realized|noticed|confirmed) that\b",
            r"\btrac(?:es|ed) (?:.{1,60} )?(?:back )?to\b",
            r"\b(?:results?|tests?|logs?|profil\w+|benchmarks?|data|traces?) (?:show|shows|showed|prove|"
            r"proved|suggest|reveal)\w*\b",
            r"\bit was (?:the|a) .+ that\b",
            r"\bthe lesson\b",
        ),
        0.85,
    ),
    (
        "pattern",
        _has(
            r"^(?:whenever|every time|each time|any time|anytime)\b",
            r"\b(?:whenever|every time|each time)\b",
            r"^(?:if|when) .+(?:,| then) .*\b(?:always|every time|tends? to|reliably|usually)\b",
            r"\btends? to\b.+\b(?:when|after|if|before)\b",
            r"\b(?:always|usually) happens (?:when|after|before)\b",
        ),
        0.85,
    ),
)
"""Words by which a sentence tells an insight or a happening of note; the first kind that fits is taken."""

CLAUSE_BORDER: Final = re.compile(
    rf";\s+|\s+[–—-]\s+|,?\s+(?:and|but|so|plus)\s+(?=(?:{ME}|we|he|she|they|it|my|the|our)\b|{ME}"
    r"|(?:live|work|like|love|prefer|hate|enjoy|speak|moved|joined|am|can|use|report)s?\b)"
    rf"|,\s+(?=(?:{ME}|we|she|he|they|it)\b|{ME}|(?:this|that) (?:is|was)\b)"
    r"|[,.]?\s+(?=(?:can|could|would|will|do|does|did|is|are|should|what|how|why|where|when|any|who|which)"
    r"\s+"
    rf"(?:you|we|it|this|that|they|there|idea|chance|tips|{ME}|i|else|about|should|would)\b[^.]*[?？])",
    re.IGNORECASE,
)
PLEASANTRY: Final = re.compile(
    r"^(?:(?:hi|hello|hey|yo|thanks|thank you|thx|cheers|ok|okay|sure|great|good|got it|no problem|no "
    r"worries|you['’]re welcome|welcome|good (?:morning|afternoon|evening|night|luck|job|point|idea)|bye|"
    r"see you|talk (?:soon|later)|lol|haha\w*|nice|cool|awesome|perfect|wonderful|amazing|wow|yes|yeah|yep|"
    r"yup|no|nope|right|exactly|agreed|fine|alright|sounds (?:good|great)|will do|done|congrat\w*|sorry|"
    r"please|well done|take care|have a (?:good|great|nice) .*|dear|all|team|there|everyone|everybody|so "
    r"much|very much|a lot|again|for (?:the|your|all)\b.*|to (?:hear|see|meet)\b.*|that['’]s|it['’]s|you "
    r"too|of course|absolutely|certainly|how are you.*|i see|makes sense|hope\b.*)[\s,.!-]*)+$|"
    r"^(?:(?:please )?let me (?:know|check|see|take a look|think)\b.*|i(?:['’]ll| will| can) (?:look|check|"
    r"get back|take a look|see|help|be right)\b.*|i(?:['’]m| am) (?:happy|glad|here|afraid|not sure|sorry|"
    r"looking forward|wondering)\b.*|(?:happy|glad) to (?:help|hear)\b.*|here(?:['’]s| is| are)\b.*:?|feel "
    r"free\b.*|i hope\b.*|i (?:don['’]t|do not) know\b.*)$",
    re.IGNORECASE,
)
OPENER: Final = re.compile(
    r"^(?:(?:well|oh|ah|hey|hi|hello|ok|okay|yes|yeah|no|nope|sure|great|right|thanks|update|note(?: to "
    r"(?:my)?self)?|reminder|quick (?:update|note)|heads[- ]up|correction|scratch that|sorry|wait|hmm|i was "
    r"wrong|my mistake|i misspoke|fun fact|good news|bad news|news|important|attention|warning|for the "
    r"record|to be honest|in case you wondered|as you know|as far as (?:i|we) know|please (?:note|remember|"
    r"keep in mind)|remember)(?:\s*[,:;!.–—-]+\s*(?:that\s+)?|\s+that\s+)|(?:so|and|but|also|then|by the "
    r"way|btw|fyi|for your information|just (?:so you know|a heads[- ]up|to let you know)|honestly|actually|"
    r"unfortunately|luckily|apparently|currently|these days|right now|recently|lately|it turns out|"
    r"importantly|note that|don['’]t forget(?: that)?|you should know(?: that)?|did you know(?: that)?|"
    r"(?:as of |starting |from |since |on )?(?:today|now|this week)|after all)\b[\s,:;–—-]*|(?:(?:on|from|"
    r"since|as of|starting|by|until)\s+)?\(?\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*)?\)?[\s,:;–—-]+|(?:i|we) "
    r"(?:(?:think|guess|believe|suppose|reckon|heard|just wanted to say|wanted to mention)(?: that)?|know "
    r"that)\s+|(?:maybe|perhaps|probably|possibly|presumably|i['’]m pretty sure|i am pretty sure|my guess "
    r"is|it seems|it looks like|it seems like)(?: that)?[\s,]+)",
    re.IGNORECASE,
)
"""What only leads up to a statement; taken off before patterns look, again and again."""

QUESTION: Final = re.compile(
    r"^(?:(?:so|and|but|hmm|hey|ok|also),? )?(?:what|who|whom|whose|which|when|where|why|how|is|are|am|was|"
    r"were|do|does|did|can|could|will|would|should|shall|may|might|has|have|had|any)\b",
    re.IGNORECASE,
)
LEANING: Final = re.compile(
    r"^(?:(?:he|she|it|they|this|that|these|those|his|her|its|their|one|you|your|such|which|who|where|there|"
    r"here|then|almost|even|especially)\b|(?:it|that|this|what|who)['’]s\b|let['’]s\b|(?:sounds|looks|seems|"
    r"feels|keep|let|glad|hope|can't wait|must|would|could|might)\b)",
    re.IGNORECASE,
)
"""Beginnings that lean on what was said before, or on who listens: not understood by themselves."""

PAST: Final = re.compile(
    rf"^[A-Z][a-z]+ed\b|(?:\b(?:we|he|she|they|it|you|i|who|team|[A-Z]\w+)\s+|{ME}\s+|\b(?i:the|our|a|an|"
    rf"this)\s+(?:[\w-]+\s+){{1,3}}?)(?:\w+ly\s+|also\s+|"
    r"just\s+|finally\s+|both\s+)?(?:\w{2,}ed|went|got|took|saw|came|said|told|made|found|met|bought|"
    r"brought|built|began|broke|drove|ate|fell|flew|gave|grew|heard|held|left|lost|paid|ran|sold|sent|spoke|"
    r"spent|taught|won|wrote|was|were|had|did|swam|became|showed|shut|rewrote|led|caught|threw|read|cut|hit|"
    r"let|quit|put|set)\b|\b(?:has|have|['’]ve|just) (?:been |just |already )?\w+(?:ed|en|own|ought|one|ent|"
    r"ilt|et|eft)\b"
)
