import type { Message, Tokenizer } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { countMessage } from '@plimsoll/core/text'
import { contextAfter, type ReadSession } from '../logs/log-reader.ts'

/** A conversation that took place, as the requests it was made of. */
export interface RecordedSession {
  /** The file it comes from and, where that holds several, its number. */
  readonly name: string
  /** The reader that read it. */
  readonly format: string
  /** The model that answered most. */
  readonly model: string | null
  readonly root?: string
  /** The conversation between compactions: each begins with what was left of the one before. */
  readonly segments: readonly (readonly Message[])[]
  readonly steps: readonly RecordedStep[]
  /** Whether the log says when things happened. */
  readonly hasTimes: boolean
}

/** One request that was sent, and the answer to it. */
export interface RecordedStep {
  /** The segment it belongs to, and how many of its messages were sent. */
  readonly segment: number
  readonly length: number
  /** The answer, which stands right behind them in the segment; its first message where the log has it in several. */
  readonly answer: Message
  /** When it was sent, in milliseconds; where the log has no times, all of them are sent at once. */
  readonly at: number
  /** Whether a person was waited for before it. */
  readonly afterPerson: boolean
  /** What the provider reported, where the log has it. */
  readonly usage: Usage | null
  /** Tokens of the answer: as reported where that can be, else counted. */
  readonly output: number
}

/** What the log does not say of a session. */
export interface RecordOptions {
  readonly name: string
  readonly format: string
  readonly tokens: Tokenizer
}

/** Makes requests of a conversation that was read: one for each answer, of everything that stood before it since the last compaction. */
export function recordSession(read: ReadSession, { name, format, tokens }: RecordOptions): RecordedSession {
  const segments = segmentsOf(read)
  const usages = new Map(read.usages.map((reported) => [reported.after, reported.usage]))
  const hasTimes = read.messages.some(({ at }) => at !== undefined)
  const steps: RecordedStep[] = []
  let clock = 0
  for (const [segment, messages] of segments.entries()) {
    // Kept messages were answered before the compaction.
    const earlier = new Set(segment === 0 ? [] : segments[segment - 1])
    const first = messages.findLastIndex((message) => earlier.has(message)) + 1
    for (let length = Math.max(1, first); length < messages.length; length += 1) {
      const answer = messages[length] as Message
      const last = messages[length - 1] as Message
      if (answer.role !== 'assistant' || (last.role === 'assistant' && !usages.has(answer.id))) continue
      const end = endOfAnswer(messages, length, usages)
      const reported = messages.slice(length, end).findLast(({ id }) => usages.has(id))
      const usage = reported === undefined ? null : (usages.get(reported.id) ?? null)
      const output = outputOf(messages.slice(length, end), usage, tokens)
      // A clock that was set back says nothing about how long anybody waited.
      clock = Math.max(clock, last.at ?? answer.at ?? 0)
      steps.push({ segment, length, answer, at: clock, afterPerson: last.role === 'user', usage, output })
      length = end - 1
    }
  }
  return {
    name,
    format,
    model: read.model ?? null,
    ...(read.root === undefined ? {} : { root: read.root }),
    segments,
    steps,
    hasTimes,
  }
}

/** A compaction leaves the opening system messages, its summary and the messages it kept. */
function segmentsOf(session: ReadSession): readonly (readonly Message[])[] {
  const { messages } = session
  const opening = messages.slice(
    0,
    messages.findIndex(({ role, summary }) => role !== 'system' || summary === true),
  )
  const isOpening = new Set(opening)
  const segments: Message[][] = [[]]
  for (const [index, message] of messages.entries()) {
    const current = segments.at(-1) as Message[]
    if (message.summary !== true || index === 0) {
      current.push(message)
      continue
    }
    segments.push([...opening, ...contextAfter(session, message, current).filter((one) => !isOpening.has(one))])
  }
  return segments.filter(({ length }) => length > 0)
}

/**
 * Where an answer ends: some logs keep what was thought, said and called in messages of their own. Where the provider reported on two
 * of them in a row, they were two requests.
 */
function endOfAnswer(messages: readonly Message[], from: number, usages: ReadonlyMap<string, Usage>): number {
  let end = from + 1
  let isReported = usages.has(messages[from]?.id ?? '')
  for (let next = messages[end]; next?.role === 'assistant'; next = messages[end]) {
    const isNext = usages.has(next.id)
    if (isReported && isNext) break
    isReported ||= isNext
    end += 1
  }
  return end
}

/** No answer is longer; some logs hold only what was counted when the answer began. */
const longestAnswer = 200_000

function outputOf(answer: readonly Message[], usage: Usage | null, tokens: Tokenizer): number {
  const counted = answer.reduce((sum, message) => sum + countMessage(message, tokens), 0)
  return usage === null || usage.output > longestAnswer ? counted : Math.max(usage.output, counted)
}
