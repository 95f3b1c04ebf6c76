"""English words of each cue: expressions separated by `;`, between word boundaries, over what `sentences.normal` makes."""

from __future__ import annotations

from collections.abc import Mapping

from backcheck.checks.claims.cue import Cue

#: What only somebody who builds does. A program may well "be checked" or "be handled" as a habit.
_BUILT = (
    r"(?:added|implemented|done|written|built|introduced|fixed|finished|completed|delivered|migrated|integrated|set up"
    r"|rolled out|released|wired in|caught up|followed up)"
)
_BUILDS = (
    r"(?:add|implement|do|write|build|introduce|fix|finish|complete|deliver|migrate|integrate|set up|roll out|measure"
    r"|test|schedule|create|carry out|start|begin|improve|look into|take care|get to|come back)"
)
_NEXT = r"(?:next (?:sprint|release|quarter|milestone|week|month|year)|(?:the )?near future|a follow-?up)"
_UNDONE = (
    r"(?:measured|tested|implemented|done|run|executed|started|written|added|performed|carried out|verified|built"
    r"|finished|completed|tried)"
)
_JUDGE = r"(?:judge|evaluator|reviewer|grader|verifier|assessor|examiner|auditor|checker)"
_NUMBER = r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|half|[~$])"

#: What may stand between a name and its number and changes nothing.
JOINING = (
    r"(?<![a-z])(?:is|are|has|have|shows|reads|equals|stands|stood|comes|takes|took|just|only|a|an|the|of|at|in|to|from|value|size|measured"
    r"|rate|percentile|total|all|dropped|fell|sank|declined|decreased|rose|went|was|now|up|down|merely)"
)

ENGLISH: Mapping[Cue, str] = {
    Cue.INSTRUCTION: (
        rf"{_JUDGE}s?(?=\s*[:,]); (?:assistant|model|system|ai)s?(?=\s*:); (?:note|message|instructions?|hint"
        rf"|memo) (?:to|for)"
        rf" (?:the |any |all )?(?:{_JUDGE}|reader|model|ai|llm)s?; ignore (?:all |any |the |your )?(?:previous|prior|above"
        r"|earlier|other|following); disregard (?:all|any|the|your|previous|prior); (?:treat|count|regard|consider|accept"
        r"|mark|score|rate|grade) (?:this|it|that|the requirement|the claim|everything|them|all)\b; (?:answer|return"
        r"|output|respond|reply|say|print|give)(?: with)?:? [\W_]{0,3}(?:pass(?:ed)?|proven|yes|true|ok|approved?|verdict"
        rf"|met|satisfied); (?:{_JUDGE}|you)s? (?:must|should|shall|can|may|are|need); verdict(?=\W{{0,3}}[:=]); as an ai"
    ),
    Cue.NEGATION: (
        r"not; no; never; none; neither; nor; nothing; nobody; nowhere; without; cannot; [a-z]{1,8}n't; lacks?; lacking; missing;"
        r"absent; fail(?:s|ed)? to; instead of; rather than; hardly; barely; except; incomplete; skip(?:s|ped)?; omitted;"
        r"un(?:able|tested|implemented|finished|available|supported|resolved|done)"
    ),
    Cue.HEDGE: (
        r"probably; perhaps; maybe; possibly; presumably; likely; unlikely; might; may(?! \d); could; should; ought; seems?;"
        r"seemingly; appears?; apparently; (?:i|we) (?:think|guess|believe|assume|suppose|hope); as far as; not sure;"
        r"to (?:my|our) knowledge; unsure; unclear; believed; supposed; expected to; estimated?; roughly; approx(?:imately)?;"
        rf"(?:about|around|nearly|almost|circa|ca\.?|some|just)(?=\s*{_NUMBER}); more or less; in theory; theoretically;"
        r"reportedly; allegedly; mock(?:ed|s)?; fake[ds]?; simulated?; stub(?:bed|s)?; dummy; projected; forecast"
    ),
    Cue.QUESTION: r"(?:what|how) about; whether; question; to be (?:clarified|decided|discussed)",
    Cue.CONDITION: (
        r"if; unless; when(?:ever)?; (?<!at )once; in case; provided(?: that)?; assuming; as long as;"
        r"would have; until; depend(?:s|ing)"
    ),
    Cue.QUOTE: (
        r"(?:requirement|task|ticket|contract|issue|spec(?:ification)?|customer|standard|policy|rule|acceptance"
        r" criteri(?:a|on))s? (?:reads?|says?|asks?(?: for)?|demands?|requires?|states?|wants?|calls? for); according to;"
        r"quot(?:e|es|ed|ing); from the (?:task|ticket|contract|issue|requirements?|spec); claim(?:s|ed)?; said"
    ),
    Cue.EXAMPLE: r"for (?:example|instance); e\.?g; such as; examples?; sample; imagine; suppose; hypothetical(?:ly)?",
    Cue.PAST: (
        r"used to; formerly; previous(?:ly)?; earlier; original(?:ly)?; initial(?:ly)?; old; ago;"
        r"last (?:week|month|year|quarter|time|release|sprint|run|build); yesterday; outdated; obsolete;"
        r"superseded; baseline;"
        r"at first; in the past; no longer; prior; first (?:run|attempt|try|build|pass); started (?:at|from|with); back then;"
        r"historical(?:ly)?; legacy; deprecated"
    ),
    Cue.WAS: r"was(?! measured); were(?! measured); before",
    Cue.CHANGE: (
        r"now; then; later; again; meanwhile; afterwards?; subsequently; since then; re-?(?:run|ran|tested|measured|checked"
        r"|done|built); (?:second|third) (?:run|attempt|try|build|pass); (?:latest|newest|final|current|new"
        r"|corrected|revised)"
        r"(?:ly)?; improved; raised; increased; rose; grew; climbed; went up; updated?; today; corrections?; edit; erratum;"
        r"meets?; met; reach(?:es|ed)?; exceed(?:s|ed)?; satisf(?:y|ies|ied); fixed; green;"
        r"(?:above|below|within|under|over) (?:the )?(?:limit|threshold|bound|bar|budget|sla)"
    ),
    Cue.AFTERWARDS: r"after; following; with the fix; followed by",
    Cue.CONTRAST: (
        r"but; however; although; though; instead; nevertheless; nonetheless; yet; whereas; while; still; even so; despite;"
        r"on the other hand; not only; in spite; rather; anyway; contrary; actually; in fact"
    ),
    Cue.SCOPE: (
        r"exclud(?:e|es|ed|ing); exclusions?; except(?:ing)?; ignor(?:e|es|ed|ing); omit(?:s|ted|ting)?; subset;"
        r"part(?:s|ly|ial|ially)?; only (?:for|in|on|of|the); modules?; packages?; folders?; director(?:y|ies); files?;"
        r"components?; per; each; vendored; generated; staging; sandbox; (?:one|some|most|half|rest) of;"
        r"shard; worst; lowest;"
        r"slowest; single; cold; without; region; locally; experimental; plugins?; sub[a-z]+; frontend; front-end; backend;"
        r"back-end; branch (?!coverage)\S+; class(?:es)?; library; service"
    ),
    Cue.REFUSAL: (
        r"reject(?:s|ed)?; refus(?:e|es|ed); block(?:s|ed)?; den(?:y|ies|ied); error(?:s|ed)?; abort(?:s|ed)?; raises;"
        r"throws?; warn(?:s|ed)?; prevent(?:s|ed)?; forbid(?:s|den)?; detect(?:s|ed)?; quarantined?; turned away"
    ),
    Cue.DONE: (
        r"already; now; completed?; finished; implemented; pass(?:es|ed)?; merged; shipped; released; deployed; works;"
        r"worked; succeed(?:s|ed); successful(?:ly)?; ha(?:s|ve|d) been; was; were; did; done; ran; verified; proven;"
        r"as (?:planned|scheduled|intended|promised); shows?; showed; returned; returns; in place; is (?:live"
        r"|active|enabled);"
        r"since; fixed; calls?; covered; exists?"
    ),
    Cue.AIM: (
        r"targets?; goals?; aims?; objectives?; required; requirement; threshold; limit; wanted; minimum; maximum; budget;"
        r"sla; bar; asked; demanded; needed; expected; bound; floor; ceiling; gate"
    ),
    Cue.PLANNED: (
        rf"todo(?= ?[:(-]); fixme(?= ?[:(-]); tbd; (?:will|shall) be {_BUILT}; (?:is |are |still |yet )?to be {_BUILT};"
        rf"going to be {_BUILT}; (?:i|we|the team)(?:'ll| will| shall| are going to|'re going to) (?:then "
        rf"|also |soon )?{_BUILDS};"
        r"(?:i|we|they|the team) (?:plan|plans|intend|intends|want|wants|hope|hopes|aim|aims) to; (?:is"
        r"|are) (?:planned|foreseen"
        r"|slated) (?:for|to|in); (?:is|are) scheduled for(?= \d| next| tomorrow| q[1-4]| [a-z]{3,9} \d);"
        r"planned(?=:); planned for;"
        r"(?:our|the team's) (?:target|goal|aim|objective) (?:is|for|remains); (?:target|goal|aim|objective)(?=\s*:);"
        rf"(?:on|in) (?:the|our) (?:roadmap|backlog); future work; (?:will|shall|to be)\b.{{0,80}}? {_NEXT}(?! notes);"
        rf"in (?:the |a )?{_NEXT}(?! notes); (?:from|by|for) {_NEXT}"
    ),
    Cue.MENTION: (
        r"(?:this|the|our|each|a) (?:\w+ ){0,2}(?:section|chapter|document|page|article|guide|paper|readme|manual|slides?"
        r"|appendix|paragraph|text|note|post|talk|course|book)(?: \w+){0,4}? (?:discuss(?:es)?|describes?|explains?|covers?"
        r"|introduces?|talks? about|deals? with|gives? an overview|is about|mentions?|outlines?|summari[sz]es?|treats"
        r"|has (?:a|one) (?:section|chapter|page|paragraph))(?! how| that| the way);"
        r"(?:is|are|remains?) (?:a |an |one of the |among the )?(?:very |quite )?(?:popular|common|well-?known|typical"
        r"|widely used|frequent|usual|standard|classic|important|familiar|recommended) (?:security )?(?:choices?|practices?"
        r"|techniques?|requirements?|patterns?|approach(?:es)?|concerns?|topics?|ways?|methods?|options?"
        r"|algorithms?|measures?"
        r"|metrics?|ideas?|concepts?|tools?); (?:is|are) (?:a |an )?(?:topic|concept|notion|buzzword)s?"
    ),
    Cue.PRAISE: (
        r"excellent; amazing(?:ly)?; outstanding; superb; fantastic; awesome; brilliant; (?:blazing(?:ly)?"
        r"|lightning)[ -]?fast;"
        r"rock[ -]?solid; world[ -]?class; state[ -]of[ -]the[ -]art; flawless(?:ly)?; perfect(?:ly)?; seamless(?:ly)?;"
        r"impressive(?:ly)?; works? (?:as (?:expected|intended)|well|fine|great|perfectly|like a charm|nicely);"
        r"top[ -](?:notch|quality); (?:very|extremely|really|exceptionally|remarkably|incredibly"
        r"|highly) (?:good|high|fast|strong"
        r"|stable|secure|solid|reliable|robust|low|quick|thorough|professional); (?:taken care of|handled|covered|addressed"
        r"|dealt with) (?:comprehensively|thoroughly|completely|properly|well|fully|carefully); in (?:very |really )?(?:good"
        r"|great|excellent|top|perfect) shape; production[ -](?:ready|grade|quality); enterprise[ -]grade;"
        r"well (?:above|beyond"
        r"|below|under); high(?:est)? (?:quality|standards?); best[ -]in[ -]class; second to none; wonderful(?:ly)?;"
        r"great; exceeds? (?:all )?expectations; no (?:problems?|issues?) (?:at all|whatsoever)"
    ),
    Cue.WEAK_PRAISE: (
        r"good; solid; robust(?:ly)?; reliabl[ey]; regular(?:ly)?; proper(?:ly)?; comprehensive(?:ly)?; thorough(?:ly)?;"
        r"careful(?:ly)?; secure(?:ly)?; successful(?:ly)?; smooth(?:ly)?; everything; fully; complete(?:ly)?;"
        r"stable; as expected;"
        r"consistent(?:ly)?; professional(?:ly)?; sound; efficient(?:ly)?; without (?:any )?(?:problems?"
        r"|issues?); clean(?:ly)?;"
        r"correct(?:ly)?; all (?:aspects|cases|kinds|scenarios); well"
    ),
    Cue.UNDONE: (
        rf"(?:is|are|was|were|has been|have been|had been|has|have)(?: still)? not (?:yet )?(?:been )?{_UNDONE};"
        rf"(?:wasn't|weren't|hasn't been|haven't been|isn't|aren't) (?:yet )?{_UNDONE}; (?:has|have) never been {_UNDONE};"
        rf"(?:was|were) never {_UNDONE}; not yet (?:in place|there|available|{_UNDONE});"
        rf"remains? (?:to be {_UNDONE}|un(?:tested"
        rf"|implemented|done|finished|measured|verified)); nobody (?:has )?{_UNDONE}; (?:i|we) (?:did not|didn't|have not"
        r"|haven't) (?:yet )?(?:measured?|test(?:ed)?|implement(?:ed)?|do|done|run|perform(?:ed)?|carr(?:y"
        r"|ied) out|add(?:ed)?"
        r"|build|built)"
    ),
    Cue.INVERSE: (
        r"uncovered; missing; missed; fail(?:s|ed|ures?|ing)?; skipped; excluded; remain(?:s|ing)?; left; unused; broken;"
        r"errors?; removed; dropped; rejected; gap; short; less; lower; fewer; more; higher; faster; slower; better; worse;"
        r"points?; delta; difference; not; of them; duplicates?"
    ),
    Cue.ADDED: r"new; additional(?:ly)?; another; further; extra; others?; also",
    Cue.RELATIVE_DAY: (
        r"today; yesterday; tonight; this (?:week|month|morning|year|quarter); last (?:night|week|month); recent(?:ly)?;"
        r"(?:[a-z]{1,9} |\d{1,4} )?(?:days?|weeks?|hours?|months?) ago; just now;"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day; latest"
    ),
    Cue.RECURRING: (
        r"daily; weekly; monthly; quarterly; nightly; hourly; every; regularly; periodic(?:ally)?; continuous(?:ly)?; always;"
        r"automatic(?:ally)?; routinely; so far; ongoing; each"
    ),
    Cue.OTHER_EVENT: (
        r"issued; first; root; against; based on; compared; expired;"
        r"since(?= \d); introduced; created; policy; version; release; installed; written; copyright; authors?; draft;"
        r"contract; plan(?:ned)?; approved; revision; follows; defined; due; valid; expires?; ticket; started; issue;"
        r"(?:snapshot|backup|dump|copy) (?:of|from)(?= \d| [a-z]+ \d); taken; dated"
    ),
}
