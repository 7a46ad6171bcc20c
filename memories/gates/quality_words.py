"""The published word lists of the quality gate (SPEC W-09), English and Chinese. Our own lists."""

from typing import Final


def _list(words: str) -> tuple[str, ...]:
    """Split a list whose entries are separated by commas."""
    return tuple(" ".join(word.split()) for word in words.split(",") if word.strip())


KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "decision": _list(
        """
    decide, decided, decision, chose, choose, chosen, choice, agreed, settled on, go with, went with,
    going with, will use, we use, switch to, switched to, adopt, adopted, reject, rejected, drop, keep,
    prefer, instead of, rather than, over, trade-off, tradeoff, in favour of, in favor of, because, so
    that, option, alternative, approved, until, decided against, voted, ruled out, replace, replaced,
    since, from now on, move to, moved to, stick with, stay with, opted, signed off, 决定, 选择, 选用,
    采用, 改用, 确定, 同意, 放弃, 保留, 而不是, 代替, 方案, 权衡, 因为, 优先, 批准, 改走, 改为, 不用,
    敲定, 拍板, 否决, 決定, 選擇, 採用, 確定, 放棄, 因為, 批準
    """
    ),
    "finding": _list(
        """
    found, find, finding, discovered, turned out, turns out, measured, observed, noticed, shows, showed,
    revealed, confirmed, root cause, cause, caused, because, due to, reason, result, results, leads to,
    led to, only when, when, whenever, unless, requires, depends, limit, bottleneck, bug, error, fails,
    failed, missing, leak, timeout, timed out, slow, slower, faster, returns, needs, takes, drops,
    rejects, ignores, reduced, increased, cut, fixed by, comes from, came from, come from, stems from,
    lesson, learned, learnt, traced, culprit, since, that's why, which is why, explains, means, affects,
    affected, suggests, reveals, proves, accepts, allows, breaks, broke, truncates, leaks, overheats,
    wears, runs out, wrong, missed, lost, behind, 发现, 测得, 观察到, 结果, 表明, 显示, 证实, 根因,
    根本原因, 原因, 因为, 由于, 导致, 造成, 只有, 才会, 需要, 依赖, 限制, 瓶颈, 错误, 失败, 缺少, 泄漏,
    超时, 变慢, 变快, 降到, 降低, 提高, 增加, 减少, 说明, 意味着, 影响, 查明, 排查, 定位, 教训, 漏, 坏,
    会让, 發現, 結果, 顯示, 證實, 因為, 由於, 導致, 錯誤, 失敗, 影響, 說明
    """
    ),
    "correction": _list(
        """
    correction, correct, corrected, actually, in fact, wrong, incorrect, mistaken, mistake, not true, no
    longer, should be, should have, instead of, rather than, instead, not the, is not, was not, isn't,
    wasn't, misread, misunderstood, error, fix, was last, was the draft, had in mind, confused, mixed
    up, never, nobody, does not, did not, doesn't, didn't, not on, there is no, 更正, 纠正, 修正, 其实,
    实际上, 错了, 有误, 不对, 不是, 而是, 应该是, 应为, 不再, 误解, 弄错, 搞错, 记错, 写错, 旧版, 其實,
    實際上, 錯了, 應該是, 誤解, 搞錯
    """
    ),
    "pattern": _list(
        """
    pattern, whenever, every time, each time, always, usually, often, tends to, tend to, in general,
    generally, typically, consistently, repeatedly, recurring, across, common, rule of thumb, best
    practice, when, if, then, should, avoid, prefer, works best, template, approach, lesson, never,
    every, as soon as, as long as, only if, 模式, 规律, 每次, 每当, 总是, 通常, 往往, 一般, 反复, 普遍,
    共同, 常见, 如果, 就会, 应当, 应该, 避免, 最好, 做法
    """
    ),
    "estimate": _list(
        """
    estimate, estimated, about, around, approximately, roughly, expect, expected, expects, likely,
    probably, probability, chance, percent, between, range, at least, at most, up to, confidence,
    forecast, projected, guess, guesses, adds, mostly, away for, will take, should take, by the end,
    within, days, weeks, months, hours, per, assume, assuming, based on, 估计, 预计, 预估, 大约, 大概,
    约, 左右, 可能, 概率, 区间, 之间, 至少, 最多, 不超过, 天, 周, 月, 小时, 假设, 根据, 基于
    """
    ),
    "negative": _list(
        """
    failed, fails, failure, did not work, does not work, doesn't work, didn't work, not work, broke,
    breaks, broken, decided against, no effect, made it worse, not worth, waste, does not, did not,
    useless, in vain, abandoned, cost us, avoid, never, do not, don't, cannot, can't, error, crash,
    crashed, regression, rolled     back, reverted, worse, wasted, tried, attempt, without success, dead
    end, because, instead, caused, led to, timeout, timed out, 失败, 不行, 不起作用, 无效, 没用, 不能,
    不要, 避免, 别, 报错, 崩溃, 回滚, 撤销, 更差, 更糟, 尝试, 试过, 因为, 导致, 超时, 浪费, 没有用,
    没效果, 放弃, 不值得, 失敗, 無效, 沒用, 報錯, 因為, 導致
    """
    ),
}
"""Words by which a kind of experience shows that it is one."""

DEPTH: Final = _list(
    """
    because, because of, due to, owing to, root cause, cause, caused by, reason, why, how, so that, in
    order to, therefore, thus, hence, as a result, which means, means that, turned out, turns out,
    lesson, learned, learnt, takeaway, next time, led to, leads to, results in, resulted in, the fix
    was, fixed     by, comes from, came from, come from, stems from, that's why, which is why, explains,
    only when, only if, only after, unless, solved by, by adding, by using, by switching, by changing,
    by removing, by setting, since, trade-off, based on, assuming, otherwise, rather than, instead of,
    因为, 由于, 原因, 根因, 根本原因, 所以, 因此, 因而, 导致, 造成, 从而, 说明, 意味着, 教训, 经验,
    下次, 为了, 以便, 通过, 否则, 基于, 才能, 而不是, 改为, 解决办法, 解决方法, 是因为, 只有, 除非,
    会让, 因為, 由於, 導致, 說明, 意味著, 教訓, 為了, 通過, 否則, 經驗
    """
)
"""Words of why, how, root cause and lesson."""

STATUS: Final = _list(
    """
    done, finished, complete, completed, completes, deployed, shipped, merged, released, fixed,
    resolved, closed, working, works, work fine, fine, good, great, ok, okay, green, passing, pass,
    passed, succeeded, successful, successfully, no issues, no problem, no problems, no errors, in
    progress, ongoing, on track, started, updated, ready, up and running, live, all set, stable, as
    expected, 完成, 已完成, 做完, 搞定, 结束, 已部署, 上线, 已上线, 已合并, 已发布, 已修复, 已解决,
    正常, 没问题, 通过, 成功, 进行中, 顺利, 更新了, 准备好, 就绪, 稳定, 一切正常
    """
)
"""Words of a bare status: a short sentence with one of them and no word of depth says only how things
stand."""
