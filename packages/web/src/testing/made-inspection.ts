import { type CategoryTokens, type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import type {
  CacheBreak,
  InspectedEdit,
  InspectedRequest,
  Inspection,
  MessageTable,
} from '../../../node/src/shared/inspection/inspection.ts'

/** Options of a made session. */
export interface MadeOptions {
  /** Default 60. */
  readonly messages?: number
  /** Default 200,000. */
  readonly window?: number
  readonly isOwn?: boolean
  /** Times everything in the window; over 1 it may not fit. Default 1. */
  readonly load?: number
  readonly troubles?: readonly string[]
}

const tools = ['terminal-execute', 'filesystem-read', 'codebase-search', 'filesystem-edit', 'image-generate', 'web-fetch', 'todo']
const start = Date.UTC(2026, 2, 3, 9, 15)

/** A session of any size, the same for the same options, that has everything an inspector shows. */
export function madeInspection(options: MadeOptions = {}): Inspection {
  const { messages: count = 60, window = 200_000, isOwn = true, load = 1, troubles = [] } = options
  const random = randomFrom(count)
  const messages = madeTable(count, random)
  const edits = madeEdits(messages)
  const requests = madeRequests(messages, edits, window, load)
  const fill = requests.at(-1)?.fill ?? fillOf({}, [], window)
  return {
    session: {
      id: 'made',
      title: 'Find out why the import of large files is slow and make it faster',
      format: isOwn ? 'plimsoll' : 'claude-code',
      isOwn,
      root: '/home/somebody/project',
      model: 'claude-sonnet-4-5',
      first: start,
      last: start + count * 20_000,
      bytes: count * 900,
      cost: { dollars: count * 0.0123, unpriced: isOwn ? 0 : 2 },
      pins: messages.ids.filter((_, number) => number % 41 === 7),
    },
    messages,
    requests,
    edits,
    fill,
    troubles,
  }
}

function madeTable(count: number, random: () => number): MessageTable {
  const columns = {
    ids: [] as string[],
    roles: [] as Role[],
    tokens: [] as number[],
    shown: [] as number[],
    categories: [] as WindowCategory[],
    tools: [] as number[],
    times: [] as number[],
  }
  for (let number = 0; number < count; number += 1) {
    const place = number % 10
    const role: Role = place === 0 ? 'user' : place % 2 === 1 ? 'assistant' : 'tool'
    const tool = Math.floor(random() ** 2 * tools.length)
    const category: WindowCategory =
      role === 'user'
        ? 'user'
        : role === 'tool'
          ? tool === 4
            ? 'images'
            : 'results'
          : place === 9
            ? 'assistant'
            : place === 5
              ? 'reasoning'
              : 'calls'
    const size = role === 'tool' ? Math.round(80 + random() ** 6 * 24_000) : Math.round(20 + random() ** 3 * 900)
    columns.ids.push(`message-${number}`)
    columns.roles.push(role)
    columns.tokens.push(size)
    columns.shown.push(number < count * 0.2 && place !== 0 ? 0 : number % 12 === 4 ? Math.ceil(size / 12) : size)
    columns.categories.push(category)
    columns.tools.push(category === 'calls' || role === 'tool' ? tool : -1)
    columns.times.push(start + number * 20_000)
  }
  return { ...columns, toolNames: tools }
}

function madeEdits({ ids, tokens, shown, tools: tool, toolNames }: MessageTable): readonly InspectedEdit[] {
  const edits: InspectedEdit[] = []
  const folded = ids.findIndex((_, number) => number >= ids.length * 0.2)
  if (folded > 0)
    edits.push({
      id: 'edit-fold',
      policy: 'compaction',
      kind: 'fold',
      message: ids[0] as string,
      part: 0,
      tool: null,
      tokensBefore: tokens.slice(0, folded).reduce((sum, size) => sum + size, 0),
      tokensAfter: 640,
      why: 'the window was 80 % full',
      cache: 'rewrite',
      number: 0,
      lastNumber: folded - 1,
      at: start + folded * 20_000,
      request: Math.floor(folded / 2),
      state: 'in-force',
    })
  for (const [number, id] of ids.entries()) {
    if (number < folded || number % 12 !== 4) continue
    edits.push({
      id: `edit-${number}`,
      policy: number % 24 === 4 ? 'trim-outdated-commands' : 'trim-repeated-reads',
      kind: 'replace',
      message: id,
      part: 0,
      tool: toolNames[tool[number] as number] ?? null,
      tokensBefore: tokens[number] as number,
      tokensAfter: shown[number] as number,
      why: 'older than 15 minutes and successful',
      cache: number % 36 === 4 ? 'rewrite' : 'free',
      number,
      lastNumber: number,
      at: start + number * 20_000,
      request: Math.floor(number / 2),
      state: number % 60 === 4 ? 'withdrawn' : 'in-force',
    })
  }
  return edits
}

function madeRequests(
  { categories, shown, tools: tool, toolNames }: MessageTable,
  edits: readonly InspectedEdit[],
  window: number,
  load: number,
): readonly InspectedRequest[] {
  const editsOf = new Map<number, number>()
  for (const { request } of edits) if (request !== null) editsOf.set(request, (editsOf.get(request) ?? 0) + 1)
  const sums: Partial<Record<WindowCategory, number>> = { system: 2400, rules: 1650, tools: 9800 }
  const results = new Map<string, number>()
  const requests: InspectedRequest[] = []
  // Scaled so that the last request fills a good half of the window for any number of messages.
  const whole = shown.reduce((sum, size) => sum + size, 14_000)
  const scale = (window * 0.62 * load) / whole
  for (let number = 0; number < shown.length; number += 1) {
    const size = shown[number] as number
    const category = categories[number] as WindowCategory
    sums[category] = (sums[category] ?? 0) + size
    if (category === 'results') {
      const name = toolNames[tool[number] as number] ?? ''
      results.set(name, (results.get(name) ?? 0) + size)
    }
    if (number % 2 === 1) continue
    const fill = fillOf(scaled(sums, scale), scaledResults(results, scale), window)
    const index = requests.length
    const fresh = Math.round(size * scale)
    const broken: CacheBreak | null =
      index % 9 === 8
        ? {
            message: Math.max(0, number - 6),
            policy: 'trim-outdated-commands',
            reason: 'edit',
            tokens: Math.round(fill.tokens / 3),
          }
        : null
    const read = Math.max(0, fill.tokens - fresh - (broken?.tokens ?? 0))
    requests.push({
      id: `request-${index}`,
      at: start + number * 20_000,
      model: 'claude-sonnet-4-5',
      fill,
      last: number,
      usage: { input: fresh, cacheRead: read, cacheWrite: fill.tokens - fresh - read, output: 220 },
      cost: { dollars: 0.0123, parts: { input: 0.001, cacheRead: 0.004, cacheWrite: 0.004, output: 0.0033 } },
      edits: editsOf.get(index) ?? 0,
      saved: (editsOf.get(index) ?? 0) * 800,
      waiting: index % 5 === 0 ? 900 : 0,
      isCompacted: edits[0]?.kind === 'fold' && edits[0].request === index,
      broken,
    })
  }
  return requests
}

function scaled(sums: CategoryTokens, scale: number): CategoryTokens {
  return Object.fromEntries(Object.entries(sums).map(([category, tokens]) => [category, Math.round(tokens * scale)]))
}

function scaledResults(results: ReadonlyMap<string, number>, scale: number): WindowFill['results'] {
  return [...results]
    .map(([tool, tokens]) => ({ tool, tokens: Math.round(tokens * scale) }))
    .sort((one, other) => other.tokens - one.tokens)
}

function fillOf(categories: CategoryTokens, results: WindowFill['results'], window: number): WindowFill {
  const all = results.reduce((sum, { tokens }) => sum + tokens, 0)
  const filled = all > 0 ? { ...categories, results: all } : categories
  const tokens = windowCategories.reduce((sum, category) => sum + (filled[category] ?? 0), 0)
  return { tokens, categories: filled, results, source: 'usage', window, reserve: Math.min(8192, Math.floor(window / 4)) }
}

/** Numbers from 0 to 1, always the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed + 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
