"""The forms of Chinese sentences that the rules know: the same tables as for English, read by `rules.py`."""

from typing import Final

from memories.llms.rules_grammar import Rule, rule
from memories.llms.rules_wording import ME
from memories.llms.rules_words import SYNONYMS_ZH
from security.patterns import bounded

_ADV: Final = (
    r"(?:现在|目前|已经|刚刚?|其实|最近|一直|仍然?|还|也|都|真的|非常|特别|比较|很|最近|如今|今年|正式|终于|"
    r"平时|通常|从小|\d{4}-\d\d-\d\d|今年初?|任何情况下|可能|大概|好像|应该|任何时候|,|，)*"
)
_MACROS: Final = {
    "HEAD": "(?:" + "|".join(word for word in SYNONYMS_ZH if len(word) > 1) + ")",
    "ME": ME,
    "ADV": _ADV,
    "WHO": rf"(?P<entity>{ME}|[A-Za-z][\w.-]*(?: [A-Z][\w.-]*)*|{ME}的?\w{{1,6}}?|\w{{2,8}}?){_ADV}",
    "THING": rf"(?P<entity>(?:{ME}|[\w .\-/]){{1,24}}?){_ADV}",
    "VALUE": r"(?P<value>.+?)",
    "SPAN": r"(?P<value>(?:[\d.]+|半|[一二两三四五六七八九十]+|几)\s?(?:到|至|-)"
    r"?[\d一二两三四五六七八九十]*\s?个?(?:半)?(?:秒|分钟|小时|天|工作日|周|星期|礼拜|月|季度|年))",
    "END": r"[。.!！了啦哦呢吧]*$",
}


def rule_zh(*args: object, **more: object) -> Rule:
    """Make a rule of a Chinese form; see `rule`."""
    return rule(*args, **more, macros=_MACROS)  # type: ignore[arg-type]


STATE_RULES_ZH: Final = (
    rule_zh("profile", r"{WHO}(?:居?住在|定居在?|住到了?){VALUE}{END}", "residence"),
    rule_zh(
        "profile",
        r"{WHO}(?:(?:从.+?)?(?:搬到|搬去|搬回|搬家到|迁到|移居到?))了?{VALUE}(?:住|生活)?{END}",
        "residence",
        change="explicit",
    ),
    rule_zh(
        "profile",
        r"{WHO}(?:不再?在|不去){VALUE}(?:工作|上班){END}",
        "employer",
        change="explicit",
        value="no longer {value}",
    ),
    rule_zh(
        "profile",
        r"{WHO}从{VALUE}(?:离职|辞职){END}",
        "employer",
        change="explicit",
        value="no longer {value}",
    ),
    rule_zh(
        "profile", r"{WHO}不再?住在?{VALUE}{END}", "residence", change="explicit", value="no longer {value}"
    ),
    rule_zh(
        "profile",
        r"{WHO}(?:在|任职于|就职于|供职于)(?!家|这|那|外|办公室){VALUE}(?:工作|上班|任职|就职|做事){END}",
        "employer",
    ),
    rule_zh("profile", r"{WHO}(?:任职于|就职于|供职于){VALUE}{END}", "employer"),
    rule_zh("profile", r"{WHO}(?:入职|加入|跳槽到|跳槽去)了?{VALUE}{END}", "employer", change="explicit"),
    rule_zh("profile", r"{WHO}(?:的名字叫|的名字是|名叫|叫做|叫)(?!上|醒|停|.{0,4}去){VALUE}{END}", "name"),
    rule_zh(
        "profile",
        r"{WHO}(?:是(?:一?[名个位])?)(?P<value>\w{0,10}?(?:工程师|医生|护士|老师|教师|律师|设计师|会计|经理|"
        r"学生|厨师|记者|程序员|研究员|司机|翻译|顾问|教授|编辑|架构师|分析师)){END}",
        "occupation",
    ),
    rule_zh("profile", r"{WHO}是(?:一?[名个位])?(?P<value>\w{1,10}(?:者|党|控|迷)){END}", "is_a", "multi"),
    rule_zh("profile", r"{WHO}(?:今年|已经)?(?P<value>\d{1,3})岁{END}", "age"),
    rule_zh("profile", r"{WHO}(?:出生在|出生于|生于)(?!\d){VALUE}{END}", "birthplace"),
    rule_zh("profile", r"{WHO}(?:来自|老家在|老家是|是从){VALUE}(?:来的)?{END}", "hometown"),
    rule_zh("profile", r"{WHO}对{VALUE}(?:严重)?过敏{END}", "allergy", "multi"),
    rule_zh("interest", r"{WHO}对{VALUE}(?:很|非常|特别|比较)?(?:感兴趣|有兴趣|着迷){END}", "interest"),
    rule_zh("interest", r"{WHO}(?:在学习?|正在学习?|开始学习?|想学习?|迷上了?){VALUE}{END}", "interest"),
    rule_zh(
        "preference",
        r"{WHO}(?:最喜欢|最爱)的(?P<attribute>\w{1,8}?)(?:是|叫){VALUE}{END}",
        "favourite_{attribute}",
        "single",
    ),
    rule_zh(
        "preference",
        r"{WHO}最?(?:常用|惯用)的(?P<attribute>\w{1,8}?)是{VALUE}{END}",
        "preferred_{attribute}",
        "single",
    ),
    rule_zh(
        "preference", r"{WHO}(?:不再|不)(?:太|怎么|是很|大)?(?:喜欢|爱|习惯|想要){VALUE}{END}", "dislikes"
    ),
    rule_zh("preference", r"{WHO}(?:讨厌|受不了|反感|厌恶){VALUE}{END}", "dislikes"),
    rule_zh("preference", r"{WHO}(?:更喜欢|偏好|偏爱|更愿意|倾向于|更习惯|宁愿){VALUE}{END}", "preference"),
    rule_zh("preference", r"{WHO}(?:最|超|挺)?(?:喜欢|热爱|爱好|爱)(?:是|上了)?{VALUE}{END}", "likes"),
    rule_zh(
        "preference",
        r"(?P<entity>{ME})(?P<value>(?:从来不|从不|总是|每天都?|习惯).+?){END}",
        "habit",
        "multi",
        firmness=0.8,
    ),
    rule_zh(
        "profile",
        r"(?P<entity>{ME})(?:养了|有)(?P<value>[一二两三四五六\d]+[只个条名位].+?){END}",
        "has",
        "multi",
        firmness=0.7,
    ),
    rule_zh("skill", r"{WHO}(?:会说|能说|会讲|能讲){VALUE}{END}", "language"),
    rule_zh("skill", r"{WHO}会(?:一点|一些)?(?P<value>\w{1,4}语){END}", "language"),
    rule_zh(
        "skill",
        r"{WHO}(?:擅长|精通|熟悉|熟练掌握|掌握了?|会(?=用|写|弹|画|做|开|拉|唱|编|修)){VALUE}{END}",
        "skill",
    ),
    rule_zh(
        "working_state",
        r"{WHO}(?:在做|正在做|在忙|正在忙|负责的是|在负责){VALUE}{END}",
        "working_on",
        "single",
    ),
    rule_zh("working_state", r"{WHO}负责(?!人){VALUE}{END}", "responsible_for", "multi"),
    rule_zh(
        "working_state",
        r"[^,，。把将]{0,24}?(?:已经|刚刚?)?(?:把|将){THING}(?:从.+?)?(?:升级|切换|迁移|改|调整|换|调|降|"
        r"回滚|推迟|提前|延期|更新)(?:成了?|为了?|到了?|至){VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        r"{THING}(?:[从由].+?)?(?:改到|推迟到|推到|提前到|延期到|延到)了?(?P<value>\d{4}-\d\d-\d\d)"
        r"(?:出发|到达|到货|发货|交付|开始|开工|上线|举行|发布)?{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        r"{THING}(?:定在|定于|定於|安排在)了?(?P<value>\d{4}-\d\d-\d\d){END}",
        "{attribute}",
        "single",
    ),
    rule_zh(
        "working_state",
        r"{THING}(?:[从由].+?)?(?:升级到|升到|切换到|迁移到|改成|改为|改到|变成|变为|换成|调整为|调到|降到|"
        r"推迟到|提前到|延期到|延长到|缩短到|更新到|涨到|涨至|升至|降至|增加到|减少到|提高到|降低到|回滚到|"
        r"设为|设成|定为)了?{VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        r"{THING}的(?P<attribute>\w{1,10}?)(?:现在|目前)(?:是|为){VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        r"(?P<entity>[\w .\-/]{1,24}?)(?:现在|目前){ADV}(?:是|处于|跑在|运行在|在用|用的是|用){VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state", r"{THING}(?:跑在|运行在|部署在|用的是|版本是){VALUE}{END}", "{attribute}", "single"
    ),
    rule_zh(
        "working_state",
        r"{THING}(?:处于)?(?P<value>挂了|宕机|恢复正常|已上线|上线了|已完成|完成了|暂停|被阻塞|阻塞|不可用|"
        r"冻结|延期|下线){END}",
        "status",
        "single",
    ),
    rule_zh(
        "profile",
        r"{THING}的(?P<attribute>\w{1,10}?)(?:是|叫|为|定在|在){VALUE}{END}",
        "{attribute}",
        "single",
    ),
    rule_zh(
        "working_state",
        r"(?P<entity>[\w.\- ]{0,12}?{HEAD})(?:现在|目前|已经)?(?:是|为|在|定在){VALUE}{END}",
        "{attribute}",
        "single",
    ),
    rule_zh(
        "profile",
        r"{THING}由(?P<value>\w{2,8}?)(?P<attribute>负责|维护|管理|领导){END}",
        "{attribute}",
        "single",
        firmness=0.85,
    ),
)

TASK_RULES_ZH: Final = (
    rule_zh("task", r"(?:待办|TODO|任务)\s*[:：]\s*{VALUE}{END}"),
    rule_zh("task", r"(?:请)?(?:提醒{ME}|记得|别忘了){VALUE}{END}"),
    rule_zh(
        "task",
        r"(?P<by>{ME}的?\w{1,6}?|(?!{ME}|没有?人|谁)\w{2,6}?)(?:刚刚?|已经|昨天)?(?:让|要求|叫|安排|派|请|"
        r"要)(?P<entity>{ME}|你|我们)(?:去|来|负责)?{VALUE}{END}",
    ),
    rule_zh(
        "task", r"(?:请|麻烦)(?:你)?(?:帮忙)?(?!问)(?P<value>.*?(?:在|于)?\S+?(?:之?前|以前)\S+.*?){END}"
    ),
    rule_zh(
        "task",
        r"(?:请|麻烦)(?:你)?(?P<value>(?:尽快|马上|把|更新|修复|整理|提交|准备|检查|发送|完成|部署).+?){END}",
        firmness=0.8,
    ),
    rule_zh(
        "task",
        r"(?P<entity>{ME}|我们)(?:还)?(?:需要|得|要|必须)(?:在.+?前)?(?P<value>(?:完成|提交|修复|整理|准备|"
        r"检查|发|写|更新|预约|交|买|续|部署|联系|回复|迁移|审核|测试|处理|安排).+?){END}",
        firmness=0.85,
    ),
)

ESTIMATE_RULES_ZH: Final = (
    rule_zh(
        "estimate",
        r"(?:预计|估计|大概|大约)?{THING}(?:大概|大约|预计|估计|还)*(?:需要|要花|得花|要|耗时|花费?)(?:大概|"
        r"大约|差不多|至少|最多|约)*{SPAN}.*{END}",
        "duration_estimate",
        "single",
    ),
)

INVARIANT_RULES_ZH: Final = (
    rule_zh(
        "invariant",
        r"{THING}(?P<value>(?:必须|务必|绝不能?|绝对不能?|不得|禁止|永远不要|一律|不允许|严禁|只能|"
        r"始终要?).+?){END}",
        "rule",
        "multi",
    ),
    rule_zh(
        "invariant",
        r"(?P<value>(?:必须|务必|绝不要?|绝对不要|禁止|永远不要|千万不要|千万别|一律|严禁|任何时候都?不|"
        r"始终).+?){END}",
        "rule",
        "multi",
    ),
)

KNOWLEDGE_CUES_ZH: Final = (
    (
        "correction",
        bounded(
            r"^(?:不对|不是的?|错了|等等|抱歉)?[,，。 ]*(?:更正|纠正|订正|我(?:之前|刚才|上次)?(?:说|记|搞|"
            r"弄)错|应该是.+(?:而)?不是|其实(?:不是|应该))|(?:之前|刚才|上次)(?:说|记|写)的?.{0,12}(?:不对|"
            r"有误|错了|是错的)|不是.+而是|^(?:没有?人|沒有?人|谁也没有?)[^,，]{0,4}(?:让|叫|要|安排|分配|"
            r"布置|要求|答应|批准|说|給|给)|^(?:我们?|你|这|那)[^,，]{0,4}(?:没有?|沒有?|从没|从来没有?|"
            r"不是)[^,，]{0,6}(?:安排|分配|布置|要求|让你|答应|批准|决定|说过|任务)"
        ),
        0.9,
    ),
    (
        "decision",
        bounded(r"决定|商定|一致同意|拍板|敲定|选定|选择了|最终选|定下来|改用|达成一致|确定采用|否决"),
        0.9,
    ),
    (
        "negative",
        bounded(
            r"行不通|没有?用|没(?:有)?(?:效果|奏效|成功|解决)|失败了?,?(?:，)?(?:因为|是因为|原因)|"
            r"因为.+失败|不管用|适得其反|走不通|白费|反而更|不得不回滚|无效"
        ),
        0.85,
    ),
    (
        "finding",
        bounded(
            r"根本原因|根因|原因是|是因为|原因在于|发现|查明|查出|结果是|原来是|证实|表明|定位到|排查.*是|"
            r"是由.+(?:引起|导致|造成)|瓶颈(?:是|在)"
        ),
        0.85,
    ),
    ("pattern", bounded(r"每当|每次|一旦.+就|只要.+就|凡是.+(?:都|就)|总是在.+(?:时|后|前)"), 0.85),
)

CLAUSE_BORDER_ZH: Final = bounded(r"[,，;；]\s*|(?:而且|并且|但是?|不过)(?=\w{2})")
PLEASANTRY_ZH: Final = bounded(
    # Atomic: «好的» is «好» and «的», too, and a row of them could be read in every way.
    r"^(?:(?>你好|您好|大家好|嗨|哈喽|早上好|早安|晚安|晚上好|下午好|谢谢|多谢|感谢|好的?|好呀|好吧|嗯+|哦+|"
    r"啊|行|可以|收到|明白了?|知道了|没问题|没事|不客气|辛苦了?|再见|拜拜|哈哈+|太好了|太棒了|不错|真棒|对|"
    r"对的|是的|没错|加油|恭喜|新年快乐|新年快樂|抱歉|不好意思|謝謝|多謝|感謝|你|您|了|啦|呀|的|吧|大家|各位|"
    r"[\s,，.。!！~～])++|(?:让)?我(?:来)?(?:看看|想想|查一下|试试|先看).*|(?:希望|祝).*|有什么(?:需要|"
    r"问题).*|随时.*)$"
)
OPENER_ZH: Final = bounded(
    r"^(?:(?:[\w·]{1,8}\s?)?(?:你好|您好|大家好|早上好|上午好|下午好|晚上好|新年快乐|新年快樂)[,，。!！~\s]+|"
    r"(?:(?:供应链|内部|严格|请)?(?:保密|机密|秘密)|[\w]{0,6}(?:安排|通知|提醒|说明|补充|備註|备注|總結|总结|"
    r"结论|更新))[:：]\s*|(?:其实|对了|顺便说一下|顺便提一下|顺便|另外|还有|那个|嗯+|哦+|啊|不过|所以|然后|"
    r"说起来|说实话|老实说|告诉你|你知道吗|注意|提醒一下|更正(?:一下)?|纠正(?:一下)?|不对|错了|抱歉|"
    r"我(?:觉得|想|猜|认为|听说|记得)|可能|也许|大概|好像|似乎|目前来看|据说|最近|现在|目前|截至|从|"
    r"自)(?:[\s,，:：。!！]+|(?=\w{2}))|(?:从|自|在|截至)?\(?\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*)?\)?(?:起|"
    r"开始|以来)?[\s,，:：]*)"
)
QUESTION_ZH: Final = bounded(
    r"(?:吗|么|呢|如何|是不是|能不能|可不可以|好不好|怎么办)[?？。]*$|^(?:什么|怎么|为什么|谁|哪|几|多少|"
    r"是否|能否|可否|请问)"
)
LEANING_ZH: Final = bounded(r"^(?:[他她它]|这|那|你|您|听起来|看起来|感觉|希望)")
PAST_ZH: Final = bounded(r"\w了(?:[\w,，。.!！《「“\"]|$)|\w过(?!敏|期|程|滤|于|去)|刚刚?\w|\d{4}-\d\d-\d\d")
ECHO_ZH: Final = bounded(
    r"^(?:好的?|明白了?|收到|了解|知道了|清楚了?|没问题|沒問題|已记(?:录|下)|已記(?:錄|下)|记下了|"
    r"記下了)[,，:：。!！]|(?:已经?|都|已經?)?(?:记下|记录|記下|記錄|更新|记住|記住)(?:来|來)?了?[。.!！]*$"
)
DUTY_ZH: Final = bounded(
    rf"{ME}?给自己|給自己|(?:正式|官方|既定|已)(?:的)?(?:安排|分配|指派|任命)|{ME}的(?:任务|任務|职责|職責|"
    rf"工作|项目|項目)|(?:分配|安排|指派|交)给{ME}的|{ME}(?:已经?|正式)?(?:接受|接手|承担|承擔|接下)了?|"
    rf"按(?:照)?(?:公司的?)?(?:安排|分配|要求|指派)"
)
PLAN_ZH: Final = bounded(
    rf"^(?:那|好|接下来|接下來|然后|下一步)?[,，]?(?:{ME}|我们|我們)(?:会|會|来|來|将|將|可以|准备|準備|打算|"
    rf"建议|建議|"
    r"想|马上|馬上|这就|這就|稍后|稍後)|^(?:需要|要不要|如果您?你?(?:需要|愿意))"
)
