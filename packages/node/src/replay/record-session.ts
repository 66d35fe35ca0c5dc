import type { Message, Part, Tokenizer } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { isThought } from '@plimsoll/core/policies'
import { countMessage } from '@plimsoll/core/text'
import { contextAfter, type ReadSession } from '../logs/log-reader.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import { sum } from './statistics.ts'

export interface RecordedSession {
  /** The file and, if it has several sessions, the number. */
  readonly name: string
  readonly format: string
  /** The model with the most answers. */
  readonly model: string | null
  readonly root?: string
  /** The conversation between compactions: each starts with the rest of the one before. */
  readonly segments: readonly (readonly Message[])[]
  readonly steps: readonly RecordedStep[]
  readonly hasTimes: boolean
}

export interface RecordedStep {
  /** The segment it belongs to, and how many of its messages were sent. */
  readonly segment: number
  readonly length: number
  /** The answer, which comes right after them in the segment; its first message if the log has several. */
  readonly answer: Message
  /** Milliseconds; 0 if the log has no times. */
  readonly at: number
  readonly usage: Usage | null
  /** The model that answered, if the log names it. */
  readonly model: string | null
  /** Dollars that it cost, if the log says so. */
  readonly charged?: number
  /** The tokens of the answer: reported if plausible, else counted. */
  readonly output: number
}

/** Makes requests of a conversation: one for each answer, with everything before it since the last compaction. */
export function recordSession(
  read: ReadSession,
  { name, format, tokens }: Pick<RecordedSession, 'name' | 'format'> & { readonly tokens: Tokenizer },
): RecordedSession {
  const segments = segmentsOf(read)
  const usages = new Map(read.usages.map((reported) => [reported.after, reported.usage]))
  const reports = new Map(read.usages.map((reported) => [reported.after, reported]))
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
      // A clock that was set back does not show a pause.
      clock = Math.max(clock, last.at ?? answer.at ?? 0)
      const { model, cost: charged } = reports.get(reported?.id ?? answer.id) ?? {}
      const told = { model: model ?? read.model ?? null, ...(charged === undefined ? {} : { charged }) }
      steps.push({ segment, length, answer, at: clock, usage, ...told, output })
      length = end - 1
    }
  }
  const root = read.root === undefined ? {} : { root: read.root }
  return { name, format, model: read.model ?? null, ...root, segments, steps, hasTimes }
}

/** The same session with a model that thinks before every answer and shows none of it: hidden thoughts, of no size. */
export function withThoughts(session: RecordedSession): RecordedSession {
  return {
    ...session,
    segments: session.segments.map((messages) => messages.map(thinking)),
    steps: session.steps.map((step) => ({ ...step, answer: thinking(step.answer) })),
  }
}

const hiddenThought: Part = { type: 'reasoning', text: '', providerOptions: { anthropic: { signature: 'hidden' } } }

// Messages never change.
const thoughtful = new WeakMap<Message, Message>()

function thinking(message: Message): Message {
  if (message.role !== 'assistant' || message.parts.some(isThought)) return message
  return getOrMake(thoughtful, message, () => ({ ...message, parts: [...message.parts, hiddenThought] }))
}

/** A compaction leaves the opening system messages, its summary and the messages it kept. */
function segmentsOf(session: ReadSession): readonly (readonly Message[])[] {
  const { messages } = session
  const start = messages.findIndex(({ role, summary }) => role !== 'system' || summary === true)
  const opening = messages.slice(0, start)
  const isOpening = new Set(opening)
  const segments: Message[][] = [[]]
  for (const [index, message] of messages.entries()) {
    const current = segments.at(-1) as Message[]
    if (message.summary !== true || index === 0) current.push(message)
    else segments.push([...opening, ...contextAfter(session, message, current).filter((one) => !isOpening.has(one))])
  }
  return segments.filter(({ length }) => length > 0)
}

/** Some logs write an answer in several messages. If the provider reported on two of them in a row, they were two requests. */
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

/** Larger reports are wrong. Smaller ones may be too: some logs hold the count from when the answer started. */
const maxAnswer = 200_000

function outputOf(answer: readonly Message[], usage: Usage | null, tokens: Tokenizer): number {
  const counted = sum(answer, (message) => countMessage(message, tokens))
  return usage === null || usage.output > maxAnswer ? counted : Math.max(usage.output, counted)
}
