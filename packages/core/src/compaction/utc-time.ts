/** A time as people write it, such as `2026-01-31 12:00 UTC`; `unknown` where there is none. */
export function utcTime(milliseconds: number | undefined): string {
  // The range of times that have a date at all, in every language that has dates.
  if (typeof milliseconds !== 'number' || !(Math.abs(milliseconds) <= 8.64e15)) return 'unknown'
  const minutes = Math.floor(milliseconds / 60_000)
  const days = Math.floor(minutes / 1440)
  const minute = minutes - days * 1440
  return `${dateOf(days)} ${two(Math.floor(minute / 60))}:${two(minute % 60)} UTC`
}

/** The date of a day counted from 1970-01-01, by the Gregorian calendar: 400 years have 146,097 days. Years begin in March here. */
function dateOf(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const day = shifted - era * 146_097
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365)
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  const civilMonth = month < 10 ? month + 3 : month - 9
  const civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
  return `${civilYear < 0 ? '-' : ''}${String(Math.abs(civilYear)).padStart(4, '0')}-${two(civilMonth)}-${two(dayOfMonth)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
