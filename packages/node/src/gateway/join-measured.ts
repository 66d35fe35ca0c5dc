import type { GatewayEvent } from './gateway-options.ts'
import type { Measured } from './planner.ts'

/** A request that was answered. */
export type AnsweredEvent = Extract<GatewayEvent, { readonly type: 'answered' }>

/** Brings together what the relay and the planner tell of one request, in whatever order they do. */
export interface MeasuredJoin {
  readonly answered: (event: AnsweredEvent) => void
  readonly measured: (measured: Measured) => void
  /** Hands over every request that still waits, as it is. */
  readonly close: () => void
}

/** How long and how many requests wait for the other half. */
export interface JoinOptions {
  /** Receives each request once, with what was measured if that came in time. */
  readonly onRequest: (event: AnsweredEvent, measured: Measured | null) => void
  /** Default 1,000; then the one that has waited longest goes on without. */
  readonly mostWaiting?: number
  /** Default 10,000. */
  readonly waitMilliseconds?: number
}

/** Joins by the request's id. Requests that nobody measures go on at once where that is known, else after a while. */
export function createMeasuredJoin({ onRequest, mostWaiting = 1000, waitMilliseconds = 10_000 }: JoinOptions): MeasuredJoin {
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | null = null

  const release = ({ event, measured }: Waiting) => {
    if (event !== null) onRequest(event, measured)
  }
  const wait = (id: string, half: Waiting) => {
    waiting.set(id, half)
    for (const [oldest, other] of waiting) {
      if (waiting.size <= mostWaiting) break
      waiting.delete(oldest)
      release(other)
    }
    timer ??= setInterval(sweep, waitMilliseconds).unref()
  }
  // Two passes of the timer, so that each has waited at least once its whole time.
  const sweep = () => {
    for (const [id, half] of waiting) {
      if (half.passes > 0) {
        waiting.delete(id)
        release(half)
      } else half.passes += 1
    }
    if (waiting.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return {
    answered: (event) => {
      const half = waiting.get(event.id)
      waiting.delete(event.id)
      // What only passes is not looked at, so nobody measures it.
      const isMeasured = event.mode !== undefined && event.end !== 'refused'
      if (half?.measured || !isMeasured) onRequest(event, half?.measured ?? null)
      else wait(event.id, { event, measured: null, passes: 0 })
    },
    measured: (measured) => {
      const half = waiting.get(measured.id)
      waiting.delete(measured.id)
      if (half?.event) onRequest(half.event, measured)
      else wait(measured.id, { event: null, measured, passes: 0 })
    },
    close: () => {
      for (const half of waiting.values()) release(half)
      waiting.clear()
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

interface Waiting {
  readonly event: AnsweredEvent | null
  readonly measured: Measured | null
  passes: number
}
