import { wholeCharacters } from '../text/shorten.ts'
import { escapeUnprintable } from '../text/unprintable.ts'

/** A name as inline code, with as many backticks around it as it takes to hold those inside. */
export function codeSpan(name: string): string {
  const line = escapeUnprintable(name.length > longestName ? `${wholeCharacters(name, 0, longestName)}…` : name)
  const marks = '`'.repeat(longestRun(line) + 1)
  return marks.length === 1 ? `\`${line}\`` : `${marks} ${line} ${marks}`
}

/** A text exactly as it is, between two fences that are longer than any run of backticks in it. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

const longestName = 500

function longestRun(text: string): number {
  let longest = 0
  for (let at = text.indexOf('`'); at !== -1; ) {
    let end = at + 1
    while (text.charCodeAt(end) === 0x60) end += 1
    longest = Math.max(longest, end - at)
    at = text.indexOf('`', end)
  }
  return longest
}
