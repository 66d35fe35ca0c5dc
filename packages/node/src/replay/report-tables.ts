import { grouped } from '@plimsoll/core/text'
import type { Strings } from '../strings/strings-for.ts'
import { billParts, type GroupSummary, type PriceSummary, type ReplaySummary, type SetSummary } from './replay-summary.ts'
import {
  changeFigure,
  percentFigure,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  shareFigure,
  shortFigure,
} from './report-table.ts'

/** The tables of a replay in order: long sessions, details about them, the other sessions, the models. */
export function reportTables(summary: ReplaySummary, strings: Strings['replay']): readonly ReportTable[] {
  const strata = summary.strata.filter(({ sessions }) => sessions > 0)
  const [lead, ...others] = strata
  if (lead === undefined) return []
  const stratum = (group: (typeof strata)[number]) => {
    const title = strings.stratum[group.name](grouped(group.sessions))
    return changesTable(title, group, summary, strings, group === lead ? [strings.legend] : [])
  }
  const all = strings.stratum.all(grouped(summary.sessions))
  const tables = [
    stratum(lead),
    regimesTable(lead, summary, strings),
    splitTable(lead, summary, strings),
    ...others.map(stratum),
    others.length > 0 ? changesTable(all, summary, summary, strings, []) : null,
    modelsTable(lead, summary, strings),
  ]
  return tables.filter((table) => table !== null)
}

/** The savings in one sentence, the gateway's first because most users use it. Null if it was not replayed. */
export function headlineOf(summary: ReplaySummary, strings: Strings['replay']): string | null {
  const lead = summary.strata.find(({ sessions }) => sessions > 0)
  if (lead === undefined) return null
  const changeOf = (name: string): string | null => {
    const price = priceNamed(
      lead.policySets.find((each) => each.name === name),
      summary.reference,
    )
    return price === undefined ? null : changeFigure(price.effectiveChange)
  }
  const gateway = changeOf('gateway-economy')
  if (gateway === null) return null
  const changes = { gateway, signed: changeOf('gateway-economy-signed'), library: changeOf('economy') }
  return strings.headline(strings.stratum[lead.name](grouped(lead.sessions)), changes)
}

/** Sets that are bounds instead of policies. */
export const bounds: readonly string[] = ['oracle', 'no-tool-output']

const general = ['r.10', 'r.05', 'r.025']

/** The rows that replays are judged by, if they were requested; else the first three. */
export function mainRows(summary: ReplaySummary): readonly string[] {
  const names = rowNames(summary)
  const chosen = general.filter((name) => names.includes(name))
  return chosen.length > 0 ? chosen : names.slice(0, 3)
}

export function priceNamed(set: SetSummary | undefined, name: string | null): PriceSummary | undefined {
  return set?.prices.find(({ model }) => model === name)
}

export function rowNames({ policySets }: ReplaySummary): readonly string[] {
  return policySets[0]?.prices.map(({ model }) => model) ?? []
}

/** The reliability of a group and the assumption, shown with every table. */
export function commonNotes({ calibrated, timed, sessions }: GroupSummary, strings: Strings['replay']): readonly string[] {
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
      { head: strings.edits, over: '', width: 5, isExtra: true },
      { head: strings.worst, over: '', width: 6, isExtra: true },
      { head: strings.interval, over: strings.effective, width: 15, isExtra: true },
      { head: strings.regret, over: '', width: 8, isExtra: true },
      { head: strings.checked, over: '', width: 8, isExtra: true },
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
        shareFigure(retention.checked.inView),
      ])
    }),
    notes: [
      ...commonNotes(group, strings),
      ...legend,
      ...invalidNotes(group, strings),
      ...sensitivityNotes(group, reference, strings),
    ],
  }
}

function regimesTable(group: GroupSummary, summary: ReplaySummary, strings: Strings['replay']): ReportTable | null {
  const known: Readonly<Record<string, string>> = {
    'r.05': strings.fiveMinutes,
    'r.05-1h': strings.hour,
    'r.05-warm': strings.warm,
  }
  const rows = Object.keys(known).filter((name) => rowNames(summary).includes(name))
  if (rows.length < 2) return null
  return {
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
    notes: [...commonNotes(group, strings), strings.regimesLegend],
  }
}

function splitTable(group: GroupSummary, { reference }: ReplaySummary, strings: Strings['replay']): ReportTable | null {
  const base = priceNamed(
    group.policySets.find(({ name }) => name === 'raw'),
    reference,
  )?.bill
  if (reference === null || base === undefined || base === 0) return null
  return {
    title: strings.split(reference),
    first: strings.policySet,
    columns: [
      ...billParts.map((part) => ({ head: strings.parts[part], over: '', width: 6 })),
      { head: strings.faults, over: strings.parts.recalls, width: 5, isExtra: true },
      { head: strings.removed, over: '', width: 5, isExtra: true },
      ...['p50', 'p99'].map((head): ReportColumn => ({ head, over: 'ms', width: 5, isExtra: true })),
    ],
    rows: group.policySets.map((set) => {
      const price = priceNamed(set, reference)
      if (price === undefined) return rowOf(set, [])
      return rowOf(set, [
        ...billParts.map((part) => percentFigure(price.split[part] / base)),
        shortFigure(price.faultsPer100Requests),
        shareFigure(price.resultTokensRemoved),
        shortFigure(set.latencyMs.p50),
        shortFigure(set.latencyMs.p99),
      ])
    }),
    notes: [...commonNotes(group, strings), strings.splitLegend],
  }
}

/** Our own sets, the best of the others, and the oracle. */
function modelsTable(group: GroupSummary, summary: ReplaySummary, strings: Strings['replay']): ReportTable | null {
  const models = rowNames(summary).filter((name) => !name.startsWith('r.'))
  if (models.length === 0) return null
  const sets = group.policySets.filter(({ name }) => name !== 'raw')
  const isOwn = ({ name }: SetSummary) => /^(?:spec|economy)/.test(name)
  const others = sets.filter((set) => !isOwn(set) && !bounds.includes(set.name))
  const bound = sets.filter(({ name }) => bounds.includes(name)).slice(0, 1)
  const changeAt = (set: SetSummary, model: string) => priceNamed(set, model)?.effectiveChange ?? 0
  const cellsOf = (set: SetSummary) => ({ head: set.name, at: (model: string) => changeAt(set, model) })
  const best = (model: string) => Math.min(...others.map((set) => changeAt(set, model)))
  const cells = [
    ...sets.filter(isOwn).map(cellsOf),
    ...(others.length === 0 ? [] : [{ head: strings.otherBest, at: best }]),
    ...bound.map(cellsOf),
  ]
  return {
    title: strings.models,
    first: strings.priceRow,
    columns: cells.map(({ head }) => {
      // Names of sets are long, and are broken at a dash.
      const [top, ...rest] = head.split(/(?<=-)|\s{1,9}of\s{1,9}/)
      return rest.length === 0 ? { head: top ?? '', over: '', width: 10 } : { head: rest.join(''), over: top ?? '', width: 10 }
    }),
    rows: models.map((model) => ({ name: model, kind: 'plain', cells: cells.map(({ at }) => changeFigure(at(model))) })),
    notes: commonNotes(group, strings),
  }
}

function changeColumns(rows: readonly string[], strings: Strings['replay']): readonly ReportColumn[] {
  return [strings.bill, strings.effective].flatMap((over) => {
    // Columns with a common head must together be as wide as the head.
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

function sensitivityNotes({ policySets }: GroupSummary, reference: string | null, strings: Strings['replay']): readonly string[] {
  const candidates = policySets.flatMap((set) => {
    const isUsable = set.name !== 'raw' && !bounds.includes(set.name) && set.invalid.length === 0
    const price = isUsable ? priceNamed(set, reference) : undefined
    return price === undefined ? [] : [{ name: set.name, price }]
  })
  const [best] = candidates.toSorted((one, other) => one.price.effectiveChange - other.price.effectiveChange)
  if (best === undefined) return []
  const { '1': one, '2': two, '5': five } = best.price.sensitivity
  return [strings.sensitivity(best.name, changeFigure(one), changeFigure(two), changeFigure(five))]
}
