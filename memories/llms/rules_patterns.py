"""The forms of English sentences that say how something stands: data, read by `rules.py`."""

from typing import Final

from memories.llms.rules_grammar import rule
from memories.llms.rules_wording import ME

STATUS: Final = (
    r"(?:down|up|back up|offline|online|broken|blocked|unblocked|done|finished|complete|live|merged|paused|"
    r"on hold|green|red|yellow|ready|delayed|late|on track|frozen|deprecated|stable|unstable|failing|"
    r"passing|cancel?led|shut down|open|closed|in review|in progress|in beta|at risk|enabled|disabled|full|"
    r"empty|out of order|feature[- ]complete|code[- ]complete|released|archived|read-only)"
)
_JOB: Final = (
    r"(?:[\w-]+ ){0,3}?(?:engineer|developer|designer|manager|nurse|teacher|doctor|lawyer|analyst|scientist|"
    r"architect|accountant|chef|cook|student|consultant|director|founder|writer|editor|librarian|"
    r"electrician|plumber|pharmacist|journalist|researcher|professor|translator|administrator|operator|"
    r"officer|driver|pilot|carpenter|photographer|musician|dentist|vet|veterinarian|cto|ceo|cfo|sre|intern|"
    r"lead|head of [\w ]+)"
)
_TO: Final = r"(?:from\s+.+?\s+)?(?:back\s+)?to"
_LASTING: Final = (
    r"(?:born|founded|created|written|directed|invented|composed|named|designed|developed|established)"
)
_CHANGED: Final = (
    r"(?:upgraded|bumped|moved|migrated|changed|renamed|raised|lowered|downgraded|rolled back|switched|"
    r"increased|reduced|extended|postponed|pushed(?: back)?|brought forward|rescheduled|set|cut|updated|"
    r"dropped|went (?:up|down))"
)

RUNNING_RULES: Final = (
    rule(
        "working_state",
        r"{THING}(?: is| are|['’]s)?{ADV} (?:runs?(?: on)?|running(?: on)?|on|uses?|using) (?P<value>{NAME} "
        r"v?\d[\w.-]*){TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "working_state",
        r"{THING}(?: is| are|['’]s)?{ADV} (?:runs?(?: on)?|running(?: on)?|sits? at|stands? at|on|at|uses?) "
        r"{VERSION}{TRAIL}",
        "{attribute}",
        "single",
    ),
)
"""What a thing runs: work talk says it like everybody else, but is read first."""

STATE_RULES: Final = (
    # Who somebody is.
    rule(
        "profile",
        r"{PERSON}{ADV} (?:lives?|living|is living|resides?|is based|is staying)(?: now)? (?:in|at|near|out "
        r"of) {VALUE}{END}",
        "residence",
    ),
    rule(
        "profile",
        rf"{{PERSON}}{{ADV}} (?:(?:has|have|had) )?{{ADV}} ?(?:moved|relocated|is moving|is relocating|is "
        rf"now in) {_TO} (?!v?\d|use\b){{VALUE}}{{END}}",
        "residence",
        change="explicit",
    ),
    rule(
        "profile",
        r"{PERSON} (?:no longer|does(?:n['’]t| not)|isn['’]t|is not|is no longer) (?:lives?|living|based) "
        r"(?:in|at) {VALUE}(?: any ?more)?{END}",
        "residence",
        change="explicit",
        value="no longer {value}",
    ),
    rule(
        "profile",
        r"{PERSON}(?: has)?{ADV} (?:no longer works? (?:at|for|with)|does(?:n['’]t| not) work (?:at|for|"
        r"with)|resigned from|quit (?:{ME}'s job at|the job at)?|was laid off (?:from|by)|left {ME}'s job "
        r"at|is leaving) ?{NAMED}(?: any ?more)?{END}",
        "employer",
        change="explicit",
        value="no longer {value}",
    ),
    rule(
        "profile",
        r"{PERSON}{ADV} (?:works?|is working)(?: now)? (?:at|for) (?!home\b|night|weekends|the moment|free)"
        r"{VALUE}{END}",
        "employer",
    ),
    rule(
        "profile",
        r"{PERSON}{ADV} is (?:now )?(?:employed (?:at|by)|on the payroll of|hired by) {VALUE}{END}",
        "employer",
    ),
    rule(
        "profile",
        r"{PERSON}{ADV} (?:has )?{ADV} ?(?:joined|started (?:working )?(?:at|with|for)|is now (?:with|at)|"
        r"switched jobs? to|(?:was|got|has been) hired (?:by|at)|(?:got|took|accepted|landed|has) (?:a|the|"
        r"an) (?:new )?(?:job|position|role|offer) (?:at|with|from)) {NAMED}(?: .*)?{END}",
        "employer",
        change="explicit",
    ),
    rule(
        "profile",
        r"{PERSON}{ADV} (?:works? as|is working as|was promoted to|became|has become) (?:an? |the )"
        r"?{VALUE}{END}",
        "occupation",
    ),
    rule(
        "profile",
        rf"{{PERSON}}{{ADV}} is (?:an? |the )(?P<value>{_JOB})(?: by (?:trade|profession|training))?(?:,.*)"
        rf"?{{END}}",
        "occupation",
    ),
    rule(
        "profile", r"{THING} (?:is|are) (?:called|named|codenamed|nicknamed) {NAMED}{END}", "name", "single"
    ),
    rule("profile", r"{PERSON}{ADV} (?:is called|goes by)(?: the name)? {VALUE}{END}", "name"),
    rule(
        "profile",
        rf"{{PERSON}} has been (?:an? |the )(?P<value>{_JOB})(?: (?:for|since) .*)?{{END}}",
        "occupation",
    ),
    rule("profile", r"(?P<entity>{ME}) is {NAMED}, (?:an?|the|and|from|your|{ME})(?: .*)?{END}", "name"),
    rule("profile", r"(?:please |you can |just )?call (?P<entity>{ME}) {NAMED}{END}", "name"),
    rule(
        "profile", r"{PERSON}{ADV} (?:is|turned|just turned) (?P<value>\d{1,3})(?: years? old)?{END}", "age"
    ),
    rule("profile", r"{PERSON} was born on {VALUE}{END}", "birthday"),
    rule("profile", r"{PERSON} was born in (?!(?:19|20)\d\d\b){VALUE}{END}", "birthplace"),
    rule("profile", r"{PERSON}{ADV} is (?:happily )?(?:married|engaged) to {VALUE}{END}", "spouse"),
    rule("profile", r"{PERSON}{ADV} (?:is|comes?|hails?) (?:originally )?from {VALUE}{END}", "hometown"),
    rule("profile", r"{PERSON}{ADV} (?:is|has been) (?:\w+ly )?allergic to {VALUE}{END}", "allergy", "multi"),
    rule("profile", r"{PERSON}{ADV} has (?:an? )?(?:\w+ )?allergy to {VALUE}{END}", "allergy", "multi"),
    rule("profile", r"{PERSON}{ADV} (?:reports? to) {VALUE}{END}", "manager"),
    # What somebody likes, can, follows.
    rule(
        "preference",
        r"{PERSON}{ADV} (?:does(?:n['’]t| not)|no longer|never){ADV} ?(?:likes?|loves?|enjoys?|wants?) "
        r"(?:it when |when |that )?{VALUE}{END}",
        "dislikes",
    ),
    rule(
        "preference",
        r"{PERSON}{ADV} (?:hates?|dislikes?|loathes?|detests?|can['’]?t stand|cannot stand|is not (?:a fan "
        r"of|keen on)|isn['’]t (?:a fan of|keen on|into)|is fed up with|tries to avoid|avoids?) (?:it when |"
        r"when |that )?{VALUE}{END}",
        "dislikes",
    ),
    rule(
        "preference",
        r"{PERSON}{ADV} (?:would )?(?:much |strongly )?(?:prefers?|would rather|favou?rs?) (?:it if |it "
        r"when |that )?{VALUE}{END}",
        "preference",
    ),
    rule(
        "preference",
        r"{PERSON}{ADV} (?:likes?|loves?|enjoys?|adores?|is (?:very )?fond of|is (?:a )?(?:big |huge |great "
        r")?fan of|can['’]t get enough of|is crazy about|swears by) (?:it when |when |that )?{VALUE}{END}",
        "likes",
    ),
    rule(
        "preference",
        r"{WHO}['’]s (?P<attribute>favou?rite(?: [\w-]+){1,3}) (?:is|are|has always been){ADV} {VALUE}{END}",
        "{attribute}",
        "single",
    ),
    rule(
        "preference",
        r"{WHO}['’]s (?P<attribute>(?:preferred|go-to)(?: [\w-]+){1,3}) (?:is|are){ADV} {VALUE}{END}",
        "{attribute}",
        "single",
    ),
    rule(
        "preference",
        r"(?P<entity>{ME}) (?P<value>(?:always|never|usually) .+?){END}",
        "habit",
        "multi",
        firmness=0.8,
    ),
    rule("skill", r"{PERSON}{ADV} (?:speaks?|is fluent in) {VALUE}{END}", "language"),
    rule(
        "skill",
        r"{PERSON}{ADV} (?:knows? how to|is (?:very |really )?(?:good|great|skilled|experienced|proficient|"
        r"expert) (?:at|in|with)|is an expert (?:in|on|at)|has (?:[\w+-]+ ){0,4}experience (?:in|with|of)|"
        r"specialis\w+ in|specializ\w+ in|is certified in|can (?=(?:play|speak|code|cook|sing|program|draw|"
        r"swim|drive|type|sew|weld)\b)) ?{VALUE}{END}",
        "skill",
    ),
    rule(
        "interest",
        r"{PERSON}{ADV} (?:is|has{ADV} been|became|has become|is getting|got|has been getting|has got)(?: "
        r"\w+ly| very| really)? (?:interested in|curious about|fascinated by|into|keen on|passionate about|"
        r"learning(?: about)?|studying|hooked on) {VALUE}{END}",
        "interest",
    ),
    rule("interest", r"{PERSON}{ADV} (?:has )?(?:taken|took|takes|picked) up {VALUE}{END}", "interest"),
    rule(
        "interest",
        r"{PERSON}{ADV} (?:wants?|would love|would like|hopes?) to learn(?: more)?(?: about)? {VALUE}{END}",
        "interest",
    ),
    rule(
        "preference",
        r"{PERSON}{ADV} wants (?!to\b|me\b|us\b|you\b|him\b|her\b|them\b){VALUE}{END}",
        "preference",
        firmness=0.75,
    ),
    # How things stand.
    rule(
        "working_state",
        r"(?P<entity>[\w-]+(?: [\w-]+)?) {VERSION} (?:is (?:now )?(?:live|in production|deployed|out|"
        r"released)|went (?:live|to production|out)|replace[sd] .+)(?:,? .*)?$",
        "version",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"{WHO}{ADV} is{ADV} (?:working on|focused on|busy with) {VALUE}{END}",
        "working_on",
        "multi",
    ),
    rule(
        "working_state",
        r"{WHO}{ADV} is{ADV} (?:responsible for|in charge of|on call for) {VALUE}{END}",
        "responsible_for",
        "multi",
    ),
    rule(
        "working_state",
        r"(?:we|{ME}|the team)(?:['’]ve| have| has)?{ADV} (?:switched|migrated|moved|changed) from "
        r"(?P<entity>{NAME}) to {NAMED}(?: .*)?{END}",
        "replaced_by",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"(?:we|the team)(?:['’]ve| have| has)?{ADV} (?:switched|migrated|moved) to {NAMED}(?: .*)?{END}",
        "uses",
        "multi",
        firmness=0.8,
        change="explicit",
    ),
    rule(
        "working_state",
        r"{THING} (?:runs on|is hosted (?:on|at|by)|is deployed (?:on|to)) {NAMED}(?: .*)?{END}",
        "runs_on",
        "single",
    ),
    rule(
        "working_state",
        r"(?:the|our) (?P<entity>[\w -]{2,30}?) has (?P<value>\d[\d.,]*k?) (?P<attribute>[\w-]+(?: [\w-]+)?)"
        r"{END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "working_state",
        rf"(?:we|{ME}|{{NAME}})(?:['’]ve| have| has)?{{ADV}} {_CHANGED} {{THING}} {_TO} {{VALUE}}{{END}}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        rf"{{THING}}(?:['’]s (?P<attribute>[\w -]+?))? (?:(?:has|have) (?:been )?|was |were |got |is being |"
        rf"will be )?{{ADV}} ?{_CHANGED} {_TO} {{VALUE}}{{END}}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"(?:we|{ME})(?: is| are|['’]re)?{ADV} (?:uses?|using|runs?|running|on) (?P<entity>{NAME}) "
        r"{VERSION}(?: .*)?{END}",
        "version",
        "single",
        firmness=0.85,
    ),
    *RUNNING_RULES,
    rule(
        "working_state",
        r"{THING}{ADV} (?:is|are|runs|listens|sits|stands){ADV} (?:at|on) (?:(?P<attribute>port) )"
        r"?{NUMBER}{TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "working_state",
        rf"{{THING}} (?:is|are|remains?|went|came|got)(?: (?:now|currently|still|again|back))? "
        rf"(?P<value>{STATUS})"
        r"(?:,? (?:again|now|until|since|for|because|due|at|on|in) ?.*)?{END}",
        "status",
        "single",
    ),
    rule(
        "working_state",
        r"the (?P<attribute>[\w-]+(?: [\w-]+)?) (?:of|for|on) (?P<entity>[\w][\w' .&-]{1,50}?) (?:is|are) "
        r"(?:now|currently) {VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"{WHO}['’]s (?P<attribute>[\w-]+(?: [\w-]+){0,2}) (?:is|are) (?:now|currently) {VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"{THING} (?:is|are) (?:now|currently|no longer) {VALUE}{END}",
        "{attribute}",
        "single",
        firmness=0.8,
        change="explicit",
    ),
    rule("working_state", r"{THING} (?:is|are) due(?: on| for| at| by)? {VALUE}{END}", "due_date", "single"),
    rule(
        "working_state",
        r"{THING} (?:is|are) (?:scheduled|planned|set)(?: to start)? (?:on|for|at|by) {VALUE}{END}",
        "date",
        "single",
    ),
    rule(
        "working_state",
        r"(?P<value>{NAME}|{ME}) (?:has )?(?:now )?(?:took|taken|takes) over (?!as\b)(?P<entity>.{2,60}?)"
        r"(?: from .*)?{END}",
        "owner",
        "single",
        change="explicit",
    ),
    rule(
        "working_state",
        r"{THING}{ADV} (?P<attribute>ends|expires|starts|begins|closes|opens|arrives|departs)(?: on| at| in)"
        r"? (?P<value>\d.*?){TRAIL}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"{THING}{ADV} (?P<attribute>weighs|costs|measures)(?: us)?(?: about| around| roughly)? {NUMBER}(?: "
        r".*)?{END}",
        "{attribute}",
        "single",
    ),
    # Attributes in general.
    rule(
        "profile",
        r"(?:(?:the|our|{ME}'s) )?(?P<attribute>[\w-]+(?: [\w-]+)?) (?:of|for|at) (?P<entity>.{2,60}?) "
        r"(?:is|are) {SAID}{END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"(?P<attribute>[\w-]+(?: [\w-]+)?) (?:of|for) (?P<entity>[^,;:]{2,60}?)\s?[:=] (?P<value>{NAME}|"
        r"[\d$€£][^,;]*){END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"{WHO}['’]s (?P<attribute>[\w-]+(?: [\w-]+){0,2}) (?:is|are|was moved to) {SAID}{END}",
        "{attribute}",
        "single",
    ),
    rule(
        "profile",
        r"(?P<value>{NAME}|{ME}) is (?:now )?our (?:new )?(?P<attribute>[\w-]+(?: [\w-]+)?){END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"(?P<value>{NAME}|{ME}) is (?:now )?the (?P<attribute>[\w-]+(?: [\w-]+)?) (?:of|for) "
        r"(?P<entity>.{2,60}?){END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"(?P<value>{NAME}|{ME}) (?:now )?(?P<attribute>leads?|manages?|owns?|maintains?|directs?|chairs?|"
        r"heads?) (?P<entity>(?:the |our )?[\w][\w' .&-]{2,50}?){END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "profile",
        r"(?!{ME} ){WHO} (?:is|are)(?: \w+ly)? (?P<attribute>[a-z]+(?:ed|wn|nt|en) (?:in|by|at|with|as|for)|"
        r"(?:married|related|dedicated|linked|connected) to|(?:made|composed) of|(?:known|famous) for) "
        r"{VALUE}{END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "profile",
        r"(?P<entity>{NAME}) is an? (?P<attribute>[\w-]+ (?:of|at)) {VALUE}{END}",
        "{attribute}",
        "multi",
        firmness=0.75,
    ),
    rule(
        "profile",
        rf"{{WHO}} was (?P<attribute>{_LASTING} (?:in|by|at|after)) {{VALUE}}{{END}}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "working_state",
        r"the (?P<entity>[\w-]+(?: [\w-]+){0,2}) (?:is|are)(?: set| scheduled| planned| due)? (?:on |for |"
        r"at |in )?(?P<value>\d{4}-\d\d-\d\d\S*|room [\w.-]+|(?-i:[A-Z])\d+|[\w./#-]*\d[\w./#-]*){END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
    rule(
        "profile",
        r"(?:the|our) (?P<attribute>[\w-]+(?: [\w-]+){0,2}) is(?: now)? {NAMED}{END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "preference",
        r"{WHO}{ADV} uses? {VALUE} (?:for|as) (?:an? |the |{ME}'s |all )*(?P<attribute>[\w-]+(?: [\w-]+)?)"
        r"{END}",
        "{attribute}",
        "single",
        firmness=0.8,
    ),
    rule(
        "profile",
        r"(?P<entity>{ME}|{NAME}) has (?!to\b|been\b|had\b|\w+ed\b|got\b|a (?:question|problem|feeling|"
        r"meeting))(?P<value>(?:an?|one|two|three|four|five|\d+) .+?){END}",
        "has",
        "multi",
        firmness=0.7,
    ),
    rule(
        "profile",
        r"(?P<entity>{ME}) is (?!an? (?:bit|little|lot|fan))(?P<value>an? [\w -]{3,40}|vegan|vegetarian|"
        r"pregnant|retired|left-handed|colou?r[- ]blind|lactose intolerant){END}",
        "is_a",
        "multi",
        firmness=0.75,
    ),
)
"""Forms that say how something stands, most telling first; the first that fits a clause is taken."""
