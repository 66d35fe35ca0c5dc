import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../files/worker-url.ts'
import type { Finding } from '../../store/gateway-record.ts'
import { StoreError } from '../../store/gateway-store.ts'
import {
  emptyMeasured,
  emptyPlan,
  type Measured,
  type Plan,
  type Planner,
  type PlannerSettings,
  type RelayedRequest,
} from '../planner.ts'
import { bodyBytes } from '../relay/read-request-body.ts'
import { createBusyShare, createMeasuringShare, createSmallBodyCheck, type MeasuringShare } from './measuring-share.ts'
import {
  createNoteBundle,
  type NoteBundle,
  noteBytes,
  type PlannerAsked,
  type PlannerNote,
  type PlannerReport,
} from './planner-messages.ts'
import type { PlannerWorkerData } from './planner-worker.ts'

interface PlannerThreadOptions {
  /** The URL of a PostgreSQL database, or the path of an SQLite file. */
  readonly store: string
  readonly settings: PlannerSettings
  /** Whether no one waits for plans, so that all other work on the machine goes first. Default: no. */
  readonly isPatient?: boolean
  /** Which requests are measured if nothing in them changes. Default: all, or some of them under load. */
  readonly share?: MeasuringShare
}

export interface PlannerThread extends Planner {
  /** Ends the thread as an error would. */
  readonly kill: () => Promise<void>
}

/**
 * Starts a planner in its own thread. Rejects with `StoreError` if its store cannot be opened. If the thread dies, the requests it was
 * deciding about go out unchanged, and another one is started.
 */
export async function createPlannerThread({
  store,
  settings,
  isPatient = false,
  share: given,
}: PlannerThreadOptions): Promise<PlannerThread> {
  const listeners: ((measured: Measured) => void)[] = []
  const skipped = new Set<string>()
  let asked = 0
  let isClosed = false
  let running: RunningThread | null = null
  const relaying = createBusyShare()
  const deciding = createBusyShare(() => running?.worker.performance ?? null)
  const share = given ?? createMeasuringShare({ busy: () => relaying() + deciding() })
  const isSmall = createSmallBodyCheck(settings.config)
  let restart: NodeJS.Timeout | null = null

  function report(measured: Measured): void {
    for (const listener of listeners) listener(measured)
  }

  function skip(request: RelayedRequest): void {
    if (skipped.size >= maxSkipped) skipped.clear()
    skipped.add(request.id)
    report(unmeasured(request))
  }

  function start(): Promise<RunningThread> {
    return startThread({ store, settings, isPatient }, report, (ended) => {
      if (running !== ended) return
      running = null
      if (!isClosed) startAgain(0)
    })
  }

  function startAgain(afterMs: number): void {
    restart = setTimeout(() => {
      restart = null
      start().then(
        (thread) => {
          if (isClosed) return void thread.worker.terminate()
          running = thread
        },
        () => {
          if (!isClosed) startAgain(restartMs)
        },
      )
    }, afterMs)
  }

  /** Resolves with null if no answer will come. */
  function ask<Value>(
    waiting: Map<number, (value: Value | null) => void>,
    send: (number: number) => void,
  ): Promise<Value | null> {
    asked += 1
    const { promise, resolve } = Promise.withResolvers<Value | null>()
    waiting.set(asked, resolve)
    send(asked)
    return promise
  }

  running = await start()
  return {
    async kill() {
      await running?.worker.terminate()
    },
    async plan(request) {
      if (running === null) return noPlan('store-unavailable')
      const thread = running
      if (thread.bytes > maxBytes) {
        if (request.kind !== 'count') report(unmeasured(request))
        return noPlan('too-late')
      }
      // Bolder modes decide by the cost of every earlier request.
      const isMeasured = request.kind === 'count' || share.isMeasured() || request.mode !== 'safe'
      if (!isMeasured && isSmall(request.dialect, request.body)) {
        skip(request)
        return noPlan()
      }
      const asking = isMeasured ? request : { ...request, isMeasured }
      const plan = await ask(thread.plans, (number) => take(thread, { type: 'plan', number, request: asking }))
      if (plan?.isForgotten === true) skip(request)
      return plan ?? noPlan('not-applied')
    },
    observe(request) {
      if (request.kind === 'count') return
      const isMeasured = share.isMeasured()
      // Relaying everything is more important than measuring everything.
      if (running === null || running.bytes > maxBytes || running.notes > maxNotes || !isMeasured) return skip(request)
      take(running, { type: 'observe', request })
    },
    answered(outcome) {
      if (running === null || skipped.delete(outcome.id)) return
      take(running, { type: 'answered', outcome: running.bytes > maxBytes ? { ...outcome, answer: null } : outcome })
    },
    onMeasured: (listener) => void listeners.push(listener),
    async check() {
      if (running === null) throw new StoreError('unreachable', 'The store’s thread is being restarted.')
      const thread = running
      const answer = await ask(thread.answers, (number) => post(thread, { type: 'check', number }))
      if (answer === null) throw new StoreError('unreachable', 'The store’s thread ended.')
      if (answer.problem !== null) throw new StoreError(answer.problem.kind, answer.problem.message)
    },
    async close() {
      isClosed = true
      if (restart !== null) clearTimeout(restart)
      const thread = running
      if (thread === null) return
      await ask(thread.answers, (number) => post(thread, { type: 'close', number }))
      running = null
      await thread.worker.terminate()
    },
  }
}

/** Bytes and messages that may be on their way to the thread before some are skipped. */
const maxBytes = 128_000_000
const maxNotes = 2000
const maxSkipped = 10_000
/** Milliseconds until a thread that could not be started is started again. */
const restartMs = 1000

type Done = Extract<PlannerReport, { readonly type: 'done' }>

interface RunningThread {
  readonly worker: Worker
  /** The callers that wait for a plan or another answer, by the number of the question. Null means that none will come. */
  readonly plans: Map<number, (plan: Plan | null) => void>
  readonly answers: Map<number, (answer: Done | null) => void>
  bytes: number
  notes: number
  readonly bundle: NoteBundle
}

function startThread(
  data: PlannerWorkerData,
  onMeasured: (measured: Measured) => void,
  onEnd: (thread: RunningThread) => void,
): Promise<RunningThread> {
  // Its short-lived objects are small: a larger young generation would only hold more memory.
  const resourceLimits = { maxYoungGenerationSizeMb: 24 }
  const worker = new Worker(workerUrl('./planner-worker', import.meta.url), { workerData: data, execArgv: [], resourceLimits })
  const lent = new Map<number, readonly Uint8Array[]>()
  let bundles = 0
  const bundle = createNoteBundle((notes, buffers, bytes) => {
    bundles += 1
    if (bytes.length > 0) lent.set(bundles, bytes)
    worker.postMessage({ type: 'noted', number: bundles, notes } satisfies PlannerAsked, buffers)
  })
  const thread: RunningThread = { worker, plans: new Map(), answers: new Map(), bytes: 0, notes: 0, bundle }
  return new Promise((resolve, reject) => {
    const ended = () => {
      reject(new StoreError('broken', 'The store’s thread ended while it was starting.'))
      for (const settle of [...thread.plans.values(), ...thread.answers.values()]) settle(null)
      thread.plans.clear()
      thread.answers.clear()
      onEnd(thread)
    }
    worker.on('error', ended).on('exit', ended)
    worker.on('message', (reported: PlannerReport) => {
      switch (reported.type) {
        case 'ready':
          return resolve(thread)
        case 'failed':
          reject(new StoreError(reported.problem.kind, reported.problem.message))
          return void worker.terminate()
        case 'measured':
          for (const measured of reported.measured) onMeasured(measured)
          return
        case 'taken':
          thread.bytes -= reported.bytes
          thread.notes -= reported.notes
          for (const bytes of lent.get(reported.number) ?? []) bodyBytes.giveBack(bytes)
          lent.delete(reported.number)
          return
        case 'planned':
          for (const { number, plan } of reported.plans) {
            thread.plans.get(number)?.(plan)
            thread.plans.delete(number)
          }
          return
        case 'done':
          thread.answers.get(reported.number)?.(reported)
          thread.answers.delete(reported.number)
          return
      }
    })
  })
}

function take(thread: RunningThread, note: PlannerNote): void {
  thread.bytes += noteBytes(note)
  thread.notes += 1
  thread.bundle.add(note)
}

function post({ worker, bundle }: RunningThread, asked: PlannerAsked): void {
  bundle.send()
  worker.postMessage(asked, [])
}

function noPlan(...codes: readonly Finding['code'][]): Plan {
  return { ...emptyPlan, findings: codes.map((code) => ({ code, count: 1 })) }
}

function unmeasured({ id, dialect, model, mode }: RelayedRequest): Measured {
  return { ...emptyMeasured, id, dialect, model, mode, findings: [{ code: 'too-late', count: 1 }] }
}
