import { findTriggers, ranks, salienceOf } from '../cut/salient.ts'
import { oneLine } from '../text/one-line.ts'
import { wholeCharacters } from '../text/shorten.ts'
import { terminalText } from '../text/terminal-text.ts'

/** The lines before `end` that tell of a failure or belong to one, each once, the latest `most` of them in order. */
export function failureLines(text: string, end: number, most: number): readonly string[] {
  const next = findTriggers(text)
  const found = new Set<string>()
  let lineEnd = -1
  for (let at = next(0); at !== -1 && at < end; ) {
    if (lineEnd < at) lineEnd = text.indexOf('\n', at)
    if (lineEnd === -1) lineEnd = text.length
    // Of a line without end only what is near the sign is looked at.
    const before = Math.max(0, at - 200)
    const start = before + text.slice(before, at).lastIndexOf('\n') + 1
    const near = Math.min(lineEnd, at + 600)
    const line = oneLine(terminalText(wholeCharacters(text, start, near)), 300)
    const salience = salienceOf(line)
    if (salience !== null && salience.rank <= ranks.detail) {
      found.delete(line)
      found.add(line)
    }
    at = next(Math.max(near, at + 1))
  }
  return [...found].slice(-most)
}
