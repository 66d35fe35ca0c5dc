import type { LogListRow } from '@plimsoll/core'

/** What a list of logs shows, one below the other: an agent, then its logs. */
export type LogLine =
  | { readonly kind: 'agent'; readonly agent: string; readonly count: number; readonly bytes: number }
  | { readonly kind: 'log'; readonly row: LogListRow }

/** The logs that have a text in their name, folder or agent, by agent: the one that was at work last first, its latest log first. */
export function logLines(rows: readonly LogListRow[], search: string): readonly LogLine[] {
  const wanted = search.trim().toLowerCase()
  const shown = rows.filter(({ name, folder, agent }) => `${folder}/${name} ${agent}`.toLowerCase().includes(wanted))
  const groups = Map.groupBy(
    shown.toSorted((one, other) => other.changed - one.changed),
    ({ agent }) => agent,
  )
  return [...groups].flatMap(([agent, logs]): readonly LogLine[] => [
    { kind: 'agent', agent, count: logs.length, bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0) },
    ...logs.map((row): LogLine => ({ kind: 'log', row })),
  ])
}
