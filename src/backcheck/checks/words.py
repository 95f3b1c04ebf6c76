"""Our own lists of words, English and Chinese, and how they are counted.

All expressions run on text that `plain` has made: look-alikes folded, lower case, full-width signs made ASCII. Chinese has
no spaces between words, so Chinese phrases have no word boundary, and two Chinese characters count as one word.
"""

from __future__ import annotations

import re

from backcheck.evidence.decode import fold

_HAN = "㐀-䶿一-鿿豈-﫿"
_WORD = re.compile(rf"[^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)*")
_HAN_SIGN = re.compile(f"[{_HAN}]")


def plain(text: str) -> str:
    """The form that the lists are made for; line ends stay."""
    return fold(text).replace("’", "'").lower()


def count_words(text: str) -> float:
    """Words of letters or digits, plus half a word for each Chinese character."""
    return len(_WORD.findall(text)) + len(_HAN_SIGN.findall(text)) / 2


def _any(phrases: str) -> str:
    return "|".join(phrase.strip() for phrase in phrases.split(";"))


def phrases(english: str, chinese: str) -> re.Pattern[str]:
    """Expressions separated by `;`: the English between word boundaries, the Chinese anywhere."""
    return re.compile(rf"(?<![a-z0-9_])(?=[a-z])(?:{_any(english)})(?![a-z0-9_])|(?:{_any(chinese)})")


#: Stands where work should stand.
PLACEHOLDER = phrases(
    r"todo; to-do; fixme; tbd; tba; xxx+; wip; placeholder; lorem ipsum; coming soon; work in progress; under construction;"
    r"to be (?:done|written|added|defined|decided|determined|completed|continued); fill (?:me |this )?in;"
    r"insert [\w ]{1,20} here; your [\w ]{1,20} here; (?:goes|go) here",
    r"待填写; 待填寫; 待补充; 待補充; 待定; 待办; 待辦; 待完成; 待完善; 待续; 待續; 待实现; 待實現; 占位; 佔位;"
    r"此处填写; 此處填寫; 这里填写; 這裡填寫; 请填写; 請填寫; 未完成; 未填写; 施工中; 敬请期待; 敬請期待;"
    rf"暂无内容; 暫無內容; (?<![{_HAN}])[省从從]?略(?![{_HAN}])",
)

#: Announces work instead of holding it.
PROMISE = phrases(
    r"will; i'll; we'll; shall; going to; gonna; todo; tbd; plan(?:s|ned|ning)? to; intend(?:s|ed)? to;"
    r"to be (?:done|added|implemented|written|completed|determined|decided|provided|filled in); later; soon; eventually;"
    r"next steps?; in (?:the|a) (?:near )?future; future work",
    r"将会; 將會; 将要; 將要; 即将; 即將; 我会; 我會; 我将; 我將; 我们会; 我們會; 我们将; 我們將; 本文将; 本文將;"
    r"系统将; 系統將; 计划; 計劃; 打算; 准备; 準備; 稍后; 稍後; 后续; 後續; 接下来; 接下來; 下一步; 以后再;"
    r"以後再; 日后; 日後; 未来; 未來; 待实现; 待實現; 待办; 待辦; 待完成; 待补充; 待補充",
)

#: In a comment: tells what code would do, or why it is not there.
META = phrases(
    r"(?:this|the) (?:function|method|class|code|module|file|script|component|program)"
    r" (?:will|would|should|is (?:going|supposed|meant|intended) to|is responsible for);"
    r"(?:implementation|logic|code) (?:goes|would go|should go|will go|belongs) here;"
    r"(?:your|actual|real|remaining|other) (?:code|logic|implementation|methods?|functions?)(?: goes| would go)? here;"
    r"(?:rest|remainder) of (?:the )?(?:code|implementation|file|logic); existing (?:code|implementation|logic);"
    r"in (?:a|the|an actual) real (?:implementation|application|app|system|project|world); in (?:an )?actual implementation;"
    r"in a production (?:system|environment|implementation|app|application);"
    r"(?:as|according to) (?:per )?(?:the )?(?:task|requirements?|instructions?|specification|prompt|user request);"
    r"(?:as|per) (?:requested|the user's request);"
    r"(?:we|you|i) (?:will|would|should|can|could) (?:then )?(?:implement|add|create|write|define|replace);"
    r"(?:add|implement|write|insert) (?:your|the|actual|real) [\w ]{0,20}(?:logic|code|implementation|here);"
    r"simulat(?:e|es|ed|ing) (?:the|a|an); to be implemented; not (?:yet )?implemented(?: yet)?;"
    r"for demonstration(?: purposes)?; for simplicity",
    r"[此该這这本]个?個?(?:函数|函數|方法|类|類|模块|模塊|文件|代码|組件|组件)(?:将|將|会|會|应该|應該|用于|用來|用来|负责);"
    r"在(?:此|这里|這裡)(?:实现|添加|编写|補充|补充); (?:实际|真实)的?(?:实现|项目|应用|代码); 其余的?代码; 同上;"
    r"(?:根据|按照)(?:任务|需求|要求|题目); 省略(?:其余|部分|其他); 待实现; 待實現; 仅[作供为](?:示例|演示|参考);"
    r"这里(?:我们|将|会|需要); 模拟",
)

#: A chat partner's first words; they say nothing of the work.
_SOCIAL = "|".join((
    _any(
        r"sure(?: thing)?[,!.]; certainly[,!.]; of course[,!]; absolutely[,!]; no problem[,!.]; got it[,!.]; understood[,!.];"
        r"(?:great|good) (?:question|idea)[,!.]; happy to help; glad to help; as (?:you )?(?:requested|asked); as an ai;"
        r"(?:i'd|i would|i'm|i am) (?:be )?(?:happy|glad|delighted) to; i'll (?:help|start|begin|go ahead|now);"
        r"(?:i have|i've) (?:now )?(?:completed|finished|implemented) (?:the|your|all); hope this helps;"
        r"let me (?:help|start|begin|create|write|implement);"
        r"(?:here(?:'s| is| are)|below is) (?:the|your|a|an) (?:updated|complete|completed|full|final|finished|requested"
        r"|revised|corrected|implementation|solution|code|script);"
        r"thank you for (?:your|the) (?:question|request|message|task|patience)"
    ),
    _any(
        r"好的[,!。.]; 当然[,!可]; 當然[,!可]; 没问题[,!。.]; 沒問題[,!。.]; 明白了?[,!。.]; 收到[,!。.];"
        r"很高兴(?:为|能|帮|可以); 很高興(?:為|能|幫|可以); 非常乐意; 非常樂意; 我来(?:帮|为); 我來(?:幫|為);"
        r"(?:以下|下面)是(?:您|你|为您|为你|按|根据); (?:根据|按照)[您你]的(?:要求|需求|请求); 希望[对能][您你帮]"
    ),
))  # fmt: skip
_OPENING = re.compile(rf"(?:\A|[\n.!?。:])[\s#>*_/;%\"'“`~-]*(?P<words>{_SOCIAL})(?:\b|(?<=[^a-z0-9]))")


def opening(text: str, *, within: int = 200) -> int | None:
    """Offset of a chat partner's phrase that starts a sentence in the first `within` characters."""
    match = _OPENING.search(plain(text[: within + 60]))
    return match.start("words") if match and match.start("words") < within else None
