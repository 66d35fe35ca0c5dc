import { createHash } from 'node:crypto'
import { relative, resolve, sep } from 'node:path'
import { knownPrices } from '@plimsoll/core/bill'
import { defaultConfig } from '@plimsoll/core/policies'
import type { ReadProblem } from '../../files/problem.ts'
import { readLogs } from '../../logs/read-logs.ts'
import { type PriceRow, priceRows } from '../../replay/bill/price-rows.ts'
import { type CollectedJobs, collectJobs } from '../../replay/collect-jobs.ts'
import { htmlPage } from '../../replay/page/html-page.ts'
import { chooseNamed, type PolicySet, policySets } from '../../replay/policy-sets.ts'
import { replayInWorkers } from '../../replay/replay-in-workers.ts'
import type { SessionOutcome } from '../../replay/replay-job.ts'
import type { ReplaySummary, Unreadable } from '../../replay/replay-summary.ts'
import type { ReportColumn, ReportRow, ReportTable } from '../../replay/report-table.ts'
import { headlineOf, reportTables } from '../../replay/report-tables.ts'
import { summariseRuns } from '../../replay/summarise-runs.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { readSettings, sayNotices } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, progressBar, startProgress, type TextScreen } from '../terminal/screen.ts'
import { cleanText, displayWidth, fitWidth, grouped, quotedText, sizeText, wrapText } from '../terminal/text.ts'
import { checkOut, writeJson, writeOut } from '../terminal/write-out.ts'

export interface ReplayOptions extends ColourOptions {
  readonly json?: boolean
  readonly html?: string
  readonly force?: boolean
  readonly policies?: string
  readonly prices?: string
  readonly sessions?: string
}

/** Replays recorded sessions under every policy set, and shows what each would have cost and lost. */
export async function replayCommand(paths: readonly string[], options: ReplayOptions, io: CommandIo): Promise<void> {
  const { strings } = readSettings({ ...(options.json === true ? { json: true } : {}) }, io)
  const { replay } = strings
  const wanted = chosen(policySets, options.policies, replay.unknownPolicySet, strings)
  // Everything is compared with raw, so raw always runs.
  const sets = policySets.filter((set) => set.name === 'raw' || wanted.includes(set))
  const rows = chosen(priceRows, options.prices, replay.unknownPriceRow, strings)
  const limit = sessionLimit(options, strings)
  const { html } = options
  if (html !== undefined) await checkOut(resolve(io.folder, html), options.force === true, strings.sessionCommands)
  const places = paths.map((path) => resolve(io.folder, path))
  const collected = await collect(places, limit, io, strings)
  const outcomes = await replayJobs(collected, sets, rows, io, strings)
  // JSON is always in English.
  const unreadable = unreadableIn(collected, outcomes, io, options.json === true ? stringsFor(null) : strings)
  const summary = summariseRuns({
    runs: runsOf(collected, outcomes, sets),
    calibrations: new Map(
      [...outcomes].flatMap(([name, { calibration: found }]) => (found === undefined ? [] : [[name, found]])),
    ),
    rows,
    configuration: configurationOf(sets, rows),
    pricesFrom: knownPrices.date,
    assumption: (options.json === true ? stringsFor(null) : strings).replay.assumption,
    unreadable,
  })
  const screen = createTextScreen(options, io, 80)
  if (options.json === true) writeJson(summary, 'plimsoll replay', strings, io.stdout)
  else if (summary.sessions > 0) io.stdout.write(replayScreen(summary, replay, screen))
  if (options.json !== true) {
    sayMismatched(summary, strings, screen, io)
    sayUnreadable(unreadable, strings, screen, io)
  }
  if (summary.sessions === 0) throw new CommandError(replay.nothingRead, 1)
  if (html !== undefined) await writePage(html, summary, options, io, strings)
}

/** The named ones in the order of the list; all if none is named. */
function chosen<Named extends { readonly name: string }>(
  all: readonly Named[],
  given: string | undefined,
  unknownText: (name: string, names: string) => string,
  { command }: Strings,
): readonly Named[] {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || [])
  const found = chooseNamed(all, names)
  if (found.chosen !== undefined) return found.chosen
  const { unknown, known, near } = found
  const text = command.sentence(unknownText(quotedText(unknown), known.join(', ')))
  throw new CommandError(near === null ? text : `${text} ${command.didYouMean(near)}`, 2)
}

function sessionLimit({ sessions }: ReplayOptions, { replay }: Strings): number {
  if (sessions === undefined) return Number.POSITIVE_INFINITY
  const limit = /^\d{1,9}$/.test(sessions) ? Number(sessions) : 0
  if (limit === 0) throw new CommandError(replay.badSessions(quotedText(sessions)), 2)
  return limit
}

async function collect(places: readonly string[], limit: number, { stderr, folder }: CommandIo, { replay }: Strings) {
  const progress = startProgress(stderr, replay.reading('0'))
  const nameOf = (path: string) => shortName(path, folder)
  const read = (files: number) => progress.say(replay.reading(grouped(files)))
  return collectJobs(readLogs(places), { maxSessions: limit, nameOf, read }).finally(progress.end)
}

/** Relative to the current folder, if that is shorter. */
function shortName(path: string, folder: string): string {
  const seen = relative(folder, path)
  return cleanText(seen !== '' && seen.length < path.length ? seen.split(sep).join('/') : path)
}

async function replayJobs(
  { jobs, common }: CollectedJobs,
  sets: readonly PolicySet[],
  rows: readonly PriceRow[],
  { stderr }: CommandIo,
  { replay }: Strings,
): Promise<ReadonlyMap<string, SessionOutcome>> {
  const all = jobs.reduce((sum, { sessions }) => sum + sessions.reduce((count, { requests }) => count + requests, 0), 0)
  let done = 0
  let running = ''
  const progress = startProgress(stderr, replay.replaying('0', grouped(all)))
  const show = () =>
    progress.say(
      `${progressBar(done, all)}  ${replay.replaying(grouped(done), grouped(all))}${running === '' ? '' : ` · ${running}`}`,
    )
  const names = { sets: sets.map(({ name }) => name), rows: rows.map(({ name }) => name), common }
  return replayInWorkers(jobs, {
    ...names,
    begun({ sessions }) {
      running = sessions[0]?.name ?? ''
      show()
    },
    done({ requests }) {
      done += requests
      show()
    },
  }).finally(progress.end)
}

function runsOf({ jobs }: CollectedJobs, outcomes: ReadonlyMap<string, SessionOutcome>, sets: readonly PolicySet[]) {
  const found = jobs.flatMap(({ sessions }) => sessions).map(({ name }) => outcomes.get(name)?.runs)
  return new Map(
    sets.map(({ name }, index) => [
      name,
      found.flatMap((runs) => {
        const run = runs?.[index]
        return run === undefined || run.requests === 0 ? [] : [run]
      }),
    ]),
  )
}

function unreadableIn(
  { troubles, skipped, idle }: CollectedJobs,
  outcomes: ReadonlyMap<string, SessionOutcome>,
  { folder }: CommandIo,
  strings: Strings,
): readonly Unreadable[] {
  const failed = [...outcomes].flatMap(([name, { reason }]) =>
    reason === undefined ? [] : [{ path: name, reason: cleanText(reason) }],
  )
  return [
    ...troubles.map(({ path, problem }) => ({ path, reason: reasonOf(problem, shortName(path, folder), strings) })),
    ...skipped,
    ...idle.map((name) => ({ path: name, reason: strings.replay.noRequests(name) })),
    ...failed,
  ]
}

/** The general sentence offers standard input, which cannot be replayed. */
function reasonOf(problem: ReadProblem, name: string, { replay, problem: problemStrings }: Strings): string {
  return problem.kind === 'not-found' ? replay.notFound(name) : problemText(problem, name, problemStrings)
}

function sayMismatched({ perSession }: ReplaySummary, { replay }: Strings, screen: TextScreen, io: CommandIo): void {
  const texts = perSession.flatMap(({ name, mismatch }) => (mismatch === undefined ? [] : replay.mismatches[mismatch](name)))
  sayList(wrapText(replay.mismatched(texts.length), screen.columns), texts, replay, screen, io)
}

function sayUnreadable(unreadable: readonly Unreadable[], { replay }: Strings, screen: TextScreen, io: CommandIo): void {
  const texts = unreadable.map(({ path, reason, entries }) => {
    const name = shortName(path, io.folder)
    if (entries !== undefined) return replay.unreadableEntries(name, grouped(entries))
    return reason.includes(path) || reason.includes(name) ? reason : replay.failed(name, reason)
  })
  sayList([replay.unreadable(texts.length)], texts, replay, screen, io)
}

/** More lines would push the tables away. */
const maxShown = 10

function sayList(
  title: readonly string[],
  texts: readonly string[],
  { moreUnreadable }: Strings['replay'],
  { columns }: TextScreen,
  { stdout }: CommandIo,
): void {
  if (texts.length === 0) return
  const shown = texts.slice(0, maxShown).flatMap((text) => wrapText(text, columns - 2))
  const more = texts.length > maxShown ? [moreUnreadable(texts.length - maxShown)] : []
  stdout.write(`\n${[...title, ...[...shown, ...more].map((line) => `  ${line}`)].join('\n')}\n`)
}

/** Names everything that determines the figures besides the sessions. */
function configurationOf(sets: readonly PolicySet[], rows: readonly PriceRow[]): string {
  const described = sets.map(({ policies, timing, show, transform, ...set }) => ({
    ...set,
    policies: policies.map(({ name }) => name),
    timing: typeof timing === 'string' ? timing : timing.toString(),
    show: show?.toString(),
    transform: transform?.toString(),
  }))
  return createHash('sha256')
    .update(JSON.stringify([described, rows, defaultConfig]))
    .digest('hex')
    .slice(0, 12)
}

async function writePage(file: string, summary: ReplaySummary, options: ReplayOptions, io: CommandIo, strings: Strings) {
  const path = resolve(io.folder, file)
  const size = await writeOut(path, [htmlPage(summary, strings.replay)], options.force === true, strings)
  sayNotices(io, [strings.replay.wrotePage(shortName(path, io.folder), sizeText(size))], options)
}

export function replayScreen(summary: ReplaySummary, strings: Strings['replay'], screen: TextScreen): string {
  const { paint } = screen
  // A wider line of figures is hard to follow.
  const columns = Math.min(120, screen.columns)
  const title = strings.title(summary.sessions, grouped(summary.sessions), grouped(summary.requests))
  const headline = headlineOf(summary, strings)
  const lines = [
    ...wrapText(title, columns).map((line) => paint('bold', line)),
    ...(headline === null ? [] : wrapText(headline, columns)),
    ...wrapText(strings.basis(summary.pricesFrom, summary.configuration), columns).map((line) => paint('dim', line)),
  ]
  for (const table of reportTables(summary, strings)) {
    lines.push('')
    for (const line of tableLines(table, { ...screen, columns })) lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

function tableLines(given: ReportTable, { paint, columns }: TextScreen): readonly string[] {
  const wide = (column: ReportColumn) => ({ ...column, width: Math.max(column.width, displayWidth(column.head) + 1) })
  const table = { ...given, columns: given.columns.map(wide) }
  const least = Math.max(displayWidth(table.first), ...table.rows.map(({ name }) => displayWidth(name)))
  const shown = columnsShown(table, columns, least)
  const figures = shown.reduce((sum, index) => sum + (table.columns[index] as ReportColumn).width, 0)
  const first = Math.max(12, Math.min(least, columns - figures))
  const heads = shown.map((index) => table.columns[index] as ReportColumn)
  const over = `${' '.repeat(first)}${overLine(heads)}`.trimEnd()
  return [
    ...wrapText(table.title, columns).map((line) => paint('bold', line)),
    ...(over === '' ? [] : [paint('dim', over)]),
    paint('dim', `${fitWidth(table.first, first)}${heads.map(({ head, width }) => fitWidth(head, width, 'right')).join('')}`),
    ...table.rows.map((row) => {
      const cells = shown.map((index, place) => fitWidth(row.cells[index] ?? '', (heads[place] as ReportColumn).width, 'right'))
      return painted(row, `${fitWidth(row.name, first)}${cells.join('')}`.trimEnd(), paint)
    }),
    ...table.notes.flatMap((note) => wrapText(note, columns)).map((line) => paint('dim', line)),
  ]
}

/** Drops extra columns that do not fit next to uncut names. */
function columnsShown({ columns }: ReportTable, room: number, first: number): readonly number[] {
  let left = room - first
  for (const { width, isExtra } of columns) if (isExtra !== true) left -= width
  return columns.flatMap(({ width, isExtra }, index) => {
    if (isExtra !== true) return [index]
    left -= width
    return left >= 0 ? [index] : []
  })
}

/** Centers heads over several columns. */
function overLine(heads: readonly ReportColumn[]): string {
  let line = ''
  for (let start = 0; start < heads.length; ) {
    const { over } = heads[start] as ReportColumn
    let end = start
    let width = 0
    while (end < heads.length && heads[end]?.over === over) {
      width += heads[end]?.width ?? 0
      end += 1
      if (over === '') break
    }
    const right = Math.floor(Math.max(0, width - 1 - displayWidth(over)) / 2)
    line += fitWidth(fitWidth(over, width - right, 'right'), width)
    start = end
  }
  return line
}

function painted({ kind }: ReportRow, line: string, paint: TextScreen['paint']): string {
  return kind === 'plain' ? line : paint(kind === 'bound' ? 'dim' : 'error', line)
}
