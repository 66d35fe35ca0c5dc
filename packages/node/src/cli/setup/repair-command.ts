import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import type { Repair } from '../../repair/repair.ts'
import { type Repaired, type RepairProblem, repairFile } from '../../repair/repair-file.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { readSettings } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type ColourOptions, createTextScreen, progressBar, startProgress, type TextScreen } from '../terminal/screen.ts'
import { cleanText, displayWidth, grouped, sizeText, tildePath, wrapText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'

export interface RepairCommandOptions extends ColourOptions {
  readonly out?: string
  readonly keepImages?: boolean
  readonly json?: boolean
}

export async function repairCommand(file: string, options: RepairCommandOptions, io: CommandIo): Promise<void> {
  const { strings } = await readSettings({ json: options.json === true }, io)
  const { repair } = strings
  const home = homeFolder(io.environment)
  const path = resolve(io.folder, file)
  const out = options.out === undefined ? copyBeside(path) : resolve(io.folder, options.out)
  if (await isSame(path, out)) throw new CommandError(repair.sameFile, 2)
  // Checked now, because a repair can take minutes.
  if ((await lstat(out).catch(() => null)) !== null) throw new CommandError(repair.exists(cleanText(tildePath(out, home))), 1)
  const progress = startProgress(io.stderr, repair.reading(cleanText(file)))
  const { value, problem } = await repairFile(path, {
    out,
    keepsImages: options.keepImages === true,
    progress: (done, size) => progress.say(repair.progress(progressBar(done, size), sizeText(done))),
  }).finally(progress.end)
  if (problem !== undefined) throw new CommandError(repairProblemText(problem, cleanText(file), home, strings), 1)
  if (options.json === true) writeJson(value, file, strings, io.stdout)
  else {
    const shown: Repaired = {
      ...value,
      copy: value.copy === null ? null : { ...value.copy, path: tildePath(value.copy.path, home) },
      pictures: value.pictures === null ? null : { ...value.pictures, folder: tildePath(value.pictures.folder, home) },
    }
    io.stdout.write(repairScreen(shown, cleanText(basename(path)), repair, createTextScreen(options, io)))
  }
}

/** `session.jsonl` becomes `session.repaired.jsonl`; a packed file is written unpacked. */
function copyBeside(path: string): string {
  const name = basename(path).replace(/\.(?:gz|zst)$/i, '')
  const ending = extname(name)
  return join(dirname(path), `${name.slice(0, name.length - ending.length)}.repaired${ending}`)
}

async function isSame(path: string, out: string): Promise<boolean> {
  if (path === out) return true
  const [one, other] = await Promise.all([path, out].map((name) => realpath(name).catch(() => null)))
  return one != null && one === other
}

function repairProblemText(
  problem: RepairProblem,
  file: string,
  home: string | null,
  { repair, session, problem: problemStrings }: Strings,
): string {
  if (problem.kind === 'not-found') return repair.notFound(file)
  if (problem.kind === 'store') return repair.store(problem.agent)
  if (problem.kind === 'emptied') return repair.emptied(file, problem.entries)
  if (problem.kind === 'exists') return repair.exists(cleanText(tildePath(problem.path, home)))
  if (problem.kind === 'not-written')
    return repair.notWritten(cleanText(tildePath(problem.path, home)), session.reason(problem.code))
  return problemText(problem, file, problemStrings)
}

const maxShown = 40

function repairScreen(repaired: Repaired, file: string, strings: Strings['repair'], { paint, columns }: TextScreen): string {
  const { format, lines, mends, copy, pictures, left } = repaired
  const wrapped = (text: string) => wrapText(text, columns)
  const head = [strings.title(file, format), ...(lines === null ? [] : [strings.lines(lines, grouped(lines))])].join(', ')
  const out = wrapped(head).map((line) => paint('bold', line))
  if (copy === null) out.push(...wrapped(strings.whole))
  else {
    out.push(`${strings.mended(mends.length, grouped(mends.length))}:`, '')
    for (const line of rowsOf(mends.slice(0, maxShown), lines === null, strings, columns)) out.push(line)
    if (mends.length > maxShown) out.push(paint('dim', `  ${strings.more(grouped(mends.length - maxShown))}`))
    out.push('', ...wrapped(strings.written(cleanText(copy.path), sizeText(copy.bytes))))
    if (pictures !== null) out.push(...wrapped(strings.pictures(pictures.count, cleanText(pictures.folder))))
    out.push(...wrapped(strings.untouched))
    if (left === null) out.push(...wrapped(strings.checked).map((line) => paint('good', line)))
  }
  if (left !== null) out.push(...wrapped(strings.left(left.unreadable, left.problems)).map((line) => paint('warning', line)))
  return `${out.join('\n')}\n`
}

function rowsOf(mends: readonly Repair[], isDocument: boolean, strings: Strings['repair'], columns: number): readonly string[] {
  const rows = mends.map((repair) => ({
    place: (isDocument && repair.kind !== 'closed-document' ? strings.message : strings.line)(grouped(repair.line)),
    text: repairText(repair, strings),
  }))
  const widest = Math.max(0, ...rows.map(({ place }) => displayWidth(place)))
  return rows.flatMap(({ place, text }) =>
    wrapText(text, Math.max(20, columns - widest - 4)).map((line, index) =>
      index === 0 ? `  ${place}${' '.repeat(widest - displayWidth(place))}  ${line}` : `${' '.repeat(widest + 4)}${line}`,
    ),
  )
}

function repairText({ kind, to, tool, file, count }: Repair, strings: Strings['repair']): string {
  const details = [
    ...(to === undefined || kind === 'moved-result' || kind === 'moved-entry'
      ? []
      : [to === null ? strings.toBeginning : strings.to(grouped(to))]),
    ...(tool === undefined || tool === '' ? [] : [strings.tool(cleanText(tool))]),
    ...(file === undefined ? [] : [file]),
    ...(count === undefined ? [] : [strings.entries(count, grouped(count))]),
  ]
  return details.length === 0 ? strings.mends[kind] : `${strings.mends[kind]} (${details.join(', ')})`
}
