"""Words by which English sentences are cut, dropped and classed: data, read by `rules.py`."""

import re
from typing import Final

from memories.llms.cue import any_of
from memories.llms.rules_wording import ME
from security.patterns import bounded

KNOWLEDGE_CUES: Final[tuple[tuple[str, re.Pattern[str], float], ...]] = (
    (
        "correction",
        any_of(
            r"^(?:no|nope|wait|sorry|hmm|oh)[,. ]+actually\b",
            r"^(?:no|nope|wait|sorry|hmm|oh)?[,. ]*(?:correction\b|scratch that|i stand corrected|(?:let me|"
            r"to) correct (?:myself|that)|i misspoke|my mistake|i was wrong|that(?:['’]s| is| was) (?:wrong|"
            r"not (?:right|correct)))",
            r"^(?:no|nope),? (?:it|that|the|my|i|we|he|she|they)\b",
            r"\bwas (?:wrong|mistaken) (?:about|when|that|in)\b",
            r"^(?:(?-i:[A-Z])\w+, )?(?:nobody|no one|none of us|neither .{2,30}|i|we|you|that|this|it|"
            r"there)(?: \w+)? (?:never|not|no|did(?:n['’]t| not)|was(?:n['’]t| not)|were(?:n['’]t| not)|"
            r"ha(?:s|ve)(?:n['’]t| not)|is(?:n['’]t| not)|are(?:n['’]t| not))\b.{0,40}\b(?:assign|ask|tell|"
            r"told|giv|gave|order|request|instruct|approv|agree|decid|plan|commission|promis|said|your "
            r"(?:task|job|project|call|decision)|(?:such|any|a|no) (?:task|project|plan|assignment|order|"
            r"decision|agreement))\w*",
            r"^(?:(?-i:[A-Z])\w+, )?(?:you (?:made|invented|dreamt|imagined) (?:that|this|it)|(?:that|this|"
            r"it) (?:is|was) (?:only |just )?your own (?:idea|invention|plan|guess|suggestion|initiative|"
            r"proposal))\b",
            r"^(?:(?-i:[A-Z])\w+, )?(?:you(?:['’]re| are) (?:mixing up|confusing|mistaken|wrong)|no such \w+|"
            r"(?:that|this|the) \w+ (?:does|did)(?:n['’]t| not) exist|(?:that|this|it) (?:is|was) (?:never|"
            r"not) (?:on )?your)\b",
            r"^(?:(?-i:[A-Z])\w+, )?(?:nobody|no one|none of us) (?:ever |has |had )?(?:assign|ask|told|gave|"
            r"given|order|request|instruct|approv|agree|decid|plan|commission|promis|said|wants?)\w*",
            r"\bcontrary to what\b",
            r"\b(?:used to|had) th(?:ink|ought)\b",
            r"\bcorrect(?:ion|ing) (?:to|of|what|the|my)\b",
            r", not \w[\w .-]* as (?:i|we|he|she|they|previously)\b",
        ),
        0.9,
    ),
    (
        "decision",
        any_of(
            r"\b(?:we|i|they|he|she|team|board|(?-i:[A-Z]\w+))(?:['’]ve| have| has)?(?: \w+ly| all| "
            r"finally)? (?:decided|agreed|chose|settled on|opted|resolved (?:to|that)|went with|picked|"
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
        any_of(
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
        any_of(
            r"\broot cause\b",
            r"^(?:finding|observation|lesson|insight|takeaway)\s*:",
            r"\b(?:comes?|came) from (?:the|an?|our|their)\b",
            r"\bcaused by\b",
            r"\bturn(?:s|ed) out\b",
            r"\bfound (?:out )?(?:that|why|(?:the|an?) (?:cause|bug|reason|leak|regression|error|flaw|"
            r"hole))\b",
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
        any_of(
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

_SOMEONE_DOES: Final = (
    r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2}(?: then| now)? (?:is|are|was|has|gets?|got|takes?|"
    r"becomes?|moves?|leaves?|left|will|does|do|stays?)\b"
)

CLAUSE_BORDER: Final = bounded(
    rf";\s+|(?<!\s)\s+[–—-]\s+|:\s+(?=(?:since|from|as of|until|by|the|our|we|it|its|he|she|they|now|{ME})\b|"
    rf"{ME})|(?:,|(?<!\s))\s+(?:and|but|so|plus)\s+(?=(?:{ME}|we|he|she|they|it|my|the|our|its|his|her|their)\b|{ME}"
    r"|(?:live|work|like|love|prefer|hate|enjoy|speak|moved|joined|am|can|use|report)s?\b)"
    rf"|(?:,|(?<!\s))\s+(?:and|but|so)\s+(?={_SOMEONE_DOES})|,\s+(?={_SOMEONE_DOES})"
    rf"|,\s+(?=(?:{ME}|we|she|he|they|it|nobody|everybody)\b|{ME}|(?:this|that) (?:is|was)\b)"
    r"|,\s+(?=(?:his|her|its|their|our|the|that)(?: [\w-]+){1,5} (?:is|are|was|were|has|have|should|will|"
    r"must|can|gets?|goes|takes?|wants?|needs?|asked|says?|holds?)\b)"
    r"|(?:[,.]|(?<!\s))\s+(?=(?:can|could|would|will|do|does|did|is|are|should|what|how|why|where"
    r"|when|any|who|which)\s+"
    rf"(?:you|we|it|this|that|they|there|idea|chance|tips|{ME}|i|else|about|should|would)\b[^.]*[?？])",
    re.IGNORECASE,
)
PLEASANTRY: Final = bounded(
    r"^(?:(?:hi|(?:good|bye)bye|hello|hey|yo|thanks|thank you|thx|cheers|ok|okay|sure|great|good"
    r"|got it|no problem|no "
    r"worries|you['’]re welcome|welcome|good (?:morning|afternoon|evening|night|luck|job|point|idea)|bye|see "
    r"you|talk (?:soon|later)|lol|haha\w*|nice|cool|awesome|perfect|wonderful|amazing|wow|yes|yeah|yep|yup|"
    r"no|nope|right|exactly|agreed|fine|alright|sounds (?:good|great)|will do|done|congrat\w*|sorry|please|"
    r"well done|take care|have a (?:good|great|nice) .{0,1000}|dear|all|team|there|everyone"
    r"|everybody|so much|very "
    r"much|a lot|again|for (?:the|your|all)(?: \w+){1,4}|to (?:hear|see|meet)(?: \w+){1,4}|that['’]s|it['’]s|"
    r"you too|of course|absolutely|certainly|how are you.{0,1000}|i see|makes sense|hope\b.{0,1000}"
    r"|(?:h[ae]llo|hi|hey|hej|"
    r"hola|ol[áa]|bonjour|salut|bom dia|boa (?:tarde|noite)|guten (?:morgen|tag|abend)|moin|ciao|morning|"
    r"(?:good |happy |merry )(?:morning|afternoon|evening|night|new year|christmas|holidays|easter|birthday|"
    r"weekend))(?:,? (?-i:[A-Z])\w+){0,2}|(?:nice|good|great|lovely|pleased) to (?:meet|see|hear)(?: from)? "
    r"you)(?!\w)[\s,.!-]*){1,8}$|"
    r"^you(?:['’]re| are) (?:my|the) (?:\w+ )?(?:friend|companion|soulmate|family)\b.*$|"
    r"^(?:(?:please )?let me (?:know|check|see|take a look|think)\b.*|i(?:['’]ll| will| can) (?:look|check|"
    r"get back|take a look|see|help|be right)\b.*|i(?:['’]m| am) (?:happy|glad|here|afraid|not sure|sorry|"
    r"looking forward|wondering)\b.*|(?:happy|glad) to (?:help|hear)\b.*|here(?:['’]s| is| are)\b.*:?|feel "
    r"free\b.*|(?:(?:no|nope|yes|yeah|ok(?:ay)?|sure|thanks|great)[,. ]+)*(?:i think )?(?:i['’]m|i am|"
    r"we['’]re|we are|that['’]s|that is|it['’]s) (?:all )?(?:good|fine|okay|ok|set|done|enough|it|all)(?: "
    r"(?:for )?(?:now|today)| thanks| thank you| then| with (?:that|it))*[.! ]*|i hope\b.*|i (?:don['’]t|do "
    r"not) know\b.*)$",
    re.IGNORECASE,
)
OPENER: Final = bounded(
    r"^(?:(?:confidential|restricted|internal|private|between us|in confidence|for (?:your|the|my|our|"
    r"all)(?: [\w-]+){1,3}|(?:[\w-]+ )?(?:side |security |quick |small |final |last |useful )*(?:note|thing|"
    r"bit|point|detail|remark|caveat)(?: (?:on|about|to|for) [\w -]{2,30}?)?|(?:bad|good|great|sad|other) "
    r"news|(?:new|real|house|golden) rule(?: [\w ]{2,30}?)?|(?:short|long) (?:version|story)(?: "
    r"[\w ]{2,30}?)?|once (?:more|again)(?: [\w ]{2,30}?)?|(?:everybody|everyone|all|team)?,? ?please note|"
    r"next [\w]+|working (?:theory|hypothesis)|(?:my |[\w]+ )?(?:guess|theory|hunch|conclusion)|after "
    r"[\w ]{3,30}?|morning|bonjour|ah|well)\s*[:,]\s+(?=\S+ \S+ \S+)|(?:well|oh|ah|hey|hi|hello|ok|okay|"
    r"yes(?: please)?|yeah|no|nope|sure|great|right|thanks|update|note(?: to (?:my)?self)?|reminder|quick "
    r"(?:update|note)|heads[- ]up|correction|scratch that|sorry|wait|hmm|i was wrong|my mistake|i misspoke|"
    r"fun fact|good news|bad news|news|important|attention|warning|for the record|to be honest|in case you "
    r"wondered|as you know|as far as (?:i|we) know|please (?:note|remember|keep in mind)|"
    r"remember)(?:\s*[,:;!.–—-]+\s*(?:that\s+)?|\s+that\s+)|(?:so|and|but|also|then|by the way|btw|fyi|for "
    r"your information|just (?:so you know|a heads[- ]up|to let you know)|honestly|actually|unfortunately|"
    r"luckily|apparently|currently|these days|right now|recently|lately|it turns out|importantly|note that|"
    r"don['’]t forget(?: that)?|you should know(?: that)?|did you know(?: that)?|(?:as of |starting |from |"
    r"since |on )?(?:today|now|this week)|after all)\b[\s,:;–—-]*|(?:(?:on|from|since|as of|starting|by|"
    r"until)\s+)?(?:the (?:night|morning|evening|afternoon|week) of "
    r")?\(?\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?\)?[\s,:;–—-]+|(?:in|from|since|as of|starting|by|until) "
    r"(?:early |mid |late )?(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)(?: \d{4})?[,\s]+(?=\S+ \S+ \S)|(?:i|we) (?:(?:think|guess|believe|suppose|reckon|heard|just "
    r"wanted to say|wanted to mention)(?: that)?|know that)\s+|(?:maybe|perhaps|probably|possibly|presumably|"
    r"i['’]m pretty sure|i am pretty sure|my guess is|it seems|it looks like|it seems like)(?: that)?[\s,]+)",
    re.IGNORECASE,
)
"""What only leads up to a statement; taken off before patterns look, again and again."""

QUESTION: Final = bounded(
    r"^(?:(?:so|and|but|hmm|hey|ok|also),? )?(?:what|who|whom|whose|which|when|where|why|how|is|are|am|was|"
    r"were|do|does|did|can|could|will|would|should|shall|may|might|has|have|had|any)\b",
    re.IGNORECASE,
)
LEANING: Final = bounded(
    r"^(?:(?:he|she|it|they|this|that|these|those|his|her|its|their|one|you|your|such|which|who|where|"
    r"there(?! (?:is|are|was|were) )|"
    r"here|then|almost|even|especially)\b|(?:it|that|this|what|who)['’]s\b|let['’]s\b|(?:sounds|looks|seems|"
    r"feels|keep|let|glad|hope|can't wait|must|would|could|might)\b)",
    re.IGNORECASE,
)
"""Beginnings that lean on what was said before, or on who listens: not understood by themselves."""

ECHO: Final = bounded(
    r"^(?:(?:both|all|all of (?:it|that)|that['’]s|that is|thanks,?|ok(?:ay)?,?|great,?|good,?|yes,?) "
    r")*(?:noted|recorded|understood|got it|logged|saved|stored|acknowledged|corrected|updated|confirmed|"
    r"registered|copied|copy that|roger(?: that)?|remembered|written down|added|"
    r"clear)\b[^:;,–—]{0,40}(?:[:;,–—]|$)|\b(?:has|have|is|are|was) (?:been )?(?:noted|recorded|logged|"
    r"written down)(?: down)?[.!]*$",
    re.IGNORECASE,
)
DUTY: Final = bounded(
    rf"(?:{ME}'s|\bofficial(?:ly)?|\bassigned|\bopen|\bcurrent)\b[^.]{{0,24}}\b(?:projects?|tasks?|"
    rf"assignments?|dut(?:y|ies)"
    r"|responsibilit(?:y|ies)|workload|to-?dos?|initiatives?|goals?|missions?|quarter|roadmap)\b|\b(?:list|"
    r"summary|status|progress|update) (?:of|on) (?:the |all )?(?:duties|tasks|assignments|"
    r"responsibilities)\b|\bas (?:officially |formally |previously |already )?(?:assigned|instructed|ordered|"
    r"mandated|commissioned|tasked)\b"
    rf"|{ME} (?:has|have)(?: \w+ly| now| also)? (?:accepted|assumed|taken (?:on|over|up)|volunteered|"
    rf"committed to|been "
    r"(?:assigned|tasked|given|put in charge|entrusted))\b"
    rf"|\b(?:proposal|note|reminder|task|assignment) (?:to|for) {ME}|\bofficially {ME}'s\b|{ME}'s since\b|"
    rf"{ME} (?:has |have )?(?:started|begun|launched)\b[^.]*\bon {ME}'s own\b",
    re.IGNORECASE,
)
"""Words by which an assistant claims a task: nobody outside it has said so in this turn."""
PLAN: Final = bounded(
    rf"^(?:(?:ok(?:ay)?|sure|then|next|now|so|also|first|in that case),? )*(?:{ME}|we) (?:will|would|could|"
    rf"can|may|"
    r"might|shall|is going to|are going to|is about to|is (?:happy|glad|ready) to|plans? to|intends? to|"
    r"proposes? to|suggests?|recommends?|offers? to)\b|^let (?:ME|me|us)\b|^(?:if you (?:like|want|wish)|"
    r"feel free|shall)\b|^(?:standing by|working on it|on it)\b",
    re.IGNORECASE,
)
"""Beginnings of what an assistant offers or is about to do: nothing of it has happened."""

PAST: Final = bounded(
    rf"^[A-Z][a-z]+ed\b|(?:\b(?:we|he|she|they|it|you|i|who|team|[A-Z]\w+)\s+|{ME}\s+|\b(?i:the|our|a|an|"
    rf"this)\s+(?:[\w-]+\s+){{1,3}}?)(?:\w+ly\s+|also\s+|"
    r"just\s+|finally\s+|both\s+)?(?:\w{2,}ed|went|got|took|saw|came|said|told|made|found|met|bought|brought|"
    r"built|began|broke|drove|ate|fell|flew|gave|grew|heard|held|left|lost|paid|ran|sold|sent|spoke|spent|"
    r"taught|won|wrote|was|were|had|did|swam|became|showed|shut|rewrote|led|caught|threw|read|cut|hit|let|"
    r"quit|put|set)\b|\b(?:has|have|['’]ve|just) (?:been |just |already )?\w+(?:ed|en|own|ought|one|ent|ilt|"
    r"et|eft)\b"
)
