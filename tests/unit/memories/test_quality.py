"""The quality gate's arithmetic and its word lists."""

import pytest

from memories.domain.kinds import KINDS
from memories.domain.trace import Trace
from memories.gates.quality import (
    Quality,
    count_words,
    score_keywords,
    score_length,
    score_quality,
    score_structure,
)
from memories.gates.quality_words import KEYWORDS
from memories.gates.run import GateRefused, judge_quality

FINDING = (
    "Root cause: the nightly export timed out because the index on orders was missing; "
    "adding it cut the run from 40 to 3 minutes"
)


@pytest.mark.spec("W-09")
def test_every_gated_kind_has_its_keywords() -> None:
    assert set(KEYWORDS) == {kind for kind, policy in KINDS.items() if policy.gated}


@pytest.mark.spec("W-09")
def test_a_full_finding_scores_in_every_part() -> None:
    assert score_quality(FINDING, "finding") == Quality(
        total=1.0, length=0.3, keywords=0.4, structure=0.3, failed=(), passed=True
    )


@pytest.mark.spec("W-09")
def test_a_refusal_says_which_part_failed_and_what_to_do() -> None:
    assert score_quality("Deploy done.", "finding") == Quality(
        total=0.0,
        length=0.0,
        keywords=0.0,
        structure=0.0,
        failed=(
            "length: too short; say what happened, to what, and with which result",
            "keywords: too few words that mark a memory of kind finding, such as found, find, finding,"
            " discovered",
            "structure: tells neither why nor how; add the root cause, the reason or the lesson",
        ),
        passed=False,
    )


@pytest.mark.spec("W-09")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("finding", "Redis evicts keys under allkeys-lru when maxmemory is reached, so sessions disappear."),
        ("finding", "根因：夜间导出超时，因为订单表缺少索引；加上后从40分钟降到3分钟。"),
        (
            "decision",
            "We decided to use Postgres instead of MySQL because row-level security enforces tenancy.",
        ),
        ("decision", "我们决定采用 PostgreSQL 而不是 MySQL，因为行级安全可以隔离租户。"),
        ("correction", "Actually the staging cluster has 4 nodes, not 6; the old wiki page was wrong."),
        (
            "pattern",
            "Whenever a migration builds an index in place, writes block, so always build concurrently.",
        ),
        ("estimate", "The data migration will likely take about 3 weeks, assuming two engineers."),
        ("negative", "试过把整个目录缓存在内存里，失败了，因为进程在2GB时被杀掉，不要再这样做。"),
    ],
)
def test_a_real_experience_passes(kind: str, text: str) -> None:
    assert score_quality(text, kind).passed


@pytest.mark.spec("W-09")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("finding", "Squeaking on cold days comes from the dry hinge, oil silences it."),
        ("finding", "So the lesson: show the result, not the tool."),
        ("decision", "We voted against the second depot, since two docks stand empty."),
        ("correction", "No, the minimum order is 40 crates; fifty was last year."),
        ("negative", "Two trade fairs cost us 9,000 euros and were not worth it."),
        ("finding", "轴承坏了，是因为密封圈装反了，漏水。"),
    ],
)
def test_a_short_but_concrete_experience_passes(kind: str, text: str) -> None:
    assert score_quality(text, kind).passed


@pytest.mark.spec("W-09")
def test_an_entry_over_two_lines_is_one_phrase() -> None:
    assert not [word for words in KEYWORDS.values() for word in words if "  " in word or "\n" in word]


@pytest.mark.spec("W-09")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("finding", "Everything works fine now"),
        ("finding", "部署完成，一切正常。"),
        ("finding", "All tests pass. Build is green. Merged."),
        (
            "finding",
            "The deploy of the new release to the production cluster finished and everything works fine now.",
        ),
        ("decision", "We use Postgres."),
        ("pattern", "It is good."),
        ("finding", "I had a nice chat with the team in the office and we talked about many things"),
    ],
)
def test_a_bare_status_or_chat_is_refused_with_a_reason(kind: str, text: str) -> None:
    quality = score_quality(text, kind)

    assert not quality.passed
    assert quality.failed


@pytest.mark.spec("W-09")
@pytest.mark.parametrize("kind", ["task", "episode", "preference", "meta", "no such kind"])
def test_a_kind_the_gate_does_not_hold_passes(kind: str) -> None:
    assert score_quality("x", kind) == Quality(
        total=1.0, length=0.3, keywords=0.4, structure=0.3, failed=(), passed=True
    )


@pytest.mark.spec("W-09")
@pytest.mark.parametrize(
    ("count", "score"),
    [(0, 0.0), (5, 0.0), (6, 0.06), (10, 0.3), (150, 0.3), (300, 0.2), (450, 0.1), (999, 0.1)],
)
def test_length_scores_nothing_for_a_scrap_and_less_for_a_heap(count: int, score: float) -> None:
    assert score_length("word " * count) == score


@pytest.mark.spec("W-09")
def test_one_keyword_scores_in_part_and_two_in_full() -> None:
    assert score_keywords("a plain sentence", "decision") == 0.0
    assert score_keywords("we decided it", "decision") == 0.26
    assert score_keywords("we decided it because", "decision") == 0.4
    assert score_keywords("it has 40 minutes", "finding") == 0.26


@pytest.mark.spec("W-09")
def test_structure_is_half_depth_and_half_the_absence_of_bare_status() -> None:
    assert score_structure("The cache is warmed at night") == 0.15
    assert score_structure("The cache is warmed at night because mornings were slow") == 0.3
    assert score_structure("Deploy done. The cache is warmed at night") == 0.075
    assert score_structure("Deploy done.") == 0.0
    assert score_structure("") == 0.0


def test_two_chinese_characters_count_as_a_word() -> None:
    assert count_words("部署 done") == 2.0


@pytest.mark.spec("W-09")
@pytest.mark.parametrize("provenance", ["user_stated", "user_correction"])
def test_a_users_correction_passes_however_short(provenance: str) -> None:
    trace = Trace()

    judge_quality("Not red.", "correction", provenance, trace)

    assert trace.entries == []


@pytest.mark.spec("W-09")
@pytest.mark.parametrize(
    ("kind", "provenance"), [("correction", "agent_inferred"), ("finding", "user_stated")]
)
def test_what_is_no_users_correction_is_held_to_the_gate(kind: str, provenance: str) -> None:
    with pytest.raises(GateRefused) as refusal:
        judge_quality("Not red.", kind, provenance, Trace())

    assert refusal.value.gate == "quality"
