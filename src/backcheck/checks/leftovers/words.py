"""What leftovers say of themselves: marks, phrases in several languages, filler, and what makes one excusable.

All expressions run on text made by `checks.words.plain`, line by line, but OTHER_LANGUAGES (lower case only: folding would
make Latin letters of Cyrillic ones) and UPPER (as written).
"""

from __future__ import annotations

import re

from backcheck.checks.words import phrases

#: Words that may stand before a mark: signs of comments and lists, an @, a bracket.
_START = r"^(?:[\s/#*;%!<>\-–—'\"|.:+~@\[({\\]|rem\b|dnl\b)*"
_VERBS = (
    "add|implement|fix|remove|delete|handle|support|use|make|move|replace|refactor|write|finish|complete|check|"
    "test|clean|improve|"
    "consider|convert|update|validate|wire|hook|investigate|optimi[sz]e|rename|drop|figure|find|return|cache|log|"
    "get|call|connect|"
    "extract|document|this|the|we|i|it|should|need|needs|later|put|do|create|load|save|parse|send|store|set|"
    "build|real|actual|proper|"
    "properly|not|still|maybe|also|change|try|allow|show|hide|merge|split|ask|persist|fill|fetch|read|enforce|"
    "verify|ensure|decide"
)
#: A marker as the first word of a comment, in any case; followed by what makes it one rather than a word of a sentence.
MARKER = re.compile(
    rf"{_START}(?P<mark>todo|to-do|fixme|fix-me|tbd|wip|hack|xxx)(?P<many>s?)(?:\s*[:!)\]]|\s*\([^)\n]{{0,60}}\)|"
    rf"\s*[-–—]\s|\s*$|\s*[*]/|"
    rf"\s*-->|\s+(?:{_VERBS})\b|(?<=@todo)\s|(?<=@fixme)\s)"
)
#: The same in capitals counts wherever it stands, unless it is the name of a thing.
UPPER = re.compile(
    r"(?<![\w.\-/`'\"“‘$=%{<])(?P<mark>TODO|FIXME|TBD|HACK|XXX)(?![\w`'\"”’=%}>./]|-[\wX]|\s*[,/|+&]\s*(?:TODO|"
    r"FIXME|TBD|HACK|XXX|NOTE|BUG)\b|"
    r"\s+(?:or|and)\s+(?:TODO|FIXME|TBD|HACK|XXX|NOTE|BUG)\b|"
    r"\s+(?:[Cc]omment|[Mm]arker|[Ii]tem|[Ll]ist|[Ee]ntr|[Tt]ag|[Nn]ote|[Ll]ine|[Aa]pp|[Ff]ile|[Ss]can|[Tt]ext|"
    r"[Ss]tatus|[Ss]tring|[Ww]ord)\w*)"
)
#: In front of a marker that is talked about: a sentence on markers is none.
ABOUT_MARKS = phrases(
    r"(?:find|count|list|detect|match|search|flag|report|collect|parse|extract|strip|skip|ignore|contain|look|"
    r"grep|highlight|forbid|"
    r"reject|scan|mark|recogni[sz]e|filter)(?:s|es|ed|ing)?(?: for)?; like; such as; e\.g\.; called; named; word|"
    r"words; no|without; any|every|each|all",
    r"查找; 检查; 统计; 包含; 例如",
)

#: Said of the code itself: it is not there yet. Counts only near the start of a line or in a short one.
MISSING = phrases(
    r"(?:not|isn't|is not|not been|never)(?: yet| currently| fully| properly| actually)? (?:implemented|finished|"
    r"completed|done yet)(?: yet)?;"
    r"not yet (?:supported|handled|wired|working|done); (?:still )?(?:un|not-)implemented;"
    r" yet to be (?:implemented|written|done|added);"
    r"still to (?:do|be (?:implemented|written|done|added));"
    r"(?:to be|needs? to be|must be|should be|will be|has to be) (?:implemented|filled in|coded)(?: (?:later|"
    r"soon|here|properly))?(?=\W*$);"
    r"(?:to be|needs? to be|will be|should be) replaced (?:later|soon|with (?:a |the )?(?:real|actual|"
    r"proper))[\w ]{0,30};"
    r"implement (?:this|me|it|here|the rest|properly|actual|real)(?: (?:later|soon|properly|here|for real|"
    r"function|method|class|part|logic|one|tomorrow))?(?=\W*$);"
    r"implement later; implement (?:the )?(?:actual|real|missing|proper) \w+;"
    r"(?:implementation|logic|code|body|content) (?:goes|go|comes|belongs) here; implementation (?:pending|"
    r"missing|omitted|tbd|to follow|later);"
    r"(?:your|actual|real|rest of(?: the)?|remaining|proper) (?:code|logic|implementation|"
    r"business logic)(?: (?:goes|would go|comes|will go|should go))? here;"
    r"(?:add|put|insert|write|place) (?:your|actual|real|proper) [\w ]{0,30}\b(?:here|later);"
    r"(?:rest|remainder) of (?:the )?(?:code|implementation|logic|file|function|method)(?: [\w ]{0,20})? (?:here|"
    r"unchanged|omitted);"
    r"(?:stub|stubbed|placeholder|dummy|mock|fake|skeleton|bare-?bones) (?:implementation|logic|code|body|"
    r"version|handler);"
    r"(?:this|it)(?:'s| is)(?: just| only| currently)? (?:a|an) (?:stub|placeholder|dummy|no-?op stub)(?! (?:for|"
    r"of|that|which|in)\b); (?:just|only|currently) a (?:stub|placeholder|dummy);"
    r"(?:stub|stubbed|mocked|faked|placeholder|hard-?coded|no-?op) (?:out )?(?:for now|until|for the moment|"
    r"temporarily);"
    r"(?:temporary|quick|dirty|quick and dirty|temp) (?:fix|stub|implementation|solution|placeholder|code);"
    r" (?:temporary|quick and dirty) hack;"
    r"(?:fill|finish|complete|revisit|come back to|clean up|clean this up|fix) (?:this|me|it|here)? ?(?:in )?later;"
    r"in (?:a|an|the) (?:real|actual|production|proper) (?:implementation|app|application|system|world|project|"
    r"version|environment|code|service)"
    r"(?:,)? (?:this|we|you|it|one)(?:'d|'ll| would| should| could| will| might);"
    r"this would (?:normally|actually|really) \w+; (?:replace|swap) (?:this|it)?(?: out)? ?with (?:a |an |the |"
    r"your )?(?:real|actual|proper)(?: [\w ]{0,20})?",
    r"待实现; 待實現; 待完成; 待补充; 待補充; 待完善; 待开发; 待開發; 待填; 未实现; 未實現; 尚未实现; 没有实现;"
    r" 還沒實現; 还没实现; 暂未实现; 暂不实现; 功能未完成;"
    r"占位(?!符|图|圖|元素|文本|文字|提示); 佔位(?!符|圖|文字); 写死; 寫死; (?:暂时|暫時|临时|臨時|目前|"
    r"先)(?:先)?(?:返回|写|寫|用|使用|跳过|跳過|忽略|不|这样|這樣|硬编码|硬編碼|mock|模拟|模擬|空|注释);"
    r"(?:临时|臨時)(?:方案|实现|實現|处理|處理|代码|代碼|解决); (?:稍后|稍後|以后|以後|后续|後續|之后|之後|将来|"
    r"下一步)再?(?:实现|實現|补充|補充|完善|处理|添加|替换);"
    r"(?:在此|在这里|在這裡|此处|此處|这里|這裡)(?:实现|實現|补充|補充|添加|编写)(?!了); (?:实际|真实|實際|"
    r"真實)(?:实现|實現|项目|业务逻辑|场景)中?[,，]?(?:应|應|需|会|會|要)",
)
#: Softer: a hint, unless it is said what stands there instead of the work.
FOR_NOW = phrases(
    r"for now; for the moment; for the time being; temporarily (?:disabled|commented out|hard-?coded|skipped|"
    r"stubbed|mocked|returns?|returning)",
    r"暂时; 暫時; 目前先; 先这样; 先這樣",
)
IN_PLACE_OF_WORK = phrases(
    r"hard-?cod\w+; mock\w*; fake\w*; dummy; stub\w*; placeholder; empty; no-?op; do(?:es)? nothing; pretend\w*;"
    r" bypass\w*; comment\w* out;"
    r"(?:just|simply|always) (?:return|use|pass|allow|accept|true|false|succeed|log|print)\w*; returns? (?:true|"
    r"false|none|null|nil|0|1|-1|empty|a constant|a fixed|\[\]|\{\}|\"\")",
    r"返回; 写死; 硬编码; 跳过; 为空; 模拟; 固定; 默认返回",
)
#: Values that stand for results.
MADE_UP = re.compile(
    r"(?:^[\W_]*|\b(?:returns?|returning|uses?|using|with|just|some|hard-?coded|temporary|here is)\s+)(?:a |an |"
    r"the |some )?"
    r"(?:dummy|mock|mocked|fake|placeholder|hard-?coded|bogus|made-up)\s+(?:[\w]+\s)?(?:value|response|data|"
    r"result|answer|output|reply|payload|user|list)s?"
    r"(?!\w)(?! (?:are|is|can|may|will|must|should|come|comes|that|which|from|of)\b)|"
    r"(?:模拟|模擬|假的?|虚拟|测试用)(?:数据|數據|返回|结果|值)(?!库)"
)
#: In code that is no test: a value that is named for being made up is given back as the result.
MADE_UP_RETURN = re.compile(
    r"\breturn\s+(?:await\s+)?(?:self\.|this\.|cls\.)?_?(?:mock|fake|dummy|placeholder|stub)(?:ed)?_?"
    r"(?:data|response|result|value|answer|output|reply|payload|user|item|record|list|return|row|token)s?\b", re.IGNORECASE
)  # fmt: skip

OTHER_LANGUAGES = re.compile(
    r"(?<!\w)(?:"
    # Spanish, Portuguese, Italian
    r"(?:pendiente|falta|queda) (?:de |por )?implementar|por (?:hacer|implementar)\s*(?:[:.]|$)|(?:no|não|nao|"
    r"non) (?:está |esta |ainda |è |ancora )?implementad?[oa]t?[oa]?|"
    r"implementar (?:más tarde|mas tarde|luego|después|depois)|da (?:fare|implementare|completare)\s*(?:[:.]|$)|"
    # French, German
    r"(?:reste )?à (?:implémenter|compléter|implementer)|(?<!rien )(?<!chose )à faire\s*[:.]|(?:non|"
    r"pas)(?: encore)? implémentée?|"
    r"(?:noch )?nicht (?:fertig )?implementiert|noch zu implementieren|muss noch implementiert|"
    r"platzhalter(?:wert|implementierung)?\s*(?:[:.!]|$)|vorerst (?:leer|fest)|"
    # Russian, Ukrainian
    r"(?:пока |ещё |еще )?не реализован[оаы]?|заглушк[аи]|доделать|(?:реализовать|доработать|сделать|"
    r"исправить) (?:позже|потом)|не реалізовано|"
    # Polish, Turkish
    r"do (?:zrobienia|zaimplementowania)|nie ?zaimplementowan[eaoy]|henüz (?:uygulanmadı|yapılmadı)"
    r")(?!\w)|"
    # Japanese, Korean
    r"未実装|仮実装|(?:後で|あとで|のちほど)(?:実装|修正|対応)|実装予定|ダミー(?:データ|値|実装)|구현 ?예정|"
    r"미구현|나중에 (?:구현|수정|처리)|임시로|추후 (?:구현|개발)"
)

#: A reference to where the rest is written down.
REFERENCE = re.compile(
    r"https?://[^\s)>\]]{4,}|(?<![\w&#])#[1-9]\d{0,6}(?![\w-])|\b(?:gh|issue|bug|pr|ticket|mr|rfc|cve|"
    r"pep)[-# ]{1,2}[1-9]\d{0,8}\b|"
    r"(?<![\w-])[a-z][a-z0-9]{1,9}-[1-9]\d{0,6}(?![\w-])|\bb/\d{4,}\b|(?<!\w)[\w.-]+/[\w.-]+#[1-9]\d*"
)
_NOT_REFERENCES = re.compile(
    r"\b(?:utf|iso|sha|md|base|python|node|es|http|h|p|x|level|step|phase|part|version|v|py)-\d+"
)
#: Why it has to wait: for something outside this change, told in at least three more words.
_REASON = re.compile(
    r"(?<!\w)(?:because|since|until|once|blocked (?:by|on)|waiting (?:for|on)|depends on|as soon as|when|after|"
    r"while|due to)\s+"
    r"(?P<why>[\w'./:-]+(?:\s+[\w'./:-]+){2,})|(?:因为|由于|等到?|直到|取决于|依赖)(?P<zh>[^\s,，。]{4,})"
)
_NO_REASON = phrases(
    r"time; later; possible; needed; ready; done; finished; soon; needed; necessary; implemented?; i|we|you;"
    r" everything|something; works?",
    r"时间; 以后; 后续; 需要; 有空; 实现; 完成",
)


def excused(line: str) -> bool:
    """Whether a line (made by `plain`) refers to an issue or gives a reason that lies outside the change."""
    if REFERENCE.search(_NOT_REFERENCES.sub(" ", line)):
        return True
    return any(not _NO_REASON.search(match["why"] or match["zh"] or "") for match in _REASON.finditer(line))
