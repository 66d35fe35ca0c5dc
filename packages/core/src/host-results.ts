import { filterBinary } from './binary/filter-binary.ts'
import { roundsOf } from './compaction/rounds.ts'
import { writeSummary } from './compaction/write-summary.ts'
import type { PartialConfig } from './config.ts'
import type { PreparedRequest, RequestConversation } from './conversation.ts'
import { viewOnce } from './engine/prepare.ts'
import type { RequestFacts } from './engine/request-facts.ts'
import type { Tokenizer } from './facts.ts'
import { isRecord, type Message, resultText, type ToolResultPart } from './message.ts'
import { createCutLongOutput } from './policies/cut-long-output.ts'
import { defaultEconomyRules } from './policies/economy/economy-rules.ts'
import { shortenWithBlocks } from './policies/shorten-losslessly.ts'
import type { Policy } from './policy.ts'
import { type StringsName, stringsNamed } from './strings/strings-for.ts'
import { handleOf } from './text/hash.ts'
import { countLines } from './text/lines.ts'
import { codecs } from './wire/codecs.ts'

// For hosts whose messages are in no provider's format.

/** The result of one tool call, as a host shows it to a hook. */
export interface HostResult {
  readonly tool: string
  /** The arguments of the call. */
  readonly input: unknown
  readonly text: string
  readonly isError?: boolean
}

export interface ShortenOptions extends Pick<RequestFacts, 'root' | 'platform' | 'tools'> {
  readonly config?: PartialConfig
  /** Language of the text inserted for the model. Default: `specification`. */
  readonly strings?: StringsName
}

export interface ShortenedResult {
  readonly text: string
  /** The handle by which `text` names the original: keep the original under it, or it is lost. */
  readonly handle: string
  /** The rule that changed it last, and why. */
  readonly policy: string
  readonly why: string
}

/**
 * Shortens one result for hosts that only show a hook what a tool has just returned, and keep what the hook answers for good. Depends on nothing but the
 * result. Null if it stays as it is. Files that a command prints stay up to 30,000 characters; of what is cut, no gateway mode cuts anything again.
 *
 * @example
 * const shorter = shortenResult({ tool: 'Bash', input: { command: 'make' }, text })
 */
export function shortenResult(result: HostResult, options: ShortenOptions = {}): ShortenedResult | null {
  if (result.text.length < minSaved) return null
  const { strings = 'specification', ...facts } = options
  const words = stringsNamed(strings)
  const known = { tokens: byLength, ...facts, ...(words === undefined ? {} : { strings: words }) }
  const whole: ToolResultPart = {
    type: 'tool-result',
    callId: 'call',
    tool: result.tool,
    content: { type: 'text', text: result.text },
    isError: result.isError ?? false,
  }
  const messages: readonly Message[] = [
    { id: 'call', role: 'assistant', parts: [{ type: 'tool-call', callId: 'call', tool: result.tool, input: result.input }] },
    { id: 'result', role: 'tool', parts: [whole] },
  ]
  for (const share of shares) {
    const { view, edits } = viewOnce(messages, policiesFor(share), known)
    const shown = view[1]?.parts[0]
    const edit = edits.at(-1)
    if (shown?.type !== 'tool-result' || edit === undefined) return null
    const text = resultText(shown)
    if (result.text.length - text.length < minSaved) return null
    const isCut = edits.some(({ policy }) => policy === cutName)
    if (!isCut || (text.length <= maxCharacters && countLines(text) <= maxLines))
      return { text, handle: handleOf(result.text), policy: edit.policy, why: edit.why }
  }
  return null
}

/** No rule here asks for tokens, and to estimate them takes a program that has just started as long as all the rest. */
const byLength: Tokenizer = { name: 'characters', count: (text) => Math.ceil(text.length / 4) }

const cutName = 'cut-long-output'

/** Fewer characters are not worth the write that keeps the original. */
const minSaved = 100

/** A cut result stays below the default limits of `limit-tool-output`, so that a gateway behind the host leaves it alone. */
const maxCharacters = 8000
const maxLines = 500

/** Shares of the usual size, tried in order: a result of many short lines or long paths may exceed the limits. */
const shares: readonly number[] = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]

const keptReads = 30_000

function policiesFor(share: number): readonly Policy[] {
  const { cutTo, cutOver, cutPaths } = defaultEconomyRules
  const other = 6000 * share
  const rules = {
    ...defaultEconomyRules,
    cutPaths: Math.floor(cutPaths * share),
    cutOver: { ...cutOver, read: keptReads, edit: 6000, other: 6000, recall: Number.POSITIVE_INFINITY },
    cutTo: { ...cutTo, search: cutTo.search * share, terminal: cutTo.terminal * share, read: other, edit: other, other },
  }
  return [filterBinary, shortenWithBlocks, createCutLongOutput(rules)]
}

/** A piece of a host's history, in its order: a text, a call of a tool, or the result of one. */
export type HostItem =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly call: string; readonly tool: string; readonly input: unknown }
  | { readonly result: string; readonly text: string; readonly isError?: boolean }

/** A prepared request of a host: pass `sent` to `accepted`. */
export interface TrimmedResults extends Pick<PreparedRequest<unknown>, 'report' | 'sent'> {
  /** The texts to show instead, by the id of the call. Results that stay as they are, are missing. */
  readonly results: ReadonlyMap<string, string>
}

/**
 * Trims the results in a history that a host keeps in its own form: pass all of it before each request, and replace the results that are returned. The
 * conversation needs `codec: codecs.anthropic` and `rules: ['results-only']`.
 *
 * @example
 * const { results, sent } = trimResults(all.of(session), history.map(asItem), { now: Date.now(), model })
 * all.of(session).accepted(answer.usage, sent)
 */
export function trimResults(
  conversation: RequestConversation,
  items: readonly HostItem[],
  { model, ...facts }: RequestFacts & { readonly model?: string },
): TrimmedResults {
  const system = items.flatMap((item) => ('role' in item && item.role === 'system' ? [item.text] : []))
  const request = {
    ...(model === undefined ? {} : { model }),
    ...(system.length === 0 ? {} : { system: system.join('\n') }),
    messages: turnsOf(items),
  }
  const { request: trimmed, report, sent } = conversation.next(request, facts)
  const results = new Map<string, string>()
  for (const [index, turn] of trimmed.messages.entries()) {
    const before = request.messages[index]
    if (turn === before) continue
    for (const [place, block] of turn.content.entries()) {
      const id = block['tool_use_id']
      if (block !== before?.content[place] && typeof id === 'string') results.set(id, textOf(block['content']))
    }
  }
  return { results, report, sent }
}

export interface SummariseOptions extends Pick<RequestFacts, 'root' | 'platform' | 'tools'> {
  /** Statements that share a word with this are kept before others. */
  readonly focus?: string
  /** The summary of what was before these items. */
  readonly previous?: string
}

/**
 * The summary that a host's compaction can use: goal, the user's instructions in their own words, files changed, decisions, unresolved errors and names in use,
 * all of it read from the history. No model is asked.
 *
 * @example
 * const summary = summariseHistory(history.map(asItem))
 */
export function summariseHistory(items: readonly HostItem[], options: SummariseOptions = {}): string {
  const { focus, previous, ...facts } = options
  const { messages } = codecs.anthropic.read({ messages: turnsOf(items) })
  const before: readonly Message[] =
    previous === undefined ? [] : [{ id: 'before', role: 'system', parts: [{ type: 'text', text: previous }], summary: true }]
  const segment = { messages, kept: [], summaries: before, rounds: { folded: roundsOf(messages).length, kept: 0 } }
  // The host keeps the originals, under no handle of ours.
  return writeSummary(segment, facts, focus === undefined ? {} : { focus }).replace(/;? ?recall [0-9a-f]{12}/g, '')
}

type Block = Readonly<Record<string, unknown>>

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/** In Anthropic's format, which has results that failed and no order of its own for parallel calls. */
function turnsOf(items: readonly HostItem[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const item of items) {
    if ('role' in item && item.role === 'system') continue
    const role = 'call' in item || ('role' in item && item.role === 'assistant') ? 'assistant' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(blockOf(item))
    else turns.push({ role, content: [blockOf(item)] })
  }
  return turns
}

function blockOf(item: HostItem): Block {
  if ('role' in item) return { type: 'text', text: item.text }
  if ('call' in item)
    return { type: 'tool_use', id: item.call, name: item.tool, input: isRecord(item.input) ? item.input : { input: item.input } }
  return {
    type: 'tool_result',
    tool_use_id: item.result,
    content: item.text,
    ...(item.isError === true ? { is_error: true } : {}),
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return blocks.map((block) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('\n')
}
