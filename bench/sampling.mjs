import { performance } from 'node:perf_hooks'

/**
 * Runs competitors in turn, round by round (A B C A B C …), so that noise on the machine affects all of them. Each has
 * `prepare(round)`, which is not timed, and `run(input)`, which is. Returns the times in milliseconds, in the competitors' order.
 */
export async function takeTurns(competitors, { rounds, warmUp }) {
  const times = competitors.map(() => [])
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [index, { prepare, run }] of competitors.entries()) {
      const input = prepare(round)
      const start = performance.now()
      const result = run(input)
      // Awaiting a plain value would add an event loop turn to synchronous competitors.
      if (result instanceof Promise) await result
      const time = performance.now() - start
      if (round >= warmUp) times[index].push(time)
    }
  }
  return times.map(summarize)
}

/** Median, 99th percentile, and the interquartile range as a share of the median. */
export function summarize(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const p50 = percentile(sorted, 0.5)
  return {
    p50,
    p99: percentile(sorted, 0.99),
    spread: (percentile(sorted, 0.75) - percentile(sorted, 0.25)) / p50,
    samples: sorted.length,
  }
}

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
