import type { Message } from '@plimsoll/core'
import type { ReadSession } from '../logs/log-reader.ts'
import { measureSession } from '../logs/measure/measure-session.ts'
import { measuredPart } from '../logs/measure/measured-part.ts'
import { createOverview } from '../logs/measure/overview.ts'
import type { OwnPrices } from '../model/price-of-model.ts'
import type { InspectedRequest, SessionFinding } from '../shared/inspection/inspection.ts'

interface FindingFacts {
  readonly prices: OwnPrices
  readonly requests: readonly InspectedRequest[]
  /** The number of a message by its id; null if it has none. */
  readonly numberOf: (id: string) => number | null
  /** What the session itself knows in addition. Default: nothing. */
  readonly more?: readonly SessionFinding[]
}

/** What cost most in a session, by the same measures as the overview, and where. */
export function sessionFindings(
  read: ReadSession,
  { prices, requests, numberOf, more = [] }: FindingFacts,
): readonly SessionFinding[] {
  const overview = createOverview({ prices })
  const found = { agent: '', path: '', bytes: 0, stamp: null }
  overview.add(found, { skippedLines: 0, sessions: [measureSession(read, process.platform)] })
  const { reads, cacheLosses, biggest } = overview.finish()
  const all: readonly SessionFinding[] = [
    ...more,
    ...reads.files.map(({ path, reads: times, repeats, tokens, dollars }) => {
      return { kind: 'reads', about: path, count: repeats, times, tokens, dollars: dollars ?? 0 } as const
    }),
    ...cacheLosses.rows.map(({ cause, pauseSeconds, tokens, dollars, at: time }) => {
      const at = time === null ? null : Date.parse(time)
      return { kind: cause, pauseSeconds, tokens, dollars: dollars ?? 0, at, ...requestAt(requests, at) }
    }),
    ...biggest.map(({ tool, about, tokens, dollars }) => {
      return { kind: 'result', tool, about: belowRoot(about ?? '', read.root), tokens, dollars: dollars ?? 0 } as const
    }),
  ]
  const most = all
    .filter(({ dollars }) => dollars > 0)
    .toSorted((one, other) => other.dollars - one.dollars)
    .filter((finding, index, list) => list.slice(0, index).filter(({ kind }) => kind === finding.kind).length < maxOfKind)
    .slice(0, maxFindings)
  return withMessages(most, read.messages, numberOf)
}

/** Files of the project without its folder, as for reads. */
function belowRoot(about: string, root: string | null | undefined): string {
  return root != null && about.startsWith(`${root}/`) ? about.slice(root.length + 1) : about
}

const maxOfKind = 2
const maxFindings = 5

/** Of the last request up to a time, since an answer is written after its request. */
function requestAt(requests: readonly InspectedRequest[], at: number | null): { readonly request?: number } {
  const request = at === null ? -1 : requests.findLastIndex((one) => one.at !== null && one.at <= at)
  return request < 0 ? {} : { request }
}

/** Adds the numbers of messages: of a large result, and of the last read of a file. */
function withMessages(
  findings: readonly SessionFinding[],
  messages: readonly Message[],
  numberOf: (id: string) => number | null,
): readonly SessionFinding[] {
  const places = new Map<SessionFinding, number>()
  const wanted = findings.filter((one) => one.kind === 'result' || one.kind === 'reads')
  if (wanted.length === 0) return findings
  const callees = new Map<string, readonly SessionFinding[]>()
  for (const { id, parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') {
        const { about, files } = measuredPart(part)
        const names = new Set([about, ...files])
        const asked = wanted.filter((one) =>
          one.kind === 'result' ? one.tool === part.tool : [...names].some((name) => name !== null && isFile(one.about, name)),
        )
        if (asked.length > 0) callees.set(part.callId, asked)
      } else if (part.type === 'tool-result') {
        const asked = callees.get(part.callId ?? '') ?? wanted.filter((one) => one.kind === 'result' && one.tool === part.tool)
        for (const finding of asked) {
          if (finding.kind === 'result' && measuredPart(part).tokens !== finding.tokens) continue
          const number = numberOf(id)
          if (number !== null) places.set(finding, number)
        }
      }
    }
  return findings.map((finding) => {
    const message = places.get(finding)
    return message === undefined ? finding : { ...finding, message }
  })
}

/** Paths are reported below the root, and calls may name them in full. */
function isFile(reported: string, named: string): boolean {
  return named === reported || named.endsWith(`/${reported.replace(/^[./]+/, '')}`)
}
