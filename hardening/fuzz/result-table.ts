import type { FuzzResult } from './fuzz.ts'

/** The results of a run, one line for each target. */
export function resultTable(results: readonly FuzzResult[]): string {
  const rows = results.map(({ target, executions, seconds, bySeeds, reached, branches, kept, finds }) => [
    target,
    number(executions),
    seconds === 0 ? '' : number(Math.round(executions / seconds)),
    number(bySeeds),
    number(reached),
    number(branches),
    number(kept),
    number(finds.length),
  ])
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)))
  const lines = all.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number))),
  )
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return `${lines
    .toSpliced(1, 0, rule)
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')}\n`
}

const heads = ['target', 'executions', 'a second', 'by seeds', 'reached', 'branches', 'kept', 'finds']

function number(value: number): string {
  return value.toLocaleString('en')
}
