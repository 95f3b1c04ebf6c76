"""Words by which code says that it is unfinished, that it does nothing on purpose, or that a subclass has to do it.

All expressions run on text made by `words.plain`.
"""

from __future__ import annotations

import re

from backcheck.checks.words import phrases

#: In a comment or an error: the code is unfinished.
UNFINISHED = phrases(
    r"todo; to-do; fixme; xxx; tbd; stub; stubbed; placeholder; hard-?coded; for now; unimplemented;"
    r"(?:dummy|mock|mocked|fake) (?:value|implementation|result|data|response);"
    r"not (?:yet )?(?:implemented|done|finished)(?: yet)?; (?:needs|need) to be implemented; (?:goes|go) here;"
    r"to be (?:done|implemented|written|added|completed|replaced|filled in);"
    r"implement(?:ation)? (?:this|me|it|here|later|logic|goes here|pending);"
    r"(?:your|actual|real) (?:code|logic|implementation);"
    r"add (?:your|the|real|actual) [\w ]{0,20}(?:code|logic|implementation);"
    r"in (?:a|the) real (?:implementation|application|app|system|world); replace (?:this )?with",
    r"待实现; 待實現; 待完成; 待办; 待辦; 未实现; 未實現; 没有实现; 未完成; 占位; 佔位; 暂时返回; 暫時返回; 先返回;"
    r"实现逻辑; 在此实现; 在这里实现; 稍后实现; 以后实现; 后续实现; 真实实现; 实际实现",
)

#: A function does nothing, and is meant to.
ON_PURPOSE = phrases(
    r"no-?op; nop; do(?:es)? nothing; doing nothing; nothing (?:to do|needed|here|needs); intentional(?:ly)?; on purpose;"
    r"deliberate(?:ly)?; (?:hook|callback)s?; (?:by default|default (?:is|implementation|handler|behaviou?r)); ignored?;"
    r"(?:must|should|will|is|are|can be) ignored?; swallow(?:s|ed)?; suppress(?:es|ed)?; (?:left|kept|is) empty; unused;"
    r"no (?:action|operation|cleanup|teardown|setup|work) (?:is )?(?:needed|required|necessary);"
    r"not (?:needed|required|necessary|used|applicable|relevant)",
    r"空操作; 什么也不做; 什麼也不做; 不做任何事; 无需处理; 無需處理; 无操作; 故意; 有意; 忽略; 钩子",
)

#: Something is refused for good, with the reason.
REFUSED = phrases(
    r"only; not (?:supported|available|allowed|possible|applicable|meant|permitted|needed); never; immutable; read-only;"
    r"un(?:supported|available|sized|hashable|orderable); cannot; can't; does(?:n't| not); do(?:n't| not);"
    r"should(?:n't| not); must(?:n't| not); deprecated; removed; disabled; use [\w.`]{1,80} instead",
    r"不支持; 不能; 无法; 不允许; 只能; 仅支持; 禁止",
)

#: A subclass has to do it.
FOR_SUBCLASS = phrases(
    r"sub-?class(?:es)?; (?:derived|child|inheriting|concrete) class(?:es)?; overrid(?:e|es|den|ing|able);"
    r"abstract (?:base|class|method|interface|type|function)s?; interface (?:class|for|of|that|definition);"
    r"base class(?:es)?; (?:not|don't|never) (?:be )?instantiated?; (?:must|should|needs? to) (?:be )?implement(?:ed)?;"
    r"implement(?:ed)? (?:in|by) (?:the|a|each|every|all|sub|its)[\w -]{0,40}; implementations? (?:must|should)",
    r"子类; 子類; 派生类; 覆盖; 重写; 抽象(?:类|方法|基类); 由[^。\n]{0,12}实现",
)

#: A comment near the top is a licence.
LICENCE = re.compile(r"copyright|licen[cs]e|spdx-|\(c\) \d{4}|版权|版權|许可证|許可證")

#: Names of classes that are there to be inherited from, and of functions that are there to do nothing.
BASE_NAME = re.compile(r"(?:Base|Abstract|Interface|Mixin|Protocol|ABC)(?![a-z])")
NAMED_NOTHING = re.compile(r"(?:^|[._])_*(?:no_?op|nop|null|dummy|ignore|do_?nothing|empty)", re.IGNORECASE)
