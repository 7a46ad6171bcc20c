"""
Published word lists of `difference.py` and `paraphrase.py`: words of one kind that exclude each other, words
that mean the same, and words that tell a plan or a guess from a fact. Our own lists, English and Chinese.
"""

from typing import Final


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    """Split rows set apart by commas, their words by blanks."""
    return tuple(tuple(row.split()) for row in text.split(","))


CONTRASTS: Final[tuple[tuple[str, ...], ...]] = _rows(
    """
    red orange yellow green blue purple violet pink brown black white grey gray golden silver beige
    turquoise, tiny small medium large huge, short tall, narrow wide, thin thick, shallow deep, round square
    triangular, cold cool warm hot, frozen melted, dry wet, clean dirty, quiet loud, soft hard, sweet sour
    bitter salty, raw cooked fried boiled baked, young old, happy sad angry afraid, calm nervous, sick
    healthy, hungry full, spring summer autumn winter, morning afternoon evening night, daily weekly monthly
    quarterly yearly, hourly nightly, north south east west, northern southern eastern western, top bottom,
    front back, upper lower, inner outer, left right middle, near far, before during after, past future, all
    every some few several most none, only also, alone together, mostly partly fully, first second third
    fourth fifth last, primary secondary tertiary replica, parent child, master slave, dog cat horse cow
    sheep goat pig bird fish rabbit mouse monkey lion tiger bear elephant chicken duck, man woman boy girl
    baby, men women boys girls babies, brother sister, son daughter, uncle aunt, father mother husband wife
    grandfather grandmother, king queen, nephew niece, car bus train bike bicycle motorcycle truck boat ship
    plane tram taxi, door window wall floor roof, kitchen bathroom bedroom garage garden office, table chair
    bed desk sofa, cup plate bowl bottle glass, apple banana orange pear peach grape lemon cherry, coffee
    tea water milk juice beer wine soda, bread rice pasta potato noodle soup salad, beef pork lamb fish
    chicken, breakfast lunch dinner supper, guitar piano violin flute drum trumpet, football basketball
    tennis baseball volleyball hockey golf, run walk swim jump climb sit stand lie sleep fly, running
    walking swimming jumping climbing sitting standing lying sleeping flying, eat drink cook, eating
    drinking cooking, read write draw paint, reading writing drawing painting, sing dance, singing dancing,
    talk listen, laugh cry, laughing crying, speaking listening, arriving leaving, buying selling, teaching
    learning, english french german spanish italian portuguese chinese japanese korean russian arabic dutch,
    wood metal plastic paper stone glass leather cotton wool silk, gold silver bronze iron copper steel,
    doctor nurse teacher lawyer engineer driver farmer cook police soldier student, allergic immune,
    vegetarian vegan, development staging production testing, dev staging prod test, debug info warning
    error critical, get post put patch delete, create read update delete, created updated deleted, client
    server, frontend backend, input output, request response, memory disk cpu network, cache database queue,
    cash card cheque, gross net, minimum average maximum, mean median, weekday weekend, weekdays weekends,
    am pm, lightweight heavyweight, plaintext encrypted, pending approved rejected cancelled, draft final,
    open closed, draft published, free paid, owner member guest, admin editor viewer, low medium high, on
    under, over under, into onto, to from, i you he she we they, me you him her us them, my your his our
    their, mine yours hers ours theirs, mild severe, minor major, partial complete
    """
)
"""English rows: two words of one row, standing in each other's place, say two different things."""

CHINESE_CONTRASTS: Final[tuple[tuple[str, ...], ...]] = _rows(
    """
    红 橙 黄 绿 蓝 紫 粉 棕 黑 白 灰 银, 春 夏 秋 冬, 东 南 西 北, 早上 上午 中午 下午 晚上 夜里, 大 中 小,
    高 矮, 高 低, 宽 窄, 厚 薄, 深 浅, 粗 细, 圆 方, 干 湿, 软 硬, 甜 酸 苦 辣 咸, 生 熟, 老 年轻, 轻 重, 远
    近, 干净 肮脏, 安静 吵闹, 高兴 难过 生气 害怕, 健康 生病, 饿 饱, 前 后, 上 下, 内 外, 里 外, 顶部 底部,
    全部 部分, 所有 一些 多数 少数, 每天 每周 每月 每年, 每日 每周 每月 每季度 每年, 狗 猫 马 牛 羊 猪 鸟 鱼
    兔 猴 鸡 鸭, 男人 女人 男孩 女孩 婴儿, 男性 女性, 父亲 母亲 丈夫 妻子 爷爷 奶奶, 儿子 女儿, 哥哥 姐姐
    弟弟 妹妹, 叔叔 阿姨, 汽车 公交 火车 自行车 摩托车 卡车 轮船 飞机 地铁 出租车, 厨房 浴室 卧室 客厅 车库
    花园 办公室, 桌子 椅子 床 沙发, 杯子 盘子 碗 瓶子, 苹果 香蕉 橙子 梨 桃子 葡萄 柠檬, 咖啡 茶 水 牛奶
    果汁 啤酒 红酒 可乐, 面包 米饭 面条 饺子 土豆, 牛肉 猪肉 羊肉 鱼肉 鸡肉, 早餐 午餐 晚餐, 早饭 午饭 晚饭,
    吉他 钢琴 小提琴 笛子 鼓, 足球 篮球 网球 棒球 排球 乒乓球 羽毛球, 跑 走 游 跳 爬 坐 站 躺 睡 飞, 吃 喝,
    读 写 画, 唱 跳, 哭 笑, 说 听, 教 学, 英语 法语 德语 西班牙语 中文 日语 韩语 俄语, 木 铁 铜 钢 塑料 纸
    石 玻璃 皮 棉, 金 银 铜, 医生 护士 老师 律师 工程师 司机 农民 厨师 警察 士兵 学生, 开发 测试 预发 生产,
    客户端 服务端 服务器, 前端 后端, 输入 输出, 请求 响应, 内存 磁盘 网络, 缓存 数据库 队列, 现金 刷卡, 最小
    平均 最大, 最低 平均 最高, 工作日 周末, 免费 收费, 待定 批准 驳回 取消, 草稿 终稿, 管理员 访客, 轻微
    严重, 主 备, 主库 从库, 第一 第二 第三 第四 最后, 首次 末次, 明文 加密, 创建 更新 删除, 新增 修改 删除
    """
)
"""Chinese rows, simplified characters, likewise."""

SYNONYMS: Final[tuple[tuple[str, ...], ...]] = _rows(
    """
    buy purchase, begin start commence, end finish, big large, little small, fast quick rapid, fix repair
    mend, use utilise utilize employ, help assist, show display, choose select pick, get obtain, ask
    request, answer reply respond, build construct, speak talk, tell inform, allow permit, need require, try
    attempt, happen occur, keep retain, photo picture photograph, bicycle bike, film movie, shop store,
    phone telephone, car automobile, job work, kid child, kids children, person individual, people persons,
    mom mother mum, dad father, road street, rock stone, ship vessel, sick ill, smart clever intelligent,
    glad happy, right correct, wrong incorrect, hard difficult, simple easy, main primary principal, full
    complete, roughly about approximately around, maybe perhaps, often frequently, rarely seldom, quickly
    rapidly fast, also too, again anew, error mistake, fault bug defect, cause reason, result outcome,
    company firm, employee worker staff, client customer, price cost, amount sum, delete remove erase,
    create make, change alter modify, raise increase, lower reduce decrease, slow sluggish, shut close,
    crash outage, like enjoy, dislike hate, live reside dwell, home house, doctor physician, lawyer
    attorney, boss manager, meeting appointment, holiday vacation, autumn fall, lift elevator, flat
    apartment, biking cycling, tv television, ad advertisement, info information, docs documentation, repo
    repository, db database, config configuration, prod production, env environment, app application, auth
    authentication, every each, someone somebody, everyone everybody, nobody no-one, gray grey, colour
    color, favourite favorite
    """
)
"""English rows of one meaning, for most uses; the first stands for the row."""

CHINESE_SYNONYMS: Final[tuple[tuple[str, ...], ...]] = _rows(
    """
    怎么 怎样 怎么样 如何 咋 怎麼, 什么 啥 什麼 甚么 神马, 为什么 为啥 为何 何以, 哪里 哪儿 何处, 吗 嘛 麽,
    呢 呀 啊, 谁 哪位, 能 能够 可以, 会 会不会, 是不是 是否, 有没有 有无, 买 购买 选购, 卖 出售 销售, 用
    使用 采用, 看 观看 瞧, 找 寻找 查找, 知道 了解 晓得 清楚, 想 想要, 喜欢 喜爱, 帮 帮助 帮忙, 需要 需
    须要, 必须 必需, 但是 可是 不过, 因为 由于, 所以 因此 因而, 和 与 跟 以及, 或者 或, 如果 假如 要是 若,
    非常 很 十分 特别 挺, 一起 一同, 已经 已, 立即 立刻 马上, 现在 目前 如今, 以前 从前, 常常 经常 时常,
    大概 大约, 爸爸 父亲 爸, 妈妈 母亲 妈, 孩子 小孩 儿童, 老师 教师, 医生 大夫, 老婆 妻子 太太, 老公 丈夫,
    房子 住宅, 汽车 轿车, 自行车 单车, 电脑 计算机, 手机 移动电话, 照片 相片 图片, 电影 影片, 歌 歌曲, 视频
    录像, 软件 程序, 公司 企业, 工作 职业, 工资 薪水 薪资, 价格 价钱 售价, 原因 缘故, 方法 办法 方式, 问题
    毛病, 错误 差错, 修复 修好, 修改 更改 变更, 删除 删掉 移除, 增加 添加, 设置 设定, 开始 起始, 结束 完结,
    好看 漂亮 美丽, 快 迅速 快速, 便宜 廉价, 容易 简单, 困难 艰难, 高兴 开心 快乐, 生日 诞辰, 地址 住址,
    名字 姓名, 治疗 医治, 多长时间 多久, 什么时候 何时 啥时候, 请问 问一下
    """
)
"""Chinese rows likewise; longer words are replaced before shorter ones."""

PLAN: Final = (
    r"\b(?:will|shall|gonna|going to|plan(?:s|ned|ning)?(?= to\b| on\b| for\b)|intend\w*|propos(?:e|es|ed|al)"
    r"|want(?:s|ed)? to|hop(?:e|es|ed|ing) to|should|ought to|must|needs? to|ha(?:s|ve) to|would like to"
    r"|wish(?:es)? to|to-?do)\b|\w+'ll\b"
    r"|打算|计划|准备|想要|希望|应该|必须|需要|将要|将会|即将|将于|拟|有意|力争|争取"
)
"""What is meant, wished or owed, and has not happened."""

GUESS: Final = (
    r"\b(?:(?-i:may(?= [a-z]))|might|could|maybe|perhaps|possibly|probably|presumably|supposedly|apparently"
    r"|allegedly|likely|unlikely|seems?|seemed|appears? to|suspect(?:s|ed)?|guess(?:es|ed)?|rumou?r\w*|if"
    r"|unless)\b|可能|也许|或许|大概|似乎|好像|估计|据说|据称|怀疑|如果|假如|除非|说不定"
)
"""What is not held for certain, or holds under a condition only."""

FORMER: Final = (
    r"\b(?:used to|formerly|previously|no longer|once was|ex-\w+)\b|曾经|曾|以前|从前|原先|原来|不再|过去"
)
"""What was so and is so no more."""

LIMITS: Final = (
    (
        "only",
        r"\b(?:only|solely|exclusively|(?:nothing|nobody|none|no one) but)\b"
        r"|\b(?:nothing|nobody|none|no one|never)\b(?=[^.;!?]{0,60}\b(?P<but>except|other than|apart from)\b)"
        r"|仅|只有|只能|只在|唯一",
    ),
    ("except", r"\b(?:except|excluding|other than|apart from)\b|除了|除外"),
    ("at least", r"\bat least\b|至少|最少"),
    ("at most", r"\b(?:at most|up to)\b|至多|最多|不超过"),
    ("less than", r"\bless than\b"),
    ("more than", r"\bmore than\b"),
)
"""What narrows a statement, by what it leaves: with it the same words say less. «Nothing but» is «only».

but: a word of the class behind it that only says what is left.
"""
