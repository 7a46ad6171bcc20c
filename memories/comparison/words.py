"""The published word lists of `difference.py`: negation, and words of opposite meaning. Our own lists."""

from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _pairs(pairs: str) -> tuple[tuple[str, str], ...]:
    """Split pairs separated by commas, their words by a space."""
    words = [pair.split() for pair in pairs.split(",")]
    return tuple((left, right) for left, right in words)


NEGATORS: Final = _set(
    """
    not no never none neither nor nobody nothing nowhere without cannot hardly barely unable lacks lack
    lacking isnt arent wasnt werent dont doesnt didnt wont wouldnt cant couldnt shouldnt hasnt havent
    hadnt
    """
)
"""English words that turn a sentence round, beside those in n't."""

NOT_NEGATING: Final = (
    "不过|不仅|不但|不断|不同(?!意)|不如|不久|不少|不妨|不论|不管|不只|不禁|不得不|不可避免|无论|无疑|无数|无线|非常|除非|并非|未来|未必|别的|别人|特别|分别"
    "|区别|级别|个别|性别|差别|类别|识别|告别|没错|差不多|了不起|对不起|是否|能否|会不会|是不是|有没有|能不能|要不要"
)
"""Chinese words in which a negating character negates nothing (or only asks)."""

CHINESE_NEGATORS: Final = "不没沒未无無非别勿莫否"

ANTONYMS: Final[tuple[tuple[str, str], ...]] = _pairs(
    """
    enable disable, enabled disabled, open close, open closed, opened closed, start stop, started stopped,
    begin end, accept reject, accepted rejected, accepts rejects, approve reject, approved rejected,
    approved denied, allow deny, allow forbid, allow block, allowed forbidden, allowed blocked, allowed
    denied, permit prohibit, grant revoke, include exclude, includes excludes, increase decrease,
    increased decreased, increases decreases, rise fall, rose fell, up down, add remove, added removed,
    success failure, succeed fail, succeeded failed, succeeds fails, pass fail, passed failed, passes
    fails, true false, yes no, like dislike, likes dislikes, like hate, likes hates, love hate, loves
    hates, before after, more less, more fewer, most least, high low, higher lower, highest lowest, faster
    slower, fast slow, always never, with without, maximum minimum, max min, public private, internal
    external, required optional, mandatory optional, safe dangerous, win lose, won lost, buy sell, bought
    sold, above below, all none, same different, right wrong, correct wrong, online offline, hot cold,
    early late, earlier later, on off, in out, gain loss, larger smaller, bigger smaller, big small, large
    small, long short, longer shorter, old new, older newer, strong weak, full empty, light dark, rich
    poor, cheap expensive, easy hard, easy difficult, import export, upgrade downgrade, upgraded
    downgraded, join leave, joined left, arrive leave, hire fire, hired fired, push pull, read write,
    synchronous asynchronous, sync async, ascending descending, horizontal vertical, manual automatic,
    temporary permanent, positive negative, best worst, better worse, agree disagree, agreed disagreed,
    support oppose, supports opposes, man woman, boy girl, male female, mother father, sitting standing,
    asleep awake, inside outside, left right, first last, day night, indoors outdoors, nobody somebody,
    remember forget, keep delete, kept deleted, lock unlock, locked unlocked, mounted unmounted, attach
    detach, connected disconnected, alive dead, married single
    """
)
"""English pairs; a word in un-, in-, dis-, non- and the like opposes its stem without being listed."""

CHINESE_ANTONYMS: Final[tuple[tuple[str, str], ...]] = _pairs(
    """
    开启 关闭, 打开 关闭, 打开 关上, 启用 禁用, 启用 停用, 开放 关闭, 上升 下降, 增加 减少, 增长 下降,
    提高 降低, 允许 禁止, 允许 拒绝, 成功 失败, 通过 拒绝, 通过 驳回, 批准 驳回, 批准 拒绝, 支持 反对,
    喜欢 讨厌, 爱 恨, 同意 拒绝, 同意 反对, 接受 拒绝, 真 假, 之前 之后, 以前 以后, 上涨 下跌, 大于 小于,
    高于 低于, 多于 少于, 超过 低于, 更多 更少, 更快 更慢, 更高 更低, 更大 更小, 最大 最小, 最高 最低,
    最多 最少, 最快 最慢, 最好 最差, 快 慢, 包含 排除, 包括 排除, 必需 可选, 必须 可选, 公开 私有, 公开
    保密, 内部 外部, 在线 离线, 上线 下线, 开始 结束, 开始 停止, 启动 停止, 加入 退出, 买入 卖出, 买 卖,
    同步 异步, 升级 降级, 升序 降序, 手动 自动, 临时 永久, 正 负, 好 坏, 新 旧, 早 晚, 左 右, 里面 外面,
    室内 室外, 男 女, 白天 晚上, 保留 删除, 保留 放弃, 锁定 解锁, 连接 断开, 雇用 解雇, 来 去, 上班 下班,
    正确 错误, 安全 危险, 便宜 贵, 容易 困难, 容易 难, 长 短, 冷 热, 胖 瘦, 强 弱, 满 空, 站 坐, 赢 输,
    上车 下车, 进 出, 父亲 母亲, 爸爸 妈妈, 哥哥 弟弟, 姐姐 妹妹, 先 后
    """
)
"""Chinese pairs, simplified characters."""

SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
"""The hundred or so commonest Chinese surnames (of some 85 % of people)."""
