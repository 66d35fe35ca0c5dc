import { type GatewayStore, tenantOf } from '../../store/gateway-store.ts'
import { createCounterfactuals } from '../measure/counterfactuals.ts'
import { createKeptModels } from '../measure/kept-models.ts'
import {
  emptyPlan,
  type Measured,
  type Planner,
  type PlannerSettings,
  type RelayedRequest,
  type RequestOutcome,
} from '../planner.ts'
import { type DecideContext, decideRequest, isLate } from './decide-request.ts'
import { createModelBook, type DecidedRequest, type UndecidedRequest } from './decided-request.ts'
import { createClearedMemory } from './decisions.ts'
import { createKnownMessages, createRecentBranches } from './known-messages.ts'
import { createBodyReader } from './read-body.ts'
import { createRecallFiles } from './recall-files.ts'
import { storeUnavailable } from './recognise-request.ts'
import { createRecordBatch } from './record-batch.ts'
import { overflowOf, readAnswer, settleRequest } from './settle-request.ts'

/** What a planner is made of. */
export interface PlannerOptions {
  /** Stays open when the planner is closed. */
  readonly store: GatewayStore
  readonly settings: PlannerSettings
  /** Milliseconds. */
  readonly now: () => number
}

/** A planner that says when it has done all that it was told so far. */
export interface QueuedPlanner extends Planner {
  /** Resolves when all of it has been dealt with; some of it may still have to be written down. */
  readonly caughtUp: () => Promise<void>
  /** Resolves when all of it has been written down. */
  readonly rest: () => Promise<void>
}

/** A planner that works in the thread of its caller. */
export function createPlanner({ store, settings, now }: PlannerOptions): QueuedPlanner {
  const listeners: ((measured: Measured) => void)[] = []
  const learned = createKeptModels(store)
  const counterfactuals = createCounterfactuals({ learned })
  const context: DecideContext = {
    store,
    settings,
    reader: createBodyReader(),
    recent: createRecentBranches(),
    known: createKnownMessages({ now }),
    models: createModelBook(settings, new Date(now()).toISOString().slice(0, 10)),
    files: settings.recall === 'handle' ? null : createRecallFiles(settings.recall.file, now),
    cleared: createClearedMemory(),
    tenantOf: createTenants(store),
    now,
  }
  /** Requests whose outcome is not known yet. */
  const open = new Map<string, OpenRequest>()
  const queue = createQueue()
  const batch = createRecordBatch(store, { onDue: () => void rest() })

  function begin(request: RelayedRequest, deciding: Promise<DecidedRequest | UndecidedRequest>): void {
    if (request.kind === 'count') return
    const opened: OpenRequest = { deciding, decided: null }
    open.set(request.id, opened)
    void deciding.then((decided) => {
      opened.decided = decided
    })
    if (open.size <= mostOpen) return
    for (const oldest of open.keys()) {
      open.delete(oldest)
      return
    }
  }

  function tell(measured: Measured): void {
    for (const listener of listeners) {
      try {
        listener(measured)
      } catch {
        // Whoever listens badly keeps nobody else from being told.
      }
    }
  }

  /** At once where it can be: the next request of the conversation may follow right behind. */
  function settle(outcome: RequestOutcome): void {
    const opened = open.get(outcome.id)
    if (opened === undefined) return
    open.delete(outcome.id)
    const { deciding, decided } = opened
    if (decided !== null) settleDecided(decided, outcome)
    // Whatever goes wrong with what was learned, nobody waits for it.
    else queue.add(async () => settleDecided(await deciding, outcome)).catch(() => undefined)
  }

  function settleDecided(decided: DecidedRequest | UndecidedRequest, outcome: RequestOutcome): void {
    if (!('understood' in decided)) return tell(measuredWithout(decided, outcome))
    const { stored, measured } = settleRequest(decided, outcome, { keepText: settings.keepText, counterfactuals })
    if (measured.usage !== null) learned.note()
    const { tenant, understood, place } = decided
    // Before it is written down: the next request of the conversation may come sooner.
    if (stored.branch !== null) context.recent.note(tenant, stored.branch)
    else context.recent.noteTried(tenant, understood.chains.at(-1) ?? '', place.conversation)
    batch.add({ tenant, record: stored }, (isWritten) =>
      tell(isWritten ? measured : { ...measured, findings: [...measured.findings, storeUnavailable] }),
    )
  }

  /** When all that was told before has been dealt with. */
  const rest = (when: 'due' | 'end' = 'due') =>
    queue.add(async () => {
      await batch.flush()
      await learned.keep(when)
    })

  return {
    async plan(request) {
      // Who has more to do than it can does not do what nobody waits for.
      const deciding = isLate(request, now()) ? Promise.resolve(tooLate(request)) : decideSafely(request, context)
      begin(request, deciding)
      const decided = await deciding
      if (!('understood' in decided)) return { ...emptyPlan, findings: decided.findings }
      const { plan } = decided
      if (request.isMeasured !== false || plan.rules.length > 0 || plan.appliedEdits !== null) return plan
      open.delete(request.id)
      return { ...plan, isForgotten: true }
    },
    observe(request) {
      if (request.kind === 'count') return
      if (queue.size() >= mostWaiting) return begin(request, Promise.resolve(tooLate(request)))
      begin(
        request,
        queue.add(() => decideSafely({ ...request, mode: 'observe' }, context)),
      )
    },
    answered(outcome) {
      try {
        settle(outcome)
      } catch {
        // As little as for those that are settled later.
      }
    },
    onMeasured: (listener) => void listeners.push(listener),
    check: () => store.check(),
    caughtUp: () => queue.add(async () => undefined),
    rest,
    close: () => rest('end'),
  }
}

/** A request whose outcome is not known yet. */
interface OpenRequest {
  readonly deciding: Promise<DecidedRequest | UndecidedRequest>
  /** Null while it is being decided about. */
  decided: DecidedRequest | UndecidedRequest | null
}

/** How many requests may wait for their answers, and how many to be looked at, before some are forgotten. */
const mostOpen = 5000
const mostWaiting = 500

/** Whatever goes wrong here, the request goes out as it came. */
async function decideSafely(request: RelayedRequest, context: DecideContext): Promise<DecidedRequest | UndecidedRequest> {
  try {
    return await decideRequest(request, context)
  } catch {
    const { body: _body, ...rest } = request
    return { request: rest, findings: [{ code: 'not-applied', count: 1 }], plannedMilliseconds: 0 }
  }
}

function tooLate({ body: _body, ...request }: RelayedRequest): UndecidedRequest {
  return { request, findings: [{ code: 'too-late', count: 1 }], plannedMilliseconds: 0 }
}

/** The secret is asked for once it is needed, and again where it did not come. */
function createTenants(store: GatewayStore): (credential: string | null) => Promise<string> {
  let secret: Uint8Array | null = null
  const known = new Map<string | null, string>()
  return async (credential) => {
    let tenant = known.get(credential)
    if (tenant !== undefined) return tenant
    secret ??= await store.secret()
    tenant = tenantOf(secret, credential)
    if (known.size >= mostTenants) known.clear()
    known.set(credential, tenant)
    return tenant
  }
}

const mostTenants = 1000

/** One thing after the other, in the order it was told. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    size: () => waiting,
    add<Value>(work: () => Promise<Value>): Promise<Value> {
      waiting += 1
      const done = last.then(work).finally(() => {
        waiting -= 1
      })
      last = done.catch(() => undefined)
      return done
    },
  }
}

/** What can be told of a request that nobody could read. */
function measuredWithout({ request, findings, plannedMilliseconds }: UndecidedRequest, outcome: RequestOutcome): Measured {
  const told = readAnswer(request.dialect, outcome)
  return {
    id: request.id,
    dialect: request.dialect,
    model: request.model,
    mode: request.mode,
    tokensBefore: 0,
    tokensAfter: 0,
    removed: {},
    breaks: [],
    answeredModel: told?.model ?? null,
    usage: told?.usage ?? null,
    dollars: null,
    untrimmedDollars: null,
    overflow: overflowOf(outcome, told),
    findings,
    plannedMilliseconds,
  }
}
