import { stat } from 'node:fs/promises'
import type { Message } from '@plimsoll/core'
import {
  costOfTurn,
  createFillSum,
  plainCounts,
  promptTotal,
  type SizedMessage,
  sizeMessage,
  sumCosts,
  usageTotal,
  type WindowFill,
} from '@plimsoll/core/bill'
import { type ReadLog, type ReadSession, skippedSentences } from '../logs/log-reader.ts'
import { calibrate, reportedTurns, type SentMismatch } from '../replay/bill/calibrate.ts'
import { type RecordedSession, type RecordedStep, recordSession } from '../replay/record-session.ts'
import { type CacheBreak, cacheBreak, type InspectedRequest, type Inspection } from '../shared/inspection/inspection.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { countedFill } from './inspect-branch.ts'
import { createInspectFacts, InspectError, type InspectSettings, troubleSentences } from './inspect-facts.ts'
import { messagePage, type OpenLogged } from './inspected-texts.ts'
import { createMessageColumns } from './message-columns.ts'
import { sampledEstimator } from './sampled-tokenizer.ts'

export interface InspectLogOptions extends InspectSettings {
  /** The name of the session in addresses. */
  readonly id: string
  readonly format: string
  readonly bytes: number | null
}

interface InspectedLog {
  readonly inspection: Omit<Inspection, 'troubles'>
  readonly sent: (request: string) => readonly Message[] | null
  readonly mismatch: SentMismatch | null
}

/**
 * A request for each answer, the log's own summaries as compactions, and the reported usage; no edits, because Plimsoll trimmed
 * nothing.
 */
export function inspectLog(read: ReadSession, options: InspectLogOptions): InspectedLog {
  const facts = createInspectFacts(options)
  const recorded = recordSession(read, { name: options.id, format: options.format, tokens: sampledEstimator })
  const sized = sizeAll(read.messages)
  const columns = createMessageColumns()
  for (const message of read.messages) columns.add(sized.get(message) as SizedMessage)
  const requests = inspectSteps(read, recorded, sized, facts)
  const model = requests.at(-1)?.model ?? read.model ?? null
  const shown = shownColumn(read, recorded, sized)
  const { dollars, unpriced } = sumCosts(requests.map(({ cost }) => cost))
  const times = read.messages.flatMap(({ at }) => at ?? [])
  return {
    inspection: {
      session: {
        id: options.id,
        title: read.title,
        format: options.format,
        isOwn: false,
        root: read.root ?? null,
        model,
        first: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
        last: times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other)),
        bytes: options.bytes,
        cost: { dollars, unpriced },
        pins: [],
      },
      messages: columns.table(shown),
      requests,
      edits: [],
      fill: requests.at(-1)?.fill ?? wholeFill(read, sized, facts.limitsOf(model)),
    },
    sent(request) {
      const step = recorded.steps[requests.findIndex(({ id }) => id === request)]
      return step === undefined ? null : sentIn(recorded, step)
    },
    mismatch: calibrate(reportedTurns(recorded, (message) => sized.get(message)?.tokens ?? 0)).sent?.mismatch ?? null,
  }
}

function sentIn({ segments }: RecordedSession, { segment, length }: RecordedStep): readonly Message[] {
  return (segments[segment] ?? []).slice(0, length)
}

function sizeAll(messages: readonly Message[]): ReadonlyMap<Message, SizedMessage> {
  const calls = new Map<string, string>()
  const count = plainCounts(sampledEstimator)
  const sized = new Map<Message, SizedMessage>()
  for (const message of messages) {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    const size = sizeMessage(message, (id) => calls.get(id), count)
    sized.set(message, size)
  }
  return sized
}

/** Within a segment a request has everything that the one before it had, so only newer messages are added. */
function inspectSteps(
  read: ReadSession,
  recorded: RecordedSession,
  sized: ReadonlyMap<Message, SizedMessage>,
  { limitsOf, priceOf }: ReturnType<typeof createInspectFacts>,
): readonly InspectedRequest[] {
  const places = new Map(read.messages.map(({ id }, place) => [id, place]))
  const models = new Map(read.usages.map(({ after, model }) => [after, model]))
  const requests: InspectedRequest[] = []
  let sum = createFillSum()
  let before: RecordedStep | undefined
  let hidden: number | null = null
  for (const step of recorded.steps) {
    const isCompacted = before !== undefined && before.segment !== step.segment
    if (isCompacted) sum = createFillSum()
    const messages = recorded.segments[step.segment] ?? []
    for (let at = isCompacted || before === undefined ? 0 : before.length; at < step.length; at += 1)
      sum.add(sized.get(messages[at] as Message) as SizedMessage)
    const model = models.get(step.answer.id) ?? read.model ?? null
    const limits = limitsOf(model)
    const usage = step.usage !== null && usageTotal(step.usage) > 0 ? step.usage : null
    // Logs do not hold the agent's prompt and tools: their size is what the first request had besides the messages.
    if (hidden === null && usage !== null) hidden = Math.max(0, promptTotal(usage) - sum.total())
    const fill = countedFill(sum.toFill(limits, { system: hidden ?? 0 }), usage, limits)
    const previous = requests.at(-1)
    requests.push({
      id: `r${requests.length}`,
      at: recorded.hasTimes ? step.at : null,
      model,
      fill,
      last: places.get(messages[step.length - 1]?.id ?? '') ?? -1,
      usage,
      cost: usage === null || model === null ? null : costOfTurn(usage, priceOf(model)),
      edits: 0,
      saved: 0,
      waiting: 0,
      isCompacted,
      broken:
        previous === undefined ? null : brokenAt(previous, { model, usage, at: step.at, fill }, isCompacted ? messages : null),
    })
    before = step
  }
  return requests

  function brokenAt(
    previous: InspectedRequest,
    now: Pick<InspectedRequest, 'model' | 'usage' | 'fill'> & { readonly at: number },
    compacted: readonly Message[] | null,
  ): CacheBreak | null {
    const summary = compacted?.find((message) => message.summary === true)
    return cacheBreak({
      before: { ...previous, prefix: '' },
      now: { ...now, at: recorded.hasTimes ? now.at : null, prefix: '' },
      change: compacted === null ? null : { message: places.get(summary?.id ?? '') ?? null, policy: null, reason: 'fold' },
      tokensFrom: () => Math.min(previous.fill.tokens, now.fill.tokens),
      readUpTo: null,
    })
  }
}

/** What the last request showed of each message; all of it if none was sent. */
function shownColumn(
  { messages }: ReadSession,
  recorded: RecordedSession,
  sized: ReadonlyMap<Message, SizedMessage>,
): readonly number[] {
  const last = recorded.steps.at(-1)
  const shown = new Set(last === undefined ? messages : sentIn(recorded, last))
  return messages.map((message) => (shown.has(message) ? (sized.get(message)?.tokens ?? 0) : 0))
}

function wholeFill(
  { messages }: ReadSession,
  sized: ReadonlyMap<Message, SizedMessage>,
  limits: Pick<WindowFill, 'window' | 'reserve'>,
): WindowFill {
  const sum = createFillSum()
  for (const message of messages) sum.add(sized.get(message) as SizedMessage)
  return sum.toFill(limits)
}

export interface LogToInspect {
  readonly path: string
  /** The number of the session in the file, from 0. */
  readonly number: number
  /** The name of the session in addresses. */
  readonly id: string
  readonly log: ReadLog
}

/** Opens a session out of another agent's log. Rejects with `InspectError` if the log has no such session. */
export async function openInspectedLog({ path, number, id, log }: LogToInspect, settings: InspectSettings): Promise<OpenLogged> {
  const session = log.sessions[number]
  if (session === undefined) throw new InspectError('no-such-session')
  const { inspection, sent, mismatch } = inspectLog(session, {
    ...settings,
    id,
    format: log.format,
    bytes: await sizeOfFile(path),
  })
  return {
    logged: { path, number },
    close: async () => undefined,
    texts: {
      inspection: async (locale = null) => ({
        ...inspection,
        troubles: troublesOf(log, { ...session, mismatch }, stringsFor(locale)),
      }),
      messages: async (from, to) => messagePage(inspection, from, to, (_, place) => session.messages[place] ?? null),
      async request(name) {
        const messages = sent(name)
        if (messages === null) throw new InspectError('no-such-request')
        const model = inspection.requests.find((one) => one.id === name)?.model ?? null
        // A log does not hold the bytes that were sent.
        return { id: name, model, messages, isProven: false }
      },
      async edit() {
        throw new InspectError('no-such-edit')
      },
      blob: async () => null,
    },
  }
}

export async function sizeOfFile(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.size ?? null
}

/** Sentences about what could not be read of a log, or was omitted. */
export function troublesOf(
  { skipped }: Pick<ReadLog, 'skipped'>,
  session: (Pick<ReadSession, 'abandoned' | 'sidechains'> & { readonly mismatch?: SentMismatch | null }) | null,
  { view }: Strings,
): readonly string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  return troubleSentences([
    ...[...byReason.values()].flatMap((entries) => skippedSentences(entries, view)),
    ...(session === null || session.abandoned + session.sidechains === 0
      ? []
      : [view.leftOut(session.abandoned, session.sidechains)]),
    ...(session?.mismatch == null ? [] : [mismatchText(session.mismatch, view)]),
  ])
}

function mismatchText({ kind, turns, reported, expected }: SentMismatch, view: Strings['view']): string {
  return kind === 'sent-too-much'
    ? view.sentTooMuch(turns, (expected / reported).toFixed(1))
    : view.sentTooLittle(turns, (reported / Math.max(1, expected)).toFixed(1))
}
