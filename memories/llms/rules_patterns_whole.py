"""The forms of English sentences taken whole, tasks, estimates and rules: data, read by `rules.py`."""

from typing import Final

from memories.llms.rules_grammar import rule

_DO: Final = (
    r"(?:send|tell|ask|put|write|draft|prepare|make|give|bring|get|show|collect|list|compare|check|fix|"
    r"review|update|call|book|renew|submit|deliver|schedule|order|rotate|replace|add|remove|set up|clean up|"
    r"follow up|file|sign|register|cancel|move|create|ship|test|investigate|contact|publish|close|reply|"
    r"answer|rewrite|deploy|return|find|look|read|translate|summari[sz]e|count|measure|pay|drop|stop|start|"
    r"keep|print|post|share|forward|upload|claim|change|finish|attach|plan|arrange|confirm|pass|take|hand|"
    r"leave|wait)"
)
"""Verbs of what somebody is asked to do."""

TASK_RULES: Final = (
    rule("task", r"(?P<entity>{NAME}), (?:please|kindly|(?:can|could|would) you(?: please)?) {VALUE}[.?!]*$"),
    rule("task", r"(?:please |pls )?(?:todo|to-do|action item)\s*[:：-]?\s*{VALUE}{END}"),
    rule("task", r"(?:please )?(?:remind {ME}|don['’]t let {ME} forget) (?:to|about) {VALUE}{END}"),
    rule(
        "task",
        r"(?P<by>{NAME}|(?:{ME}'s|our|the) [\w ]{2,30}?)(?: has| had)? (?:asked|told|assigned|instructed|"
        r"wants|needs|expects|would like|tasked) (?P<entity>{ME}|us|you|{NAME})(?: to| with)? (?!is\b|was\b|"
        r"that\b){VALUE}{END}",
    ),
    rule(
        "task",
        r"{WHO} (?:is|was|has been|were|got) (?:assigned(?: to)?|asked to|told to|given the task of) "
        r"{VALUE}(?: by (?P<by>{NAME}|{ME}|(?:{ME}'s|our|the) [\w ]{2,30}?))?{END}",
    ),
    rule("task", r"assigned to (?P<entity>[\w. @-]{2,30}?)(?: by (?P<by>{NAME}))?\s*[:：-]\s*{VALUE}{END}"),
    rule(
        "task",
        r"(?:could|can|would|will) you (?:please )?(?P<value>.+? (?:by|before|until) (?:\d{4}-\d\d-\d\d|"
        r"{NAME}|the end|eod|noon|next).*?)\s*[.?!]*$",
    ),
    rule(
        "task",
        r"(?:please|pls|kindly) (?!note|let|see|tell|help|explain|call|never|always|remember|ignore|treat|"
        r"forget|stop|do not|don['’]t|.* from now on)(?P<value>[a-z].+?(?: (?:by|before|until) .+?| every "
        r".+?)?){END}",
        firmness=0.8,
    ),
    rule(
        "task",
        rf"(?P<value>{_DO}\b[^?]{{3,}}?),? please\b(?:[,.!]| and| but| by| before| until| when| once|$).*$",
        firmness=0.8,
    ),
    rule(
        "task",
        rf"[^,;?]{{3,80}}, (?:so |and |but )?please (?P<value>{_DO}\b.+?){{END}}",
        firmness=0.8,
    ),
    rule(
        "task",
        r"(?P<entity>{ME}|{NAME}|we)(?: still)? (?:needs?|ha(?:s|ve)|must|ought)(?: to)? (?!been\b|"
        r"had\b)(?P<value>(?:finish|send|write|fix|review|update|prepare|call|book|renew|submit|deliver|"
        r"migrate|check|buy|pay|schedule|order|rotate|replace|add|remove|set up|clean up|follow up|file|sign|"
        r"register|cancel|move|create|ship|test|upgrade|document|investigate|get back|contact|publish|close|"
        r"reply|rewrite|deploy|return|pick up)\b.*?){END}",
        firmness=0.85,
    ),
    rule(
        "task",
        r"(?P<entity>{ME}|{NAME}) will (?P<value>(?:finish|send|write|fix|review|update|prepare|call|book|"
        r"renew|submit|deliver|migrate|schedule|order|rotate|replace|follow up|file|sign|register|publish|"
        r"ship|investigate|rewrite|document)\b.*?){END}",
        firmness=0.75,
    ),
)

ESTIMATE_RULES: Final = (
    rule(
        "estimate",
        r"(?:the )?(?:eta|estimate(?:d time)?) (?:for|of|on) {THING} (?:is|:)\s*(?:now |still )?{VALUE}{END}",
        "duration_estimate",
        "single",
    ),
    rule(
        "estimate",
        r"(?:we|{ME}|{NAME}|the team)(?:['’]d)? (?:estimates?|expects?|reckons?|figures?|guess(?:es)?) "
        r"(?:that )?{THING} (?:to take|will take|takes|at|needs) (?:about |around |roughly |some "
        r")?{SPAN}.*{END}",
        "duration_estimate",
        "single",
    ),
    rule(
        "estimate",
        r"{THING} (?:will|would|should|is going to|is expected to|is estimated to|might|may|['’]ll|could)(?: "
        r"probably| likely| still)? (?:take|need|require|last|be done in|be finished in) (?:us |{ME} |them "
        r")?(?:about |around |roughly |approximately |at least |up to |some )?{SPAN}.*{END}",
        "duration_estimate",
        "single",
    ),
    rule(
        "estimate",
        r"{THING} (?:is estimated at|takes) (?:about |around |roughly |approximately )?{SPAN}.*{END}",
        "duration_estimate",
        "single",
        firmness=0.8,
    ),
    rule(
        "estimate",
        r"{THING} (?:will|would|should|is going to|is expected to|might|may|['’]ll)(?: probably| likely)? "
        r"cost (?:us |{ME} )?(?:about |around |roughly |approximately |at least |up to |some "
        r")?{NUMBER}.*{END}",
        "cost_estimate",
        "single",
    ),
)

INVARIANT_RULES: Final = (
    rule(
        "invariant",
        r"(?:we|the team|everyone|everybody) (?P<value>(?:(?:must |should |can )?(?:always|never)|must) "
        r".+?){END}",
        "rule",
        "multi",
    ),
    rule(
        "invariant",
        r"{THING} (?P<value>(?:must|shall|may|can|should)(?:n['’]t)? ?(?:always|never|not ever|only(?: "
        r"ever)?) .+?){END}",
        "rule",
        "multi",
    ),
    rule(
        "invariant",
        r"{THING} (?P<value>(?:must(?! be (?:an?|so|very|really|quite|nice|great|hard|tough|fun|exciting|"
        r"awful|lovely|amazing|\w+ing)\b| (?:have|admit|say|confess)\b)|mustn['’]t|shall|may not|is never "
        r"allowed to|are never allowed to|is not allowed to|are not allowed to|is to be|are to be|has to be|"
        r"have to be) (?:not |be )?.+?){END}",
        "rule",
        "multi",
        firmness=0.85,
    ),
    rule(
        "invariant",
        r"(?P<entity>(?!{ME})(?:(?:the|our|all|any) )?[a-zA-Z][\w -]{2,40}?s) (?P<value>(?:(?:are|is|go|goes|"
        r"travel|come|comes|get|gets|run|runs|stay|stays) (?:always|never|only)|(?:always|never) (?:are |is "
        r")?[a-z]+) .+?){END}",
        "rule",
        "multi",
        firmness=0.85,
    ),
    rule(
        "invariant",
        r"(?P<value>no (?:[\w-]+ ){1,4}(?:is|are|leaves?|goes?|gets?|may|can|will be) "
        r".*?\bwithout\b.+?){END}",
        "rule",
        "multi",
    ),
    rule(
        "invariant",
        r"(?P<value>(?:nobody|no one) (?:may|is allowed to|must|should|can) .+?){END}",
        "rule",
        "multi",
    ),
    rule(
        "invariant",
        r"(?:please )?(?P<value>(?:always|never|do not ever|don['’]t ever|under no circumstances(?: should)?|"
        r"no exceptions:|(?:new |real )?rule[^:]{0,20}:|as a rule,?) .+?){END}",
        "rule",
        "multi",
    ),
    rule("invariant", r"(?:please )?(?P<value>[a-z]+ .+? from now on){END}", "rule", "multi", firmness=0.85),
)
