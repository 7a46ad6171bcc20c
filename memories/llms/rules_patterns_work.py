"""The forms of English sentences by which work talk says how things stand: data, read by `rules.py`."""

from typing import Final

from memories.llms.rules_grammar import rule
from memories.llms.rules_patterns import RUNNING_RULES

_CODED: Final = r"(?:(?:the |our )?(?:[\w-]+ ){0,3}?(?-i:[A-Z]{2,})[ -]?\d[\w-]*)"
"""A thing named by its code: «crate MK 20931-4», «lot QX-4410»."""
_SUBJECT: Final = rf"(?P<entity>{_CODED}|{{NAME}})"
_WHEN: Final = (
    r"(?P<value>\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?|\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)"
)
_ROLE: Final = (
    r"(?:head|director|manager|owner|lead|leader|chief|chair|president|editor|supervisor|foreman|secretary|"
    r"treasurer)"
)
_DAY: Final = r"(?:on |at |by |for )?(?P<value>\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?)"
_REPLACES: Final = r"(?:is replaced by|was replaced by|has been replaced by|gives way to|made way for)"
_RUN_BY: Final = (
    r"(?:[\w'’-]+ ){0,3}?(?:warehouse|team|office|shop|store|branch|site|plant|factory|department|desk|lab|"
    r"studio|project|programme|program|company|division|unit|region|clinic|school|restaurant|farm|depot|hub|"
    r"workshop)"
)
_PUT_IN_CHARGE: Final = (
    r"(?:takes over as|took over as|has taken over as|becomes|became|has become|is named|was named|is "
    r"appointed|was appointed|has been appointed|steps in as|acts as|starts as|is promoted to|was promoted "
    r"to)"
)

_PLAIN: Final = r"(?:[^,;:]|(?<=\d)[,:](?=\d))"
"""A character of a value: figures keep their commas."""

_HABIT: Final = (
    r"(?:go|come|run|ship|travel|fly|sail|work|pay|report|belong|start|end|open|close|deliver|take|"
    r"buy|order)(?:e?s)? "
    r"(?:with|by|via|through|from|to|at|on|for)"
)
"""What a thing does time and again, with the word that leads to how."""

SPANNING_RULES: Final = (
    rule(
        "profile",
        rf"{{THING}} (?:has |have |is |are )?(?:changes?|changed|changing|moves?|moved)(?: (?:on|from|in|as "
        rf"of) "
        rf"\d{{4}}-\S+)?\s*:\s+(?!\s)(?:(?:from (?:then|now|that day) on|since then|now|instead),? )"
        rf"*(?:(?:it|they) "
        rf"(?:is|are|will be|becomes?) )?(?:now )?(?P<value>(?!(?:it|they|we|he|she|the|since|from|because|"
        rf"please) "
        rf"){_PLAIN}{{1,40}}?)(?: instead of {_PLAIN}+)?{{TRAIL}}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        rf"{_SUBJECT}\b[^.]*?\b(?:expected|due|scheduled to arrive)(?: (?:in|at) {{NAME}})? {_DAY}{{TRAIL}}",
        "arrival",
        "single",
    ),
    rule(
        "working_state",
        rf"{_SUBJECT}\b[^.]*?[,:;] (?:so |and |but )?(?:the new|its|their) (?:date|eta|arrival)(?: date| "
        rf"time)? is(?: now)? {_DAY}{{TRAIL}}",
        "arrival",
        "single",
        change="explicit",
    ),
)
"""When something comes that the first clause names and a later one dates."""

WORK_RULES: Final = (
    # Who answers for what.
    rule(
        "profile",
        rf"(?P<value>{{NAME}}|{{ME}})(?: then| now)? {_PUT_IN_CHARGE} (?:the |our )?(?:new )?"
        r"(?P<attribute>[\w-]+) (?:of|for) (?P<entity>.{2,60}?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        rf"(?P<value>{{NAME}}|{{ME}}) is (?:now )?(?:the |our )?(?:new |current )?(?P<attribute>{_ROLE}) "
        rf"(?:of|for) "
        r"(?P<entity>[^,;]{2,60}?){TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        rf"(?:.{{3,40}}?, )?(?P<value>{{NAME}}|{{ME}}) (?P<attribute>runs) (?P<entity>(?:the|our) "
        rf"{_RUN_BY}){{TRAIL}}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"(?P<entity>{NAME}) is (?P<value>{ME}|{NAME})['’]s(?:,? (?:until|now|since|from|for now|again|"
        r"so)\b.*)?{END}",
        "owner",
        "single",
    ),
    rule(
        "profile",
        r"(?:our |the )?(?:new )?(?P<attribute>contact|counterpart|supplier|carrier|vendor|account "
        r"manager)(?: person)? (?:at|for|with|in|of) (?P<entity>.{2,50}?) (?:is|are)(?: now)? "
        r"(?P<value>(?:M(?:r|s|rs)\. )?{NAME}){TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"(?:we|{ME}|{NAME}|the team)(?:['’]ve| have| has)?{ADV} (?:switched|changed|replaced) (?:the|our) "
        r"(?P<attribute>[\w-]+(?: [\w-]+)?) (?:from .+? )?(?:to|with|by) {NAMED}{TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        rf"(?:we|{{ME}}|{{NAME}}|the team)(?:['’]ve| have| has)?{{ADV}} (?:decided|agreed|settled|voted) "
        rf"(?:on|for) "
        rf"(?P<value>{_PLAIN}{{2,40}}?) (?:as|to be|for) (?:the |our )(?P<attribute>[\w-]+(?: [\w-]+)?) "
        rf"(?:of|for) (?:the |our )?"
        r"(?P<entity>[^,;]{2,40}?){TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"with (?P<entity>{NAME})(?: now)?,? (?:we|{ME})(?: now)? pays?(?: "
        r"(?:within|after|in|net))? {SPAN}(?:['’]? (?:after|net|from|upon)\b.*)?{END}",
        "payment_terms",
        "single",
    ),
    rule(
        "profile",
        r"(?P<entity>{NAME})(?: now| only)? (?:wants?|asks? for|requires?|demands?|grants?(?: us)?|gives? us|"
        r"accepts?)(?: now)? "
        r"(?:payment |to be paid )(?:within|after|in) {SPAN}.*$",
        "payment_terms",
        "single",
    ),
    # Versions, ports, places.
    *RUNNING_RULES,
    rule(
        "working_state",
        r"(?:we|{ME}|{NAME}|the team)(?:['’]ve| have| has)?{ADV} (?:deployed|released|shipped|rolled out|"
        r"installed|published) (?P<entity>[\w-]+(?: [\w-]+)?) {VERSION}\b.*$",
        "version",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"(?P<entity>[\w-]+(?: [\w-]+)?) {VERSION} (?:goes|went|has gone|is going|gets|was|is|has been)(?: "
        r"now)? (?:live|to production|into production|out|deployed|rolled out|released|shipped)\b.*$",
        "version",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"(?:we|{ME}|{NAME}|the team)(?:['’]ve| have| has)? (?:rolled|moved|switched|took|put) {THING} back "
        r"to {VERSION}\b.*$",
        "version",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        r"{THING} (?:now )?(?:go(?:es)?|is sent|are sent|is shipped|are shipped|is delivered|are delivered) "
        r"to (?P<value>{NAME}(?:,? [\w .'’-]+){0,4}){TRAIL}",
        "destination",
        "single",
    ),
    rule(
        "working_state",
        rf"{{THING}} {_REPLACES} {{NAMED}}{{TRAIL}}",
        "replaced_by",
        "single",
        change="explicit",
    ),
    # How long, how much, when.
    rule(
        "profile",
        r"{THING} (?:is|are){ADV} open(?: on [\w ]+?)? from (?P<value>\d.+?){TRAIL}",
        "opening_hours",
        "single",
    ),
    rule(
        "profile",
        r"(?:(?:the|our) )?(?P<attribute>[\w-]+(?: [\w-]+)?) with (?P<entity>{NAME}) (?:is|are)(?: now)? "
        r"{NUMBER}{TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"(?P<entity>(?![^,]{0,60}?(?: of | for | with | at |['’]s ))(?:(?:the|our) "
        r")?[\w][\w/. -]{0,50}?(?-i:[a-z][\w-]+)) (?:is|are)(?: now| still)? "
        r"(?P<value>[$€£¥]?\d[\d.,]*\s?(?:%|[a-zA-Z]{1,12}\b)?(?: (?:per|a) \w+|/\w+)?)(?: now)?{TRAIL}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"(?P<entity>(?:the|our) [\w -]{2,40}?)(?: now)? has(?: now)? (?P<value>\d[\d.,]*k?) "
        r"(?P<attribute>[a-z][\w-]+)(?: (?:in|at|since|from|for|now|and|on|across)\b.*)?{END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "working_state",
        rf"{{THING}}{{ADV}} (?:(?:has|have) been |was |is |were |are |got |gets )?(?:moved|postponed|"
        rf"rescheduled|brought "
        r"forward|pushed(?: back)?|shifted|delayed|put off|extended|slips?|shifts?|moves?)(?: back| "
        r"forward)? "
        rf"(?:from .+? )?(?:to|until) {_WHEN}{{TRAIL}}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"(?:(?:the|our) )?(?P<attribute>[\w-]+(?: [\w-]+)?) (?:of|for) (?P<entity>[^,;]{2,50}?) (?:is|are|"
        r"will be)(?: now)?"
        rf" (?:on |at )?{_WHEN}{{TRAIL}}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"{THING} will(?: now)? (?:be(?: held)?|take place) (?:in|at) {NAMED}{TRAIL}",
        "location",
        "single",
    ),
    rule(
        "profile",
        r"{THING}{ADV} costs? (?:us )?{NUMBER}{TRAIL}",
        "price",
        "single",
    ),
    rule(
        "working_state",
        rf"{{THING}} (?:is|are|will be)(?: now)? (?:on|at) {_WHEN}{{TRAIL}}",
        "{attribute}",
        "single",
    ),
    rule(
        "working_state",
        rf"{{THING}} (?:is|are)(?: now)? (?:scheduled|planned|set)(?: to start)? (?:on|for|at|by) "
        rf"{_WHEN}{{TRAIL}}",
        "{attribute}",
        "single",
    ),
    rule(
        "working_state",
        r"{THING} has(?: now| just| finally| already)? (?P<value>shipped|arrived|departed|landed|launched|"
        r"closed|expired|ended|finished|failed|recovered){TRAIL}",
        "status",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        r"{THING}{ADV} (?:is|are){ADV} (?:kept|stored|retained|archived|held)(?: for)? {SPAN}.*$",
        "retention",
        "single",
    ),
    rule(
        "profile",
        r"(?:we|the team|{ME}){ADV} (?:keeps?|stores?|retains?|archives?|holds?) {THING} for {SPAN}.*$",
        "retention",
        "single",
    ),
    rule(
        "profile",
        r"{THING} (?:(?:is|are|was|were)(?: now)?) (?P<value>(?:[^,;]|(?<=\d),(?=\d)){1,40}?) instead of "
        r"(?:[^,;]|(?<=\d),(?=\d)){1,40}{TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        rf"(?P<entity>(?:(?:the|our) )?[\w][\w/. -]{{1,50}}?){{ADV}} (?P<attribute>{_HABIT}) "
        rf"(?P<value>{_PLAIN}{{1,40}}?) (?:instead of|rather than|in place of) {_PLAIN}{{1,40}}?{{TRAIL}}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"{THING}{ADV} (?:shifts?|slips?|moves?|changes?|rises?|drops?|falls?|goes (?:up|down)|increases?|"
        r"decreases?)(?: from .+?)? (?:back )?to (?P<value>[$€£¥]?\d[^,;]*?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        r"{THING}{ADV} (?:goes|go|sells?|retails?|rents?|leases?) for (?P<value>[$€£¥]?\d[^,;]*?){TRAIL}",
        "price",
        "single",
    ),
    rule(
        "profile",
        r"{THING} (?:has|have|gets?|got)(?: now)? an? new (?P<attribute>[\w-]+(?: [\w-]+)?)[,:] (?:it is |"
        r"it['’]s |called )?(?P<value>{NAME}|[$€£¥]?\d[^,;]*?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        r"{THING} (?:is|are|was|were)(?: now)? (?:up|down|back)(?: again)?(?: from [^,;]+?)? (?:to|at) "
        r"(?P<value>[$€£¥]?\d[^,;]*?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "profile",
        r"{THING} (?:is|are) (?:no longer|not) [^,;]{1,40}?,? but (?:now )?(?P<value>[^,;]+?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        rf"{{THING}}{{ADV}} (?P<attribute>launches|launched|ships) {_DAY}{{TRAIL}}",
        "{attribute}",
        "single",
    ),
    # When something comes.
    rule(
        "working_state",
        rf"{{THING}}{{ADV}} (?:arrives?|lands?|docks?|is expected|are expected)(?: (?:in|at) {{NAME}})? "
        rf"{_DAY}{{TRAIL}}",
        "arrival",
        "single",
    ),
    rule(
        "working_state",
        r"(?:the|our) (?:total )?(?P<attribute>number) of (?P<entity>[^,;]{3,60}?) (?:(?:has|have) )?(?:now |"
        r"already |just )*"
        r"(?:reached|hit|exceeded|is|are|grew to|rose to|grown to|risen to|fell to|dropped to|fallen to|"
        r"stands at|went up to|is at)"
        r"(?: now)? (?P<value>\d[\d.,]*[kM]?){TRAIL}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    # What there is, and what not.
    *(
        rule(
            "profile",
            rf"there (?:is|are) (?P<value>{some}) (?P<attribute>[\w-]+(?: [\w-]+)?(?: for (?:the )?[\w-]+)?) "
            r"(?:at|in|on) (?P<entity>(?:the )?[\w-]+(?: [\w-]+)?){TRAIL}",
            "{attribute}",
            "single",
            firmness=0.8,
            value=value,
        )
        for some, value in (("no", "no"), ("an?|one", "yes"))
    ),
    # Up to where, and with what.
    rule(
        "invariant",
        r"(?:any |every |all |each )?(?:single )?(?P<entity>[a-z][\w-]+(?: [\w-]+)?) (?:of )?(?:up to|below|"
        r"under|over|above|beyond) (?P<value>[$€£¥]?\d[\d.,]*\s?(?:%|[a-z]+)?),? (?:you may|we may|may|can|"
        r"is|are|needs?|requires?|must|goes|go)\b.*$",
        "limit",
        "single",
    ),
    rule(
        "invariant",
        r"{THING} (?:takes?|holds?|accepts?|allows?|carries|carry|supports?|fits?) (?:[\w-]+ ){0,3}?(?:up to|"
        r"at most|no more than) {NUMBER}.*$",
        "limit",
        "single",
    ),
    rule(
        "profile",
        r"{THING} (?:carry|carries|has|have|comes? with|gets?) (?:an? )?(?P<attribute>[\w-]+(?: [\w-]+)?) of "
        r"{NUMBER}{TRAIL}",
        "{attribute}",
        "single",
    ),
)
"""Tried before the forms in general: each says a thing that many of those would cut wrongly."""

WISH_RULES: Final = (
    rule(
        "preference",
        r"(?:when(?:ever)?|if|before|after|once) .+?, (?P<value>(?:please |always |never |first )*(?:tell|"
        r"show|give|send|ask|use|put|call|write|answer|start|begin|remind|list|keep|add|open|check|leave|let|"
        r"say|do not|don['’]t)\b .+?){END}",
        "wish",
        "multi",
        firmness=0.85,
    ),
)
"""How a person wants things done whenever something comes up."""
