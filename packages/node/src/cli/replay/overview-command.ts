import { homeFolder } from '../../config/home-folder.ts'
import { type FoundLogs, findLogs, type LogPlace, logPlaces } from '../../logs/find-logs.ts'
import { breakdowns } from '../../logs/measure/breakdown.ts'
import { measureLogs } from '../../logs/measure/measure-logs.ts'
import type { Overview, ShownBill, UnreadableRow } from '../../logs/measure/overview.ts'
import { indexPlace } from '../../logs/measure/overview-index.ts'
import { spendingOf } from '../../logs/measure/spending.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, oneOf, packageVersion } from '../command-io.ts'
import { readSettings, type Settings, type SettingsOptions } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, progressBar, startProgress } from '../terminal/screen.ts'
import { grouped, quotedText, sizeText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { overviewScreen, replayCommandFor, savingLines } from './overview-screen.ts'
import { measureSaving, type Saving } from './saving.ts'

type OverviewOptions = Pick<SettingsOptions, 'json'> &
  ColourOptions & { readonly by?: string; readonly since?: string; readonly until?: string }

/** Shows the content and cost of the agent logs on this machine; if there are none, of the bundled example. */
export async function overviewCommand(options: OverviewOptions, io: CommandIo): Promise<void> {
  const settings = await readSettings(options, io)
  const { strings } = settings
  const places = logPlaces(io)
  const bill = {
    by: options.by === undefined ? null : oneOf(options.by, breakdowns, strings.overview.badBy),
    since: dayIn('--since', options.since, strings),
    until: dayIn('--until', options.until, strings),
    prices: settings.config.prices,
  }
  const { found, measured } = await measure(places, { ...bill, now: io.now() }, io, strings)
  if (found.logs.length > 0 && measured.sessions === 0 && (bill.since !== null || bill.until !== null))
    throw new CommandError(strings.overview.nothingThen, 1)
  const isExample = measured.sessions === 0 && measured.unreadable.length === 0
  const example = isExample ? await (await import('./measure-example.ts')).measureExample(settings, io) : null
  const overview = example?.overview ?? measured
  const home = homeFolder(io.environment)
  const spending = spendingOf(overview.spending, io.now(), settings.config.budget)
  const findSaving = () =>
    isExample || overview.sessions === 0 ? Promise.resolve(null) : savingOf(overview, found, settings, io)
  if (options.json === true) {
    const unreadable = overview.unreadable.map((row) => ({ ...row, reason: reasonOf(row, row.file, strings) }))
    const { newest: _, ...rest } = overview
    const answer = { example: isExample, places: found.places, ...rest, spending, saving: await findSaving(), unreadable }
    writeJson(answer, 'plimsoll', strings, io.stdout)
  } else {
    const agents = [...new Set(places.map(({ agent }) => agent))]
    const shown = { overview, spending, example: example === null ? null : { agents, ...example.tokens }, home }
    const reason = (row: UnreadableRow, name: string) => reasonOf(row, name, strings)
    const screen = createTextScreen(options, io, 60)
    io.stdout.write(overviewScreen(shown, reason, strings.overview, screen))
    // It takes some seconds, so it comes after everything else.
    const saving = await findSaving()
    const [largest] = found.places.toSorted((a, b) => b.logs - a.logs)
    if (!isExample && overview.sessions > 0 && largest !== undefined)
      io.stdout.write(savingLines(saving, replayCommandFor(largest.folder, home), strings.overview, screen))
  }
  if (overview.sessions === 0) throw new CommandError(strings.overview.nothingRead(overview.unreadable.length), 1)
}

function dayIn(flag: string, given: string | undefined, { overview }: Strings): string | null {
  if (given === undefined) return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))) return given
  throw new CommandError(overview.badDay(flag, quotedText(given)), 2)
}

async function measure(
  places: readonly LogPlace[],
  bill: ShownBill,
  { stderr, platform, environment }: CommandIo,
  { overview }: Strings,
) {
  const progress = startProgress(stderr, overview.looking, stderr.patience ?? quietFor)
  try {
    const found = await findLogs(places)
    const measured = await measureLogs(found, {
      ...bill,
      platform,
      index: indexPlace(environment, packageVersion()),
      progress: ({ files, allFiles, bytes, allBytes }) => {
        const amounts = overview.reading(grouped(files), grouped(allFiles), sizeText(bytes), sizeText(allBytes))
        progress.say(`${progressBar(bytes, allBytes)}  ${amounts}`)
      },
    })
    return { found, measured }
  } finally {
    progress.end()
  }
}

async function savingOf(
  overview: Overview,
  { logs }: FoundLogs,
  { strings, config }: Settings,
  io: CommandIo,
): Promise<Saving | null> {
  const { stderr, environment } = io
  const progress = startProgress(stderr, strings.overview.replaying, stderr.patience ?? quietFor)
  try {
    return await measureSaving(overview, logs, {
      index: indexPlace(environment, packageVersion()),
      prices: config.prices,
      progress: (share) => progress.say(`${progressBar(share, 1)}  ${strings.overview.replaying}`),
      signal: io.interrupted?.(),
    })
  } finally {
    progress.end()
  }
}

/** Reading a year of logs takes seconds, so the first sign of it comes early. */
const quietFor = 300

function reasonOf({ trouble }: UnreadableRow, name: string, strings: Strings): string {
  return problemText(trouble, name, strings.problem)
}
