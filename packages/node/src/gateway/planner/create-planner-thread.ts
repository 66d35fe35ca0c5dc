import type { Finding } from '../../store/gateway-record.ts'
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
} from '../planner.ts'
import { createTurns, type Turns } from '../turns.ts'
import { createLaneChoice } from './choose-lane.ts'
import { addNewest } from './known-messages.ts'
import { createBusyShare, createMeasuringShare, createSmallBodyCheck, type MeasuringShare } from './measuring-share.ts'
import { createLane, type Lane } from './planner-lane.ts'
import type { StoreProblem } from './planner-messages.ts'

interface PlannerThreadOptions {
  /** The URL of a PostgreSQL database, or the path of an SQLite file. */
  readonly store: string
  readonly settings: PlannerSettings
  /** Whether no one waits for plans, so that all other work on the machine goes first. Default: no. */
  readonly isPatient?: boolean
  /** Which requests are measured if nothing in them changes. Default: all, or some of them under load. */
  readonly share?: MeasuringShare
  /** Receives why its store can no longer be written, once, and null when it can again. Default: no one does. */
  readonly onStore?: (problem: StoreProblem | null) => void
}

export interface PlannerThread extends Planner {
  /** What its threads remember of conversations. */
  readonly remembered: () => Remembered
  /** Ends the thread as an error would. */
  readonly kill: () => Promise<void>
}

/**
 * Starts a planner in its own thread. Rejects with `StoreError` if its store cannot be opened. Large bodies that are new are planned in a
 * second thread, which is started with the first of them: other requests do not wait for them.
 */
export async function createPlannerThread({
  store,
  settings,
  isPatient = false,
  share: given,
  onStore = () => undefined,
}: PlannerThreadOptions): Promise<PlannerThread> {
  const listeners: ((measured: Measured) => void)[] = []
  const keepers: ((note: KeepAliveNote) => void)[] = []
  const skipped = new Set<string>()
  const choice = createLaneChoice()
  let known: string | null = null
  // Both threads find out, and one failing disk has several codes.
  const reportStore = (problem: StoreProblem | null) => {
    const message = problem?.message.replace(/ \([^()]{1,40}\)/, '') ?? null
    if (message === known) return
    known = message
    onStore(problem)
  }
  const options = { onMeasured: report, onStore: reportStore, onStuck: (request: RelayedRequest) => choice.exclude(request) }
  const tellKeepers = (note: KeepAliveNote) => {
    for (const keeper of keepers) keeper(note)
  }
  const quick = createLane({ ...options, onKeepAlive: tellKeepers, data: { store, settings, isPatient } })
  /** The requests whose outcome the second thread waits for. */
  const aside = new Map<string, true>()
  // One thread is enough to delete what expired. Large plans of some must not take the processor from the others.
  const onKeepAlive = (note: KeepAliveNote) => {
    if (note.as !== null) addNewest(aside, note.as, true, maxSkipped)
    tellKeepers(note)
  }
  const side = createLane({
    ...options,
    onKeepAlive,
    data: { store, settings: { ...settings, keepDays: null }, isPatient: true },
  })
  // A client with many requests waits for itself: the others find at most this many of them before theirs.
  const quickTurns = createTurns(2, { pauses: 4 })
  const sideTurns = createTurns(1, { pauses: 1 })
  const relaying = createBusyShare()
  const deciding = createBusyShare(quick.thread)
  let waiting = 0
  const share = given ?? createMeasuringShare({ busy: () => relaying() + deciding(), waiting: () => waiting })
  const isSmall = createSmallBodyCheck(settings.config)

  function report(measured: Measured): void {
    for (const listener of listeners) listener(measured)
  }

  function skip(request: RelayedRequest): void {
    if (skipped.size >= maxSkipped) skipped.clear()
    skipped.add(request.id)
    report(unmeasured(request))
  }

  /** Null if planning it took too long before. */
  function laneOf(request: RelayedRequest): FoundLane | null {
    const { lane: name, isNew, isHeavy } = choice.choose(request)
    if (name === 'none') return null
    if (name === 'quick') return { lane: quick, turns: quickTurns, isMoved: false, isHeavy }
    addNewest(aside, request.id, true, maxSkipped)
    side.start().catch(() => undefined)
    return { lane: side, turns: sideTurns, isMoved: isNew, isHeavy }
  }

  await quick.start()
  return {
    kill: () => quick.kill(),
    remembered() {
      const all = [quick, side].flatMap((lane) => lane.load()?.remembered ?? [])
      const sum = (field: keyof Remembered) => all.reduce((total, each) => total + each[field], 0)
      return { conversations: sum('conversations'), bytes: sum('bytes'), heapBytes: sum('heapBytes') }
    },
    async plan(request) {
      if (quick.load() === null) return noPlan('store-unavailable')
      // Bolder modes decide by the cost of every earlier request; the shortest cost next to nothing.
      const isNeeded = request.mode !== 'safe' && request.body.byteLength > shortBytes
      const isMeasured = request.kind === 'count' || share.isMeasured() || isNeeded
      if (!isMeasured && isSmall(request.dialect, request.body)) {
        skip(request)
        return noPlan()
      }
      const found = laneOf(request)
      const load = found?.lane.load() ?? null
      if (found === null || load === null || load.bytes > maxBytes) {
        aside.delete(request.id)
        if (request.kind !== 'count') report(unmeasured(request))
        return noPlan(found !== null && load === null ? 'store-unavailable' : 'too-late')
      }
      waiting += 1
      const taken = await found.turns.take(request.credential ?? '')
      const done = () => {
        waiting -= 1
        taken()
      }
      if (request.until !== undefined && Date.now() >= request.until) {
        done()
        aside.delete(request.id)
        skip(request)
        return noPlan('too-late')
      }
      // The other thread may have heard the last answer of this conversation, and not have recorded it yet.
      if (found.isMoved) await quick.rest()
      const plan = await found.lane
        .plan(isMeasured || request.mode !== 'safe' ? request : { ...request, isMeasured }, found.isHeavy)
        .finally(done)
      if (plan?.isForgotten === true) skip(request)
      return plan ?? noPlan('not-applied')
    },
    observe(request) {
      if (request.kind === 'count') return
      const isMeasured = share.isMeasured()
      const lane = isMeasured ? (laneOf(request)?.lane ?? null) : null
      const load = lane?.load() ?? null
      // Relaying everything is more important than measuring everything.
      if (lane === null || load === null || load.bytes > maxBytes || load.notes > maxNotes) return skip(request)
      lane.note({ type: 'observe', request })
    },
    answered(outcome) {
      const lane = aside.delete(outcome.id) ? side : quick
      const load = lane.load()
      if (load === null || skipped.delete(outcome.id)) return
      lane.note({ type: 'answered', outcome: load.bytes > maxBytes ? { ...outcome, answer: null } : outcome })
    },
    onMeasured: (listener) => void listeners.push(listener),
    onKeepAlive: (listener) => void keepers.push(listener),
    check: () => quick.check(),
    async close(withinMs) {
      await Promise.all([quick.close(withinMs), side.close(withinMs)])
    },
  }
}

interface FoundLane {
  readonly lane: Lane
  readonly turns: Turns
  /** Whether the other thread may have planned this conversation before. */
  readonly isMoved: boolean
  readonly isHeavy: boolean
}

/** About two thousand tokens. */
const shortBytes = 8192

/** Bytes and messages that may be on their way to a thread before some are skipped. */
const maxBytes = 128_000_000
const maxNotes = 2000
const maxSkipped = 10_000

function noPlan(...codes: readonly Finding['code'][]): Plan {
  return { ...emptyPlan, findings: codes.map((code) => ({ code, count: 1 })) }
}

function unmeasured({ id, dialect, model, mode }: RelayedRequest): Measured {
  return { ...emptyMeasured, id, dialect, model, mode, findings: [{ code: 'too-late', count: 1 }] }
}
