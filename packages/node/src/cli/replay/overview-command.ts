import { homeFolder } from '../../config/home-folder.ts'
import { findLogs, type LogPlace, logPlaces } from '../../logs/find-logs.ts'
import { breakdowns } from '../../logs/measure/breakdown.ts'
import { measureLogs } from '../../logs/measure/measure-logs.ts'
import type { ShownBill, UnreadableRow } from '../../logs/measure/overview.ts'
import { indexPlace } from '../../logs/measure/overview-index.ts'
import { spendingOf } from '../../logs/measure/spending.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, oneOf, packageVersion } from '../command-io.ts'
import { readSettings, type SettingsOptions } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, progressBar, startProgress } from '../terminal/screen.ts'
import { grouped, quotedText, sizeText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { overviewScreen } from './overview-screen.ts'

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
  const agents = [...new Set(places.map(({ agent }) => agent))]
  const home = homeFolder(io.environment)
  if (options.json === true) {
    const unreadable = overview.unreadable.map((row) => ({ ...row, reason: reasonOf(row, row.file, strings) }))
    const spending = spendingOf(overview.spending, io.now(), settings.config.budget)
    writeJson({ example: isExample, places: found.places, ...overview, spending, unreadable }, 'plimsoll', strings, io.stdout)
  } else {
    const shown = {
      overview,
      places: found.places,
      example: example === null ? null : { agents, ...example.tokens },
      home,
    }
    const reason = (row: UnreadableRow, name: string) => reasonOf(row, name, strings)
    io.stdout.write(overviewScreen(shown, reason, strings.overview, createTextScreen(options, io, 60)))
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

/** Reading a year of logs takes seconds, so the first sign of it comes early. */
const quietFor = 300

function reasonOf({ trouble }: UnreadableRow, name: string, strings: Strings): string {
  return problemText(trouble, name, strings.problem)
}
