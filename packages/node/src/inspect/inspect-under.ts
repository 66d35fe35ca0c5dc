import type { Edit, Message, Tokenizer } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { ReadSession } from '../logs/log-reader.ts'
import { costOfUse, createCacheBill } from '../replay/cache-bill.ts'
import { countedOnce } from '../replay/counted-once.ts'
import { overheadOf, overheadTokens } from '../replay/overhead.ts'
import { recordSession } from '../replay/record-session.ts'
import { type ReplayedStep, replaySteps, termsOf, usageOf } from '../replay/replay-steps.ts'
import type { InspectedRequest, Inspection } from '../shared/inspection/inspection.ts'
import { type InspectLogOptions, inspectLog } from './inspect-log.ts'
import { createUnderBreaks } from './under-breaks.ts'
import type { UnderPolicies } from './under-choices.ts'
import { createUnderEdits } from './under-edits.ts'
import { createViewHistory } from './view-history.ts'
import { createViewLoads } from './view-loads.ts'

/** A session as a policy set would have shown it. */
export interface InspectedUnderPolicies {
  /** What could not be read of the file is not in it. */
  readonly inspection: Omit<Inspection, 'troubles'>
  /** What a request would have shown the model, by its id. */
  readonly sent: (request: string) => readonly Message[] | null
  readonly edit: (id: string) => Edit | undefined
}

/**
 * Everything that the inspector shows of a session as if a policy set had been in force: its edits, what each request would have been
 * filled with, what it would have cost at a price row and what would have broken the cache. The agent is assumed to act as recorded.
 * The figures are those of `plimsoll replay`.
 */
export function inspectUnder(
  read: ReadSession,
  { set, row }: UnderPolicies,
  options: InspectLogOptions & { readonly tokens: Tokenizer },
): InspectedUnderPolicies {
  const { inspection } = inspectLog(read, options)
  const tokens = countedOnce(options.tokens)
  const session = recordSession(read, { name: options.id, format: options.format, tokens })
  const numbers = new Map(read.messages.map(({ id }, number) => [id, number]))
  const edits = createUnderEdits((id) => numbers.get(id))
  const views = createViewHistory()
  const bill = createCacheBill(row)
  const loads = createViewLoads(read.messages, tokens, {
    system: overheadTokens,
    tools: overheadOf(set, tokens) - overheadTokens,
  })
  const breaks = createUnderBreaks({ row, hasTimes: session.hasTimes, numbers, sizeOf: (message) => loads.sized(message).tokens })
  const requests: InspectedRequest[] = []
  let before: ReplayedStep | null = null
  // Only what is made with hindsight goes by what was needed later, and makes no edits.
  for (const replayed of replaySteps({ session, needs: [], set, terms: termsOf(row), tokens }, [bill])) {
    const recorded = inspection.requests[requests.length] as InspectedRequest
    const { step, originals, shown, uses } = replayed
    const taken = edits.take(shown, {
      number: requests.length,
      at: recorded.at,
      has: createPresence(originals),
    })
    loads.show(shown.view)
    views.add(shown.view)
    const [use = { read: 0, write: 0, fresh: 0 }] = uses
    const usage = usageOf(use, step)
    const { read: cacheRead, write: cacheWrite, fresh: input, output } = costOfUse(row, use, step.output)
    const fill = loads.toFill(recorded.fill)
    const now: Omit<InspectedRequest, 'broken'> = {
      ...recorded,
      fill,
      usage,
      cost: { dollars: cacheRead + cacheWrite + input + output, parts: { cacheRead, cacheWrite, input, output } },
      edits: taken.edits,
      saved: taken.saved,
      waiting: waitingTokens(shown.waits),
    }
    const previous = requests.at(-1)
    const broken = before === null || previous === undefined ? null : breaks({ replayed, before, usage, previous, taken })
    requests.push({ ...now, broken })
    before = replayed
  }
  const { read: paidRead, write, fresh, output, keepAlive } = bill.sums()
  return {
    inspection: {
      ...inspection,
      session: {
        ...inspection.session,
        cost: { dollars: paidRead + write + fresh + output + keepAlive, unpriced: 0 },
        under: { policies: set.name, price: row.name },
      },
      messages: {
        ...inspection.messages,
        tokens: read.messages.map((message) => loads.sized(message).tokens),
        shown: loads.column(before === null ? read.messages : before.shown.view),
      },
      requests,
      edits: edits.list(),
      fill: requests.at(-1)?.fill ?? inspection.fill,
    },
    sent: (request) => views.at(requests.findIndex(({ id }) => id === request)),
    edit: edits.edit,
  }
}

function waitingTokens(waits: readonly ReportedEdit[]): number {
  return waits.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0)
}

function createPresence(messages: readonly Message[]): (id: string) => boolean {
  let ids: ReadonlySet<string> | null = null
  return (id) => {
    ids ??= new Set(messages.map((message) => message.id))
    return ids.has(id)
  }
}
