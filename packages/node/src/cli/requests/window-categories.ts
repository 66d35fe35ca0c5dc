import type { Facts, Message } from '@plimsoll/core'
import { type WindowCategory, type WindowFill, windowFill } from '@plimsoll/core/bill'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import type { CellTint } from '../terminal/paint.ts'

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
  strings: Strings['view'],
): readonly Category[] {
  const before = fillOf(messages, facts)
  const after = fillOf(view, facts)
  const row = (name: string, symbol: string, tint: CellTint, ...names: readonly WindowCategory[]): Category => ({
    name,
    symbol,
    tint,
    before: total(before, names),
    after: total(after, names),
  })
  const resultRow = (name: string, symbol: string, tint: CellTint, ...names: readonly string[]): Category => ({
    name,
    symbol,
    tint,
    isResult: true,
    before: resultsOf(before, names),
    after: resultsOf(after, names),
  })
  const tools = [...new Set([...before.results, ...after.results].map(({ tool }) => tool))]
  // A row of its own costs no more than a row for "one other tool".
  const named = tools.length <= toolCells.length ? tools : tools.slice(0, namedTools)
  const others = tools.slice(named.length)
  const rows = [
    row(strings.system, 'S', 'grey', 'system', 'rules', 'summaries'),
    row(strings.user, 'U', 'green', 'user'),
    row(strings.assistant, 'A', 'blue', 'assistant'),
    row(strings.reasoning, 'R', 'bright-blue', 'reasoning'),
    row(strings.calls, 'C', 'cyan', 'calls'),
    ...named.map((tool, index) => {
      const { symbol, tint } = toolCells[index] as (typeof toolCells)[number]
      return resultRow(tool === '' ? strings.unnamedTool : cleanText(tool), symbol, tint, tool)
    }),
    ...(others.length === 0 ? [] : [resultRow(strings.otherTools(others.length), 'T', 'bright-cyan', ...others)]),
    row(strings.media, 'M', 'red', 'images'),
  ]
  return rows.filter((category) => category.before > 0 || category.after > 0)
}

/** The same sums that the inspector shows, so that both say the same of one request. */
function fillOf(messages: readonly Message[], facts: Facts): WindowFill {
  return windowFill(messages, { window: 0, reserve: 0, ...(facts.tokens === undefined ? {} : { tokens: facts.tokens }) })
}

function total({ categories }: WindowFill, names: readonly WindowCategory[]): number {
  return names.reduce((tokens, name) => tokens + (categories[name] ?? 0), 0)
}

function resultsOf({ results }: WindowFill, names: readonly string[]): number {
  return results.reduce((sum, { tool, tokens }) => (names.includes(tool) ? sum + tokens : sum), 0)
}
