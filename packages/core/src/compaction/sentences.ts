/** What a sentence is worth keeping for. */
export type SentenceKind = 'decision' | 'learning' | 'preference'

/** The sentences of a text in order; code blocks, tables, questions and what is too short or too long to be one are left out. */
export function sentencesOf(text: string): readonly string[] {
  const near = text.length > longestText ? `${text.slice(0, longestText / 2)}\n${text.slice(-longestText / 2)}` : text
  const sentences: string[] = []
  let inCode = false
  for (const line of near.split('\n')) {
    if (/^\s{0,9}(?:```|~~~)/.test(line)) inCode = !inCode
    else if (!inCode && !/^\s{0,9}\|/.test(line)) {
      for (const piece of line.split(ends)) {
        const sentence = withoutMarks(piece)
        // What ends in a colon announces what follows and says nothing by itself.
        if (sentence.length >= shortest && sentence.length <= longest && !/[?？:：]$/.test(sentence)) sentences.push(sentence)
      }
    }
  }
  return sentences
}

/** Whether a sentence states a decision, something learnt, or how its writer wants things. */
export function isOfKind(sentence: string, kind: SentenceKind): boolean {
  if (!patterns[kind].test(sentence)) return false
  // A wish may be two words long; less than five tell of no decision and no cause, and neither do headings and next steps.
  return kind === 'preference' || (isLongEnough(sentence) && !nextStep.test(sentence) && !/^\*\*[^*]{1,400}\*\*$/.test(sentence))
}

/** Without the sign of a list, a quotation or a heading before it, and without half of what makes words bold. */
function withoutMarks(piece: string): string {
  const bare = piece.replace(listMark, '').trim()
  return bare.split('**').length % 2 === 0 ? bare.replace('**', '') : bare
}

function isLongEnough(sentence: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(sentence) || sentence.split(/\s+/, 5).length === 5
}

const listMark = /^(?:\s{1,20}|>|#{1,6}\s|[*\-•+]\s|\d{1,3}[.)]\s|\[[ xX✓]\]\s){1,6}/
const nextStep = /^(?:(?:now|next|first|then|so|ok|okay|good|great|perfect|also)[,.!]?\s){0,3}let(?: me|'s|’s)\b/i

const longestText = 40_000
const shortest = 5
const longest = 400
// Behind the mark, so that it stays with its sentence.
const ends = /(?<=[.!?])\s+|(?<=[。！？；])/

const patterns: Readonly<Record<SentenceKind, RegExp>> = {
  decision:
    /\b(?:decided?|decision|chose|chosen|choosing|opt(?:ed)? for|settled on|agreed|go(?:ing)? with|went with|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|(?:we|i)(?:'ll| will) (?:use|keep|drop|avoid)|instead of|rather than|abandon(?:ed)?|ruled out|rejected|no longer|replaced? .{1,60} with)\b|决定|选择|选用|采用|改用|放弃|不再使用|约定|方案定为/i,
  learning:
    /\b(?:turns? out|root cause|caused by|the (?:problem|issue|bug|reason|cause) (?:is|was)|because of|found that|discovered|note that|beware|gotcha|caveat|requires?|only works|must be set|expects?)\b|原因是|根因|发现|注意|需要设置|坑/i,
  preference:
    /\b(?:always|never|prefer(?:s|red|ably)?|please (?:do|don't|use|keep|avoid)|(?<!\b(?:i|we|you|they|it|these|those) )(?:do not|don't)|must(?: not)?|make sure|from now on|only use|i (?:like|want|hate|dislike))\b|总是|一律|始终|不要|不准|必须|务必|请用|请勿|优先|习惯|喜欢|以后/i,
}
