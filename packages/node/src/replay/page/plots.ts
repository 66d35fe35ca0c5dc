import type { Strings } from '../../strings/strings-for.ts'
import type { BillSplit, GroupSummary, SessionSummary, SetSummary } from '../replay-summary.ts'
import { changeFigure, percentFigure, shareFigure } from '../report-table.ts'
import { bounds, priceNamed } from '../report-tables.ts'
import { bar, dot, drawing, line, scaleOf, words } from './plot.ts'

/** How cheap each set is against how much of what was needed stays in view: up and to the left is better. */
export function frontierPlot({ policySets }: GroupSummary, row: string, strings: Strings['replay']): string {
  const points = policySets.flatMap((set) => {
    const price = priceNamed(set, row)
    return price === undefined ? [] : [{ set, x: price.effectiveChange, y: price.retention.inView }]
  })
  const [width, height, left, bottom] = [760, 420, 60, 370]
  const across = scaleOf(
    points.map(({ x }) => x),
    left,
    width - 150,
    [0],
  )
  const up = scaleOf(
    points.map(({ y }) => y),
    bottom,
    24,
    [1],
  )
  const axes = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 24, across.at(tick), bottom, tick === 0 ? 'zero' : 'grid'),
      words(`${changeFigure(tick)} %`, across.at(tick), bottom + 18, 'middle'),
    ]),
    ...up.ticks.flatMap((tick) => [
      line(left, up.at(tick), width - 150, up.at(tick), 'grid'),
      words(shareFigure(tick), left - 8, up.at(tick) + 4, 'end'),
    ]),
    words(strings.effective, (left + width - 150) / 2, height - 8, 'middle', 'strong'),
    words(`${strings.needs}: ${strings.inView}`, left, 14, 'start', 'strong'),
  ]
  const placed = labelPlaces(points.map(({ y }) => up.at(y)))
  const dots = points.flatMap(({ set, x, y }, index) => {
    const label = `${set.name}: ${changeFigure(x)} %, ${shareFigure(y)}`
    return [
      dot(across.at(x), up.at(y), `mark ${kindOf(set)}`, label),
      words(set.name, across.at(x) + 8, (placed[index] ?? up.at(y)) + 4),
    ]
  })
  return drawing(strings.frontier(row), width, height, [...axes, ...dots])
}

/** Names must not lie on each other: each at least a line below the one above it. */
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

const parts: readonly (keyof BillSplit)[] = ['read', 'write', 'fresh', 'output', 'summaries', 'keepAlive', 'recalls']

/** What each set's bill is made of, with raw as the measure. */
export function splitPlot({ policySets }: GroupSummary, row: string, strings: Strings['replay']): string {
  const raw = policySets.find(({ name }) => name === 'raw')
  const base = raw === undefined ? 0 : (priceNamed(raw, row)?.bill ?? 0)
  const [width, left, height] = [760, 170, 24]
  const totals = policySets.map((set) => share(priceNamed(set, row)?.effective ?? 0, base))
  const across = scaleOf(totals, left, width - 32, [0, 1])
  const bottom = 30 + policySets.length * height
  const content = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 24, across.at(tick), bottom, tick === 0 ? 'zero' : 'grid'),
      words(`${percentFigure(tick)} %`, across.at(tick), bottom + 16, 'middle'),
    ]),
    ...policySets.flatMap((set, index) => {
      const y = 30 + index * height
      let from = 0
      const bars = parts.map((part) => {
        const amount = share(priceNamed(set, row)?.split[part] ?? 0, base)
        const drawn = bar(
          across.at(from),
          y,
          across.at(from + amount) - across.at(from),
          height - 8,
          `part-${part}`,
          `${set.name} · ${strings.parts[part]}: ${percentFigure(amount)} %`,
        )
        from += amount
        return drawn
      })
      return [words(set.name, left - 8, y + 12, 'end'), ...bars]
    }),
    ...parts.flatMap((part, index) => [
      bar(left + index * 82, 4, 12, 12, `part-${part}`, strings.parts[part]),
      words(strings.parts[part], left + index * 82 + 16, 14),
    ]),
  ]
  return drawing(strings.split(row), width, bottom + 24, content)
}

/** The change of every session by every set: one dot each, the whole as a bar. */
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
  // One session that costs ten times as much would press all others together.
  const most = 1.5
  const clip = (change: number) => Math.min(most, change)
  const across = scaleOf(
    [...changes.values()].flat().map(({ change }) => clip(change)),
    left,
    width - 32,
    [0],
  )
  const bottom = 20 + sets.length * height
  const content = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 12, across.at(tick), bottom, Math.abs(tick) < 1e-9 ? 'zero' : 'grid'),
      words(`${changeFigure(tick)} %`, across.at(tick), bottom + 16, 'middle'),
    ]),
    ...sets.flatMap((set, index) => {
      const y = 20 + index * height + height / 2
      const whole = priceNamed(set, row)?.change ?? 0
      return [
        words(set.name, left - 8, y + 4, 'end'),
        ...(changes.get(set.name) ?? []).map(({ session, change }) =>
          dot(across.at(clip(change)), y, 'session', `${session}: ${changeFigure(change)} %`, 3),
        ),
        bar(across.at(clip(whole)) - 1.5, y - 8, 3, 16, `mark ${kindOf(set)}`, `${set.name}: ${changeFigure(whole)} %`),
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
  const most = 1.5
  const clip = (change: number) => Math.min(most, change)
  const across = scaleOf(
    sets.flatMap((set) => rows.map((row) => clip(priceNamed(set, row)?.effectiveChange ?? 0))),
    left,
    width - 32,
    [0],
  )
  const bottom = 28 + sets.length * height
  const content = [
    ...across.ticks.flatMap((tick) => [
      line(across.at(tick), 24, across.at(tick), bottom, Math.abs(tick) < 1e-9 ? 'zero' : 'grid'),
      words(`${changeFigure(tick)} %`, across.at(tick), bottom + 16, 'middle'),
    ]),
    ...sets.flatMap((set, index) => {
      const top = 30 + index * height
      return [
        words(set.name, left - 8, top + height / 2, 'end'),
        ...rows.map((row, place) => {
          const change = priceNamed(set, row)?.effectiveChange ?? 0
          const [from, to] = [across.at(Math.min(0, clip(change))), across.at(Math.max(0, clip(change)))]
          return bar(
            from,
            top + place * step,
            to - from,
            step - 2,
            `row-${place % 5}`,
            `${set.name} · ${row}: ${changeFigure(change)} %`,
          )
        }),
      ]
    }),
    ...rows.flatMap((row, place) => [
      bar(left + place * 110, 4, 12, 12, `row-${place % 5}`, row),
      words(row, left + place * 110 + 16, 14),
    ]),
  ]
  return drawing(strings.perRow, width, bottom + 24, content)
}

function kindOf({ name, invalid }: SetSummary): string {
  if (invalid.length > 0) return 'invalid'
  return name === 'raw' || bounds.includes(name) ? 'bound' : /^(?:spec|economy)/.test(name) ? 'own' : 'other'
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
