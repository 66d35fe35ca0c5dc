import type { Language } from '../parts/language.tsx'
import type { Day } from './day-groups.ts'

/** What a day is called in a list: today, yesterday, or its date. */
export function dayWords({ ago, at }: Day, { strings, region }: Pick<Language, 'strings' | 'region'>, now: number): string {
  const words = strings.sessions
  if (ago === 0) return words.today
  if (ago === 1) return words.yesterday
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
