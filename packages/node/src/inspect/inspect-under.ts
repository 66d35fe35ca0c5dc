import type { Edit, Message, Tokenizer } from '@plimsoll/core'
import { sumCosts, type WindowFill } from '@plimsoll/core/bill'
import type { ReadSession } from '../logs/log-reader.ts'
import { priceDay } from '../model/price-of-model.ts'
import { sampledEstimator } from '../model/sampled-tokenizer.ts'
import { createO200kTokenizer } from '../model/tokens.ts'
import { type BothSides, createBothSides } from '../replay/bill/both-sides.ts'
import { createCacheBill } from '../replay/bill/cache-bill.ts'
import { priceOfRow } from '../replay/bill/price-rows.ts'
import { addedTokens, commonMessages, isKept } from '../replay/own-account.ts'
import { ownCaseOf, sessionPrice } from '../replay/own-case.ts'
import { sessionFor } from '../replay/policy-sets.ts'
import { recordSession } from '../replay/record-session.ts'
import { countedOnce } from '../replay/replay-job.ts'
import { type ReplayedStep, replaySteps, type StepBefore, termsOf } from '../replay/replay-steps.ts'
import { sum } from '../replay/statistics.ts'
import { createBlobStore } from '../session/blob-store.ts'
import { readSession, sessionPaths } from '../session/open-session.ts'
import type { InspectedRequest, InspectedUnder, Inspection } from '../shared/inspection/inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { createInspectFacts, InspectError, type InspectSettings } from './inspect-facts.ts'
import { type InspectLogOptions, inspectLog, type LogToInspect, logProblems, sizeOfFile } from './inspect-log.ts'
import { inspectSession } from './inspect-session.ts'
import { type EditSource, editTexts, messagePage, type OpenLogged } from './inspected-texts.ts'
import { recordedFill, shownFill } from './two-fills.ts'
import { createSizes, createUnderBreaks, createViewLoads, shownColumn } from './under-breaks.ts'
import { createUnderEdits } from './under-edits.ts'
import { underNamed } from './what-if-choices.ts'

export interface InspectedUnderPolicies {
  readonly inspection: Omit<Inspection, 'troubles'>
  readonly sent: (request: string) => readonly Message[] | null
  readonly edit: (id: string) => Edit | undefined
}

/**
 * Inspects a session as if a policy set had been active: its edits, the content, cost and cache breaks of each request. The agent
 * is assumed to act as recorded. Tokens and costs are those of `plimsoll replay`, in the same tokens and at the same prices as the
 * recorded side.
 */
export function inspectUnder(
  read: ReadSession,
  { set, row: named }: ReturnType<typeof underNamed>,
  options: InspectLogOptions & { readonly tokens: Tokenizer; readonly progress?: ((share: number) => void) | undefined },
): InspectedUnderPolicies {
  const { inspection } = inspectLog(read, options)
  const { priceOf } = createInspectFacts(options)
  const tokens = countedOnce(options.tokens)
  const session = sessionFor(recordSession(read, { name: options.id, format: options.format, tokens }), set)
  const numbers = new Map(read.messages.map(({ id }, number) => [id, number]))
  const edits = createUnderEdits((id) => numbers.get(id))
  const views = createViewHistory()
  const sized = createSizes(read.messages, sampledEstimator)
  const sizeOf = (message: Message) => sized(message).tokens
  const loads = { recorded: createViewLoads(sized), shown: createViewLoads(sized) }
  const fixed = named === null ? null : priceOfRow(named)
  const added = addedTokens(session, set, tokens)
  const day = priceDay(read.messages.at(-1)?.at ?? null)
  const row = named ?? ownCaseOf(options.format, read.model, { day, prices: options.config.prices }).row
  const sides = createBothSides(session, {
    sizeOf,
    added,
    usual: row,
    priceOf: ({ model, at }) => fixed ?? (model === null ? null : priceOf(model, session.hasTimes ? at : null)),
  })
  const bill = createCacheBill(row)
  const breaks = createUnderBreaks({ row, hasTimes: session.hasTimes, numbers, sizeOf })
  const requests: InspectedRequest[] = []
  const recordedSides: BothSides['recorded'][] = []
  let lastFill = inspection.fill
  let both: BothSides | null = null
  let before: ReplayedStep | null = null
  const usageOf = (replayed: ReplayedStep, last: StepBefore | null) => {
    const { step, originals, shown } = replayed
    const common = commonMessages(replayed, last)
    both = sides({ step, originals, view: shown.view, common, isKeptAlive: isKept(set, replayed) })
    return both.shown.usage
  }
  // Needs matter only to sets that work with hindsight, and those make no edits.
  for (const replayed of replaySteps({ session, needs: [], set, terms: termsOf(row), tokens, usageOf }, [bill])) {
    const recorded = inspection.requests[requests.length] as InspectedRequest
    const { originals, shown } = replayed
    const { scale, hidden, readMessages, ...side } = both as unknown as BothSides
    const taken = edits.take(shown, { number: requests.length, at: recorded.at, messages: originals })
    loads.recorded.show(originals)
    loads.shown.show(shown.view)
    const counted = {
      recorded: loads.recorded.toFill(recorded.fill, { system: hidden }),
      shown: loads.shown.toFill(recorded.fill, { system: hidden, tools: added }),
    }
    lastFill = recordedFill(counted.recorded, scale, recorded.fill.source === 'usage')
    recordedSides.push(side.recorded)
    views.add(shown.view)
    const previous = requests.at(-1)
    const { usage, cost } = side.shown
    requests.push({
      ...recorded,
      fill: shownFill(lastFill, counted, scale),
      usage,
      cost,
      edits: taken.edits,
      saved: taken.saved,
      waiting: sum(shown.pending, ({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter),
      broken:
        before === null || previous === undefined
          ? null
          : breaks({ replayed, before, usage, previous, taken, scale, readMessages }),
    })
    before = replayed
    options.progress?.(requests.length / session.steps.length)
  }
  const shownCost = sumCosts(requests.map(({ cost }) => cost))
  const recordedCost = sumCosts(recordedSides.map(({ cost }) => cost))
  const { keepAlive, promptTokens } = bill.sums()
  const keptAlive = (keepAlive * sum(requests, ({ fill }) => fill.tokens)) / Math.max(1, promptTokens)
  return {
    inspection: {
      ...inspection,
      session: {
        ...inspection.session,
        cost: { dollars: shownCost.dollars + keptAlive, unpriced: shownCost.unpriced },
        under: { policies: set.name, price: named?.name ?? sessionPrice },
      },
      messages: {
        ...inspection.messages,
        tokens: read.messages.map(sizeOf),
        shown: shownColumn(read.messages, before === null ? read.messages : before.shown.view, sizeOf),
      },
      requests,
      edits: edits.list(),
      fill: requests.at(-1)?.fill ?? inspection.fill,
      recorded: {
        cost: { dollars: recordedCost.dollars, unpriced: recordedCost.unpriced },
        fill: lastFill,
        usages: recordedSides.map(({ usage }) => usage),
        costs: recordedSides.map(({ cost }) => cost),
      },
    },
    sent: (request) => views.at(requests.findIndex(({ id }) => id === request)),
    edit: edits.edit,
  }
}

/**
 * The simulation of one of Plimsoll's own sessions next to what was sent: its requests were trimmed already, and unlike other logs it
 * has the prompt and the tool definitions, which no policy changes.
 */
function besideOwn<Simulated extends Omit<Inspection, 'troubles'>>(simulated: Simulated, own: Inspection): Simulated {
  const { recorded, requests } = simulated
  if (recorded === undefined || own.requests.length !== requests.length) return simulated
  const withPrompt = (fill: WindowFill, { categories: { system = 0, rules = 0, tools = 0 } }: WindowFill): WindowFill => {
    const { system: _system, rules: _rules, tools: _tools, ...rest } = fill.categories
    const categories = { ...(system > 0 && { system }), ...(rules > 0 && { rules }), ...(tools > 0 && { tools }), ...rest }
    return { ...fill, categories, tokens: sum(Object.values(categories), (amount) => amount) }
  }
  return {
    ...simulated,
    requests: requests.map((request, index) => ({
      ...request,
      fill: withPrompt(request.fill, (own.requests[index] as InspectedRequest).fill),
    })),
    fill: withPrompt(simulated.fill, own.fill),
    recorded: { ...recorded, fill: own.fill },
  }
}

interface UnderToInspect extends LogToInspect {
  readonly under: InspectedUnder
  /** The folder of Plimsoll's sessions, if it is one of them. */
  readonly sessions?: string
  /** Called often, with the share that is done. */
  readonly progress?: ((share: number) => void) | undefined
}

/** Rejects with `WhatIfError` for unknown names, and with `InspectError` if there is no such session or it cannot be replayed. */
export async function openInspectedUnder(target: UnderToInspect, settings: InspectSettings): Promise<OpenLogged> {
  const { log, path, number, id, sessions, progress } = target
  const policies = underNamed(target.under)
  const read = log.sessions[number]
  if (read === undefined) throw new InspectError('no-such-session')
  const bytes = await sizeOfFile(path)
  const tokens = await createO200kTokenizer()
  const { inspection, sent, edit } = replayOrRefuse(() =>
    inspectUnder(read, policies, { ...settings, id, format: log.format, bytes, tokens, progress }),
  )
  const recorded = new Map(read.messages.map((message) => [message.id, message]))
  const stored = sessions === undefined ? null : await readSession(sessions, id)
  const session = { ...inspection.session, isOwn: stored !== null }
  const own = stored === null ? null : inspectSession(stored, { ...settings, bytes: bytes ?? 0 })
  const shown = own === null ? inspection : besideOwn(inspection, own)
  const messageNamed = (name: string): Message | null => {
    const entry = stored?.entry(name)
    return (entry?.type === 'message' ? entry.message : recorded.get(name)) ?? null
  }

  return {
    logged: { path, number },
    close: async () => stored?.close(),
    texts: {
      inspection: async (locale = null) => ({
        ...shown,
        session,
        ...logProblems(log, read, stringsFor(locale)),
      }),
      messages: async (from, to) => messagePage({ ...inspection, session }, from, to, messageNamed),
      async request(name) {
        const view = sent(name)
        if (view === null) throw new InspectError('no-such-request')
        const model = inspection.requests.find((one) => one.id === name)?.model ?? null
        const messages = view.map(
          (message) => (recorded.get(message.id) === message ? messageNamed(message.id) : null) ?? message,
        )
        return { id: name, model, messages, isProven: false }
      },
      async edit(name, locale = null) {
        const made = edit(name)
        const row = inspection.edits.find((one) => one.id === name)
        if (made === undefined || row === undefined) throw new InspectError('no-such-edit')
        const folded = function* () {
          for (const message of read.messages.slice(row.number, row.lastNumber + 1)) yield messageNamed(message.id) ?? message
        }
        return editTexts(made, { session: stored ?? nothingElsewhere, message: messageNamed, folded }, stringsFor(locale))
      },
      async blob(sha256) {
        if (sessions === undefined) return null
        const found = createBlobStore(sessionPaths(sessions, id).blobs).read(sha256)
        return 'bytes' in found ? found.bytes : null
      },
    },
  }
}

/** Logs of other agents contain all of their text. */
const nothingElsewhere: EditSource['session'] = { whole: (part) => ({ part }), large: () => null }

/** If a policy fails on a session, that is not a bug in the server. */
function replayOrRefuse<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new InspectError('cannot-replay', null, { cause: error })
  }
}

/** The views of many requests, each stored as its difference from the one before it. Messages are compared by identity. */
export function createViewHistory() {
  const views: { readonly kept: number; readonly added: readonly Message[] }[] = []
  let last: readonly Message[] = []
  return {
    add(view: readonly Message[]): void {
      let kept = 0
      while (kept < view.length && kept < last.length && view[kept] === last[kept]) kept += 1
      views.push({ kept, added: view.slice(kept) })
      last = view
    },
    /** The view of a request, by its place from 0; null if there is none. */
    at(request: number): readonly Message[] | null {
      if (views[request] === undefined) return null
      const pieces: (readonly Message[])[] = []
      // Backwards, because later views replace the end of earlier ones.
      let length = Number.POSITIVE_INFINITY
      for (let index = request; index >= 0 && length > 0; index -= 1) {
        const { kept, added } = views[index] as (typeof views)[number]
        if (kept >= length) continue
        pieces.push(added.slice(0, length - kept))
        length = kept
      }
      return pieces.reverse().flat()
    },
  }
}
