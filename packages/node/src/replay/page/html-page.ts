import { grouped } from '@plimsoll/core/text'
import type { Strings } from '../../strings/strings-for.ts'
import type { ReplaySummary } from '../replay-summary.ts'
import type { ReportColumn, ReportTable } from '../report-table.ts'
import { commonNotes, headlineOf, mainRows, reportTables, rowNames } from '../report-tables.ts'
import { escapeHtml } from './escape-html.ts'
import { frontierPlot, rowsPlot, sessionsPlot, splitPlot } from './plots.ts'

/** The result of a replay as one self-contained page with tables and plots. All input is escaped. */
export function htmlPage(summary: ReplaySummary, strings: Strings['replay'], verdict: readonly string[] = []): string {
  const title = strings.title(summary.sessions, grouped(summary.sessions), grouped(summary.requests))
  const headline = headlineOf(summary, strings)
  // Loads nothing and runs no script, even if a name contains HTML.
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return [
    '<!doctype html>',
    `<html lang="${strings.language}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(`Plimsoll: ${title}`)}</title>`,
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...verdict.map((text) => `<p><strong>${escapeHtml(text)}</strong></p>`),
    ...(headline === null ? [] : [`<p>${escapeHtml(headline)}</p>`]),
    `<p class="note">${escapeHtml(strings.basis(summary.pricesFrom, summary.configuration))}</p>`,
    ...plotsOf(summary, strings),
    ...reportTables(summary, strings).map(tableOf),
    ...unreadableOf(summary, strings),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function plotsOf(summary: ReplaySummary, strings: Strings['replay']): readonly string[] {
  const group = summary.strata.find(({ sessions }) => sessions > 0)
  const { reference } = summary
  if (group === undefined || reference === null) return []
  const sessions = summary.perSession.filter(({ stratum }) => stratum === group.name)
  const of = strings.stratum[group.name](grouped(group.sessions))
  const judged = rowNames(summary).filter((name) => name.startsWith('r.'))
  const plots: readonly (readonly [title: string, plot: string])[] = [
    [strings.frontier(reference), frontierPlot(group, reference, strings)],
    [strings.split(reference), splitPlot(group, reference, strings)],
    [strings.perRow, rowsPlot(group, judged.length > 0 ? judged : mainRows(summary), strings)],
    ...mainRows(summary).map((row) => [strings.distribution(row), sessionsPlot(group, sessions, row, strings)] as const),
  ]
  const notes = commonNotes(group, strings).map((note) => `<p class="note">${escapeHtml(note)}</p>`)
  return plots.flatMap(([title, plot]) => [
    '<section>',
    `<h2>${escapeHtml(title)}</h2>`,
    `<p class="note">${escapeHtml(of)}</p>`,
    `<figure>${plot}</figure>`,
    ...notes,
    '</section>',
  ])
}

function tableOf(table: ReportTable): string {
  const heads = table.columns.map(({ head }) => `<th scope="col">${escapeHtml(head)}</th>`)
  const rows = table.rows.map(
    ({ name, cells, kind }) =>
      `<tr class="${kind}"><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  )
  return [
    '<section>',
    `<h2>${escapeHtml(table.title)}</h2>`,
    '<div class="wide"><table>',
    `<thead><tr><td></td>${overHeads(table.columns)}</tr><tr><th scope="col">${escapeHtml(table.first)}</th>${heads.join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody>`,
    '</table></div>',
    ...table.notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
    '</section>',
  ].join('\n')
}

function overHeads(columns: readonly ReportColumn[]): string {
  const runs: { readonly over: string; count: number }[] = []
  for (const { over } of columns) {
    const last = runs.at(-1)
    if (last !== undefined && over !== '' && last.over === over) last.count += 1
    else runs.push({ over, count: 1 })
  }
  return runs
    .map(({ over, count }) => (over === '' ? '<td></td>' : `<th scope="colgroup" colspan="${count}">${escapeHtml(over)}</th>`))
    .join('')
}

function unreadableOf({ unreadable }: ReplaySummary, strings: Strings['replay']): readonly string[] {
  if (unreadable.length === 0) return []
  const items = unreadable.map(({ path, reason, entries }) => {
    const text = entries === undefined ? reason : strings.unreadableEntries(path, grouped(entries))
    return `<li>${escapeHtml(text.includes(path) ? text : strings.failed(path, text))}</li>`
  })
  return ['<section>', `<h2>${escapeHtml(strings.unreadable(unreadable.length))}</h2>`, '<ul>', ...items, '</ul>', '</section>']
}

const pageStyle = `
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5d6675; --paper: #fcfcfa; --rule: #d9dce1; --own: #0b6e4f; --other: #b3541e; --bound: #8a93a1; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa4b2; --paper: #14181f; --rule: #333b47; --own: #4cc79b; --other: #e58e55; --bound: #77808d; --bad: #f2746b } }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .25rem }
.note { color: var(--dim); font-size: .85rem; margin: .25rem 0 }
figure { margin: .5rem 0 }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif }
svg text { fill: var(--dim) }
svg text.strong { fill: var(--ink); font-weight: 600 }
.grid { stroke: var(--rule) }
.zero { stroke: var(--dim) }
.mark { fill: var(--other) }
.mark.own { fill: var(--own) }
.mark.bound { fill: var(--bound) }
.mark.invalid { fill: var(--bad) }
.session { fill: var(--dim); fill-opacity: .4 }
.part-read { fill: #3b78c2 } .part-write { fill: #e0902f } .part-fresh { fill: #9a6fc4 } .part-output { fill: #7f8a98 }
.part-summaries { fill: #c65b8e } .part-keepAlive { fill: #2f9e8f } .part-recalls { fill: #c9413a }
.row-0 { fill: #1f5f99 } .row-1 { fill: #3f8ac9 } .row-2 { fill: #84b8e3 } .row-3 { fill: #e0902f } .row-4 { fill: #2f9e8f }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; white-space: nowrap }
th, td { padding: .15rem .5rem; text-align: right; font-weight: normal }
thead { color: var(--dim); border-bottom: 1px solid var(--rule) }
thead th[scope="colgroup"] { text-align: center }
th[scope="row"], thead tr:last-child th:first-child { text-align: left }
tr.bound { color: var(--dim); font-style: italic }
tr.invalid { color: var(--bad) }
li { overflow-wrap: anywhere }
`
