import type { Finding } from '../../store/gateway-record.ts'
import { type GatewayStore, type TenantRecord, tenantOf } from '../../store/gateway-store.ts'
import { createHiddenMemory } from '../../store/hidden-items.ts'
import { type CompactedRequest, compactRequest } from '../compaction/compact-request.ts'
import { createKeptPrompts, type Timer } from '../keep-alive/kept-prompts.ts'
import { createCounterfactuals } from '../measure/counterfactuals.ts'
import { createKeptModels } from '../measure/kept-models.ts'
import {
  emptyMeasured,
  emptyPlan,
  type KeepAliveNote,
  type Measured,
  type Plan,
  type Planner,
  type PlannerSettings,
  type RelayedRequest,
  type Remembered,
  type RequestOutcome,
} from '../planner.ts'
import { spliceBytes } from '../relay/plan-request.ts'
import { type DecideContext, type DecidedRequest, decideRequest, isLate, type UndecidedRequest } from './decide-request.ts'
import { createClearedMemory } from './decisions.ts'
import { createKnownDecisions } from './known-decisions.ts'
import { addNewest, createKnownMessages, createRecentBranches } from './known-messages.ts'
import { createModelBook } from './model-book.ts'
import { createBodyReader } from './read-body.ts'
import { createRecallFiles } from './recall-files.ts'
import { storeUnavailable, unlessUnavailable } from './recognise-request.ts'
import { createRecordBatch } from './record-batch.ts'
import { hearAnswer, overflowOf, readAnswer, settleRequest } from './settle-request.ts'

interface PlannerOptions {
  /** Stays open when the planner is closed. */
  readonly store: GatewayStore
  readonly settings: PlannerSettings
  readonly now: () => number
  /** Waits until a prompt is due to be sent again. Default: the clock. */
  readonly timer?: Timer
}

export interface QueuedPlanner extends Planner {
  /** Resolves when everything up to now was dealt with; some of it may still have to be recorded. */
  readonly caughtUp: () => Promise<void>
  /** Whether there is anything left to do at once. */
  readonly isBusy: () => boolean
  /** Resolves when everything up to now was recorded. */
  readonly rest: () => Promise<void>
  /** Conversations whose last body is remembered, and the bytes of these bodies. */
  readonly remembered: () => Omit<Remembered, 'heapBytes'>
}

export function createPlanner({ store, settings, now, timer }: PlannerOptions): QueuedPlanner {
  const listeners: ((measured: Measured) => void)[] = []
  const learned = createKeptModels(store)
  const counterfactuals = createCounterfactuals({ learned })
  const context: DecideContext = {
    store,
    settings,
    reader: createBodyReader(),
    recent: createRecentBranches(),
    known: createKnownMessages({ now }),
    decided: createKnownDecisions({ now }),
    models: createModelBook(settings, new Date(now()).toISOString().slice(0, 10)),
    files: settings.recall === 'handle' ? null : createRecallFiles(settings.recall.file, now),
    cleared: createClearedMemory(),
    hidden: createHiddenMemory(store, now),
    tenantOf: createTenants(store),
    now,
  }
  const open = new Map<string, OpenRequest>()
  const queue = createQueue()
  let readings = 0
  const later = createLater()
  const batch = createRecordBatch(store, { onDue: () => void write('due') })
  const keepers: ((note: KeepAliveNote) => void)[] = []
  const prompts =
    settings.keepsCacheAlive === true
      ? createKeptPrompts({
          settings,
          now,
          ...(timer === undefined ? {} : { timer }),
          tell: (note) => {
            for (const keeper of keepers) keeper(note)
          },
          paid({ decided, record, measured, at }) {
            const { branch } = record.record
            if (branch !== null) {
              context.recent.note(record.tenant, branch)
              counterfactuals.kept(decided, at)
            }
            addRecord(record, measured)
          },
        })
      : null

  function addRecord(record: TenantRecord, measured: Measured): void {
    batch.add(record, (isWritten) =>
      report(isWritten ? measured : { ...measured, findings: [...measured.findings, storeUnavailable] }),
    )
  }

  function start(request: RelayedRequest, deciding: Promise<DecidedRequest | UndecidedRequest>): void {
    if (request.kind === 'count') return
    const opened: OpenRequest = { deciding, decided: null }
    addNewest(open, request.id, opened, maxOpen)
    void deciding.then((decided) => {
      opened.decided = decided
      if ('understood' in decided) prompts?.continued(decided.before?.branch.state.request)
      else prompts?.continued(request.id)
    })
  }

  /** The memory of a body may be used again right after the work on it: what is kept of it moves, but no request waits for that. */
  async function reading<Value>(work: () => Promise<Value>): Promise<Value> {
    readings += 1
    return work().finally(() => {
      process.nextTick(() => {
        readings -= 1
        context.reader.settle()
        if (readings === 0) context.reader.rest()
      })
    })
  }

  function report(measured: Measured): void {
    for (const listener of listeners) {
      try {
        listener(measured)
      } catch {
        // An error of one listener does not stop the others.
      }
    }
  }

  /** At once if possible: the next request of the conversation may follow immediately. */
  function settle(outcome: RequestOutcome): void {
    if (prompts?.answered(outcome) === true) return
    const opened = open.get(outcome.id)
    if (opened === undefined) return
    open.delete(outcome.id)
    const { deciding, decided } = opened
    if (decided !== null) settleDecided(decided, outcome)
    else queue.add(async () => settleDecided(await deciding, outcome)).catch(() => undefined)
  }

  function settleDecided(decided: DecidedRequest | UndecidedRequest, outcome: RequestOutcome): void {
    if (!('understood' in decided)) return report(measuredWithout(decided, outcome))
    const answered = hearAnswer(decided, outcome)
    const { tenant, understood, place } = decided
    // Before it is recorded: the next request of the conversation may come sooner.
    if (answered.branch !== null) context.recent.note(tenant, answered.branch)
    else context.recent.noteTried(tenant, understood.chains.at(-1) ?? '', place.conversation)
    later.add(() => {
      const { stored, measured } = settleRequest(answered, { settings, counterfactuals })
      if (measured.usage !== null) learned.note()
      addRecord({ tenant, record: stored }, measured)
      prompts?.settled(answered, stored.request)
    })
  }

  const write = (when: 'due' | 'end') =>
    queue.add(async () => {
      await batch.flush()
      await learned.keep(when)
    })

  const rest = (when: 'due' | 'end' = 'due') =>
    // Outcomes may wait for decisions that are still being made.
    queue.add(async () => later.finish()).then(() => write(when))

  async function planRequest(request: RelayedRequest): Promise<Plan> {
    // The relay no longer waits for a late plan.
    const deciding = isLate(request, now()) ? Promise.resolve(undecided(request, 'too-late')) : decideSafely(request, context)
    start(request, deciding)
    const decided = await deciding
    if (!('understood' in decided)) return { ...emptyPlan, findings: decided.findings }
    const { plan } = decided
    if (request.isMeasured !== false || plan.rules.length > 0 || plan.appliedEdits !== null) return plan
    open.delete(request.id)
    return { ...plan, isForgotten: true }
  }

  return {
    async plan(given) {
      const compacted = await keptCompaction(given, settings.config, context)
      if (compacted !== null && compacted.answer !== null)
        return { ...emptyPlan, findings: compacted.findings, answer: compacted.answer, isForgotten: true }
      if (given.kind === 'compact') return { ...emptyPlan, isForgotten: true }
      const request = compacted === null ? given : { ...given, body: compacted.body }
      const planned = await reading(() => planRequest(request))
      return compacted === null ? planned : withCompaction(planned, compacted, given.body.byteLength)
    },
    observe(request) {
      if (request.kind !== 'generate') return
      if (queue.size() >= maxQueued) return start(request, Promise.resolve(undecided(request, 'too-late')))
      start(
        request,
        queue.add(() => reading(() => decideSafely({ ...request, mode: 'observe' }, context))),
      )
    },
    answered(outcome) {
      try {
        settle(outcome)
      } catch {
        // No one waits for it.
      }
    },
    onMeasured: (listener) => void listeners.push(listener),
    onKeepAlive: (listener) => void keepers.push(listener),
    check: () => store.check(),
    remembered() {
      const { bodies, bytes } = context.reader.kept()
      return { conversations: bodies, bytes }
    },
    isBusy: () => queue.size() > 0 || readings > 0 || later.isWaiting(),
    caughtUp: () => queue.add(async () => undefined),
    rest,
    close: () => {
      prompts?.close()
      return rest('end')
    },
  }
}

interface OpenRequest {
  readonly deciding: Promise<DecidedRequest | UndecidedRequest>
  decided: DecidedRequest | UndecidedRequest | null
}

/** Requests that may wait for their answers, and that may wait to be looked at. */
const maxOpen = 5000
const maxQueued = 500

/** If anything fails here, the request goes out unchanged. */
async function decideSafely(request: RelayedRequest, context: DecideContext): Promise<DecidedRequest | UndecidedRequest> {
  try {
    return await decideRequest(request, context)
  } catch {
    return undecided(request, 'not-applied')
  }
}

/** The compaction that a client asked for, once the originals are kept; null if there is none, or they cannot be. */
async function keptCompaction(
  request: RelayedRequest,
  config: PlannerSettings['config'],
  context: DecideContext,
): Promise<CompactedRequest | null> {
  const compacted = compactRequest(request, config)
  if (compacted === null || compacted.claim === null) return compacted
  const { claim } = compacted
  const kept = await unlessUnavailable(
    context.tenantOf(request.credential).then((tenant) => context.store.claim(tenant, [claim])),
  )
  return kept === null ? null : compacted
}

/** The plan for a compacted request, as changes of the one that arrived. */
function withCompaction(plan: Plan, { body, told, findings }: CompactedRequest, length: number): Plan {
  const bytes = spliceBytes(body, plan.splices) ?? body
  return {
    ...plan,
    splices: [{ start: 0, end: length, bytes }],
    findings: [...plan.findings, ...findings],
    ...(told === null ? {} : { told }),
  }
}

function undecided({ body: _body, ...request }: RelayedRequest, code: Finding['code']): UndecidedRequest {
  return { request, findings: [{ code, count: 1 }], plannedMilliseconds: 0 }
}

function createTenants(store: GatewayStore): (credential: string | null) => Promise<string> {
  let secret: Uint8Array | null = null
  const known = new Map<string | null, string>()
  return async (credential) => {
    let tenant = known.get(credential)
    if (tenant !== undefined) return tenant
    secret ??= await store.secret()
    tenant = tenantOf(secret, credential)
    if (known.size >= maxTenants) known.clear()
    known.set(credential, tenant)
    return tenant
  }
}

const maxTenants = 1000

/**
 * Work that no request waits for, one piece in each turn of the event loop: requests that arrive in the meantime come first. The oldest
 * piece is done at once when too many wait.
 */
function createLater(max = maxLater) {
  const waiting: (() => void)[] = []
  let next: NodeJS.Immediate | null = null

  function workOnce(): void {
    try {
      waiting.shift()?.()
    } catch {
      // No one waits for it.
    }
  }

  function onTurn(): void {
    next = null
    workOnce()
    if (waiting.length > 0) next ??= setImmediate(onTurn)
  }

  return {
    add(work: () => void): void {
      waiting.push(work)
      if (waiting.length > max) workOnce()
      next ??= setImmediate(onTurn)
    },
    isWaiting: () => waiting.length > 0,
    finish(): void {
      while (waiting.length > 0) workOnce()
    },
  }
}

/** Answers that may wait to be measured. */
const maxLater = 100

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

function measuredWithout({ request, findings, plannedMilliseconds }: UndecidedRequest, outcome: RequestOutcome): Measured {
  const read = readAnswer(request.dialect, outcome)
  const { id, dialect, model, mode } = request
  const answered = { answeredModel: read?.model ?? null, usage: read?.usage ?? null, overflow: overflowOf(outcome, read) }
  return { ...emptyMeasured, id, dialect, model, mode, ...answered, findings, plannedMilliseconds }
}
