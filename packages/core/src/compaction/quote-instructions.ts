import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import { handleOf } from '../text/hash.ts'
import { escapeUnprintable, labelText } from '../text/labels.ts'
import type { Instruction } from './facts-of-segment.ts'

export interface QuoteOptions {
  readonly budget: number
  readonly tokens: Tokenizer
  readonly handle: string
}

/** Quotes user messages up to the budget, names the others by handle. Messages sent by programs get at most a quarter of it. */
export function quoteInstructions(instructions: readonly Instruction[], { budget, tokens, handle }: QuoteOptions): string {
  const all = distinct(instructions)
  const blocks = new Map<Said, string>()
  let left = budget
  const quote = (said: Said, max: number): number => {
    const room = Math.min(left, max)
    // A token is rarely more than ten characters, so much longer texts need not be counted.
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
  for (const said of rest.slice(0, maxNamed)) blocks.set(said, lineOf(said))
  const unnamed = Math.max(0, rest.length - maxNamed)
  return [
    ...(unnamed === 0 ? [] : [`* recall ${handle} for ${unnamed} older ${unnamed === 1 ? 'message' : 'messages'}`]),
    ...all.flatMap((said) => blocks.get(said) ?? []),
    ...(all.length === 0 ? ['* none recorded'] : []),
  ].join('\n')
}

const maxNamed = 40

interface Said {
  readonly text: string
  readonly times: number
  readonly attached: readonly string[]
  readonly isGoal: boolean
  readonly isTyped: boolean
}

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

/** Separates typed text from text that programs wrap in tags at the start of a line. Both keep their order. */
export function spokenText(text: string): { readonly spoken: string; readonly wrapped: string } {
  if (!text.includes('</')) return { spoken: text, wrapped: '' }
  const spoken: string[] = []
  const wrapped: string[] = []
  // The last closing place of each tag, to avoid searching in vain.
  const closed = new Map([...text.matchAll(closingTag)].map((found) => [found[1] as string, found.index]))
  let from = 0
  for (let at = 0; at < text.length; ) {
    const name = openingTag.exec(text.slice(at, at + maxTagLength))?.[1]
    if (name !== undefined && (closed.get(name) ?? -1) > at) {
      const end = text.indexOf(`</${name}>`, at)
      spoken.push(text.slice(from, at))
      wrapped.push(text.slice(at, end).replaceAll(anyTag, ' ').trim())
      at = end + name.length + 3
      from = at
      continue
    }
    const next = text.indexOf('\n', at)
    at = next === -1 ? text.length : next + 1
  }
  spoken.push(text.slice(from))
  return { spoken: spoken.join('\n').trim(), wrapped: wrapped.join('\n').trim() }
}

const maxTagLength = 400
const openingTag = /^\s{0,40}<([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,300})?>/
const closingTag = /<\/([A-Za-z][\w-]{0,60})>/g
const anyTag = /<\/?[A-Za-z][\w-]{0,60}(?:\s[^<>\n]{0,300})?>/g

/** Inline code, with enough backticks around it to contain those inside. */
export function codeSpan(name: string): string {
  const line = escapeUnprintable(
    name.length > maxNameLength ? cutText(name, { head: maxNameLength, in: 'units' }, () => '…') : name,
  )
  const marks = '`'.repeat(maxBacktickRun(line) + 1)
  return marks.length === 1 ? `\`${line}\`` : `${marks} ${line} ${marks}`
}

/** The unchanged text between fences longer than any run of backticks in it. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, maxBacktickRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

const maxNameLength = 500

function maxBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 0)
}
