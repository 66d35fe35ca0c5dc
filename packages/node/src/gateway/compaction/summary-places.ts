import { hash } from 'node:crypto'
import { isRecord } from '@plimsoll/core/text'

/** The formats in which a client can ask for compaction. */
export type CompactingDialect = 'anthropic' | 'openai-responses'

/** A summary that stands for everything before it, and the messages after it that no model had answered yet. */
export interface Summary {
  readonly text: string
  readonly tail: readonly unknown[]
  /** Whether the client chose what is before it, as with a list from `/responses/compact`: then that stays. */
  readonly keepsBefore: boolean
}

/** A summary in a list of messages: what is left of its own message, if anything. */
export interface PlacedSummary extends Summary {
  readonly place: number
  readonly rest: unknown
  /** The client's cache mark on it, if any. */
  readonly mark: unknown
}

type Fields = Readonly<Record<string, unknown>>

interface SummaryPlaces {
  readonly list: 'messages' | 'input'
  /** The last summary of ours; null if there is none. */
  readonly find: (list: readonly unknown[]) => PlacedSummary | null
  /** The summary as a block or an item of an answer. */
  readonly write: (summary: Summary) => Fields
  /** A message with the summary, for a model that does not know such blocks; with the next message in it, if that is the user's too. */
  readonly shown: (text: string, next: unknown, mark: unknown) => { readonly message: Fields; readonly hasNext: boolean }
  /** Whether it stays before a summary: system prompts, and settings for the provider. */
  readonly stays: (item: unknown) => boolean
  readonly isAsked: (item: unknown) => boolean
  readonly calls: (item: unknown) => readonly string[]
  readonly results: (item: unknown) => readonly string[]
}

export const summaryPlaces: Readonly<Record<CompactingDialect, SummaryPlaces>> = {
  anthropic: {
    list: 'messages',
    find: findBlock,
    write: (summary) => ({ type: 'compaction', content: summary.text, encrypted_content: seal(summary) }),
    shown(text, next, mark) {
      const block = { type: 'text', text, ...(mark === undefined ? {} : { cache_control: mark }) }
      const hasNext = isRecord(next) && next['role'] === 'user' && resultIds(next).length === 0
      const message = hasNext ? { ...next, content: [block, ...blocksOf(next)] } : { role: 'user', content: [block] }
      return { message, hasNext }
    },
    stays: (item) => isRecord(item) && item['role'] === 'system',
    isAsked: (item) => isRecord(item) && item['role'] === 'user',
    calls: (item) => idsIn(item, 'tool_use', 'id'),
    results: resultIds,
  },
  'openai-responses': {
    list: 'input',
    find(list) {
      const place = list.findLastIndex((item) => isRecord(item) && item['type'] === 'compaction')
      const opened = place < 0 ? null : unseal((list[place] as Fields)['encrypted_content'])
      return opened === null ? null : { ...opened, place, rest: undefined, mark: undefined }
    },
    write(summary) {
      const sealed = seal(summary)
      return { id: `cmp_${hash('sha256', sealed).slice(0, 32)}`, type: 'compaction', encrypted_content: sealed }
    },
    shown: (text) => ({ message: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }, hasNext: false }),
    stays(item) {
      if (!isRecord(item)) return false
      return item['role'] === 'system' || item['role'] === 'developer' || settings.has(item['type'])
    },
    isAsked: (item) => isRecord(item) && (item['role'] === 'user' || isOutput(item)),
    calls: (item) => (isRecord(item) && !isOutput(item) ? textIn(item['call_id']) : []),
    results: (item) => (isRecord(item) && isOutput(item) ? textIn(item['call_id']) : []),
  },
}

/** Items for the provider, not for the model. */
const settings: ReadonlySet<unknown> = new Set(['additional_tools', 'configuration_update'])

function findBlock(list: readonly unknown[]): PlacedSummary | null {
  for (let place = list.length - 1; place >= 0; place -= 1) {
    const message = list[place]
    if (!isRecord(message) || message['role'] !== 'assistant') continue
    const blocks = blocksOf(message)
    const at = blocks.findLastIndex((block) => isRecord(block) && block['type'] === 'compaction' && isText(block['content']))
    if (at < 0) continue
    const block = blocks[at] as Fields
    const rest = blocks.slice(at + 1)
    const sealed = unseal(block['encrypted_content'])
    return {
      text: block['content'] as string,
      tail: sealed?.tail ?? [],
      keepsBefore: false,
      place,
      rest: rest.length === 0 ? undefined : { ...message, content: rest },
      mark: isRecord(block['cache_control']) ? block['cache_control'] : undefined,
    }
  }
  return null
}

/**
 * The first message that the next answer is about: the last question, or the last results with their calls. No model has read these yet, so they are not
 * summarised.
 */
export function tailStart(dialect: CompactingDialect, list: readonly unknown[]): number {
  const { isAsked, calls, results } = summaryPlaces[dialect]
  let start = list.length
  while (start > 0 && !isAsked(list[start - 1])) start -= 1
  while (start > 0 && isAsked(list[start - 1])) start -= 1
  const missing = new Set(list.slice(start).flatMap(results))
  for (const id of list.slice(start).flatMap(calls)) missing.delete(id)
  if (missing.size === 0) return start
  // The model's other words and thoughts of that answer belong to its calls.
  while (start > 0 && missing.size > 0) {
    start -= 1
    for (const id of calls(list[start])) missing.delete(id)
  }
  while (start > 0 && !isAsked(list[start - 1]) && !summaryPlaces[dialect].stays(list[start - 1])) start -= 1
  return start
}

const seal1 = 'plimsoll-1.'

/** Not secret: the client has all of it anyway. */
function seal({ text, tail, keepsBefore }: Summary): string {
  return seal1 + Buffer.from(JSON.stringify({ text, tail, ...(keepsBefore ? { keepsBefore } : {}) })).toString('base64url')
}

/** Null for a summary of someone else, which only its own provider can read. */
function unseal(sealed: unknown): Summary | null {
  if (typeof sealed !== 'string' || !sealed.startsWith(seal1)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed.slice(seal1.length), 'base64url').toString())
    if (!isRecord(value) || !isText(value['text']) || !Array.isArray(value['tail'])) return null
    return { text: value['text'], tail: value['tail'] as unknown[], keepsBefore: value['keepsBefore'] === true }
  } catch {
    return null
  }
}

function blocksOf({ content }: Fields): readonly unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : []
}

function resultIds(item: unknown): readonly string[] {
  return idsIn(item, 'tool_result', 'tool_use_id')
}

function idsIn(item: unknown, type: string, field: string): readonly string[] {
  if (!isRecord(item)) return []
  return blocksOf(item).flatMap((block) => (isRecord(block) && block['type'] === type ? textIn(block[field]) : []))
}

function isOutput({ type }: Fields): boolean {
  return typeof type === 'string' && type.endsWith('_output')
}

function textIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
