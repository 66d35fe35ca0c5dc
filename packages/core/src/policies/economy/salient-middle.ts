import { ranks, salienceOf } from '../../cut/salient.ts'
import { countNewlines } from '../../text/code-points.ts'
import { shorten } from '../../text/shorten.ts'
import { terminalText } from '../../text/terminal-text.ts'
import { namesPath } from './paths-in-text.ts'

/** A piece of a text that is about to be cut away. */
export interface Middle {
  readonly text: string
  /** The number of its first line, or null where lines cannot be counted. */
  readonly firstLine: number | null
}

/**
 * The lines of a piece that would be missed most, in their order and with their numbers, as many as have room: failures first, then
 * definitions, then lines that name files, then totals and warnings.
 */
export function salientMiddle({ text, firstLine }: Middle, characters: number): readonly string[] {
  const chosen: Candidate[] = []
  let left = characters
  for (const candidate of candidatesIn(text, firstLine).toSorted((one, other) => one.rank - other.rank)) {
    if (candidate.shown.length >= left) continue
    left -= candidate.shown.length + 1
    chosen.push(candidate)
  }
  return chosen.toSorted((one, other) => one.at - other.at).map(({ shown }) => shown)
}

interface Candidate {
  readonly rank: number
  readonly at: number
  readonly shown: string
}

const width = 200
const longestLine = 4096
/** Of what is larger, so much is read from each end. */
const mostRead = 500_000

function candidatesIn(text: string, firstLine: number | null): readonly Candidate[] {
  const found: Candidate[] = []
  const seen = new Set<string>()
  const behind = text.length - mostRead
  let line = firstLine ?? 0
  for (let start = 0; start < text.length; line += 1) {
    if (start >= mostRead && start < behind) {
      const next = text.indexOf('\n', behind - 1) + 1
      if (next === 0) break
      line += countNewlines(text.slice(start, next)) - 1
      start = next
      continue
    }
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    // One line of JSON may hold a whole log.
    const pieces =
      end - start > longestLine ? escapedLines(text.slice(start, Math.min(end, start + mostRead))) : [text.slice(start, end)]
    for (const piece of pieces) {
      const candidate = pieceOf(piece, firstLine === null ? null : line, found.length)
      if (candidate === null || seen.has(candidate.key)) continue
      seen.add(candidate.key)
      found.push(candidate)
    }
    start = end + 1
  }
  return found
}

function escapedLines(line: string): readonly string[] {
  return line.split('\\n').filter((piece) => piece.length <= longestLine)
}

function pieceOf(piece: string, line: number | null, at: number): (Candidate & { readonly key: string }) | null {
  // A sign alone says nothing, two of them may be a word.
  if (piece.length < 2) return null
  const text = terminalText(piece)
  const salience = salienceOf(text)
  const rank = rankOf(text, salience?.rank ?? null)
  if (rank === null) return null
  const short = shorten(text, salience ?? { at: 0, length: 0 }, width)
  return { rank, at, key: short.trim(), shown: line === null ? short : `${line}: ${short}` }
}

function rankOf(line: string, salience: number | null): number | null {
  if (salience === ranks.failure || salience === ranks.detail) return 0
  if (definition.test(line)) return 1
  if (namesPath(line.slice(0, 500))) return 2
  return salience === null ? null : 3
}

const definition =
  /^[ \t]{0,12}(?:\d{1,7}[:\t|→ -]{1,4})?(?:(?:export|default|pub(?:\([a-z]{1,9}\))?|public|private|protected|static|async|abstract|final|declare|unsafe)[ \t]{1,4}){0,4}(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace)[ \t*]{1,4}[A-Za-z_$(]|^(?:export[ \t]{1,4})?(?:const|let|var)[ \t]{1,4}[A-Za-z_$]/
