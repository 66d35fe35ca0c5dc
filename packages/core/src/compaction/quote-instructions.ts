import type { Tokenizer } from '../facts.ts'
import { handleOf } from '../text/hash.ts'
import { labelText } from '../text/label-text.ts'
import type { Instruction } from './facts-of-segment.ts'
import { fenced } from './quote.ts'
import { spokenText } from './spoken-text.ts'

/** How much of the user's words is quoted. */
export interface QuoteOptions {
  /** Tokens of all quotations together. */
  readonly budget: number
  readonly tokens: Tokenizer
  /** The handle under which all of them can be had together. */
  readonly handle: string
}

/**
 * What users wrote, oldest first: word for word between fences as far as the budget goes, and else by handle. The request that began
 * it all is served first where it is not too long, then what people typed, the newest first, and last, with a quarter of the budget
 * at most, what programs sent in their name. What was written twice is quoted once, where it was written last. So many handles at
 * most; the others share one.
 */
export function quoteInstructions(instructions: readonly Instruction[], { budget, tokens, handle }: QuoteOptions): string {
  const all = distinct(instructions)
  const blocks = new Map<Said, string>()
  let left = budget
  const quote = (said: Said, most: number): number => {
    const room = Math.min(left, most)
    // A token is seldom less than a tenth of its characters' count, so what is far too long need not be counted.
    if (blocks.has(said) || said.text === '' || said.text.length > room * 10) return 0
    const block = `${noteOf(said)}${fenced(said.text)}`
    const cost = tokens.count(block)
    if (cost > room) return 0
    left -= cost
    blocks.set(said, block)
    return cost
  }
  const newest = all.toReversed()
  const typed = newest.filter(({ isTyped }) => isTyped)
  const sent = newest.filter(({ isTyped }) => !isTyped)
  for (const said of all) if (said.isGoal) quote(said, budget / 2)
  for (const said of typed) quote(said, budget)
  let forPrograms = budget / 4
  for (const said of sent) forPrograms -= quote(said, forPrograms)

  const rest = [...typed, ...sent].filter((said) => !blocks.has(said))
  for (const said of rest.slice(0, mostNamed)) blocks.set(said, lineOf(said))
  const unnamed = rest.length - Math.min(rest.length, mostNamed)
  return [
    ...(unnamed === 0 ? [] : [`* recall ${handle} for ${unnamed} older ${unnamed === 1 ? 'message' : 'messages'}`]),
    ...all.flatMap((said) => blocks.get(said) ?? []),
    ...(all.length === 0 ? ['* none recorded'] : []),
  ].join('\n')
}

const mostNamed = 40

interface Said {
  readonly text: string
  readonly times: number
  readonly attached: readonly string[]
  readonly isGoal: boolean
  /** Whether a person typed at least a part of it. */
  readonly isTyped: boolean
}

/** Each text once, where it stood last. */
function distinct(instructions: readonly Instruction[]): readonly Said[] {
  const said = new Map<string, Said>()
  for (const { texts, attached, isGoal = false } of instructions) {
    for (const [index, text] of (texts.length === 0 ? [''] : texts).entries()) {
      const before = said.get(text)
      said.delete(text)
      said.set(text, {
        text,
        times: (before?.times ?? 0) + 1,
        attached: index === 0 ? attached : [],
        isGoal: isGoal || before?.isGoal === true,
        isTyped: spokenText(text).spoken !== '',
      })
    }
  }
  return [...said.values()]
}

function lineOf(said: Said): string {
  const note = noteOf(said).trim()
  if (said.text === '') return `* no text${note === '' ? '' : ` ${note}`}`
  return `* recall ${handleOf(said.text)} (${said.text.length} characters)${note === '' ? '' : ` ${note}`}: ${labelText(said.text, 100)}`
}

function noteOf({ times, attached }: Said): string {
  const notes = [
    ...(times === 1 ? [] : [`${times} times`]),
    ...(attached.length === 0 ? [] : [`with ${labelText(attached.slice(0, 5).join(', '), 100)}`]),
  ]
  return notes.length === 0 ? '' : `(${notes.join('; ')})\n`
}
