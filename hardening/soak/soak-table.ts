import type { Soaked } from './soak.ts'

/** The result of a soak as a table. */
export function soakTable({ journal, memory }: Soaked): string {
  const laws = journal.laws().toSorted((a, b) => a.law.localeCompare(b.law))
  const counts = [...journal.counts()].toSorted(([a], [b]) => a.localeCompare(b))
  return [
    ...section('Done', [['what', 'times'], ...counts.map(([what, times]) => [what, String(times)])]),
    ...section('Laws', [
      ['law', 'checked', 'broken'],
      ...laws.map(({ law, checks, broken }) => [law, String(checks), broken === 0 ? '0' : `${broken} BROKEN`]),
    ]),
    ...section('Memory (MB) and descriptors of long-running processes', [
      ['process', 'samples', 'after warm-up', 'end', 'peak', 'held', 'descriptors'],
      ...memory.map(({ name, samples, warm, end, peak, held, descriptors }) => [
        name,
        String(samples),
        ...[warm, end, peak].map((megabytes) => megabytes.toFixed(0)),
        held.map((megabytes) => megabytes.toFixed(0)).join(' → '),
        descriptors.join(' → '),
      ]),
    ]),
    ...laws.flatMap(({ law, examples }) => examples.map((example) => `BROKEN ${law}: ${example}`)),
    '',
  ].join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length < 2) return []
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  )
  return [title, ...lines, '']
}
