import { hash } from 'node:crypto'
import { codecs, type Message } from '@plimsoll/core'
import { roundsOf, type Segment, writeSummary } from '@plimsoll/core/compaction'
import { bindsThinking, type Config } from '@plimsoll/core/policies'
import { transcriptHandle, transcriptOf } from '@plimsoll/core/session'
import { countMessages, estimator, isRecord, parseJson, reasonsFor } from '@plimsoll/core/text'
import { historyElsewhere, isPlainPath, type Patch, patchText } from '@plimsoll/core/wire'
import type { Finding } from '../../store/gateway-record.ts'
import type { Claim } from '../../store/gateway-store.ts'
import { manageContext } from '../planner/context-management.ts'
import type { OwnAnswer, RelayedRequest, ToldSummary } from '../planner.ts'
import { type AskedCompaction, askedCompaction } from './asked-compaction.ts'
import { compactedList, pausedAnswer } from './own-answer.ts'
import { type CompactingDialect, type PlacedSummary, type Summary, summaryPlaces, tailStart } from './summary-places.ts'

/** A request as it is sent to an upstream that knows no compaction. */
export interface CompactedRequest {
  readonly body: Uint8Array
  /** For the answer; null if nothing was compacted with this request. */
  readonly told: ToldSummary | null
  /** The whole answer, if no model has to be asked. */
  readonly answer: OwnAnswer | null
  /** What was folded, to be kept before anything is sent; null if nothing was. */
  readonly claim: Claim | null
  readonly findings: readonly Finding[]
}

type CompactableRequest = Pick<RelayedRequest, 'dialect' | 'kind' | 'mode' | 'isManagedUpstream' | 'body' | 'at'>

/**
 * Does what a client asks for with `compact_20260112` or OpenAI's compaction, for an upstream that has neither: once the request is long enough, a
 * summary, written without a model, replaces everything that a model has answered. Summaries of earlier answers come back in the request. Null if there
 * is nothing to do; in doubt the request stays as it is. Never throws.
 */
export function compactRequest(request: CompactableRequest, config: Config): CompactedRequest | null {
  const { dialect, kind, body } = request
  if (request.mode === 'observe' || request.isManagedUpstream) return null
  if (dialect !== 'anthropic' && dialect !== 'openai-responses') return null
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (kind !== 'compact' && !marks[dialect].some((mark) => bytes.includes(mark))) return null
  try {
    return compacted(request, dialect, bytes.toString('utf8'), config)
  } catch {
    return null
  }
}

/** Inside of a text, the quotes would be escaped. */
const marks: Readonly<Record<CompactingDialect, readonly string[]>> = {
  anthropic: ['"compact_20260112"', '"compaction"'],
  'openai-responses': ['"compaction"'],
}

function compacted(
  request: CompactableRequest,
  dialect: CompactingDialect,
  text: string,
  config: Config,
): CompactedRequest | null {
  const value = parseJson(text)
  const { list: field, find, write } = summaryPlaces[dialect]
  if (!isRecord(value) || historyElsewhere(value) || !isPlainPath(text, [field])) return null
  const list: unknown = value[field]
  const asked = askedCompaction(dialect, request.kind, value)
  if (!Array.isArray(list) || (asked.patches.length > 0 && !isPlainPath(text, ['context_management']))) return null
  const found = find(list)
  const split = splitList(dialect, list, found)
  const folded = asked.over === null ? null : fold({ dialect, value, split, list, found, asked, at: request.at, config })
  const unchanged = { body: request.body, told: null, answer: null, claim: folded?.claim ?? null, findings: asked.findings }
  if (folded !== null && request.kind === 'compact')
    return { ...unchanged, answer: compactedList(request.at, list, { ...folded.summary, keepsBefore: true }) }
  if (folded !== null && asked.isPaused) return { ...unchanged, answer: pausedAnswer(value, folded.summary) }
  const summary = folded?.summary ?? found
  if (summary === null && asked.patches.length === 0) return null
  const patches =
    summary === null ? [] : listPatches(field, list.length, entriesOf(dialect, list, split, summary, folded?.start ?? 0))
  return {
    ...unchanged,
    body: Buffer.from(patchText(text, [...patches, ...asked.patches])),
    told: folded === null ? null : { dialect, item: write(folded.summary) },
  }
}

/** A message of the request by its place in the list, or a new one. */
type Entry = { readonly at: number } | { readonly value: unknown }

interface SplitList {
  /** What stays before a summary. */
  readonly before: readonly Entry[]
  /** The conversation, from the last summary on. */
  readonly live: readonly Entry[]
}

function splitList(dialect: CompactingDialect, list: readonly unknown[], found: PlacedSummary | null): SplitList {
  const { stays } = summaryPlaces[dialect]
  const places = list.map((_, at) => ({ at }))
  const isBefore = ({ at }: { readonly at: number }) =>
    found !== null && at < found.place && (found.keepsBefore || stays(list[at]))
  if (found === null) {
    const first = list.findIndex((item) => !stays(item))
    const end = first < 0 ? list.length : first
    return { before: places.slice(0, end), live: places.slice(end) }
  }
  const rest = found.rest === undefined ? [] : [{ value: found.rest }]
  return {
    before: places.filter(isBefore),
    live: [...found.tail.map((value) => ({ value })), ...rest, ...places.slice(found.place + 1)],
  }
}

function entriesOf(
  dialect: CompactingDialect,
  list: readonly unknown[],
  { before, live }: SplitList,
  summary: Summary & { readonly mark?: unknown },
  start: number,
): readonly Entry[] {
  const { shown, stays } = summaryPlaces[dialect]
  const kept = live.slice(0, start).filter((entry) => stays(itemOf(entry, list)))
  const [next, ...rest] = live.slice(start)
  const { message, hasNext } = shown(summary.text, next === undefined ? undefined : itemOf(next, list), summary.mark)
  return [...before, ...kept, { value: message }, ...(next === undefined || hasNext ? [] : [next]), ...rest]
}

function itemOf(entry: Entry, list: readonly unknown[]): unknown {
  return 'at' in entry ? list[entry.at] : entry.value
}

/** Messages that stay keep their bytes. */
function listPatches(field: string, length: number, entries: readonly Entry[]): readonly Patch[] {
  const kept = new Set(entries.flatMap((entry) => ('at' in entry ? [entry.at] : [])))
  const patches: Patch[] = []
  for (let at = 0; at < length; at += 1) if (!kept.has(at)) patches.push({ op: 'remove', path: [field, at] })
  let place = 0
  for (const entry of entries) {
    if ('at' in entry) place = entry.at + 1
    else patches.push({ op: 'insert', path: [field, place], value: entry.value })
  }
  return patches
}

interface Folding {
  readonly dialect: CompactingDialect
  readonly value: Readonly<Record<string, unknown>>
  readonly list: readonly unknown[]
  readonly split: SplitList
  readonly found: PlacedSummary | null
  readonly asked: AskedCompaction
  readonly at: number
  readonly config: Config
}

interface Folded {
  readonly summary: Summary
  /** The first entry of the conversation that stays. */
  readonly start: number
  readonly claim: Claim
}

/** Null if the request is not long enough, or a summary would not be shorter. */
function fold({ dialect, value, list, split, found, asked, at, config }: Folding): Folded | null {
  const { list: field, stays } = summaryPlaces[dialect]
  const live = split.live.map((entry) => itemOf(entry, list))
  const read = (items: readonly unknown[]) => codecs[dialect].read({ [field]: items }).messages
  const start = tailStart(dialect, live)
  const head = live.slice(0, start).filter((item) => !stays(item))
  const tail = live.slice(start)
  if (head.length === 0) return null
  const messages = read(head)
  const kept = read(tail)
  // Thoughts that are signed together with everything before them would be refused.
  if (bindsThinking(typeof value['model'] === 'string' ? value['model'] : null, kept)) return null
  if (!isLongEnough({ dialect, value, found, asked, at, config }, [...messages, ...kept])) return null
  const before: readonly Message[] =
    found === null ? [] : [{ id: 'before', role: 'system', parts: [{ type: 'text', text: found.text }], summary: true }]
  const segment: Segment = { messages, kept, summaries: before, rounds: { folded: roundsOf(messages).length, kept: 0 } }
  const written = writeSummary(segment, { config }, asked.focus === null ? {} : { focus: asked.focus })
  if (asked.over !== 0 && estimator.count(written) >= countMessages(messages, estimator)) return null
  const text = found === null ? written : afterEarlier(found.text, written)
  return { summary: { text, tail, keepsBefore: false }, start, claim: claimOf(messages, at, config) }
}

/** The summaries before stay. Of many, the last line of an old one says how to recall what it stood for. */
function afterEarlier(earlier: string, text: string): string {
  const heading = text.slice(0, text.indexOf('\n'))
  const summaries = earlier.split(`\n\n${heading}\n`)
  const old = summaries.length - maxSummaries
  const shown = summaries.map((summary, index) => {
    const whole = index === 0 ? summary : `${heading}\n${summary}`
    return index > 0 && index <= old ? whole.slice(whole.lastIndexOf('\n') + 1) : whole
  })
  return [...shown, text].join('\n\n')
}

/** Besides the first, which has the goal. */
const maxSummaries = 8

function isLongEnough(
  { value, found, asked }: Pick<Folding, 'dialect' | 'value' | 'found' | 'asked' | 'at' | 'config'>,
  messages: readonly Message[],
): boolean {
  if (asked.over === 0) return true
  const { tools, system, instructions } = value
  const rest = [tools, system, instructions].reduce<number>((sum, part) => sum + (part === undefined ? 0 : sizeOf(part)), 0)
  const inputTokens = rest + countMessages(messages, estimator) + (found === null ? 0 : estimator.count(found.text))
  const cleared = manageContext({ request: { ...value, context_management: { edits: asked.earlier } }, messages, inputTokens })
  const removed = cleared?.applied?.reduce((sum, { cleared_input_tokens: tokens }) => sum + tokens, 0) ?? 0
  return inputTokens - removed > (asked.over ?? Number.POSITIVE_INFINITY)
}

function sizeOf(part: unknown): number {
  return estimator.count(typeof part === 'string' ? part : JSON.stringify(part))
}

/** The messages that a summary stands for, under the handle that it names. */
function claimOf(messages: readonly Message[], at: number, config: Config): Claim {
  const handle = transcriptHandle(messages)
  const text = transcriptOf(messages)
  const part = { type: 'tool-result', callId: null, tool: null, content: { type: 'text', text } } as const
  const rounds = roundsOf(messages).length
  return {
    decision: {
      key: `compaction ${handle}`,
      part: 0,
      original: `${handle}+compaction`,
      policy: 'compaction',
      why: reasonsFor(config.locale).roundsFolded(messages.length, rounds, 0),
      with: { type: 'text', text: '' },
      at,
    },
    original: {
      handle,
      sha256: hash('sha256', text),
      conversation: `compaction ${handle}`,
      message: { id: `compaction:${handle}`, role: 'tool', parts: [part] },
      call: null,
      at,
    },
  }
}
