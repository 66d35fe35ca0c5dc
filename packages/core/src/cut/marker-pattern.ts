/**
 * A pattern for what a marker function writes, with one group for each number, or null when the marker does not show its
 * numbers. The functions come from a table that users may change, so the form is learned by calling them.
 */
export function markerPattern(write: (...numbers: readonly number[]) => string, count: number): RegExp | null {
  const probes = [731_946_025, 862_057_139].slice(0, count)
  const sample = write(...probes)
  const source = sample.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const found = probes.map((probe) => source.indexOf(String(probe)))
  const ordered = found.every((place, index) => place > (found[index - 1] ?? -1))
  if (!ordered) return null
  return new RegExp(
    probes.reduce((pattern, probe) => pattern.replace(String(probe), '(\\d{1,15})'), source),
    'g',
  )
}
