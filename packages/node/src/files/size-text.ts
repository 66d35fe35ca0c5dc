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
