import { performance } from 'node:perf_hooks'

/** Says which requests are measured by a gateway that has more to relay than it can. */
export interface MeasuringShare {
  /** Takes note of a request; whether it is to be measured. */
  readonly isMeasured: () => boolean
}

/** What a gateway's load is told by. */
export interface MeasuringShareOptions {
  /** Milliseconds. Default: those of the process. */
  readonly now?: () => number
  /** The share of the time since it was last asked in which there was something to do, from 0 to 1. Default: that of this thread. */
  readonly busy?: () => number
}

/**
 * Measures everything, unless there were hundreds of requests a second for a while and no moment without something to relay: then one of
 * some, so that those who measure do not take from those who relay.
 */
export function createMeasuringShare({
  now = () => performance.now(),
  busy = createBusyShare(),
}: MeasuringShareOptions = {}): MeasuringShare {
  let count = 0
  let startedAt = now()
  let pressed = 0
  return {
    isMeasured() {
      count += 1
      if (count % everySo === 0 || pressed === 0) {
        // Where few come, nobody waits for many before the load is looked at again.
        const elapsed = now() - startedAt
        if (count >= requests || elapsed > milliseconds) {
          pressed = busy() > busyShare && elapsed <= milliseconds ? pressed + 1 : 0
          count = 0
          startedAt += elapsed
        }
      }
      return pressed < pressedTimes || count % everySo === 0
    },
  }
}

/** So many requests in so short a time, and this twice in a row. */
const requests = 512
const milliseconds = 1000
const pressedTimes = 2
const busyShare = 0.9
/** One of so many is measured all the same. */
const everySo = 8

function createBusyShare(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const next = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(next, last)
    last = next
    return utilization
  }
}
