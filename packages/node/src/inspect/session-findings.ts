import type { ReadSession } from '../logs/log-reader.ts'
import { measureSession } from '../logs/measure/measure-session.ts'
import { createOverview } from '../logs/measure/overview.ts'
import type { OwnPrices } from '../model/price-of-model.ts'
import type { SessionFinding } from '../shared/inspection/inspection.ts'

/** What cost most in a session of a log, by the same measures as the overview. */
export function sessionFindings(read: ReadSession, prices: OwnPrices): readonly SessionFinding[] {
  const overview = createOverview({ prices })
  const found = { agent: '', path: '', bytes: 0, stamp: null }
  overview.add(found, { skippedLines: 0, sessions: [measureSession(read, process.platform)] })
  const { reads, cacheLosses, biggest } = overview.finish()
  const all: readonly SessionFinding[] = [
    ...reads.files.map(({ path, reads: times, repeats, tokens, dollars }) => {
      return { kind: 'reads', about: path, count: repeats, times, tokens, dollars: dollars ?? 0 } as const
    }),
    ...cacheLosses.rows.map(({ cause, pauseSeconds, tokens, dollars, at }) => {
      return { kind: cause, pauseSeconds, tokens, dollars: dollars ?? 0, at: at === null ? null : Date.parse(at) }
    }),
    ...biggest.map(({ tool, about, tokens, dollars }) => {
      return { kind: 'result', tool, about: about ?? '', tokens, dollars: dollars ?? 0 } as const
    }),
  ]
  return all
    .filter(({ dollars }) => dollars > 0)
    .toSorted((one, other) => other.dollars - one.dollars)
    .filter((finding, index, list) => list.slice(0, index).filter(({ kind }) => kind === finding.kind).length < maxOfKind)
    .slice(0, maxFindings)
}

const maxOfKind = 2
const maxFindings = 5
