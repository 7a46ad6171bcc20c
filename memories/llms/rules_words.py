"""Words for attributes: which nouns name one, and which words mean the same one, in English and Chinese."""

from typing import Final

from memories.llms.rules_wording import word_set
from security.patterns import bounded

CHINESE: Final = bounded(r"[\u3400-\u9fff]")

ATTRIBUTE_HEADS: Final = word_set(
    """
    deploy deployment release build version status state deadline budget price cost port branch timeout limit
    launch date meeting password quota threshold size count rate interval schedule owner lead address region
    host url endpoint environment cluster password room time target goal score number plan
    """
)
"""Nouns that are attributes of something: «billing deploy» is the deploy of billing."""

PASSING: Final = word_set(
    """
    deploy deployment release build version status state deadline launch date meeting schedule branch sprint
    eta arrival departure progress
    """
)
"""Attributes that say how work stands just now; the others are lasting traits of a thing."""

SYNONYMS: Final = {
    "ends": "end", "expires": "expiry", "starts": "start", "begins": "start",
    "closes": "end", "opens": "start", "arrives": "arrival", "departs": "departure",
    "weighs": "weight", "costs": "price", "measures": "size", "born_in": "birthplace",
    "married_to": "spouse", "employed_by": "employer", "employed_at": "employer",
    "founded_by": "founder", "created_by": "creator", "written_by": "author", "directed_by": "director",
    "located_in": "location", "based_in": "residence", "job": "occupation", "profession": "occupation",
    "home_town": "hometown", "place_of_birth": "birthplace", "wife": "spouse", "husband": "spouse",
    "boss": "manager", "runs": "manager", "eta": "arrival", "arrival_date": "arrival",
    "arrival_time": "arrival", "launches": "launch_date", "launched": "launch_date",
    "ships": "shipping_date", "contact_person": "contact", "counterpart": "contact",
    "workplace": "employer", "company": "employer", "mail": "email",
    "email_address": "email", "e_mail": "email", "phone_number": "phone", "date_of_birth": "birthday",
    "owned_by": "owner", "led_by": "lead", "managed_by": "manager", "maintained_by": "maintainer",
    "headed_by": "head", "chaired_by": "chair", "run_by": "head", "leads": "lead", "manages": "manager",
    "manage": "manager", "owns": "owner", "own": "owner", "maintains": "maintainer",
    "maintain": "maintainer", "directs": "director", "direct": "director", "chairs": "chair",
    "heads": "head", "known_for": "famous_for", "designed_by": "designer", "developed_by": "developer",
    "invented_by": "inventor", "composed_by": "composer",
}  # fmt: skip
"""Attribute as said → the one key it is kept under, so that a fact in other words meets its former self."""

SYNONYMS_ZH: Final = {
    "版本": "version", "状态": "status", "负责人": "owner", "负责": "owner", "截止日期": "deadline",
    "截止时间": "deadline", "预算": "budget", "价格": "price", "单价": "price", "上限": "limit",
    "端口": "port", "地址": "address",
    "名字": "name", "姓名": "name", "生日": "birthday", "邮箱": "email", "电话": "phone",
    "手机号": "phone", "老板": "manager", "经理": "manager", "上司": "manager", "公司": "employer",
    "职业": "occupation", "工作": "occupation", "首都": "capital", "作者": "author", "创始人": "founder",
    "对接人": "contact", "联系人": "contact", "接口人": "contact", "对口人": "contact", "到货时间": "arrival",
    "供应商": "supplier", "承运商": "carrier", "保修期": "warranty", "质保期": "warranty", "主管": "manager",
    "营业时间": "opening_hours", "租金": "rent", "利率": "rate", "汇率": "rate", "型号": "model",
    "电压": "voltage", "温度": "temperature", "重量": "weight", "长度": "length", "容量": "capacity",
    "周期": "cycle", "频率": "frequency", "付款期限": "payment_terms", "账期": "payment_terms",
    "库存": "stock", "数量": "count", "扭矩": "torque", "转速": "speed", "阈值": "threshold",
    "定金": "deposit", "订金": "deposit", "訂金": "deposit", "起订量": "minimum_order",
    "维护": "maintainer", "管理": "manager", "领导": "lead", "导演": "director", "总部": "headquarters",
    "住址": "residence", "家乡": "hometown", "老家": "hometown", "丈夫": "spouse", "妻子": "spouse",
    "老公": "spouse", "老婆": "spouse", "水果": "fruit", "颜色": "colour", "菜": "dish", "食物": "food",
    "电影": "film", "歌": "song", "书": "book", "运动": "sport", "编辑器": "editor",
    "编程语言": "programming_language", "语言": "language", "饮料": "drink", "城市": "city",
    "季节": "season", "上线日期": "launch_date", "上线时间": "launch_date", "分支": "branch",
    "限制": "limit", "超时时间": "timeout", "超时": "timeout", "部署": "deploy", "名称": "name",
    "目标": "goal", "会议室": "room", "会议时间": "meeting_time", "时间": "date", "日期": "date",
}  # fmt: skip
"""Chinese attribute → the key the English word has, so that a fact said in either language is one fact."""
