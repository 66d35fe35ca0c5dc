import { parentPort, workerData } from 'node:worker_threads'
import { type GatewayStore, StoreError } from '../store/gateway-store.ts'
import { openGatewayStore } from '../store/open-gateway-store.ts'
import { createPlanner, type QueuedPlanner } from './create-planner.ts'
import { expireRecallFiles } from './expire-recall-files.ts'
import type { Measured } from './planner.ts'
import { noteBytes, type PlannerAsked, type PlannerNote, type PlannerTold, type StoreTrouble } from './planner-messages.ts'
import type { PlannerSettings } from './planner-settings.ts'

// A thread of its own that decides about requests: to read a megabyte takes milliseconds, in which nothing would be relayed.

/** What the thread begins with. */
export interface PlannerWorkerData {
  readonly store: string
  readonly settings: PlannerSettings
}

/** How often what nobody used any more is looked for. */
const expiryMs = 3_600_000

await start(workerData as PlannerWorkerData)

async function start({ store: location, settings }: PlannerWorkerData): Promise<void> {
  const store = await openGatewayStore(location, { now: Date.now }).catch((error: unknown) => {
    say({ type: 'failed', trouble: troubleOf(error) })
    return null
  })
  if (store === null) return
  const planner = createPlanner({ store, settings, now: Date.now })
  planner.onMeasured(createTeller())
  keepFresh(store, settings)
  parentPort?.on('message', (asked: PlannerAsked) => void work(asked, planner, store))
  say({ type: 'ready' })
}

async function work(asked: PlannerAsked, planner: QueuedPlanner, store: GatewayStore): Promise<void> {
  switch (asked.type) {
    case 'plan':
      return say({ type: 'planned', number: asked.number, plan: await planner.plan(asked.request) })
    case 'noted':
      return takeNotes(asked.notes, planner)
    case 'check':
      return say({ type: 'done', number: asked.number, trouble: await troubleIn(() => planner.check()) })
    case 'close':
      await planner.close()
      // What was measured last is told first.
      await new Promise((resolve) => setImmediate(resolve))
      return say({ type: 'done', number: asked.number, trouble: await troubleIn(() => store.close()) })
  }
}

async function takeNotes(notes: readonly PlannerNote[], planner: QueuedPlanner): Promise<void> {
  let bytes = 0
  for (const note of notes) {
    bytes += noteBytes(note)
    if (note.type === 'observe') planner.observe(note.request)
    else planner.answered(note.outcome)
  }
  await planner.caughtUp()
  say({ type: 'taken', notes: notes.length, bytes })
}

/** What is measured of several requests at once is told at once. */
function createTeller(): (measured: Measured) => void {
  let waiting: Measured[] = []
  return (measured) => {
    waiting.push(measured)
    if (waiting.length > 1) return
    setImmediate(() => {
      say({ type: 'measured', measured: waiting })
      waiting = []
    })
  }
}

function keepFresh(store: GatewayStore, { keepDays: days = null, recall }: PlannerSettings): void {
  if (days === null || !(days > 0)) return
  const expire = () => {
    const before = Date.now() - days * 86_400_000
    store.expire(before).catch(() => undefined)
    if (recall !== 'handle') expireRecallFiles(recall.file, before).catch(() => undefined)
  }
  expire()
  setInterval(expire, expiryMs).unref()
}

async function troubleIn(attempt: () => Promise<void>): Promise<StoreTrouble | null> {
  try {
    await attempt()
    return null
  } catch (error) {
    return troubleOf(error)
  }
}

function troubleOf(error: unknown): StoreTrouble {
  return error instanceof StoreError
    ? { kind: error.kind, message: error.message }
    : { kind: 'broken', message: 'The store failed in a way that nobody foresaw.' }
}

function say(told: PlannerTold): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(told)
}
