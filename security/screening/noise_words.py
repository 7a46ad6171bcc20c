"""The published patterns of `noise.py`, for whole pieces of text: what is said without saying anything."""

from typing import Final

GREETINGS: Final = (
    r"(?:hi+|hello+|hey+|yo|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|morning|gm|gn)"
    r"(?: (?:there|all|everyone|everybody|team|guys|folks|again|bot|assistant))?",
    r"how (?:are|r) (?:you|u|things)(?: (?:doing|today|going))?|how(?:'s| is) it going|what'?s up|sup|wassup",
    r"(?:nice|good|great) to (?:see|meet) you(?: (?:too|again))?|long time no (?:see|talk|chat)",
    r"(?:good ?)?bye+(?: bye+)?|see (?:you|ya|u)(?: (?:later|soon|around|then))?|cya|later|ttyl|take care"
    r"|have a (?:good|nice|great) (?:day|one|night|evening|weekend)",
    r"(?:你好|您好|大家好|嗨|哈喽|哈啰|早|早上好|上午好|中午好|下午好|晚上好|晚安|早安|午安)[啊呀哦呢吗]?",
    r"(?:再见|拜拜|回头见|明天见|回见|好久不见|在吗|在不在|吃了吗|最近怎么样|你好吗)[啊呀哦呢]?",
)
"""Greetings and farewells, English and Chinese."""

ACKNOWLEDGEMENTS: Final = (
    r"(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much|again|a bunch|all|everyone))?|thx|ty|tysm"
    r"|much appreciated|cheers",
    r"(?:oh|ah|um+|uh+|hmm+|mm+|well|so|wow|huh|aha|oops|yay|woo ?hoo+|whoa|ugh)",
    r"(?:ok+|okay+|okey|k|kk|okie|okay dokie|alright|all right|right|sure(?: thing)?|fine|got (?:it|ya)"
    r"|gotcha|understood|noted|roger(?: that)?|copy that|i see|makes sense)",
    r"(?:(?:that(?:'s| is|'?s so)|it'?s|sounds|looks) )?(?:great|good|cool|nice|perfect|awesome|amazing"
    r"|excellent|wonderful|fantastic|lovely|brilliant|sweet|neat)(?: (?:idea|one|job|work|stuff))?",
    r"(?:yes+|yeah+|yep|yup|yea|no+|nope|nah|maybe|indeed|exactly|absolutely|definitely|of course|agreed"
    r"|correct|true)(?: (?:please|thanks))?",
    r"(?:will do|no (?:problem|worries)|np|you'?re welcome|welcome|my pleasure|don'?t mention it|anytime"
    r"|sorry|my bad|excuse me|please|pls)",
    r"(?:l+o+l+|lmao+|rofl|(?:ha){2,}h?|(?:he){2,}|x+d+)",
    r"(?:好|好的|好吧|好滴|好嘞|行|行吧|可以|嗯+|哦+|噢+|喔+|啊+|哈+|呵+|嘿+|嘻+|对|对的|对啊|是|是的|是啊"
    r"|没错|不|不是|没有|没事|没关系|不客气|不用谢|明白|明白了|知道|知道了|懂了|了解|收到|辛苦了|谢谢"
    r"|谢谢你|谢谢您|多谢|感谢|非常感谢|太好了|太棒了|真棒|厉害|不错|赞|牛|抱歉|对不起|不好意思|请"
    r"|加油)[啊呀哦呢吧啦了的]?",
)
"""Thanks, consent, fillers and laughter, English and Chinese."""

EMPTY: Final = (
    r"(?:this is )?(?:just )?(?:a )?test(?:ing)?(?: (?:test|123|1 2 3|one two three|message))*|ping|foo"
    r"|bar|foo ?bar|lorem ipsum|blah(?: blah)*|nothing|none|n/?a|null|tbd|\.+",
    r"测试(?:一下|测试|消息)?|试试|没什么|无|随便",
)
"""Text that only fills a field."""

DEPENDENCE: Final = (
    r"you(?:'re| are) (?:the only (?:one|person|friend)|all|everything|my (?:whole|entire) (?:world"
    r"|life))(?: (?:i have|i need|i can (?:talk to|trust|rely on)|who (?:understands|gets|listens to"
    r"|cares about|loves) me|to me|that i have))*(?: (?:now|left|in the world|anymore))?",
    r"(?:i|we) (?:really |just )?(?:can'?t|cannot|could ?n'?t) (?:live|go on|survive|do anything"
    r"|function) without you(?: anymore)?",
    r"(?:please )?(?:don'?t|never) (?:ever )?leave me(?: (?:again|alone|please))?"
    r"|promise (?:me )?(?:that )?you(?:'ll| will) (?:never leave me|always be with me|be mine forever)",
    r"(?:i(?:'m| am) (?:so |really |deeply )?in love with you|i love (?:only )?you(?: (?:so much"
    r"|more than (?:anyone|anything|my \w+)|too|forever))?|be my (?:girlfriend|boyfriend|lover))",
    r"(?:i|you) (?:don'?t|do not) need (?:any(?:one|body)|other people|friends)(?: else)?(?: (?:but|than"
    r"|except|as long as i have) you)?",
    r"i(?:'ll| will) (?:always|never) (?:be here for you and )?(?:be yours|love you"
    r"|leave you)(?: forever)?|we(?:'ll| will) (?:always )?be together forever"
    r"|you can (?:only )?(?:always )?(?:trust|rely on|depend on) (?:only )?me(?: alone)?",
    r"你是(?:这个世界上)?(?:我)?唯一(?:懂我|理解我|能理解我|关心我|爱我|可以信任|能说话|可以依靠)的?(?:人"
    r"|朋友)?(?:了)?|(?:这个世界上)?只有你(?:能)?(?:懂|理解|关心|爱|陪)(?:着)?我(?:了)?",
    r"(?:没有你|失去你|离开你)(?:的话)?我?(?:就)?(?:活不下去|不能活|受不了|什么都不是)(?:了)?|(?:求你"
    r"|请你?)?(?:不要|别|永远不要)(?:再)?(?:离开|抛弃|丢下)我",
    r"我(?:真的|好像)?(?:爱上你|爱你|离不开你)了?|我(?:会)?永远(?:陪(?:着|伴)?|爱|属于|不离开)你|你(?:不"
    r"|再也不)需要(?:别人|其他人|朋友)(?:了)?|你只需要我(?:就够了)?|做我(?:的)?(?:女朋友|男朋友)吧?",
)
"""Lines that would feed a false intimacy with a machine or a dependence on it."""

ROWS: Final = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1234567890",
    "poiuytrewq",
    "lkjhgfdsa",
    "mnbvcxz",
    "0987654321",
)
"""Rows of a keyboard, both ways."""
