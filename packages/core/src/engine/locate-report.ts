import type { Edit } from '../edit.ts'
import type { Report, ReportedEdit } from '../report.ts'
import type { Reading } from '../wire/dialect.ts'

/** The report with messages named by their place in a request. An inserted message has the place of the one before it. */
export function locateReport(report: Report, edits: readonly Edit[], place: Reading['locate']): Report {
  const places = new Map<string, string>()
  for (const edit of edits) {
    if (edit.kind === 'insert' && edit.after !== null) places.set(edit.message.id, places.get(edit.after) ?? edit.after)
  }
  const locate: Reading['locate'] = (message, part) => {
    const before = places.get(message)
    return before === undefined ? place(message, part) : place(before, 0)
  }
  const located = (edit: ReportedEdit): ReportedEdit => ({ ...edit, ...locate(edit.message, edit.part) })
  const problems = report.problems.map((problem) => ({ ...problem, message: locate(problem.message, 0).message }))
  const overflow = report.overflow && {
    ...report.overflow,
    parts: report.overflow.parts.map((heavy) =>
      heavy.message === null ? heavy : { ...heavy, ...locate(heavy.message, heavy.part) },
    ),
  }
  const { rewrite } = report
  return {
    ...report,
    edits: report.edits.map(located),
    waiting: report.waiting.map(located),
    withdrawn: report.withdrawn.map(located),
    rewrite: rewrite && { ...rewrite, message: locate(rewrite.message, 0).message },
    problems,
    overflow,
  }
}
