import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { type GatewayStore, StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { watchStore } from '../../store/watch-store.ts'
import type { Measured, PlannerSettings } from '../planner.ts'
import { createPlanner, type QueuedPlanner } from './create-planner.ts'
import { createPatientThread, type PatientThread } from './lower-priority.ts'
import {
  type NumberedPlan,
  noteBytes,
  type PlannerAsked,
  type PlannerReport,
  packPlan,
  type StoreProblem,
} from './planner-messages.ts'
import { expireRecallFiles } from './recall-files.ts'

// This thread decides about requests: reading a megabyte takes milliseconds, in which nothing would be relayed.

export interface PlannerWorkerData {
  readonly store: string
  readonly settings: PlannerSettings
  readonly isPatient: boolean
}

const expiryMs = 3_600_000

const reportMeasured = createReporter<Measured>((measured) => say({ type: 'measured', measured }))
const reportPlan = createReporter(sayPlans)

await start(workerData as PlannerWorkerData)

async function start({ store: location, settings, isPatient }: PlannerWorkerData): Promise<void> {
  const opened = await openGatewayStore(location, { now: Date.now }).catch((error: unknown) => {
    say({ type: 'failed', problem: problemOf(error) })
    return null
  })
  if (opened === null) return
  const onProblem = (problem: StoreError | null) => say({ type: 'store', problem: problem === null ? null : problemOf(problem) })
  const store = watchStore(opened, { now: Date.now, onProblem })
  const planner = createPlanner({ store, settings, now: Date.now })
  planner.onMeasured(reportMeasured)
  planner.onKeepAlive?.((note) => say({ type: 'keep-alive', note }))
  keepFresh(store, settings)
  const patient = isPatient ? restingWhenIdle(createPatientThread(), planner) : null
  parentPort?.on('message', (asked: PlannerAsked) => void work(asked, planner, store, patient))
  say({ type: 'ready' })
}

async function work(
  asked: PlannerAsked,
  planner: QueuedPlanner,
  store: GatewayStore,
  patient: PatientThread | null,
): Promise<void> {
  switch (asked.type) {
    case 'noted':
      return takeNotes(asked, planner, patient)
    case 'check':
      return say({ type: 'done', number: asked.number, problem: await problemIn(() => planner.check()) })
    case 'rest':
      return say({ type: 'done', number: asked.number, problem: await problemIn(() => planner.rest()) })
    case 'close':
      await planner.close()
      await new Promise((resolve) => setImmediate(resolve))
      return say({ type: 'done', number: asked.number, problem: await problemIn(() => store.close()) })
  }
}

/** The same thread, which rests once the planner has nothing left to do. */
function restingWhenIdle(patient: PatientThread, planner: QueuedPlanner): PatientThread {
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    if (planner.isBusy()) timer?.refresh()
    else patient.rest()
  }
  return {
    ...patient,
    begin(isUrgent) {
      const end = patient.begin(isUrgent)
      return () => {
        end()
        timer = timer?.refresh() ?? setTimeout(look, idleMs).unref()
      }
    },
  }
}

const idleMs = 2

async function takeNotes({ number, notes }: NotedMessage, planner: QueuedPlanner, patient: PatientThread | null): Promise<void> {
  let bytes = 0
  const plans: Promise<void>[] = []
  const isAwaited = notes.some(({ type }) => type === 'plan')
  const endOther = isAwaited ? undefined : patient?.begin(false)
  const isOnly = notes.filter(({ type }) => type === 'plan').length === 1
  // A request waits for a single plan; several of them cost one message.
  const report = isOnly ? (plan: NumberedPlan) => sayPlans([plan]) : reportPlan
  for (const note of notes) {
    bytes += noteBytes(note)
    if (note.type === 'plan') {
      const done = patient?.begin(note.isLarge !== true)
      plans.push(
        planner
          .plan(note.request)
          .then((plan) => report({ number: note.number, plan }))
          .finally(done),
      )
    } else if (note.type === 'observe') planner.observe(note.request)
    else planner.answered(note.outcome)
  }
  await Promise.all([planner.caughtUp(), ...plans])
  // After what requests wait for, and once what is kept of the bodies was moved.
  await new Promise((resolve) => setImmediate(resolve))
  endOther?.()
  const { used_heap_size: heapBytes } = getHeapStatistics()
  say({ type: 'taken', number, notes: notes.length, bytes, remembered: { ...planner.remembered(), heapBytes } })
}

type NotedMessage = Extract<PlannerAsked, { readonly type: 'noted' }>

function sayPlans(plans: readonly NumberedPlan[]): void {
  const packed = plans.map(packPlan)
  say(
    { type: 'planned', plans: packed.map((each) => each.packed) },
    packed.flatMap(({ buffers }) => buffers),
  )
}

/** Sends the values of one turn of the event loop in one message. */
function createReporter<Value>(send: (values: readonly Value[]) => void): (value: Value) => void {
  let waiting: Value[] = []
  return (value) => {
    waiting.push(value)
    if (waiting.length > 1) return
    setImmediate(() => {
      send(waiting)
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

async function problemIn(attempt: () => Promise<void>): Promise<StoreProblem | null> {
  try {
    await attempt()
    return null
  } catch (error) {
    return problemOf(error)
  }
}

function problemOf(error: unknown): StoreProblem {
  return error instanceof StoreError
    ? { kind: error.kind, message: error.message }
    : { kind: 'broken', message: 'The store failed unexpectedly.' }
}

function say(reported: PlannerReport, buffers: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reported, buffers)
}
