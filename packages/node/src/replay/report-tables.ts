import { grouped } from '@plimsoll/core/text'
import type { Strings } from '../strings/strings-for.ts'
import type { BillSplit, GroupSummary, PriceSummary, ReplaySummary, SetSummary } from './replay-summary.ts'
import {
  changeFigure,
  percentFigure,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  shareFigure,
  shortFigure,
} from './report-table.ts'

/** The tables of a replay in order: long sessions first, then what is behind them, then the others, then the models. */
export function reportTables(summary: ReplaySummary, strings: Strings['replay']): readonly ReportTable[] {
  const strata = summary.strata.filter(({ sessions }) => sessions > 0)
  const [lead, ...others] = strata
  if (lead === undefined) return []
  const stratum = (group: (typeof strata)[number]) =>
    changesTable(
      strings.stratum[group.name](grouped(group.sessions)),
      group,
      summary,
      strings,
      group === lead ? [strings.legend] : [],
    )
  return [
    stratum(lead),
    ...regimesTable(lead, summary, strings),
    ...splitTable(lead, summary, strings),
    ...others.map(stratum),
    ...(strata.length > 1 ? [changesTable(strings.stratum.all(grouped(summary.sessions)), summary, summary, strings, [])] : []),
    ...modelsTable(lead, summary, strings),
  ]
}

/** What users would get, as one sentence: most of them through the gateway. Null if that was not replayed. */
export function headlineOf(summary: ReplaySummary, strings: Strings['replay']): string | null {
  const lead = summary.strata.find(({ sessions }) => sessions > 0)
  if (lead === undefined) return null
  const changeOf = (name: string): string | null => {
    const set = lead.policySets.find((each) => each.name === name)
    const price = set === undefined ? undefined : priceNamed(set, summary.reference)
    return price === undefined ? null : changeFigure(price.effectiveChange)
  }
  const gateway = changeOf('gateway-economy')
  if (gateway === null) return null
  const changes = { gateway, signed: changeOf('gateway-economy-signed'), library: changeOf('economy') }
  return strings.headline(strings.stratum[lead.name](grouped(lead.sessions)), changes)
}

/** Sets that only mark what can be reached at all. */
export const bounds: readonly string[] = ['oracle', 'no-tool-output']

const general = ['r.10', 'r.05', 'r.025']

/** The rows that a replay is judged by, as far as they were wanted; else the first. */
export function mainRows({ policySets }: ReplaySummary): readonly string[] {
  const names = policySets[0]?.prices.map(({ model }) => model) ?? []
  const chosen = general.filter((name) => names.includes(name))
  return chosen.length > 0 ? chosen : names.slice(0, 3)
}

/** What a set did at a price row, by its name. */
export function priceNamed({ prices }: SetSummary, name: string | null): PriceSummary | undefined {
  return prices.find(({ model }) => model === name)
}

/** What a group can be relied on for, and what is taken for granted: it stands at every table. */
export function standingNotes({ calibrated, timed, sessions }: GroupSummary, strings: Strings['replay']): readonly string[] {
  return [strings.tier(grouped(calibrated), grouped(timed), grouped(sessions)), strings.assumption]
}

function changesTable(
  title: string,
  group: GroupSummary,
  summary: ReplaySummary,
  strings: Strings['replay'],
  legend: readonly string[],
): ReportTable {
  const { reference } = summary
  const rows = mainRows(summary)
  const share = (head: string): ReportColumn => ({ head, over: strings.needs, width: 5 })
  return {
    title,
    first: strings.policySet,
    columns: [
      ...changeColumns(rows, strings),
      share(strings.inView),
      share(strings.reachable),
      share(strings.lost),
      { head: strings.edits, over: '', width: 5 },
      { head: strings.worst, over: '', width: 6 },
      { head: strings.interval, over: strings.effective, width: 15, isExtra: true },
      { head: strings.regret, over: '', width: 8, isExtra: true },
    ],
    rows: group.policySets.map((set) => {
      const price = priceNamed(set, reference)
      const { retention } = set
      return rowOf(set, [
        ...changeCells(set, rows),
        shareFigure(retention.inView),
        shareFigure(retention.reachable),
        shareFigure(retention.lost),
        shareFigure(retention.editsWhole),
        changeFigure(price?.worstSessionChange ?? 0),
        intervalText(price?.effectiveChangeInterval ?? null),
        price === undefined || price.regret === null ? '' : price.regret.toFixed(2),
      ])
    }),
    notes: [
      ...standingNotes(group, strings),
      ...legend,
      ...invalidNotes(group, strings),
      ...sensitivityNotes(group, reference, strings),
    ],
  }
}

function regimesTable(group: GroupSummary, { policySets }: ReplaySummary, strings: Strings['replay']): readonly ReportTable[] {
  const known: Readonly<Record<string, string>> = {
    'r.05': strings.fiveMinutes,
    'r.05-1h': strings.hour,
    'r.05-warm': strings.warm,
  }
  const rows = Object.keys(known).filter((name) => policySets[0]?.prices.some(({ model }) => model === name))
  if (rows.length < 2) return []
  return [
    {
      title: strings.regimes,
      first: strings.policySet,
      columns: [
        ...changeColumns(rows, strings).map((column) => ({ ...column, head: known[column.head] ?? column.head })),
        { head: strings.hits, over: '', width: 6 },
        { head: strings.peak, over: '', width: 6 },
      ],
      rows: group.policySets.map((set) =>
        rowOf(set, [...changeCells(set, rows), shareFigure(set.hitRatio), changeFigure(set.peakChange)]),
      ),
      notes: [...standingNotes(group, strings), strings.regimesLegend],
    },
  ]
}

const parts: readonly (keyof BillSplit)[] = ['read', 'write', 'fresh', 'output', 'summaries', 'keepAlive', 'recalls']

function splitTable(group: GroupSummary, { reference }: ReplaySummary, strings: Strings['replay']): readonly ReportTable[] {
  const raw = group.policySets.find(({ name }) => name === 'raw')
  const base = raw === undefined ? undefined : priceNamed(raw, reference)?.bill
  if (reference === null || base === undefined || base === 0) return []
  const column = (head: string): ReportColumn => ({ head, over: '', width: 5 })
  return [
    {
      title: strings.split(reference),
      first: strings.policySet,
      columns: [
        ...parts.map((part) => ({ head: strings.parts[part], over: '', width: 6 })),
        ...[strings.faults, strings.removed].map(column),
        ...['p50', 'p99'].map((head): ReportColumn => ({ head, over: 'ms', width: 5 })),
      ],
      rows: group.policySets.map((set) => {
        const price = priceNamed(set, reference)
        if (price === undefined) return rowOf(set, [])
        return rowOf(set, [
          ...parts.map((part) => percentFigure(price.split[part] / base)),
          shortFigure(price.faultsPer100Requests),
          shareFigure(price.resultTokensRemoved),
          shortFigure(set.latencyMs.p50),
          shortFigure(set.latencyMs.p99),
        ])
      }),
      notes: [...standingNotes(group, strings), strings.splitLegend],
    },
  ]
}

/** Our own sets, the best of the others, and what hindsight reaches; where a few sets were chosen, those. */
function modelsTable(group: GroupSummary, { policySets }: ReplaySummary, strings: Strings['replay']): readonly ReportTable[] {
  const models = (policySets[0]?.prices ?? []).map(({ model }) => model).filter((name) => !name.startsWith('r.'))
  if (models.length === 0) return []
  const sets = group.policySets.filter(({ name }) => name !== 'raw')
  const isOwn = ({ name }: SetSummary) => /^(?:spec|economy)/.test(name)
  const others = sets.filter((set) => !isOwn(set) && !bounds.includes(set.name))
  const cells: readonly (readonly [head: string, of: (model: string) => number | undefined])[] = [
    ...sets.filter(isOwn).map((set) => [set.name, (model: string) => priceNamed(set, model)?.effectiveChange] as const),
    ...(others.length === 0
      ? []
      : [
          [
            strings.otherBest,
            (model: string) => Math.min(...others.map((set) => priceNamed(set, model)?.effectiveChange ?? 0)),
          ] as const,
        ]),
    ...sets
      .filter(({ name }) => bounds.includes(name))
      .slice(0, 1)
      .map((set) => [set.name, (model: string) => priceNamed(set, model)?.effectiveChange] as const),
  ]
  return [
    {
      title: strings.models,
      first: strings.priceRow,
      columns: cells.map(([head]) => {
        // Names of sets are long, and break where they have a dash.
        const [top, ...rest] = head.split(/(?<=-)|\s+of\s+/)
        return rest.length === 0 ? { head: top ?? '', over: '', width: 10 } : { head: rest.join(''), over: top ?? '', width: 10 }
      }),
      rows: models.map((model) => ({
        name: model,
        kind: 'plain',
        cells: cells.map(([, of]) => changeFigure(of(model) ?? 0)),
      })),
      notes: standingNotes(group, strings),
    },
  ]
}

function changeColumns(rows: readonly string[], strings: Strings['replay']): readonly ReportColumn[] {
  return [strings.bill, strings.effective].flatMap((over) => {
    // Few columns are as wide as what stands over them.
    const width = Math.max(6, Math.ceil((over.length + 2) / rows.length))
    return rows.map((head) => ({ head, over, width }))
  })
}

function changeCells(set: SetSummary, rows: readonly string[]): readonly string[] {
  const prices = rows.map((name) => priceNamed(set, name))
  return [
    ...prices.map((price) => changeFigure(price?.change ?? 0)),
    ...prices.map((price) => changeFigure(price?.effectiveChange ?? 0)),
  ]
}

function rowOf(set: SetSummary, cells: readonly string[]): ReportRow {
  const kind = set.invalid.length > 0 ? 'invalid' : bounds.includes(set.name) ? 'bound' : 'plain'
  return { name: kind === 'invalid' ? `${set.name} !` : set.name, cells, kind }
}

function intervalText(interval: readonly [number, number] | null): string {
  return interval === null ? '' : `${changeFigure(interval[0])} … ${changeFigure(interval[1])}`
}

function invalidNotes({ policySets }: GroupSummary, strings: Strings['replay']): readonly string[] {
  return policySets.flatMap(({ name, invalid }) => {
    const gates = new Set(invalid.flatMap((session) => session.gates))
    return invalid.length === 0
      ? []
      : [strings.invalid(name, invalid.length, [...gates].map((gate) => strings.gates[gate]).join(', '))]
  })
}

/** For the best of what could be run. */
function sensitivityNotes({ policySets }: GroupSummary, reference: string | null, strings: Strings['replay']): readonly string[] {
  const candidates = policySets.flatMap((set) => {
    const price =
      set.name === 'raw' || bounds.includes(set.name) || set.invalid.length > 0 ? undefined : priceNamed(set, reference)
    return price === undefined ? [] : [{ name: set.name, price }]
  })
  const [best] = candidates.toSorted((one, other) => one.price.effectiveChange - other.price.effectiveChange)
  if (best === undefined) return []
  const { sensitivity } = best.price
  return [
    strings.sensitivity(
      best.name,
      changeFigure(sensitivity['1']),
      changeFigure(sensitivity['2']),
      changeFigure(sensitivity['5']),
    ),
  ]
}
