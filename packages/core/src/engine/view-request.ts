import type { Facts } from '../facts.ts'
import type { Policy } from '../policy.ts'
import type { Report } from '../report.ts'
import type { Patch } from '../text/patch.ts'
import type { Codec, Reading } from '../wire/dialect.ts'
import type { BuiltView } from './build-view.ts'
import { locateReport } from './locate-report.ts'
import { type LogRecord, logRecords } from './log-records.ts'
import { viewOnce } from './prepare.ts'

/** The result of `viewRequest`. */
export interface RequestView {
  readonly reading: Reading
  readonly built: BuiltView
  /** Empty if nothing fires. */
  readonly patches: readonly Patch[]
  /** Messages are named by their place in the request. */
  readonly report: Report
  /** The log records the specification asks for. */
  readonly log: () => readonly LogRecord[]
}

/** Builds the view of a request without a conversation: every message counts as seen, and all edits apply at once. */
export function viewRequest(codec: Codec, request: unknown, policies: readonly Policy[], facts: Facts): RequestView {
  const reading = codec.read(request)
  const built = viewOnce(reading.messages, policies, facts)
  return {
    reading,
    built,
    patches: reading.patches(built.view),
    report: locateReport(built.report, built.edits, reading.locate),
    log: () => logRecords(reading.messages, built, facts),
  }
}
