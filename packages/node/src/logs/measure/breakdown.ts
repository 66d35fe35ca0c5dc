import { firstDayOf, localDay } from './local-day.ts'
import { type AnswerUsage, createBillSum, type SessionMeasure } from './measure-session.ts'

export const breakdowns = ['day', 'week', 'month', 'model', 'project', 'session'] as const

/** What the rows of a bill stand for. */
export type BreakdownBy = (typeof breakdowns)[number]

/** The answers that count: from the first of these days to the last, in the user's time zone. Null for no limit. */
export interface BillSpan {
  readonly since: string | null
  readonly until: string | null
}

/** Whether an answer counts. One without a time counts only without a limit. */
export function isWithin([at]: AnswerUsage, { since, until }: BillSpan): boolean {
  if (since === null && until === null) return true
  if (at === null) return false
  const day = localDay(at)
  return (since === null || since <= day) && (until === null || day <= until)
}

/** Adds up answers by day, model, project and the like. */
export function createBreakdown(by: BreakdownBy) {
  const rows = new Map<string | null, ReturnType<typeof newRow>>()
  return {
    /** The sum that an answer belongs to. */
    sumFor(answer: AnswerUsage, model: string | null, session: SessionMeasure, file: string) {
      const key = keyOf(by, answer, model, session, file)
      const row = rows.get(key) ?? newRow(key, by === 'session' ? session.title : null)
      rows.set(key, row)
      row.sessions.add(session.id ?? file)
      return row.sum
    },
    /** Days, weeks and months in their order, others by what they cost. */
    finish() {
      const all = [...rows.values()].flatMap(({ key, title, sessions, sum }) => {
        const usage = sum.usage()
        const { dollars, unpriced, basis, recordedDollars } = sum.money()
        return usage === null ? [] : [{ key, title, sessions: sessions.size, usage, dollars, unpriced, basis, recordedDollars }]
      })
      const inOrder = by === 'day' || by === 'week' || by === 'month'
      const byName = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1)
      return {
        by,
        rows: all.toSorted((a, b) =>
          inOrder
            ? byName(a.key, b.key)
            : (b.dollars ?? 0) - (a.dollars ?? 0) || b.usage.requests - a.usage.requests || byName(a.key, b.key),
        ),
      }
    },
  }
}

export type Breakdown = ReturnType<ReturnType<typeof createBreakdown>['finish']>

function newRow(key: string | null, title: string | null) {
  return { key, title, sessions: new Set<string>(), sum: createBillSum() }
}

/** Null for an answer without a time or a model, and for a session without a folder. */
function keyOf(by: BreakdownBy, [at]: AnswerUsage, model: string | null, session: SessionMeasure, file: string): string | null {
  if (by === 'model') return model
  if (by === 'project') return session.root
  if (by === 'session') return session.id ?? file
  if (at === null) return null
  if (by === 'day') return localDay(at)
  return by === 'month' ? localDay(at).slice(0, 7) : firstDayOf('week', at)
}
