import { handleOf } from '../hash.ts'
import type { Tokenizer } from '../tokens.ts'
import type { Instruction } from './facts-of-segment.ts'
import { fenced, oneLine } from './quote.ts'

/** How much of the user's words is quoted. */
export interface QuoteOptions {
  /** Tokens of all quotations together. */
  readonly budget: number
  readonly tokens: Tokenizer
  /** The handle under which all of them can be had together. */
  readonly handle: string
}

/**
 * What users wrote, oldest first: word for word between fences as far as the budget goes, the newest first served, and else by
 * handle. What was written twice is quoted once, where it was written last. So many handles at most; the oldest share one.
 */
export function quoteInstructions(instructions: readonly Instruction[], { budget, tokens, handle }: QuoteOptions): string {
  const blocks: string[] = []
  let left = budget
  let named = 0
  let unnamed = 0
  for (const { text, times, attached } of distinct(instructions).toReversed()) {
    const note = noteOf(times, attached)
    // A token is seldom less than a tenth of its characters' count, so what is far too long need not be counted.
    const quotation = text.length > left * 10 ? null : `${note}${fenced(text)}`
    const cost = quotation === null ? Number.POSITIVE_INFINITY : tokens.count(quotation)
    if (text === '') blocks.push(`* no text${note === '' ? '' : ` ${note.trim()}`}`)
    else if (quotation !== null && cost <= left) {
      left -= cost
      blocks.push(quotation)
    } else if (named < mostNamed) {
      named += 1
      blocks.push(
        `* recall ${handleOf(text)} (${text.length} characters)${note === '' ? '' : ` ${note.trim()}`}: ${oneLine(text, 100)}`,
      )
    } else unnamed += 1
  }
  if (unnamed > 0) blocks.push(`* recall ${handle} for ${unnamed} older ${unnamed === 1 ? 'message' : 'messages'}`)
  return blocks.length === 0 ? '* none recorded' : blocks.toReversed().join('\n')
}

const mostNamed = 40

interface Said {
  readonly text: string
  readonly times: number
  readonly attached: readonly string[]
}

/** Each text once, where it stood last. */
function distinct(instructions: readonly Instruction[]): readonly Said[] {
  const said = new Map<string, Said>()
  for (const { texts, attached } of instructions) {
    for (const [index, text] of (texts.length === 0 ? [''] : texts).entries()) {
      const times = (said.get(text)?.times ?? 0) + 1
      said.delete(text)
      said.set(text, { text, times, attached: index === 0 ? attached : [] })
    }
  }
  return [...said.values()]
}

function noteOf(times: number, attached: readonly string[]): string {
  const notes = [
    ...(times === 1 ? [] : [`${times} times`]),
    ...(attached.length === 0 ? [] : [`with ${oneLine(attached.slice(0, 5).join(', '), 100)}`]),
  ]
  return notes.length === 0 ? '' : `(${notes.join('; ')})\n`
}
