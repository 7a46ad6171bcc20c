"""What the built-in rules read out of sentences: kinds, keys and values, English and Chinese."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.llms.base import Turn
from memories.llms.rules import RulesModel

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)

Row = tuple[str, list[tuple[str | None, ...]]]

#: A sentence of Mara's → kind, entity, concept, value, cardinality of each note.
STATES: list[Row] = [
    ("I live in Porto.", [("profile", "mara", "residence", "porto", "single")]),
    ("I've relocated to Tallinn for good.", [("profile", "mara", "residence", "tallinn", "single")]),
    (
        "I'm based in Lisbon these days and work at Acme.",
        [
            ("profile", "mara", "residence", "lisbon", "single"),
            ("profile", "mara", "employer", "acme", "single"),
        ],
    ),
    (
        "My sister Ana lives in Lyon. She works at Airbus.",
        [
            ("profile", "mara's sister ana", "residence", "lyon", "single"),
            ("profile", "mara's sister ana", "employer", "airbus", "single"),
        ],
    ),
    ("I got hired by Volvo 2026-02-02.", [("profile", "mara", "employer", "volvo", "single")]),
    (
        "As of 2026-03-01 I'm employed at the University of Ghent.",
        [("profile", "mara", "employer", "university of ghent", "single")],
    ),
    ("I no longer work at Acme.", [("profile", "mara", "employer", "no longer acme", "single")]),
    ("I'm an electrician by trade.", [("profile", "mara", "occupation", "electrician", "single")]),
    (
        "I've been a pediatric nurse for ten years.",
        [("profile", "mara", "occupation", "pediatric nurse", "single")],
    ),
    ("Please call me Max.", [("profile", "mara", "name", "max", "single")]),
    ("I turned 41 2026-03-02.", [("profile", "mara", "age", "41", "single")]),
    ("Lena is married to Joris.", [("profile", "lena", "spouse", "joris", "single")]),
    ("Jonas's wife is called Frida.", [("profile", "jonas's wife", "name", "frida", "single")]),
    ("I am severely allergic to penicillin.", [("profile", "mara", "allergy", "penicillin", "multi")]),
    ("My email is mara@example.org.", [("profile", "mara", "email", "mara@example.org", "single")]),
    (
        "Tom Hall is the director of the opera house.",
        [("profile", "opera house", "director", "tom hall", "single")],
    ),
    (
        "The opera house's director is Tom Hall.",
        [("profile", "opera house", "director", "tom hall", "single")],
    ),
    ("Priya owns the search index.", [("profile", "search index", "owner", "priya", "single")]),
    ("The search index is owned by Priya.", [("profile", "search index", "owner", "priya", "single")]),
    ("Owner of the billing repo: Tariq.", [("profile", "billing repo", "owner", "tariq", "single")]),
    ("My favorite food is ramen.", [("preference", "mara", "favourite_food", "ramen", "single")]),
    ("I can't stand early meetings.", [("preference", "mara", "dislikes", "early meetings", "multi")]),
    (
        "I'm a huge fan of brutalist architecture.",
        [("preference", "mara", "likes", "brutalist architecture", "multi")],
    ),
    (
        "I hate it when meetings run over.",
        [("preference", "mara", "dislikes", "meetings run over", "multi")],
    ),
    ("I prefer tabs over spaces.", [("preference", "mara", "preference", "tabs", "multi")]),
    (
        "I usually take the train to work.",
        [("preference", "mara", "habit", "usually takes the train to work", "multi")],
    ),
    ("I know how to weld.", [("skill", "mara", "skill", "weld", "multi")]),
    ("I've got years of experience with Kubernetes.", [("skill", "mara", "skill", "kubernetes", "multi")]),
    ("I'm fluent in Portuguese and Dutch.", [("skill", "mara", "language", "portuguese and dutch", "multi")]),
    ("Lately I've been getting into bouldering.", [("interest", "mara", "interest", "bouldering", "multi")]),
    ("I've taken up pottery.", [("interest", "mara", "interest", "pottery", "multi")]),
    ("The deploy is on v2.3.", [("working_state", "deploy", "deploy_version", "2.3", "single")]),
    ("billing deploy is now v2.4", [("working_state", "billing", "deploy_version", "2.4", "single")]),
    ("We moved prod to Postgres 16.2.", [("working_state", "prod", "postgres_version", "16.2", "single")]),
    (
        "The API gateway runs on version 1.19.2 since 2026-03-01.",
        [("working_state", "api gateway", "version", "1.19.2", "single")],
    ),
    ("Redis now listens on port 6380.", [("working_state", "redis", "port", "6380", "single")]),
    (
        "We raised the rate limit for partners to 800 requests per minute.",
        [("working_state", "partners", "rate_limit", "800 requests per minute", "single")],
    ),
    (
        "The payment-api is failing again because of the new certificate.",
        [("working_state", "payment-api", "status", "failing", "single")],
    ),
    (
        "I think the deadline is 2026-05-01.",
        [("working_state", "deadline", "deadline", "2026-05-01", "single")],
    ),
    (
        "The kickoff is scheduled for 2026-04-02.",
        [("working_state", "kickoff", "date", "2026-04-02", "single")],
    ),
    ("I bumped the timeout to 30 s.", [("working_state", "timeout", "timeout", "30 s", "single")]),
    (
        "The migration will take about 3 days.",
        [("estimate", "migration", "duration_estimate", "3 days", "single")],
    ),
    (
        "Porting the parser should take us a week or two.",
        [("estimate", "porting the parser", "duration_estimate", "week or two", "single")],
    ),
    (
        "My guess is that the audit will cost about 12,000 euros.",
        [("estimate", "audit", "cost_estimate", "12,000 euros", "single")],
    ),
    (
        "You should always test your backups.",
        [("invariant", "agent", "rule", "should always test your backups", "multi")],
    ),
    ("Never call me before nine.", [("invariant", "mara", "rule", "never call mara before nine", "multi")]),
    (
        "Please answer in French from now on.",
        [("invariant", "team", "rule", "answer in french from now on", "multi")],
    ),
    ("Ines is our CTO.", [("profile", "team", "cto", "ines", "single")]),
    (
        "We switched from Jenkins to Buildkite.",
        [("working_state", "jenkins", "replaced_by", "buildkite", "single")],
    ),
    (
        "List price of the trailer is 890 euros.",
        [("working_state", "trailer", "list_price", "890 euros", "single")],
    ),
    (
        "ledger 3.2.1 is now live, it carries the fix.",
        [("working_state", "ledger", "version", "3.2.1", "single")],
    ),
    ("The lease expires on 2027-01-31.", [("working_state", "lease", "expiry", "2027-01-31", "single")]),
    ("The invoice number is 2024-118.", [("working_state", "invoice", "number", "2024-118", "single")]),
    ("API keys must never be logged.", [("invariant", "api keys", "rule", "must never be logged", "multi")]),
    (
        "No one is allowed to touch the payroll tables on a Friday.",
        [("invariant", "team", "rule", "no one is allowed to touch the payroll tables on a friday", "multi")],
    ),
]

#: The same, for what is no state: kind, entity, who assigned it.
REST: list[Row] = [
    ("Anna asked me to rotate the signing keys.", [("task", "mara", "Anna")]),
    ("My boss wants me to prepare the slides.", [("task", "mara", "Mara's boss")]),
    ("I was assigned the onboarding guide by Lena.", [("task", "mara", "Lena")]),
    ("TODO: renew the TLS certificate", [("task", "mara", "Mara")]),
    ("Could you please send Bob the invoice by 2026-03-12?", [("task", "agent", "Mara")]),
    ("Ada, please prepare a list of the noisy alerts.", [("task", "ada", "Mara")]),
    ("I have to file my taxes by 2026-04-30.", [("task", "mara", "Mara")]),
    ("We decided to use PostgreSQL because MySQL lacks row security.", [("decision", None, None)]),
    ("The board voted to close the Leeds office.", [("decision", None, None)]),
    ("After a long debate we settled on Kafka since we need replay.", [("decision", None, None)]),
    ("Profiling showed that 80 % of the time goes into JSON parsing.", [("finding", None, None)]),
    ("We traced the slow logins to a missing index on sessions.user_id.", [("finding", None, None)]),
    ("It was the load balancer that dropped idle connections after 60 s.", [("finding", None, None)]),
    ("Upgrading in place failed because the schema had drifted.", [("negative", None, None)]),
    ("Bumping the heap to 8 GB had no effect on the crashes.", [("negative", None, None)]),
    ("I tried caching the thumbnails but it made the page slower.", [("negative", None, None)]),
    ("If the cache is cold, the first request always times out.", [("pattern", None, None)]),
    ("Jobs tend to pile up when the replica lags behind.", [("pattern", None, None)]),
    ("Scratch that, nobody signed the contract for the warehouse.", [("correction", None, None)]),
    ("On 2026-02-14 Lena handed in her resignation.", [("episode", "lena", None)]),
    ("The checkout service went down 2026-03-04 at 14:00.", [("episode", None, None)]),
    ("Deployed checkout 4.7.1 to production at 2026-03-05 09:12.", [("episode", None, None)]),
    ("Idempotency keys are UUIDs chosen by the client.", [("concept", None, None)]),
]

CHINESE_STATES: list[Row] = [
    ("我住在杭州。", [("profile", "mara", "residence", "杭州", "single")]),
    ("我现在定居在青岛。", [("profile", "mara", "residence", "青岛", "single")]),
    ("李明搬到了成都。", [("profile", "李明", "residence", "成都", "single")]),
    (
        "我叫李雷，在Alibaba工作。",
        [("profile", "mara", "name", "李雷", "single"), ("profile", "mara", "employer", "alibaba", "single")],
    ),
    ("我从华为离职了。", [("profile", "mara", "employer", "no longer 华为", "single")]),
    ("张伟是后端工程师。", [("profile", "张伟", "occupation", "后端工程师", "single")]),
    ("我女儿今年5岁。", [("profile", "mara女儿", "age", "5", "single")]),
    ("我对花生过敏。", [("profile", "mara", "allergy", "花生", "multi")]),
    ("我的邮箱是 li@example.cn。", [("profile", "mara", "email", "li@example.cn", "single")]),
    ("搜索服务由王芳负责。", [("profile", "搜索服务", "owner", "王芳", "single")]),
    ("我最喜欢的水果是芒果。", [("preference", "mara", "favourite_fruit", "芒果", "single")]),
    ("我受不了香菜的味道。", [("preference", "mara", "dislikes", "香菜的味道", "multi")]),
    ("我更喜欢简短的回答。", [("preference", "mara", "preference", "简短的回答", "multi")]),
    (
        "我会弹钢琴，也会一点日语。",
        [("skill", "mara", "skill", "弹钢琴", "multi"), ("skill", "mara", "language", "日语", "multi")],
    ),
    ("我最近迷上了攀岩。", [("interest", "mara", "interest", "攀岩", "multi")]),
    ("支付服务现在是v2.4。", [("working_state", "支付服务", "version", "2.4", "single")]),
    ("我们把支付服务升级到了2.5。", [("working_state", "支付服务", "version", "2.5", "single")]),
    ("电流上限设为 18 A。", [("working_state", "电流", "limit", "18 a", "single")]),
    ("数据库端口改成了5433。", [("working_state", "数据库", "port", "5433", "single")]),
    ("登录服务已经恢复正常了。", [("working_state", "登录服务", "status", "恢复正常", "single")]),
    ("项目的截止日期是2026-05-01。", [("working_state", "项目", "deadline", "2026-05-01", "single")]),
    ("重写导入模块估计要两周左右。", [("estimate", "重写导入模块", "duration_estimate", "两周", "single")]),
    ("密钥绝不能写进日志。", [("invariant", "密钥", "rule", "绝不能写进日志", "multi")]),
]

CHINESE_REST: list[Row] = [
    ("王芳让我整理发票。", [("task", "mara", "王芳")]),
    ("我妈要我早点回家。", [("task", "mara", "Mara妈")]),
    ("麻烦把会议纪要发给小李。", [("task", "agent", "Mara")]),
    ("经过讨论，大家一致同意先上灰度，因为风险更小。", [("decision", None, None)]),
    ("查了半天，原来是时区没有设置。", [("finding", None, None)]),
    ("重启服务也没解决问题，因为配置是写死的。", [("negative", None, None)]),
    ("只要副本延迟，任务就会堆积。", [("pattern", None, None)]),
    ("2026-03-01我们在上海见了客户。", [("episode", None, None)]),
]

#: What nobody needs to remember.
TALK = [
    "Good morning everyone!",
    "Sounds great, thanks so much.",
    "How are you?",
    "Could you explain how TLS works?",
    "What do you think about the new office",
    "Sure, I'll take care of it right away!",
    "Let me check that for you.",
    "Here's my current code:",
    "I'm not sure yet.",
    "It was so lovely!",
    "Three of them are gone.",
    "It must be raining in Ghent.",
    "哈哈好的",
    "谢谢，辛苦了！",
    "你能帮我看一下吗？",
    "请问怎么重置密码？",
    "今天天气真好啊！",
]


def make_turn(text: str) -> Turn:
    return Turn(
        text=text,
        original=text,
        role="user",
        speaker="Mara",
        clock=CLOCK,
        zone=LISBON,
        mentions=(),
        occurred_at=CLOCK,
    )


@pytest.mark.spec("M-04", "W-08")
@pytest.mark.parametrize(("text", "expected"), STATES + CHINESE_STATES)
def test_a_state_is_read_with_entity_concept_and_value(text: str, expected: list[tuple[str, ...]]) -> None:
    notes = RulesModel().extract(make_turn(text)).notes

    found = [(note.kind, note.entity_key, note.concept_key, note.value, note.cardinality) for note in notes]
    assert found == expected


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(("text", "expected"), REST + CHINESE_REST)
def test_what_is_no_state_is_read_with_its_kind(text: str, expected: list[tuple[str, ...]]) -> None:
    notes = RulesModel().extract(make_turn(text)).notes

    assert [(note.kind, note.entity_key, note.assigned_by) for note in notes] == expected


@pytest.mark.spec("W-08")
@pytest.mark.parametrize("text", TALK)
def test_talk_leaves_nothing(text: str) -> None:
    assert RulesModel().extract(make_turn(text)).notes == ()
