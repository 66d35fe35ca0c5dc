/** A time as people read it, in UTC: `2026-01-31 10:00`. What is no time of a calendar is a dash. */
export function timeText(milliseconds: number | undefined): string {
  return readableTime(isoTime(milliseconds))
}

/** The same of a time that is written for programs. */
export function readableTime(iso: string | null): string {
  return iso?.slice(0, 16).replace('T', ' ') ?? '-'
}

/** A time as programs read it, or null where there is none. */
export function isoTime(milliseconds: number | undefined): string | null {
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || Math.abs(milliseconds) > 8.64e15) return null
  return new Date(milliseconds).toISOString()
}

/** The time of a request, to the second: `2026-01-31T10:00:00Z`. */
export function secondsTime(milliseconds: number): string {
  return (isoTime(milliseconds) ?? '-').replace(/\.\d+Z$/, 'Z')
}

/** A size in the unit that gives it one to three digits: 812 B, 12.3 KB, 1.2 MB. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}
