import type { Facts } from './facts.ts'
import { type LogRecord, logRecords } from './log.ts'
import type { Policy } from './policy.ts'
import type { Report, ReportedEdit } from './report.ts'
import { type BuiltView, buildView } from './view.ts'
import type { Codec, Reading } from './wire/codec.ts'
import type { Patch } from './wire/patch.ts'

/** A vendor's request as it should be sent: the changes to make, and why. */
export interface RequestView {
  readonly reading: Reading
  readonly built: BuiltView
  /** The changes to the original request. None when nothing fires. */
  readonly patches: readonly Patch[]
  /** The report, with messages named by their place in the request. */
  readonly report: Report
  /** What the specification wants logged about it. */
  readonly log: () => readonly LogRecord[]
}

/** Builds the view of a request that was never sent before, at once and from scratch. */
export function viewRequest(codec: Codec, request: unknown, policies: readonly Policy[], facts: Facts): RequestView {
  const reading = codec.read(request)
  const built = buildView({ messages: reading.messages, policies, facts, timing: 'immediate' })
  return {
    reading,
    built,
    patches: reading.patches(built.view),
    report: locateReport(built, reading),
    log: () => logRecords(reading.messages, built, facts),
  }
}

function locateReport({ report, edits }: BuiltView, reading: Reading): Report {
  // A message that was put in stands where the one before it stands, back to one that the request has.
  const places = new Map<string, string>()
  for (const edit of edits) {
    if (edit.kind === 'insert' && edit.after !== null) places.set(edit.message.id, places.get(edit.after) ?? edit.after)
  }
  const locate = (message: string, part: number) => {
    const place = places.get(message)
    return place === undefined ? reading.locate(message, part) : reading.locate(place, 0)
  }
  const located = (edit: ReportedEdit): ReportedEdit => ({ ...edit, ...locate(edit.message, edit.part) })
  const problems = report.problems.map((problem) => ({ ...problem, message: locate(problem.message, 0).message }))
  const overflow = report.overflow && {
    ...report.overflow,
    parts: report.overflow.parts.map((heavy) =>
      heavy.message === null ? heavy : { ...heavy, ...locate(heavy.message, heavy.part) },
    ),
  }
  return { ...report, edits: report.edits.map(located), waiting: report.waiting.map(located), problems, overflow }
}
