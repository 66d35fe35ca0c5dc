import {
  countMessage,
  countPart,
  estimator,
  type Facts,
  type Message,
  type Part,
  toolResults,
  type ViewStrings,
} from '@plimsoll/core'
import { cleanText } from './clean-text.ts'
import type { CellTint } from './paint.ts'

/** What fills a part of the window, before and after. */
export interface Category {
  readonly name: string
  /** One character that stands for it in the grid. */
  readonly symbol: string
  readonly tint: CellTint
  /** Set on a tool's results, which are shown together. */
  readonly isResult?: true
  readonly before: number
  readonly after: number
}

/** Tools that are shown by name; the others share a row. */
const namedTools = 4

const toolCells = [
  { symbol: '1', tint: 'yellow' },
  { symbol: '2', tint: 'magenta' },
  { symbol: '3', tint: 'bright-green' },
  { symbol: '4', tint: 'bright-magenta' },
] as const

/** Sorts the tokens of a conversation and of its view into categories that add up to the whole. Empty ones are left out. */
export function categorise(
  messages: readonly Message[],
  view: readonly Message[],
  facts: Facts,
  strings: ViewStrings,
): readonly Category[] {
  const before = sum(messages, facts)
  const after = sum(view, facts)
  const row = (name: string, symbol: string, tint: CellTint, ...keys: readonly string[]): Category => ({
    name,
    symbol,
    tint,
    before: total(before, keys),
    after: total(after, keys),
  })
  const tools = [...new Set([...before.keys(), ...after.keys()])].filter((key) => key.startsWith(resultKey))
  tools.sort((one, other) => (before.get(other) ?? 0) - (before.get(one) ?? 0))
  // A row of its own costs no more than a row for "one other tool".
  const named = tools.length <= toolCells.length ? tools : tools.slice(0, namedTools)
  const others = tools.slice(named.length)
  const rows = [
    row(strings.system, 'S', 'grey', 'system'),
    row(strings.user, 'U', 'green', 'user'),
    row(strings.assistant, 'A', 'blue', 'assistant'),
    row(strings.reasoning, 'R', 'bright-blue', 'reasoning'),
    row(strings.calls, 'C', 'cyan', 'calls'),
    ...named.map((key, index) => {
      const { symbol, tint } = toolCells[index] as (typeof toolCells)[number]
      const name = key === resultKey ? strings.unnamedTool : cleanText(key.slice(resultKey.length))
      return { ...row(name, symbol, tint, key), isResult: true as const }
    }),
    ...(others.length === 0
      ? []
      : [{ ...row(strings.otherTools(others.length), 'T', 'bright-cyan', ...others), isResult: true as const }]),
    row(strings.media, 'M', 'red', 'media'),
  ]
  return rows.filter((category) => category.before > 0 || category.after > 0)
}

const resultKey = 'result:'

function sum(messages: readonly Message[], facts: Facts): ReadonlyMap<string, number> {
  const tokenizer = facts.tokens ?? estimator
  const sums = new Map<string, number>()
  const add = (key: string, tokens: number) => sums.set(key, (sums.get(key) ?? 0) + tokens)
  const tools = new Map(toolResults(messages, facts).map(({ part, tool }) => [part as Part, tool ?? '']))
  for (const message of messages) {
    let rest = countMessage(message, tokenizer)
    let key: string = message.role === 'tool' ? resultKey : message.role
    for (const part of message.parts) {
      const tokens = countPart(part, tokenizer)
      rest -= tokens
      const own = keyOf(part, message, tools)
      if (part.type === 'tool-result') key = own
      add(own, tokens)
    }
    // What frames a message counts with what it frames.
    add(key, rest)
  }
  return sums
}

function keyOf(part: Part, message: Message, tools: ReadonlyMap<Part, string>): string {
  switch (part.type) {
    case 'text':
      return message.role === 'tool' ? resultKey : message.role
    case 'reasoning':
      return 'reasoning'
    case 'media':
      return 'media'
    case 'tool-call':
      return 'calls'
    case 'tool-result':
      return resultKey + (tools.get(part) ?? part.tool ?? '')
  }
}

function total(sums: ReadonlyMap<string, number>, keys: readonly string[]): number {
  return keys.reduce((tokens, key) => tokens + (sums.get(key) ?? 0), 0)
}
