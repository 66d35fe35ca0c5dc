import { type Tokenizer } from '../facts.ts'
import { type Message, messageText, type Part, resultText, type ToolResultPart } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { oneLine } from '../text/one-line.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { recordOf } from './record.ts'
import { opensRound } from './rounds.ts'
import type { Segment } from './segment.ts'
import { livePrompt, recordPrompt, summaryPrompt } from './summary-prompt.ts'

/** What a request for a summary is made of. */
export interface SummaryRequestInput {
  readonly segment: Segment
  /** The messages of the last request to the same model, as they were sent, so that its cache serves them again. Default: none. */
  readonly live?: readonly Message[] | null
  /** What the user wants the summary to pay attention to. */
  readonly focus?: string
  /** The most tokens the request may have. */
  readonly maxTokens: number
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer
}

/** What to send to the model that writes the summary. */
export interface SummaryRequest {
  /** `live` repeats the last request and adds one message; `record` hands the messages over as text. */
  readonly kind: 'live' | 'record'
  readonly messages: readonly Message[]
  readonly tokens: number
}

/**
 * The request for a summary. Where the conversation as last sent is known, still holds the segment and leaves room, it is sent
 * again with the request at its end, and with a record of what was shortened in it; else a record of the whole segment is made that
 * fits.
 */
export function summaryRequest(input: SummaryRequestInput): SummaryRequest {
  const { live, maxTokens, tokens = estimator } = input
  const asked = live === undefined || live === null ? null : liveRequest(input, live, tokens)
  return asked !== null && asked.tokens <= maxTokens ? asked : recordRequest(input, tokens)
}

function liveRequest(
  { segment, focus, maxTokens }: SummaryRequestInput,
  live: readonly Message[],
  tokens: Tokenizer,
): SummaryRequest | null {
  const shown = new Map(live.map((message) => [message.id, message]))
  const first = segment.messages[0]
  const last = segment.messages.at(-1)
  if (first === undefined || last === undefined || !shown.has(first.id) || !shown.has(last.id)) return null
  // From the beginning of the first whole round; what a model cannot find by its words it cannot be asked to begin at.
  const from = quoteStart(segment.messages.find(opensRound))
  const until = quoteStart(segment.kept.find((message) => opensRound(message) && shown.has(message.id)))
  const place = { from, until, ...(focus === undefined ? {} : { focus }) }
  const request = (text: string): SummaryRequest => {
    const messages = [...live, said('user', text)]
    return { kind: 'live', messages, tokens: countMessages(messages, tokens) }
  }
  const hidden = hiddenIn(segment.messages, shown)
  if (hidden.length === 0) return request(livePrompt(place))
  const room = maxTokens - request(livePrompt({ ...place, hidden: { record: '', mark: handleOf('') } })).tokens
  if (room < leastRoom) return null
  const record = recordOf(hidden, room, tokens)
  return request(livePrompt({ ...place, hidden: { record, mark: handleOf(record) } }))
}

/** With less than this, what is not in sight could not be told at all. */
const leastRoom = 500

/** What the last request showed shortened or not at all: the summary is to be made of the originals. */
function hiddenIn(messages: readonly Message[], shown: ReadonlyMap<string, Message>): readonly Message[] {
  return messages.flatMap((message) => {
    const live = shown.get(message.id)
    if (live === message) return []
    if (live === undefined) return [message]
    const parts = message.parts.filter((part, index) => part.type === 'tool-result' && !isSameResult(part, live.parts[index]))
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })
}

function isSameResult(part: ToolResultPart, other: Part | undefined): boolean {
  return part === other || (other?.type === 'tool-result' && resultText(part) === resultText(other))
}

function recordRequest({ segment, focus, maxTokens }: SummaryRequestInput, tokens: Tokenizer): SummaryRequest {
  const system = said('system', summaryPrompt)
  const frame = countMessages([system, said('user', recordPrompt('', handleOf(''), focus))], tokens)
  const record = recordOf(segment.messages, Math.max(0, maxTokens - frame), tokens)
  // A text cannot well contain its own hash, so nothing in the record can pretend to be its end.
  const messages = [system, said('user', recordPrompt(record, handleOf(record), focus))]
  return { kind: 'record', messages, tokens: countMessages(messages, tokens) }
}

function said(role: 'system' | 'user', text: string): Message {
  return { id: `summary-request:${handleOf(`${role}\n${text}`)}`, role, parts: [{ type: 'text', text }] }
}

function quoteStart(message: Message | undefined): string | null {
  const line = message === undefined ? '' : oneLine(messageText(message), 120)
  return line === '' ? null : JSON.stringify(line)
}
