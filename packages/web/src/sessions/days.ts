import type { Language } from '../parts/language.tsx'

interface Dated {
  readonly last: number
}

/** What a list shows, one below the other: a day, then what is of that day. */
type DayLine<Row extends Dated> =
  | { readonly kind: 'day'; readonly day: Day }
  | { readonly kind: 'row'; readonly row: Row; readonly number: number }

interface Day {
  readonly ago: number
  readonly at: number
}

/** The lines of a list whose rows come newest first, with every day named once above its rows. */
export function dayLines<Row extends Dated>(rows: readonly Row[], now: number): readonly DayLine<Row>[] {
  const lines: DayLine<Row>[] = []
  let ago: number | null = null
  rows.forEach((row, number) => {
    const days = daysAgo(row.last, now)
    if (days !== ago) lines.push({ kind: 'day', day: { ago: days, at: row.last } })
    ago = days
    lines.push({ kind: 'row', row, number })
  })
  return lines
}

/** How many midnights lie between two moments, as the calendar of this place counts them. */
function daysAgo(at: number, now: number): number {
  // A day with a change of the clock has an hour more or less.
  return Math.max(0, Math.round((midnight(now) - midnight(at)) / 86_400_000))
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** What a day is called in a list: today, yesterday, or its date. */
export function dayWords({ ago, at }: Day, { sessions, region }: Language, now: number): string {
  if (ago === 0) return sessions.today
  if (ago === 1) return sessions.yesterday
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const format: Intl.DateTimeFormatOptions = isThisYear
    ? { weekday: 'short', day: 'numeric', month: 'long' }
    : { day: 'numeric', month: 'long', year: 'numeric' }
  return new Intl.DateTimeFormat(region, format).format(at)
}

/** The time of a moment in its day, such as 14:05. */
export function timeOfDay(at: number, { region }: Pick<Language, 'region'>): string {
  return new Intl.DateTimeFormat(region, { hour: '2-digit', minute: '2-digit' }).format(at)
}
