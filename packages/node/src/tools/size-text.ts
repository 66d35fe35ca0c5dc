/** How much a number of bytes is, for models and people: `512 B`, `1.5 KB`, `2.0 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let size = bytes / 1024
  let unit = 0
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${size.toFixed(1)} ${units[unit]}`
}

const units = ['KB', 'MB', 'GB', 'TB']
