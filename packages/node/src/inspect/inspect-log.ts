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
  type WindowLimits,
} from '@plimsoll/core/bill'
import { type ReadLog, type ReadSession, skippedSentences } from '../logs/log-reader.ts'
import { sampledEstimator } from '../model/sampled-tokenizer.ts'
import { chargedPrice, createPromptScale } from '../replay/bill/both-sides.ts'
import { calibrate, reportedTurns, type SentMismatch } from '../replay/bill/calibrate.ts'
import { type RecordedSession, type RecordedStep, recordSession } from '../replay/record-session.ts'
import { cacheBreak, type InspectedRequest, type Inspection } from '../shared/inspection/inspection.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { createInspectFacts, InspectError, type InspectSettings, problemSentences } from './inspect-facts.ts'
import { messagePage, type OpenLogged } from './inspected-texts.ts'
import { createMessageColumns } from './message-columns.ts'
import { sessionFindings } from './session-findings.ts'
import { recordedFill } from './two-fills.ts'

export interface InspectLogOptions extends InspectSettings {
  /** The name of the session in URLs. */
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
 * Makes a request for each answer, and takes the log's own summaries as compactions. There are no edits, because Plimsoll trimmed
 * nothing.
 */
export function inspectLog(read: ReadSession, options: InspectLogOptions): InspectedLog {
  const known = createInspectFacts(options)
  const facts = options.isWindowSet ? known : { ...known, limitsOf: answeredLimits(read, known.limitsOf) }
  const recorded = recordSession(read, { name: options.id, format: options.format, tokens: sampledEstimator })
  const sizeOf = sizeAll(read.messages)
  const columns = createMessageColumns()
  for (const message of read.messages) columns.add(sizeOf(message))
  const places = new Map(read.messages.map(({ id }, place) => [id, place]))
  const requests = inspectSteps(read, recorded, sizeOf, facts)
  const all = createFillSum()
  if (requests.length === 0) for (const message of read.messages) all.add(sizeOf(message))
  const model = requests.at(-1)?.model ?? read.model ?? null
  const last = recorded.steps.at(-1)
  const shown = new Set(last === undefined ? read.messages : sentIn(recorded, last))
  const { dollars, unpriced } = sumCosts(requests.map(({ cost }) => cost))
  const unreported = requests.filter(({ usage }) => usage === null).length
  const elsewhere = (read.otherUsages ?? []).reduce((sum, { usage, model: own, at, cost }) => {
    const named = own ?? read.model
    return sum + (cost ?? costOfTurn(usage, named === undefined ? null : facts.priceOf(named, at))?.dollars ?? 0)
  }, 0)
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
        cost: { dollars, unpriced, ...(unreported === 0 ? {} : { unreported }), ...(elsewhere === 0 ? {} : { elsewhere }) },
        pins: [],
      },
      messages: columns.table(read.messages.map((message) => (shown.has(message) ? sizeOf(message).tokens : 0))),
      requests,
      edits: [],
      fill: requests.at(-1)?.fill ?? all.toFill(facts.limitsOf(model)),
      findings: sessionFindings(read, { prices: options.config.prices, requests, numberOf: (id) => places.get(id) ?? null }),
    },
    sent(request) {
      const step = recorded.steps[requests.findIndex(({ id }) => id === request)]
      return step === undefined ? null : sentIn(recorded, step)
    },
    mismatch: calibrate(reportedTurns(recorded, (message) => sizeOf(message).tokens)).sent?.mismatch ?? null,
  }
}

/** A window is at least as large as the prompts that the provider answered: some models have a larger one on request. */
function answeredLimits({ usages }: ReadSession, limitsOf: (model: string | null) => WindowLimits): typeof limitsOf {
  const largest = new Map<string | null, number>()
  for (const { model, usage } of usages) largest.set(model, Math.max(largest.get(model) ?? 0, promptTotal(usage)))
  return (model) => {
    const limits = limitsOf(model)
    const answered = largest.get(model) ?? 0
    return answered <= limits.window ? limits : { ...limits, window: Math.max(1_000_000, answered) }
  }
}

function sentIn({ segments }: RecordedSession, { segment, length }: RecordedStep): readonly Message[] {
  return (segments[segment] ?? []).slice(0, length)
}

function sizeAll(messages: readonly Message[]): (message: Message) => SizedMessage {
  const calls = new Map<string, string>()
  const count = plainCounts(sampledEstimator)
  const sized = new Map<Message, SizedMessage>()
  for (const message of messages) {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    const size = sizeMessage(message, (id) => calls.get(id), count)
    sized.set(message, size)
  }
  return (message) => sized.get(message) as SizedMessage
}

/** Within a segment a request has everything that the one before it had, so only newer messages are added. */
function inspectSteps(
  read: ReadSession,
  recorded: RecordedSession,
  sizeOf: (message: Message) => SizedMessage,
  { limitsOf, priceOf }: ReturnType<typeof createInspectFacts>,
): readonly InspectedRequest[] {
  const places = new Map(read.messages.map(({ id }, place) => [id, place]))
  const requests: InspectedRequest[] = []
  let sum = createFillSum()
  let before: RecordedStep | undefined
  const scaleOf = createPromptScale(recorded.format)
  for (const step of recorded.steps) {
    const isCompacted = before !== undefined && before.segment !== step.segment
    if (isCompacted) sum = createFillSum()
    const messages = recorded.segments[step.segment] ?? []
    for (let at = isCompacted || before === undefined ? 0 : before.length; at < step.length; at += 1)
      sum.add(sizeOf(messages[at] as Message))
    const { model } = step
    const limits = limitsOf(model)
    const usage = step.usage !== null && usageTotal(step.usage) > 0 ? step.usage : null
    const { hidden, scale, isMeant } = scaleOf(sum.total(), usage)
    const fill = recordedFill(sum.toFill(limits, { system: hidden }), scale, isMeant && usage !== null)
    const at = recorded.hasTimes ? step.at : null
    const placeOf = (message: Message | undefined) => places.get(message?.id ?? '') ?? null
    const summary = isCompacted ? placeOf(messages.find((message) => message.summary === true)) : null
    const previous = requests.at(-1)
    requests.push({
      id: `r${requests.length}`,
      at,
      model,
      fill,
      last: placeOf(messages[step.length - 1]) ?? -1,
      usage,
      cost:
        usage === null ? null : costOfTurn(usage, chargedPrice(model === null ? null : priceOf(model, at), usage, step.charged)),
      edits: 0,
      saved: 0,
      waiting: 0,
      isCompacted,
      broken:
        previous === undefined
          ? null
          : cacheBreak({
              before: { ...previous, prefix: '' },
              now: { model, usage, at, prefix: '' },
              change: isCompacted ? { message: summary, policy: null, reason: 'fold' } : null,
              tokensFrom: () => Math.min(previous.fill.tokens, fill.tokens),
              readUpTo: null,
            }),
    })
    before = step
  }
  return requests
}

export interface LogToInspect {
  readonly path: string
  /** The number of the session in the file, from 0. */
  readonly number: number
  /** The name of the session in URLs. */
  readonly id: string
  readonly log: ReadLog
}

/** Opens a session in another agent's log. Rejects with `InspectError` if the log has no such session. */
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
        ...logProblems(log, { ...session, mismatch }, stringsFor(locale)),
      }),
      messages: async (from, to) => messagePage(inspection, from, to, (_, place) => session.messages[place] ?? null),
      async request(name) {
        const messages = sent(name)
        if (messages === null) throw new InspectError('no-such-request')
        const model = inspection.requests.find((one) => one.id === name)?.model ?? null
        // A log does not have the bytes that were sent.
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

/** Sentences about problems of a log, and a note about messages that are on other branches or of sub-agents. */
export function logProblems(
  { skipped }: Pick<ReadLog, 'skipped'>,
  session: (Pick<ReadSession, 'abandoned' | 'sidechains'> & { readonly mismatch?: SentMismatch | null }) | null,
  { view }: Strings,
): Pick<Inspection, 'troubles' | 'note'> {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  const troubles = problemSentences([
    ...[...byReason.values()].flatMap((entries) => skippedSentences(entries, view)),
    ...(session?.mismatch == null ? [] : [mismatchText(session.mismatch, view)]),
  ])
  const { abandoned = 0, sidechains = 0 } = session ?? {}
  return { troubles, ...(abandoned + sidechains === 0 ? {} : { note: view.leftOut(abandoned, sidechains) }) }
}

function mismatchText({ kind, turns, reported, expected }: SentMismatch, view: Strings['view']): string {
  return kind === 'sent-too-much'
    ? view.sentTooMuch(turns, (expected / reported).toFixed(1))
    : view.sentTooLittle(turns, (reported / Math.max(1, expected)).toFixed(1))
}
