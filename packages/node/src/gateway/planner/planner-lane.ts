import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../files/worker-url.ts'
import { StoreError } from '../../store/gateway-store.ts'
import type { KeepAliveNote, Measured, Plan, RelayedRequest, Remembered } from '../planner.ts'
import { bodyBytes } from '../relay/read-request-body.ts'
import {
  createNoteBundle,
  type NoteBundle,
  noteBytes,
  type PlannerAsked,
  type PlannerNote,
  type PlannerReport,
  type StoreProblem,
  unpackPlan,
} from './planner-messages.ts'
import type { PlannerWorkerData } from './planner-worker.ts'

interface LaneOptions {
  readonly data: PlannerWorkerData
  readonly onMeasured: (measured: Measured) => void
  readonly onStore: (problem: StoreProblem | null) => void
  readonly onKeepAlive: (note: KeepAliveNote) => void
  /** Is called with a request whose plan took so long, or so much memory, that the thread ended. */
  readonly onStuck: (request: RelayedRequest) => void
}

export type Lane = ReturnType<typeof createLane>

/**
 * A planner in its own thread. If the thread dies, the requests it was deciding about go out unchanged, and another one is started. A
 * thread that works on a plan long after the relay stopped waiting for it is ended: the requests behind it would wait as well.
 */
export function createLane({ data, onMeasured, onStore, onKeepAlive, onStuck }: LaneOptions) {
  let asked = 0
  let isClosed = false
  let running: RunningThread | null = null
  let restart: NodeJS.Timeout | null = null
  /** The first start, and what was noted in the meantime. */
  let first: Promise<void> | null = null
  let isStarting = false
  let early: PlannerNote[] = []

  async function start(): Promise<void> {
    const thread = await startThread(data, { onMeasured, onStore, onKeepAlive }, (ended) => {
      if (running !== ended) return
      running = null
      if (!isClosed) startAgain(0)
    })
    if (isClosed) return void thread.worker.terminate()
    running = thread
    for (const note of early) take(thread, note)
    early = []
  }

  function startAgain(afterMs: number): void {
    restart = setTimeout(() => {
      restart = null
      start().catch(() => {
        if (!isClosed) startAgain(restartMs)
      })
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

  /** Only the oldest plan can be the one that the thread works on, and a thread that waits for its store is not stuck. */
  function endIfStuck(thread: RunningThread, number: number, until: number): NodeJS.Timeout {
    const { performance } = thread.worker
    const before = performance.eventLoopUtilization()
    const check = () => {
      const [oldest] = thread.plans.keys()
      if (oldest !== number || performance.eventLoopUtilization(before).utilization < stuckShare) return
      void thread.worker.terminate()
    }
    return setTimeout(check, until + patienceMs - Date.now())
  }

  return {
    /** Starts it, unless it was started before. Rejects with `StoreError` if its store cannot be opened. */
    start(): Promise<void> {
      isStarting ||= first === null
      first ??= start()
        .catch((error: unknown) => {
          first = null
          early = []
          throw error
        })
        .finally(() => {
          isStarting = false
        })
      return first
    },
    /** Null while it does not run. */
    thread: () => running?.worker.performance ?? null,
    /** Null if it takes nothing: it was not started yet, or it died and is started again. */
    load: () => running ?? (isStarting ? idle : null),
    /** Null if no plan will come. */
    async plan(request: RelayedRequest, isLarge = false): Promise<Plan | null> {
      if (running === null) await first?.catch(() => undefined)
      if (running === null) return null
      const thread = running
      let timer: NodeJS.Timeout | undefined
      let own = 0
      const plan = await ask(thread.plans, (number) => {
        own = number
        if (request.until !== undefined) timer = endIfStuck(thread, number, request.until)
        take(thread, { type: 'plan', number, request, isLarge })
      })
      clearTimeout(timer)
      // The thread ended with it: it took too long, or more memory than a thread may have.
      if (plan === null && thread.lastPlan === own) onStuck(request)
      return plan
    },
    note(note: PlannerNote): void {
      if (running !== null) take(running, note)
      else if (isStarting) early.push(note)
    },
    async check(): Promise<void> {
      if (running === null) throw new StoreError('unreachable', 'The store’s thread is being restarted.')
      const thread = running
      const answer = await ask(thread.answers, (number) => post(thread, { type: 'check', number }))
      if (answer === null) throw new StoreError('unreachable', 'The store’s thread ended.')
      if (answer.problem !== null) throw new StoreError(answer.problem.kind, answer.problem.message)
    },
    /** Resolves when everything up to now was recorded, or cannot be. */
    async rest(): Promise<void> {
      const thread = running
      if (thread !== null) await ask(thread.answers, (number) => post(thread, { type: 'rest', number }))
    },
    async kill(): Promise<void> {
      await running?.worker.terminate()
    },
    /** Records what is left, but waits no longer than this for a thread that is busy. */
    async close(withinMs = closeMs): Promise<void> {
      const deadline = wait(withinMs, null, { ref: false })
      await Promise.race([first?.catch(() => undefined), deadline])
      isClosed = true
      if (restart !== null) clearTimeout(restart)
      const thread = running
      if (thread === null) return
      await Promise.race([ask(thread.answers, (number) => post(thread, { type: 'close', number })), deadline])
      running = null
      await thread.worker.terminate()
    },
  }
}

/** Milliseconds until a thread that could not be started is started again. */
const restartMs = 1000
/** Milliseconds that a thread has to record what is left. */
const closeMs = 10_000
/** Milliseconds that a plan may take after the relay has stopped waiting. */
const patienceMs = 2000
/** The share of this time that a thread has to be busy. */
const stuckShare = 0.8
/** A thread that needs more for the bodies it reads ends, and the process does not. */
const maxHeapMb = 1024

type Done = Extract<PlannerReport, { readonly type: 'done' }>

const idle = { bytes: 0, notes: 0, remembered: { conversations: 0, bytes: 0, heapBytes: 0 } }

interface RunningThread {
  readonly worker: Worker
  /** The callers that wait for a plan or another answer, by the number of the question. Null means that none will come. */
  readonly plans: Map<number, (plan: Plan | null) => void>
  readonly answers: Map<number, (answer: Done | null) => void>
  /** The plan that it worked on when it ended. */
  lastPlan: number | null
  bytes: number
  notes: number
  remembered: Remembered
  readonly bundle: NoteBundle
}

function startThread(
  data: PlannerWorkerData,
  { onMeasured, onStore, onKeepAlive }: Pick<LaneOptions, 'onMeasured' | 'onStore' | 'onKeepAlive'>,
  onEnd: (thread: RunningThread) => void,
): Promise<RunningThread> {
  // Its short-lived objects are small: a larger young generation would only hold more memory.
  const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: maxHeapMb }
  const worker = new Worker(workerUrl('./planner-worker', import.meta.url), { workerData: data, execArgv: [], resourceLimits })
  const lent = new Map<number, readonly Uint8Array[]>()
  let bundles = 0
  const bundle = createNoteBundle((notes, buffers, bytes) => {
    bundles += 1
    if (bytes.length > 0) lent.set(bundles, bytes)
    worker.postMessage({ type: 'noted', number: bundles, notes } satisfies PlannerAsked, buffers)
  })
  const thread: RunningThread = { ...idle, worker, plans: new Map(), answers: new Map(), lastPlan: null, bundle }
  return new Promise((resolve, reject) => {
    const ended = () => {
      reject(new StoreError('broken', 'The store’s thread ended while it was starting.'))
      thread.lastPlan ??= thread.plans.keys().next().value ?? null
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
        case 'store':
          return onStore(reported.problem)
        case 'keep-alive':
          return onKeepAlive(reported.note)
        case 'measured':
          for (const measured of reported.measured) onMeasured(measured)
          return
        case 'taken':
          thread.bytes -= reported.bytes
          thread.notes -= reported.notes
          thread.remembered = reported.remembered
          for (const bytes of lent.get(reported.number) ?? []) bodyBytes.giveBack(bytes)
          lent.delete(reported.number)
          return
        case 'planned':
          for (const packed of reported.plans) {
            thread.plans.get(packed.number)?.(unpackPlan(packed))
            thread.plans.delete(packed.number)
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
