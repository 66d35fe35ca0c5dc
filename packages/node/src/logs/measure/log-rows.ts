import { usageTotal } from '@plimsoll/core/bill'
import type { LogFigures } from '../../shared/spending.ts'
import type { FoundLog } from '../find-logs.ts'
import { createBillSum, type SessionMeasure } from './measure-session.ts'

/** What one log holds and cost. */
export interface LogRow extends LogFigures {
  readonly file: string
}

/** Collects what each log holds and cost. An answer that is in several logs counts for the first of them. */
export function createLogRows() {
  const rows = new Map<string, ReturnType<typeof newRow>>()
  return {
    /** The sum that a session's answers belong to. */
    sumFor({ path, agent }: FoundLog, { title, root, first, last }: SessionMeasure) {
      const row = rows.get(path) ?? newRow(path, agent)
      rows.set(path, row)
      row.title ??= title
      row.project ??= root
      row.first = smallest(row.first, first, 1)
      row.last = smallest(row.last, last, -1)
      return row.sum
    },
    finish: (): readonly LogRow[] =>
      [...rows.values()].map(({ sum, ...row }) => {
        const usage = sum.usage()
        const { dollars, unpriced, models } = sum.money()
        const tokens = usage === null ? 0 : usageTotal(usage)
        return { ...row, requests: usage?.requests ?? 0, tokens, dollars, unpriced, model: models[0]?.model ?? null }
      }),
  }
}

interface RowHead {
  title: string | null
  project: string | null
  first: number | null
  last: number | null
}

function newRow(file: string, agent: string) {
  const head: RowHead = { title: null, project: null, first: null, last: null }
  return Object.assign(head, { file, agent, sum: createBillSum() })
}

/** The smaller of two times, or the larger one with -1; null counts as unknown. */
function smallest(known: number | null, next: number | null, sign: 1 | -1): number | null {
  if (known === null || next === null) return known ?? next
  return sign * known <= sign * next ? known : next
}
