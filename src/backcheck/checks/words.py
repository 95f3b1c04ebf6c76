"""Our own lists of words, English and Chinese, and how they are counted.

All expressions run on text that `plain` has made: look-alikes folded, lower case, full-width signs made ASCII. Chinese has
no spaces between words, so Chinese phrases have no word boundary, and two Chinese characters count as one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backcheck.evidence.decode import fold

_CJK = "㐀-䶿一-鿿豈-﫿"
_WORD = re.compile(rf"[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)*")
_HAN = re.compile(rf"[{_CJK}]")


def plain(text: str) -> str:
    """The form that the lists are made for; line ends stay."""
    return fold(text).replace("’", "'").lower()


def count_words(text: str) -> float:
    """Words of letters or digits, plus half a word for each Chinese character."""
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2


def _any(*parts: str) -> str:
    return "|".join(part for text in parts for part in text.split("\n") if part.strip())


def _both(english: str, chinese: str) -> re.Pattern[str]:
    """Phrases one a line: the English with word boundaries, the Chinese without."""
    return re.compile(rf"(?<![\w])(?:{_any(english)})(?![\w])|(?:{_any(chinese)})")


#: Stands where work should stand.
PLACEHOLDER = _both(
    """todo
to-do
fixme
tbd
tba
xxx+
wip
placeholder
lorem ipsum
coming soon
to be (?:done|written|added|defined|decided|determined|completed|continued)
work in progress
fill (?:me |this )?in
insert [\\w ]{1,20} here
your [\\w ]{1,20} here
(?:goes|go) here
under construction""",
    """待填写
待填寫
待补充
待補充
待定
待办
待辦
待完成
待完善
待续
待續
待实现
待實現
占位
佔位
此处填写
此處填寫
这里填写
這裡填寫
请填写
請填寫
未完成
未填写
施工中
敬请期待
敬請期待
暂无内容
暫無內容
略""",
)

#: Says in a comment or an error that code is unfinished.
UNFINISHED = _both(
    """todo
to-do
fixme
xxx
tbd
stub
stubbed
placeholder
dummy (?:value|implementation|result|data)
mock(?:ed)? (?:value|implementation|result|data)
hard-?coded
for now
not (?:yet )?(?:implemented|done|finished)(?: yet)?
unimplemented
to be (?:done|implemented|written|added|completed|replaced|filled in)
implement(?:ation)? (?:this|me|it|here|later|logic|goes here|pending)
(?:needs|need) to be implemented
(?:your|actual|real) (?:code|logic|implementation)
add (?:your|the|real|actual) [\\w ]{0,20}(?:code|logic|implementation)
(?:goes|go) here
in (?:a|the) real (?:implementation|application|app|system|world)
replace (?:this )?with""",
    """待实现
待實現
待完成
待办
待辦
未实现
未實現
尚未实现
没有实现
未完成
占位
佔位
暂时返回
暫時返回
先返回
实现逻辑
在此实现
在这里实现
稍后实现
以后实现
后续实现
真实实现
实际实现""",
)

#: Says that a function does nothing on purpose, or that a subclass has to do it.
ON_PURPOSE = _both(
    """no-?op
noop
nop
do(?:es)? nothing
doing nothing
nothing (?:to do|needed|here|needs)
no (?:action|operation|cleanup|teardown|setup|work) (?:needed|required|necessary)
not (?:needed|required|necessary|used|applicable|relevant)
intentional(?:ly)?
deliberate(?:ly)?
on purpose
ignore(?:d|s)?
empty
unused
optional
hook
swallow(?:s|ed)?
suppress(?:es|ed)?
by default
default""",
    """空操作
什么也不做
什麼也不做
不做任何事
无需处理
無需處理
无操作
故意
有意
忽略
预留钩子
钩子""",
)

#: Says why something is refused for good.
REFUSED = _both(
    """only
not (?:supported|available|allowed|possible|applicable|meant|permitted|needed)
un(?:supported|available|sized|hashable|orderable)
cannot
can't
does(?:n't| not)
do(?:n't| not)
should(?:n't| not)
must(?:n't| not)
never
immutable
read-only
deprecated
removed
disabled
use [\\w.`]+ instead""",
    """不支持
不能
无法
不允许
只能
仅支持
禁止""",
)

#: Says that a subclass has to do it.
FOR_SUBCLASS = _both(
    """sub-?class(?:es)?
derived class(?:es)?
child class(?:es)?
overrid(?:e|es|den|ing|able)
abstract
(?:not|n't) (?:be )?instantiate(?:d)?
must (?:be )?implement(?:ed)?
should (?:be )?implement(?:ed)?
needs? to (?:be )?implement(?:ed)?
implement(?:ed)? (?:in|by)
implementation[s]? (?:must|should)
interface
plug-?ins?
backends?""",
    """子类
子類
派生类
覆盖
重写
抽象
由[^。\\n]{0,12}实现""",
)

LICENCE = re.compile(r"copyright|licen[cs]e|spdx-|\(c\) \d{4}|版权|版權|许可证|許可證")

#: Announces work instead of holding it.
PROMISE = _both(
    """will
i'll
we'll
shall
going to
gonna
todo
tbd
plan(?:s|ned|ning)? to
intend(?:s|ed)? to
to be (?:done|added|implemented|written|completed|determined|decided|provided|filled in)
later
soon
eventually
next steps?
in (?:the|a) (?:near )?future
future work""",
    """将会
將會
将要
將要
即将
即將
我会
我會
我将
我將
我们会
我們會
我们将
我們將
本文将
本文將
系统将
系統將
计划
計劃
打算
准备
準備
稍后
稍後
后续
後續
接下来
接下來
下一步
以后再
以後再
日后
日後
未来
未來
待实现
待實現
待办
待辦
待完成
待补充
待補充""",
)

#: A chat partner's first words; they say nothing of the work.
_SOCIAL = _any(
    """sure(?: thing)?[,!.]
certainly[,!.]
of course[,!]
absolutely[,!]
no problem[,!.]
got it[,!.]
understood[,!.]
great (?:question|idea)[,!.]
good question[,!.]
happy to help
glad to help
(?:i'd|i would|i'm|i am) (?:be )?(?:happy|glad|delighted) to
i'll (?:help|start|begin|go ahead|now)
i have (?:now )?(?:completed|finished|implemented) (?:the|your|all)
i've (?:now )?(?:completed|finished|implemented) (?:the|your|all)
let me (?:help|start|begin|create|write|implement)
as (?:you )?(?:requested|asked)
as an ai
here(?:'s| is| are) (?:the|your|a|an) (?:updated|complete|completed|full|final|finished|requested|revised|corrected|implementation|solution|code|script)
below is (?:the|your|a|an) (?:updated|complete|completed|full|final|requested|revised|implementation|solution)
thank you for (?:your|the) (?:question|request|message|task|patience)
hope this helps""",
    """好的[,!。.]
当然[,!可]
當然[,!可]
没问题[,!。.]
沒問題[,!。.]
明白了?[,!。.]
收到[,!。.]
很高兴(?:为|能|帮|可以)
很高興(?:為|能|幫|可以)
非常乐意
非常樂意
我来(?:帮|为)
我來(?:幫|為)
以下是(?:您|你|为您|为你|按|根据)
下面是(?:您|你|为您|为你|按|根据)
根据(?:您|你)的(?:要求|需求|请求)
按照(?:您|你)的(?:要求|需求|请求)
希望(?:对|能)(?:您|你|帮)""",
)
_OPENING = re.compile(rf"(?:\A|[\n.!?。:])[\s#>*_/;%\"'“`~-]*(?P<words>{_SOCIAL})(?=\W|_|\Z|(?<=[^\x00-\x7f])|(?<=\W))")

#: In a comment: describes what code would do, or why it is not there.
META = _both(
    """(?:this|the) (?:function|method|class|code|module|file|script|component|program|section) (?:will|would|should|is (?:going|supposed|meant|intended) to|is responsible for)
(?:implementation|logic|code) (?:goes|would go|should go|will go|belongs) here
(?:your|actual|real|remaining|other) (?:code|logic|implementation|methods?|functions?)(?: goes| would go)? here
(?:rest|remainder) of (?:the )?(?:code|implementation|file|logic)
existing (?:code|implementation|logic)
same as (?:before|above) \\.{3}
in (?:a|the) real (?:implementation|application|app|system|project|world)
in (?:an )?actual implementation
in a production (?:system|environment|implementation|app|application)
(?:as|according to) (?:per )?(?:the )?(?:task|requirements?|instructions?|specification|prompt|user request)
(?:as|per) (?:requested|the user's request)
(?:we|you|i) (?:will|would|should|can|could) (?:then )?(?:implement|add|create|write|define|replace)
(?:add|implement|write|insert) (?:your|the|actual|real) [\\w ]{0,20}(?:logic|code|implementation|here)
simulat(?:e|es|ed|ing) (?:the|a|an)
to be implemented
not (?:yet )?implemented(?: yet)?
placeholder
for demonstration(?: purposes)?
for simplicity""",
    """(?:此|该|這個|这个|本)(?:函数|函數|方法|类|類|模块|模塊|文件|代码|組件|组件)(?:将|將|会|會|应该|應該|用于|用來|用来|负责)
在(?:此|这里|這裡)(?:实现|添加|编写|補充|补充)
(?:实际|真实)(?:的)?(?:实现|项目|应用|代码)
(?:根据|按照)(?:任务|需求|要求|题目)
其余(?:的)?代码
省略(?:其余|部分|其他)
同上
待实现
待實現
占位
仅(?:作|供|为)(?:示例|演示|参考)
这里(?:我们|将|会|需要)
模拟""",
)


def opening(text: str, *, within: int = 200) -> int | None:
    """Offset of a chat partner's phrase that starts in the first `within` characters, at the start of a sentence."""
    head = plain(text[: within + 60])
    match = _OPENING.search(head)
    return match.start("words") if match and match.start("words") < within else None


def promises(text: str) -> Iterator[int]:
    """Offsets of the words in `plain` text that announce work."""
    return (match.start() for match in PROMISE.finditer(text))
