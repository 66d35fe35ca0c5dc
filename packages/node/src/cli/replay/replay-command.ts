import { createHash } from 'node:crypto'
import { relative, resolve, sep } from 'node:path'
import { knownPrices } from '@plimsoll/core/bill'
import { defaultConfig } from '@plimsoll/core/policies'
import type { ReadProblem } from '../../files/problem.ts'
import { findLogs, logPlaces } from '../../logs/find-logs.ts'
import { readLogs } from '../../logs/read-logs.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import { type PriceRow, priceRows } from '../../replay/bill/price-rows.ts'
import { type BriefSummary, summariseBrief } from '../../replay/brief-summary.ts'
import { type CollectedJobs, collectJobs, longestFirst, newestFirst } from '../../replay/collect-jobs.ts'
import { htmlPage } from '../../replay/page/html-page.ts'
import { chooseNamed, type PolicySet, policySets } from '../../replay/policy-sets.ts'
import { replayInWorkers } from '../../replay/replay-in-workers.ts'
import type { SessionOutcome } from '../../replay/replay-job.ts'
import type { ReplaySummary, Unreadable } from '../../replay/replay-summary.ts'
import { changeFigure } from '../../replay/report-table.ts'
import { summariseRuns } from '../../replay/summarise-runs.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, type Output } from '../command-io.ts'
import { readSettings, sayNotices } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, progressBar, startProgress, type TextScreen } from '../terminal/screen.ts'
import { cleanText, grouped, moneyText, quotedText, shortNumber, sizeText, wrapText } from '../terminal/text.ts'
import { checkOut, writeJson, writeOut } from '../terminal/write-out.ts'
import { replayScreen } from './replay-screen.ts'
import { briefScreen, verdictOf } from './replay-verdict.ts'

export interface ReplayOptions extends ColourOptions {
  readonly json?: boolean
  readonly full?: boolean
  readonly html?: string
  readonly force?: boolean
  readonly policies?: string
  readonly prices?: string
  readonly sessions?: string
}

interface Asked {
  /** Whether a verdict on the sessions comes before the tables. */
  readonly withVerdict: boolean
  readonly sets: readonly PolicySet[]
  readonly rows: readonly PriceRow[]
}

/**
 * Replays recorded sessions, and shows what they would have cost and lost: each in economy mode, through the entry point and at the
 * price that its log implies; or under every policy set and price, or the named ones. Ctrl-C ends it with what is known so far.
 */
export async function replayCommand(paths: readonly string[], options: ReplayOptions, io: CommandIo): Promise<void> {
  const { strings, config } = await readSettings({ ...(options.json === true ? { json: true } : {}) }, io)
  const asked = askedFor(options, strings)
  const limit = sessionLimit(options, strings)
  const { html } = options
  if (html !== undefined) await checkOut(resolve(io.folder, html), options.force === true, strings.sessionCommands)
  const places = paths.length === 0 ? await logsHere(io) : paths.map((path) => resolve(io.folder, path))
  const signal = io.interrupted?.()
  const collected = await collect(places, limit, io, strings, signal)
  const outcomes = await replayJobs(collected, { asked, prices: config.prices }, io, strings, signal)
  const summary =
    asked === null
      ? briefly(collected, outcomes, options, io, strings)
      : compared(collected, outcomes, asked, options, io, strings)
  const verdict = asked?.withVerdict === true ? verdictOf(briefly(collected, outcomes, options, io, strings), strings.replay) : []
  const screen = createTextScreen(options, io, 80)
  if (options.json === true) writeJson(summary, 'plimsoll replay', strings, io.stdout)
  else if (summary.sessions > 0)
    io.stdout.write(
      'groups' in summary ? briefScreen(summary, strings.replay, screen) : replayScreen(summary, strings.replay, screen, verdict),
    )
  if (options.json !== true) {
    sayMismatched(summary, strings, screen, io)
    sayUnreadable(summary.unreadable, strings, screen, io)
  }
  if (signal?.aborted === true) {
    const found = collected.jobs.reduce((count, { sessions }) => count + sessions.length, 0)
    sayNotices(io, [strings.replay.stopped(grouped(summary.sessions), grouped(found))], options)
    throw new EndedWith(130)
  }
  if (summary.sessions === 0) throw new CommandError(strings.replay.nothingRead, 1)
  if (html !== undefined && 'policySets' in summary) await writePage({ html, summary, verdict }, options, io, strings)
}

/** All logs of agents on this machine. */
async function logsHere(io: CommandIo): Promise<readonly string[]> {
  const { logs } = await findLogs(logPlaces(io))
  return logs.map(({ path }) => path)
}

/** The policy sets and prices to compare; null if none are asked for, so that each session is replayed in its own case. */
function askedFor(options: ReplayOptions, strings: Strings): Asked | null {
  const { replay } = strings
  const wanted = chosen(policySets, options.policies, replay.unknownPolicySet, strings)
  const rows = chosen(priceRows, options.prices, replay.unknownPriceRow, strings)
  const isAsked = [options.policies, options.prices, options.html].some((given) => given !== undefined)
  // Everything is compared with raw, so raw always runs.
  return options.full === true || isAsked
    ? {
        sets: policySets.filter((set) => set.name === 'raw' || wanted.includes(set)),
        rows,
        withVerdict: options.json !== true && (options.full === true || options.html !== undefined),
      }
    : null
}

function briefly(
  collected: CollectedJobs,
  outcomes: Outcomes,
  options: ReplayOptions,
  io: CommandIo,
  strings: Strings,
): BriefSummary {
  // JSON is always in English.
  const spoken = options.json === true ? stringsFor(null) : strings
  return summariseBrief({
    configuration: configurationOf({
      sets: policySets.filter(({ name }) => ['economy', 'gateway-economy'].includes(name)),
      rows: priceRows,
    }),
    pricesFrom: knownPrices.date,
    assumption: spoken.replay.assumption,
    found: collected.jobs.reduce((count, { sessions }) => count + sessions.length, 0),
    outcomes: outcomes.values(),
    unreadable: unreadableIn(collected, outcomes, io, spoken),
  })
}

function compared(
  collected: CollectedJobs,
  outcomes: Outcomes,
  asked: Asked,
  options: ReplayOptions,
  io: CommandIo,
  strings: Strings,
): ReplaySummary {
  const spoken = options.json === true ? stringsFor(null) : strings
  return summariseRuns({
    runs: runsOf(collected, outcomes, asked.sets),
    calibrations: new Map(
      [...outcomes].flatMap(([name, { calibration: found }]) => (found === undefined ? [] : [[name, found]])),
    ),
    rows: asked.rows,
    configuration: configurationOf(asked),
    pricesFrom: knownPrices.date,
    assumption: spoken.replay.assumption,
    unreadable: unreadableIn(collected, outcomes, io, spoken),
  })
}

type Outcomes = ReadonlyMap<string, SessionOutcome>

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

async function collect(
  places: readonly string[],
  limit: number,
  { stderr, folder }: CommandIo,
  { replay }: Strings,
  signal: AbortSignal | undefined,
) {
  const progress = startProgress(stderr, replay.reading('0'), soon(stderr), plainEvery)
  const nameOf = (path: string) => shortName(path, folder)
  const read = (files: number) => progress.say(replay.reading(grouped(files)))
  return collectJobs(readLogs(places), { maxSessions: limit, nameOf, read, signal }).finally(progress.end)
}

/** Milliseconds until progress is shown, and between two lines of it in a file. */
const soon = ({ patience }: Output) => patience ?? 300
const plainEvery = 5000

/** Relative to the current folder, if that is shorter. */
function shortName(path: string, folder: string): string {
  const seen = relative(folder, path)
  return cleanText(seen !== '' && seen.length < path.length ? seen.split(sep).join('/') : path)
}

async function replayJobs(
  { jobs, common }: CollectedJobs,
  { asked, prices }: { readonly asked: Asked | null; readonly prices: OwnPrices },
  { stderr }: CommandIo,
  { replay }: Strings,
  signal: AbortSignal | undefined,
): Promise<Outcomes> {
  const all = jobs.reduce((sum, { sessions }) => sum + sessions.reduce((count, { requests }) => count + requests, 0), 0)
  const running = new Map<string, number>()
  const ended: SessionOutcome[] = []
  let done = 0
  let figures = ''
  const progress = startProgress(stderr, replay.replaying('0', grouped(all)), soon(stderr), plainEvery)
  const show = () => {
    const now = Math.floor([...running.values()].reduce((sum, requests) => sum + requests, done))
    progress.say(`${progressBar(now, all)}  ${replay.replaying(grouped(now), grouped(all))}${figures}`)
  }
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  const names = asked === null ? null : { ...asked, sets: namesOf(asked.sets), rows: namesOf(asked.rows) }
  return replayInWorkers(asked === null ? newestFirst(jobs) : longestFirst(jobs), {
    asked: names,
    common,
    prices,
    signal,
    progress({ name, requests }, share) {
      running.set(name, requests * share)
      show()
    },
    done({ name, requests }, outcome) {
      running.delete(name)
      done += requests
      ended.push(outcome)
      if (asked === null) figures = figuresSoFar(ended, replay)
      show()
    },
  }).finally(progress.end)
}

function figuresSoFar(outcomes: readonly SessionOutcome[], { brief }: Strings['replay']): string {
  const { dollars, tokens } = summariseBrief({ ...nothingSaid, outcomes })
  const sent = brief.soFar(shortNumber(tokens.recorded), shortNumber(tokens.economy))
  if (dollars === null) return ` · ${sent}`
  return ` · ${sent} · ${moneyText(dollars.recorded)} → ${moneyText(dollars.effective)} (${changeFigure(dollars.effectiveChange)} %)`
}

const nothingSaid = { configuration: '', pricesFrom: '', assumption: '', found: 0, unreadable: [] }

function runsOf({ jobs }: CollectedJobs, outcomes: Outcomes, sets: readonly PolicySet[]) {
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
  outcomes: Outcomes,
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

function sayMismatched(
  { perSession }: ReplaySummary | BriefSummary,
  { replay }: Strings,
  screen: TextScreen,
  io: CommandIo,
): void {
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
function configurationOf({ sets, rows }: Pick<Asked, 'sets' | 'rows'>): string {
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

interface WrittenPage {
  readonly html: string
  readonly summary: ReplaySummary
  readonly verdict: readonly string[]
}

async function writePage({ html, summary, verdict }: WrittenPage, options: ReplayOptions, io: CommandIo, strings: Strings) {
  const path = resolve(io.folder, html)
  const size = await writeOut(path, [htmlPage(summary, strings.replay, verdict)], options.force === true, strings)
  sayNotices(io, [strings.replay.wrotePage(shortName(path, io.folder), sizeText(size))], options)
}
