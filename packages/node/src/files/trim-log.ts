import type { Message, Prepared } from '@plimsoll/core'
import { type LogRecord, logRecords } from '@plimsoll/core/hosts'
import { limitToolOutput } from '@plimsoll/core/policies'

/** What a request trims, for logs and metrics. Plain JSON. */
export interface Trims {
  /** The specification's sentences about what was decided with this request. */
  readonly records: readonly LogRecord[]
  /** New edits by policy. */
  readonly edits: Readonly<Record<string, number>>
  /** Tokens that the request omits, by new and earlier edits. */
  readonly tokensSaved: number
  /** Tool results that no earlier request had. */
  readonly results: number
}

export const noTrims: Trims = { records: [], edits: {}, tokensSaved: 0, results: 0 }

/** `sent` is the last message of an earlier request; null if there was none. */
export function trimsOf(prepared: Prepared, messages: readonly Message[], sent: string | null, isLogged: boolean): Trims {
  const { fresh, report } = prepared
  const edits: Record<string, number> = {}
  for (const { kind, policy } of fresh) if (kind === 'replace') edits[policy] = (edits[policy] ?? 0) + 1
  const added = sent === null ? messages : messages.slice(messages.findLastIndex(({ id }) => id === sent) + 1)
  return {
    records: isLogged ? logRecords(...prepared.logged()) : [],
    edits,
    tokensSaved: report.edits.reduce(
      (sum, edit) => sum + (edit.kind === 'replace' ? edit.tokensBefore - edit.tokensAfter : 0),
      0,
    ),
    results: added.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result')).length,
  }
}

/** How many of the new edits cut a tool result to its limit. */
export function cutsIn({ edits }: Trims): number {
  return edits[limitToolOutput.name] ?? 0
}

interface TrimLogOptions {
  readonly log: (record: LogRecord) => void
  readonly now: () => number
  readonly totalsText: (totals: TrimTotals) => string
  /** Fields of every record, such as the session. Default: none. */
  readonly about?: Readonly<Record<string, string>>
}

/** `rate` is the share of results that were cut, from 0 to 1. */
export type TrimTotals = typeof nothingYet & { readonly rate: number }

const nothingYet = { edits: 0, tokensSaved: 0, results: 0, cut: 0 }

export type TrimLog = Readonly<ReturnType<typeof createTrimLog>>

/** Writes the records of requests, and their sums at the end. */
export function createTrimLog({ log, now, totalsText, about = {} }: TrimLogOptions) {
  let sums: Readonly<typeof nothingYet> | null = null
  const write = ({ data, ...record }: LogRecord, more: Readonly<Record<string, string>> = {}) =>
    log({ ...record, data: { ...data, ...about, ...more, at: new Date(now()).toISOString() } })
  return {
    /** Before a request is first sent: its new edits hold from now on, accepted or not. */
    decided(trims: Trims, more?: Readonly<Record<string, string>>): void {
      for (const record of trims.records) write(record, more)
      const { edits, cut, ...rest } = sums ?? nothingYet
      const added = Object.values(trims.edits).reduce((sum, count) => sum + count, 0)
      sums = { ...rest, edits: edits + added, cut: cut + cutsIn(trims) }
    },
    accepted(trims: Trims): void {
      const { tokensSaved, results, ...rest } = sums ?? nothingYet
      sums = { ...rest, tokensSaved: tokensSaved + trims.tokensSaved, results: results + trims.results }
    },
    /** For a request that is too large to be sent: its edits were not made. */
    unsent({ records }: Trims): void {
      for (const record of records) if (record.event === 'request_overflow') write(record)
    },
    close(): void {
      if (sums === null) return
      const { edits, tokensSaved, results, cut } = sums
      const rate = results === 0 ? 0 : cut / results
      const data = { edits, tokens_saved: tokensSaved, results, results_cut: cut, truncation_rate: rate }
      write({ level: 'info', event: 'trim_totals', message: totalsText({ ...sums, rate }), data })
    },
  }
}
