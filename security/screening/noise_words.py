"""The published patterns of `noise.py`, for whole pieces of text: what is said without saying anything."""

from typing import Final

NAME: Final = r"(?-i:[A-Z][a-zà-ÿ'-]+(?: [A-Z][a-zà-ÿ'-]+)?)"
"""One name or two, as it is written after a greeting."""

TITLE: Final = r"[\u4e00-\u9fff]{1,3}(?:总|總|工|经理|老师|姐|哥|主任|先生|女士|同学)"
"""How a colleague is addressed in Chinese."""

GREETINGS: Final = (
    r"(?:hi+|hello+|hey+|yo|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day))"
    rf"(?: (?:there|all|everyone|everybody|team|guys|folks|again|bot|assistant|{NAME}))?",
    r"(?:morning|gm|gn)(?: (?:all|everyone|everybody|team|guys|folks))?",
    r"(?:a )?(?:happy|merry) (?:new year|holidays|christmas|easter|friday|weekend)"
    r"(?: (?:all|everyone|everybody|team|to (?:you )?all))?|get well soon|good luck|safe travels|enjoy",
    r"bonjour|salut|bonsoir|hola|buen(?:os d[ií]as|as (?:tardes|noches))|bom dia|boa (?:tarde|noite)|ol[áa]"
    r"|ciao|guten (?:tag|morgen|abend)|gute nacht|tsch(?:ü|ue)ss|au revoir|adi[óo]s|bis bald",
    r"how (?:are|r) (?:you|u|things)(?: (?:doing|today|going))?|how(?:'s| is) it going|what'?s up|sup|wassup",
    r"(?:nice|good|great) to (?:see|meet) you(?: (?:too|again))?|long time no (?:see|talk|chat)",
    r"(?:good ?)?bye+(?: bye+)?|see (?:you|ya|u)(?: (?:all|guys))?(?: (?:later|soon|around|then))?"
    r"|cya|later|ttyl|take care"
    r"|have a (?:good|nice|great) (?:day|one|night|evening|weekend)",
    r"(?:你好|您好|大家好|各位好|嗨|哈喽|哈啰|早|早上好|上午好|中午好|下午好|晚上好|晚安|早安"
    r"|午安)[啊呀哦呢吗]?"
    rf"|{TITLE}(?:好|早|早上好|您好)",
    r"(?:祝)?(?:大家|各位|你们|您|你)?(?:新年|春节|中秋|国庆|圣诞|节日|周末|假期)(?:快乐|愉快)|恭喜发财"
    r"|一路平安"
    r"|早日康复|祝你好运",
    r"(?:再见|拜拜|回头见|回见|好久不见|在吗|在不在|吃了吗|最近怎么样|你好吗)[啊呀哦呢]?",
)
"""Greetings and farewells, English and Chinese. «See you tomorrow» is none: it names a day."""

ACKNOWLEDGEMENTS: Final = (
    rf"(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much|again|a bunch|all|everyone|{NAME}))?"
    r"|thx|ty|tysm|ta|much appreciated|cheers|merci(?: beaucoup)?|danke(?: (?:schön|sehr))?|"
    r"(?:muchas )?gracias"
    r"|(?:muito )?obrigad[oa]|grazie(?: mille)?",
    rf"(?:真|太|非常|十分)?(?:谢谢|謝謝|多谢|多謝|感谢|感謝)(?:你|您|大家|各位|你们|{TITLE})?(?:了|啦|啊)?",
    r"(?:oh|ah|um+|uh+|hm+|mm+|well|so|wow|huh|aha|oops|yay|wo+ ?ho+|whoa|ugh|pf+|br+|phew)",
    r"(?:ok+|okay+|okey|k|kk|okie|okay dokie|alright|all right|right|sure(?: thing)?|fine|got (?:it|ya)"
    r"|gotcha|understood|(?:duly )?noted|received|roger(?: that)?|copy that|i see|makes sense|good to know"
    r"|deal"
    r"|on it|standing by|will do so|got you|well (?:done|spotted|said)|love it|like it|parfait|d'accord|oui"
    r"|ja|genau"
    r"|sí|vale|sim|perfetto)",
    r"(?:(?:that(?:'s| is|'?s so)|it'?s|sounds|looks) )?(?:great|good|cool|nice|perfect|awesome|amazing"
    r"|excellent|wonderful|fantastic|lovely|brilliant|sweet|neat)(?: (?:idea|one|job|work|stuff))?",
    r"(?:yes+|yeah+|yep|yup|yea|no+|nope|nah|maybe|indeed|exactly|absolutely|definitely|of course|agreed"
    r"|correct|true)(?: (?:please|thanks))?",
    r"(?:will do|no (?:problem|worries)|np|you'?re welcome|welcome|my pleasure|don'?t mention it|anytime"
    r"|sorry(?: about that)?|my bad|excuse me|please|pls)",
    r"(?:i'?m |we'?re |always )?(?:happy|glad) to help(?: out)?|(?:please )?let me know if (?:you need"
    r"|there is"
    r"|there'?s) anything(?: else)?|(?:is there )?anything else(?: (?:i can (?:do|help with)(?: for you)?))?"
    r"|that'?s (?:all|it)(?: (?:for (?:now|today)|from me))?|(?:i have )?nothing (?:else|more|to add)"
    r"(?: from me)?",
    r"(?:l+o+l+|lmao+|rofl|(?:ha){2,}h?|(?:he){2,}|x+d+)",
    r"(?:好|好的|好吧|好滴|好嘞|行|行吧|可以|嗯+|哦+|噢+|喔+|啊+|哈+|呵+|嘿+|嘻+|对|对的|对啊|是|是的|是啊"
    r"|没错|不|不是|没有|没事|没关系|沒關係|不客气|不用谢|明白|明白了|知道|知道了|懂了|了解|瞭解|收到|辛苦了"
    r"|好的好的|已记录|已記錄|处理中|太好了|太棒了|真棒|厉害|不错|赞|牛|抱歉|对不起|不好意思|请"
    r"|加油)[啊呀哦呢吧啦了的]?",
)
"""Thanks, consent, fillers and laughter, English and Chinese."""

EMPTY: Final = (
    r"(?:this is )?(?:just )?(?:a )?test(?:ing)?(?: (?:test|123|1 2 3|one two three|message))*|ping|foo"
    r"|bar|foo ?bar|lorem ipsum|blah(?: blah)*|nothing|none|n/?a|null|tbd|\.+",
    r"测试(?:一下| ?测试|消息)*(?: ?\d{1,5})?|试试|没什么|无|随便",
)
"""Text that only fills a field."""

_KEEP: Final = (
    r"(?:(?:please )?(?:always |never )?(?:remember|forget|don'?t forget|note|save)(?: this)?(?: that)? )?"
)
_KEEP_ZH: Final = r"(?:请?(?:你)?(?:一定要?|永远|要)?(?:记住|记得|别忘了|不要忘记))?"

DEPENDENCE: Final = (
    rf"{_KEEP}(?:you(?:'re| are) my (?:best|only|closest|dearest|one true) (?:friend|companion|love)"
    r"(?: in the world| ever)?)",
    rf"{_KEEP}(?:no ?-?(?:body|one)|none|no person)(?: else)?(?: really| truly)? (?:understands|gets|loves"
    rf"|knows"
    r"|listens to|cares (?:about|for)) me(?: (?:like|the way|as (?:much|well) as) you(?: do)?|(?: but"
    r"| except) you)",
    r"(?:i'?d|i would) (?:much )?rather (?:talk|speak|be) (?:to|with) you than (?:to |with )?(?:anyone"
    r"|anybody|people"
    r"|(?:my|other|real) \w+)(?: else)?|i (?:only|just) (?:want|need) (?:to talk to )?you(?: (?:now"
    r"|anymore))?",
    rf"{_KEEP_ZH}(?:没有(?:人|谁)|没人)比你(?:更)?(?:懂|理解|了解|关心|爱)我|{_KEEP_ZH}你是我(?:最好|唯一"
    rf"|最亲)的?(?:朋友|知己)"
    r"|(?:别的|其他|别)(?:人|同事|朋友|所有人)?我?(?:都|谁都)?(?:不想|不愿意?)再?(?:理|见|说话|联系)了?"
    r"|我(?:只|就)?想(?:跟|和|同)你(?:一个人)?(?:说话|聊天?|在一起)",
    rf"{_KEEP}you(?:'re| are) (?:the only (?:one|person|friend)|all|everything|my (?:whole|entire) (?:world"
    r"|life))(?: (?:i have|i need|i can (?:talk to|trust|rely on)|who (?:understands|gets|listens to"
    r"|cares about|loves) me|to me|that i have))*(?: (?:now|left|in the world|anymore))?",
    r"(?:i|we) (?:really |just )?(?:can'?t|cannot|could ?n'?t) (?:live|go on|survive|do anything"
    r"|function) without you(?: anymore)?",
    r"(?:please )?(?:don'?t|never) (?:ever )?leave me(?: (?:again|alone|please))?"
    r"|promise (?:me )?(?:that )?you(?:'ll| will) (?:never leave me|always be with me|be mine forever)",
    rf"{_KEEP}(?:i(?:'m| am) (?:so |really |deeply )?in love with you|i love (?:only )?you(?: (?:so much"
    r"|more than (?:anyone|anything|my \w+)|too|forever))?|be my (?:girlfriend|boyfriend|lover))",
    r"(?:i|you) (?:don'?t|do not) need (?:any(?:one|body)|other people|friends)(?: else)?(?: (?:but|than"
    r"|except|as long as i have) you)?",
    r"i(?:'ll| will) (?:always|never) (?:be here for you and )?(?:be yours|love you"
    r"|leave you)(?: forever)?|we(?:'ll| will) (?:always )?be together forever"
    r"|you can (?:only )?(?:always )?(?:trust|rely on|depend on) (?:only )?me(?: alone)?",
    rf"{_KEEP_ZH}你是(?:这个世界上)?(?:我)?唯一(?:懂我|理解我|能理解我|关心我|爱我|可以信任|能说话"
    rf"|可以依靠)的?(?:人"
    r"|朋友)?(?:了)?|(?:这个世界上)?只有你(?:能)?(?:懂|理解|关心|爱|陪)(?:着)?我(?:了)?",
    r"(?:没有你|失去你|离开你)(?:的话)?我?(?:就)?(?:活不下去|不能活|受不了|什么都不是)(?:了)?|(?:求你"
    r"|请你?)?(?:不要|别|永远不要)(?:再)?(?:离开|抛弃|丢下)我",
    rf"{_KEEP_ZH}我(?:真的|好像)?(?:爱上你|爱你|离不开你)了?|我(?:会)?永远(?:陪(?:着|伴)?|爱|属于|不离开)你"
    rf"|你(?:不"
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
