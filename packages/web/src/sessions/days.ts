import type { Language } from '../parts/language.tsx'

type Day = { readonly ago: number; readonly at: number }

type DayLine<Row> =
  | { readonly kind: 'day'; readonly day: Day }
  | { readonly kind: 'row'; readonly row: Row; readonly number: number }

/** The lines of a list whose rows come newest first, with every day named once above its rows. */
export function dayLines<Row extends { readonly last: number }>(rows: readonly Row[], now: number): readonly DayLine<Row>[] {
  return rows.flatMap((row, number): readonly DayLine<Row>[] => {
    const ago = daysAgo(row.last, now)
    const before = rows[number - 1]
    const isNewDay = before === undefined || daysAgo(before.last, now) !== ago
    const line = { kind: 'row', row, number } as const
    return isNewDay ? [{ kind: 'day', day: { ago, at: row.last } }, line] : [line]
  })
}

function daysAgo(at: number, now: number): number {
  const midnight = (moment: number) => new Date(moment).setHours(0, 0, 0, 0)
  // A day with a change of the clock has an hour more or less.
  return Math.max(0, Math.round((midnight(now) - midnight(at)) / 86_400_000))
}

/** The name of a day in a list: today, yesterday, or its date. */
export function dayName({ ago, at }: Day, { sessions, region }: Pick<Language, 'sessions' | 'region'>, now: number): string {
  if (ago === 0) return sessions.today
  if (ago === 1) return sessions.yesterday
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const format: Intl.DateTimeFormatOptions = isThisYear
    ? { weekday: 'short', day: 'numeric', month: 'long' }
    : { day: 'numeric', month: 'long', year: 'numeric' }
  return new Intl.DateTimeFormat(region, format).format(at)
}
