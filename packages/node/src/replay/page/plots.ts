import type { Strings } from '../../strings/strings-for.ts'
import { billParts, type GroupSummary, type SessionSummary, type SetSummary } from '../replay-summary.ts'
import { changeFigure, percentFigure, shareFigure } from '../report-table.ts'
import { bounds, priceNamed } from '../report-tables.ts'
import { share } from '../statistics.ts'
import { bar, dot, drawing, label, line, type Scale, scaleOf } from './plot.ts'

/** The cost of each set against the share of needs in view: up and to the left is better. */
export function frontierPlot({ policySets }: GroupSummary, row: string, strings: Strings['replay']): string {
  const points = policySets.flatMap((set) => {
    const price = priceNamed(set, row)
    return price === undefined ? [] : [{ set, x: price.effectiveChange, y: price.retention.inView }]
  })
  const [width, height, left, bottom] = [760, 420, 60, 370]
  const changes = points.map(({ x }) => x)
  const shares = points.map(({ y }) => y)
  const across = scaleOf(changes, left, width - 150, [0])
  const up = scaleOf(shares, bottom, 24, [1])
  const axes = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 24, across.at(tick), bottom, tick === 0 ? 'zero' : 'grid'),
      label(`${changeFigure(tick)} %`, across.at(tick), bottom + 18, 'middle'),
    ]),
    ...up.ticks.flatMap((tick) => [
      line(left, up.at(tick), width - 150, up.at(tick), 'grid'),
      label(shareFigure(tick), left - 8, up.at(tick) + 4, 'end'),
    ]),
    label(strings.effective, (left + width - 150) / 2, height - 8, 'middle', 'strong'),
    label(`${strings.needs}: ${strings.inView}`, left, 14, 'start', 'strong'),
  ]
  const placed = labelPlaces(shares.map(up.at))
  const dots = points.flatMap(({ set, x, y }, index) => {
    const tooltip = `${set.name}: ${changeFigure(x)} %, ${shareFigure(y)}`
    return [
      dot(across.at(x), up.at(y), `mark ${kindOf(set)}`, tooltip),
      label(set.name, across.at(x) + 8, (placed[index] ?? up.at(y)) + 4),
    ]
  })
  return drawing(strings.frontier(row), width, height, [...axes, ...dots])
}

/** Names must not overlap: each is at least a line below the one above it. */
function labelPlaces(places: readonly number[]): readonly number[] {
  const order = [...places.keys()].sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0))
  const placed = [...places]
  let last = Number.NEGATIVE_INFINITY
  for (const index of order) {
    last = Math.max(placed[index] ?? 0, last + 13)
    placed[index] = last
  }
  return placed
}

/** The parts of each set's bill, as shares of raw. */
export function splitPlot({ policySets }: GroupSummary, row: string, strings: Strings['replay']): string {
  const base =
    priceNamed(
      policySets.find(({ name }) => name === 'raw'),
      row,
    )?.bill ?? 0
  const [width, left, height] = [760, 170, 24]
  const totals = policySets.map((set) => share(priceNamed(set, row)?.effective ?? 0, base))
  const across = scaleOf(totals, left, width - 32, [0, 1])
  const bottom = 30 + policySets.length * height
  const content = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 24, across.at(tick), bottom, tick === 0 ? 'zero' : 'grid'),
      label(`${percentFigure(tick)} %`, across.at(tick), bottom + 16, 'middle'),
    ]),
    ...policySets.flatMap((set, index) => {
      const y = 30 + index * height
      let from = 0
      const bars = billParts.map((part) => {
        const amount = share(priceNamed(set, row)?.split[part] ?? 0, base)
        const [start, end] = [across.at(from), across.at(from + amount)]
        from += amount
        const tooltip = `${set.name} · ${strings.parts[part]}: ${percentFigure(amount)} %`
        return bar(start, y, end - start, height - 8, `part-${part}`, tooltip)
      })
      return [label(set.name, left - 8, y + 12, 'end'), ...bars]
    }),
    ...billParts.flatMap((part, index) => [
      bar(left + index * 82, 4, 12, 12, `part-${part}`, strings.parts[part]),
      label(strings.parts[part], left + index * 82 + 16, 14),
    ]),
  ]
  return drawing(strings.split(row), width, bottom + 24, content)
}

/** The change of every session by every set: one dot each, and a bar for all together. */
export function sessionsPlot(
  { policySets }: GroupSummary,
  sessions: readonly SessionSummary[],
  row: string,
  strings: Strings['replay'],
): string {
  const [width, left, height] = [760, 170, 22]
  const sets = policySets.filter(({ name }) => name !== 'raw')
  const changes = new Map(
    sets.map(({ name }) => [
      name,
      sessions.flatMap((session) => {
        const price = session.policySets.find((set) => set.name === name)?.prices.find(({ model }) => model === row)
        return price === undefined ? [] : [{ session: session.name, change: price.change }]
      }),
    ]),
  )
  const shown = [...changes.values()].flat().map(({ change }) => clip(change))
  const across = scaleOf(shown, left, width - 32, [0])
  const bottom = 20 + sets.length * height
  const content = [
    ...changeAxis(across, 12, bottom),
    ...sets.flatMap((set, index) => {
      const y = 20 + index * height + height / 2
      const total = priceNamed(set, row)?.change ?? 0
      return [
        label(set.name, left - 8, y + 4, 'end'),
        ...(changes.get(set.name) ?? []).map(({ session, change }) =>
          dot(across.at(clip(change)), y, 'session', `${session}: ${changeFigure(change)} %`, 3),
        ),
        bar(across.at(clip(total)) - 1.5, y - 8, 3, 16, `mark ${kindOf(set)}`, `${set.name}: ${changeFigure(total)} %`),
      ]
    }),
  ]
  return drawing(strings.distribution(row), width, bottom + 24, content)
}

/** The effective change of every set at every price row that replays are judged by. */
export function rowsPlot({ policySets }: GroupSummary, rows: readonly string[], strings: Strings['replay']): string {
  const [width, left, step] = [760, 170, 12]
  const sets = policySets.filter(({ name }) => name !== 'raw')
  const height = rows.length * step + 12
  const changes = sets.flatMap((set) => rows.map((row) => clip(priceNamed(set, row)?.effectiveChange ?? 0)))
  const across = scaleOf(changes, left, width - 32, [0])
  const bottom = 28 + sets.length * height
  const content = [
    ...changeAxis(across, 24, bottom),
    ...sets.flatMap((set, index) => {
      const top = 30 + index * height
      return [
        label(set.name, left - 8, top + height / 2, 'end'),
        ...rows.map((row, place) => {
          const change = priceNamed(set, row)?.effectiveChange ?? 0
          const [from, to] = [across.at(Math.min(0, clip(change))), across.at(Math.max(0, clip(change)))]
          const tooltip = `${set.name} · ${row}: ${changeFigure(change)} %`
          return bar(from, top + place * step, to - from, step - 2, `row-${place % 5}`, tooltip)
        }),
      ]
    }),
    ...rows.flatMap((row, place) => [
      bar(left + place * 110, 4, 12, 12, `row-${place % 5}`, row),
      label(row, left + place * 110 + 16, 14),
    ]),
  ]
  return drawing(strings.perRow, width, bottom + 24, content)
}

function kindOf({ name, invalid }: SetSummary): string {
  if (invalid.length > 0) return 'invalid'
  return name === 'raw' || bounds.includes(name) ? 'bound' : /^(?:spec|economy)/.test(name) ? 'own' : 'other'
}

/** A session that costs ten times as much would leave no room for the others. */
function clip(change: number): number {
  return Math.min(1.5, change)
}

function changeAxis({ ticks, at }: Scale, top: number, bottom: number): readonly string[] {
  return ticks.flatMap((tick) => [
    line(at(tick), top, at(tick), bottom, Math.abs(tick) < 1e-9 ? 'zero' : 'grid'),
    label(`${changeFigure(tick)} %`, at(tick), bottom + 16, 'middle'),
  ])
}
