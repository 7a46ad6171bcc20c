"""
The published word lists of `restated.py`: how people announce that they say something again. Our own lists.
"""

from typing import Final

FRAME: Final = (
    r"^\W*(?:(?:and|so|ok|okay|everybody|everyone|all|team)[,\s]+)*"
    r"(?:(?:the |a )?short version|in short|in brief|briefly|long story short|in other words|put differently"
    r"|that is to say|to (?:sum|wrap) (?:it )?up|summing up|in sum|in one (?:line|sentence)"
    r"|(?:to |a )?recap|summary|(?:just )?to (?:repeat|confirm|reiterate)|once (?:more|again)|again"
    r"|as (?:i|we|he|she|they) said|as said|as (?:mentioned|noted|agreed|discussed|before)"
    r"|for the (?:file|record|minutes)|noted|understood|(?:just |a )?(?:quick )?reminder"
    r"|(?:please )?(?:note|remember)|confirmed)\b"
    r"(?:(?=[^:,.;]{0,32}[:,])[^:,.;]{0,32}[:,]\s*|\s+(?:that\s+)?)"
    r"|^\W*(?:总之|總之|总的来说|简而言之|简单(?:地)?说|简单来说|换句话说|換句話說|也就是说|也就是說|再说一遍"
    r"|再說一遍|重申(?:一下)?|确认一下|小结|总结(?:一下)?|归纳(?:一下)?|提醒(?:一下)?|如前所述"
    r"|再强调一下)[^，,：:。]{0,8}[，,：:]?\s*"
)
"""Opens a sentence that says again what was said; what stands behind it is what is said."""

UNCHANGED: Final = (
    r"\b(?:(?:ha(?:s|ve)n['’]?t|ha(?:s|ve) not|did ?n[o'’]?t|do(?:es)? ?n[o'’]?t|was(?:n['’]?t| not)) "
    r"(?:been )?(?:changed?|moved?|altered)(?: with (?:it|them|that))?|(?:is|are|stays?|remains?) unchanged"
    r"|unchanged|as before|the same as before)\b"
    r"|(?:没有|沒有|没|未)(?:改变|改變|变化|變化|变动|变|變)|保持不变|维持不变|不变|照旧|照舊"
    r"|[跟和]以前一样"
)
"""Says that nothing is new; its «not» denies no fact."""

STILL: Final = r"\b(?:still|remains?)\b|仍然|仍是|仍旧|依然|依旧|还是|還是"
"""Says that something stands as it stood."""

REVERSAL: Final = (
    r"\b(?:back|again|anymore|any more|revert\w*|undo\w*|undid|roll(?:ed|ing)? back|return(?:ed)? to"
    r"|restor\w+|cancel\w*)\b"
    r"|改回|换回|恢复|恢復|又|撤回|取消|回退|重新"
)
"""Turns something round in the words it was said in: «from 81 back to 80»."""

CONCLUSION: Final = (
    r"\b(?:lessons?|moral|take-?aways?|conclu(?:de|des|ded|sion|sions)|therefore|hence|thus|new rule"
    r"|as a consequence)\b"
    r"|教训|教訓|结论|結論|经验|經驗|因此|由此|可见|新规"
)
"""Draws something from what was said, in its words: «the lesson: …»."""

DOUBLE_NEGATION: Final = r"\b(?:no|never|not|nobody|nothing|none)\b(?P<between>[^.;]*?)\bwithout\b"
"""Two negations of which the second takes back the first: «nothing leaves without a stamp»."""

DUTY: Final = (
    r"\b(?:must|needs? to|ha(?:s|ve) to|should|ought to|shall)(?: (?:always|only))?(?: be)?"
    r"(?: (?P<deed>[a-z]+))?"
    r"|必须|必須|应该|應該|需要"
)
"""Says that a rule is owed; told as a habit («every six weeks») it is the same rule. The `deed` is owed."""

DONE: Final = r"了|已|过(?!期)|過(?!期)"
"""Says in Chinese that something was carried out."""

DENYING: Final = (
    r"\b(?:is|are|was|were|been|be|got|stays?|stayed|remains?|remained)\s+(?:all\s+)?"
    r"(?P<state>frozen|blocked|banned|barred|forbidden|prohibited|suspended|stopped|halted|missing|absent|gone"
    r"|lost|closed|cancelled|canceled)\b"
    r"|\b(?P<loss>lost|loses?|lacks?|lacked|misses|missed)\s+(?:its|his|her|their|our|the|all|an?|any|every)\b"
)
"""Denies without a «not»: what «is frozen» or «lost its» may be told again as «no»."""
