/** For the user, in UTC: `2026-01-31 10:00`; a dash if it is not a valid time. */
export function timeText(milliseconds: number | undefined): string {
  return readableTime(isoTime(milliseconds))
}

export function readableTime(iso: string | null): string {
  return iso?.slice(0, 16).replace('T', ' ') ?? '-'
}

/** Null if it is not a valid time. */
export function isoTime(milliseconds: number | undefined): string | null {
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || Math.abs(milliseconds) > 8.64e15) return null
  return new Date(milliseconds).toISOString()
}

/** To the second: `2026-01-31T10:00:00Z`. */
export function secondsTime(milliseconds: number): string {
  return (isoTime(milliseconds) ?? '-').replace(/\.\d+Z$/, 'Z')
}

/** One to three digits: 812 B, 12.3 KB, 1.2 MB. */
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
