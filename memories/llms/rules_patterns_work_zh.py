"""The forms of Chinese sentences by which work talk says how things stand: data, read by `rules.py`."""

from typing import Final

from memories.llms.rules_patterns_zh import rule_zh

_VERSION: Final = r"(?P<value>v?\d+(?:\.\d+)+[\w.-]*)"
_LATIN: Final = r"(?P<entity>[A-Za-z][\w-]*(?: [A-Z][\w-]*)?)"
_PLACE: Final = (
    r"(?:办公室|辦公室|仓库|倉庫|工厂|工廠|总部|總部|分公司|门店|門店|实验室|實驗室|车间|車間|机房|機房|展厅)"
)
_DAY: Final = r"(?:从|自)?(?:\d{4}-\d\d-\d\d)?(?:起|开始)?"

SPANNING_RULES_ZH: Final = (
    rule_zh(
        "profile",
        r"(?P<entity>\w{2,8}?)的?\w{1,3}(?:离职|離職|离开|調走|调走|退休|走|换人|換人)了?[,，](?:现在|現在|"
        r"目前|新的?|以后|以後)*的?(?P<attribute>\w{2,4}人|经理|主管)(?:现在|現在)?(?:是|换成|改为|"
        r"变成)(?P<value>[^,，]+?)(?:[,，].*)?{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "profile",
        r"{THING}不再[^,，]{1,16}[,，](?:而是|现在|現在|以后|以後)*(?:改用|改走|改成|改为|换成|換成|用|走|"
        r"是){VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
)
"""Who or what took the place of another, told in two clauses."""

WORK_RULES_ZH: Final = (
    # Versions: which one is out, and which it took the place of.
    rule_zh(
        "working_state",
        rf"{_LATIN}\s?{_VERSION}\s?{_DAY}{{ADV}}(?:替换|取代|替代|替換|上线|上線|发布|發布|投产|"
        rf"投產)[^,，。]*{{END}}",
        "version",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        rf"(?:我们|我們|今天)?{_DAY}{{ADV}}(?:上线|上線|发布|發布|换上|"
        rf"升到)了?\s?{_LATIN}\s?{_VERSION}{{END}}",
        "version",
        "single",
        change="explicit",
    ),
    rule_zh(
        "working_state",
        rf"{_LATIN}\s?(?:\w{{0,6}}?)(?:版本|版)(?:现在|目前|現在)?(?:是|为|為|升到|改为|"
        rf"改為)\s?{_VERSION}{{END}}",
        "version",
        "single",
    ),
    # What somebody changes; how much, how long, where.
    rule_zh(
        "working_state",
        r"[^,，。把将將]{0,24}?(?:把|将|將)\s?{THING}(?:从.+?)?(?:升级|切换|迁移|改|调整|换|调|降|涨|提|回滚|"
        r"推迟|提前|延期|延长|更新)(?:成了?|为了?|到了?|至|高到|低到)\s?{VALUE}{END}",
        "{attribute}",
        "single",
        change="explicit",
    ),
    rule_zh(
        "profile",
        r"(?P<entity>[\w.\- ]{1,16}?{HEAD})(?:现在|現在|"
        r"目前)?\s?(?P<value>\d[\d.,]*\s?[^\s\d,，。]{0,4}){END}",
        "{attribute}",
        "single",
    ),
    rule_zh("profile", r"{THING}(?:只|会|會|要)?保留\s?{SPAN}.*{END}", "retention", "single"),
    rule_zh(
        "profile",
        rf"(?P<entity>[\w ]{{1,12}}?{_PLACE}){{ADV}}(?:位于|位於|设在|設在|在){{VALUE}}{{END}}",
        "location",
        "single",
    ),
    rule_zh(
        "profile",
        rf"(?P<entity>[\w ]{{1,12}}?{_PLACE}){{ADV}}(?:从.+?)?(?:搬到|搬去|迁到|遷到|搬至|"
        rf"迁至)了?{{VALUE}}{{END}}",
        "location",
        "single",
        change="explicit",
    ),
    rule_zh(
        "profile",
        r"{WHO}(?:只|会|已)?(?:要求|给我们?|同意|接受|改为|改成){SPAN}(?:内|之内|以内)?(?:付款|结算|结清|"
        r"结账|付清).*{END}",
        "payment_terms",
        "single",
    ),
    # Who looks after what.
    rule_zh(
        "profile",
        r"(?P<value>{ME}|\w{2,4}?)(?:现在|現在|目前)?(?:负责|負責)(?P<entity>\w{2,10}){END}",
        "owner",
        "single",
    ),
    rule_zh("working_state", r"{WHO}管(?!理|不|得){VALUE}{END}", "responsible_for", "multi", firmness=0.8),
)
"""Tried before the forms in general."""
