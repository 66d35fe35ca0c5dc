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
        const sentence = piece.replace(/^[\s>*#\-•\d.)]{1,20}/, '').trim()
        if (sentence.length >= shortest && sentence.length <= longest && !/[?？]$/.test(sentence)) sentences.push(sentence)
      }
    }
  }
  return sentences
}

/** Whether a sentence states a decision, something learnt, or how its writer wants things. */
export function isOfKind(sentence: string, kind: SentenceKind): boolean {
  return patterns[kind].test(sentence)
}

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
    /\b(?:always|never|prefer(?:s|red|ably)?|please (?:do|don't|use|keep|avoid)|do not|don't|must(?: not)?|make sure|from now on|only use|i (?:like|want|hate|dislike))\b|总是|一律|始终|不要|不准|必须|务必|请用|请勿|优先|习惯|喜欢|以后/i,
}
