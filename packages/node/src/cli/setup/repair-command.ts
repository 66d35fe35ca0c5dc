import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import { type Repaired, type RepairTrouble, repairFile } from '../../repair/repair-file.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../session-context.ts'
import { readSettings } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { sizeText } from '../terminal/format-number.ts'
import { writeJson } from '../terminal/json-line.ts'
import type { ColourOptions } from '../terminal/paint.ts'
import { progressBar, startProgress } from '../terminal/progress.ts'
import { createTextScreen } from '../terminal/screen.ts'
import { tildePath } from '../terminal/tilde-path.ts'
import { troubleText } from '../terminal/trouble-text.ts'
import { repairScreen } from './repair-screen.ts'

/** The options of `plimsoll repair` as they were written. */
export interface RepairCommandOptions extends ColourOptions {
  readonly out?: string
  readonly keepImages?: boolean
  readonly json?: boolean
}

/** Mends a log into a copy and says what was done. */
export async function repairCommand(file: string, options: RepairCommandOptions, io: CommandIo, speak: Speak): Promise<void> {
  const { strings } = readSettings({ json: options.json === true }, io, speak)
  const { repair } = strings
  const home = homeFolder(io.environment)
  const path = resolve(io.folder, file)
  const out = options.out === undefined ? copyBeside(path) : resolve(io.folder, options.out)
  if (await isSame(path, out)) throw new CommandError(repair.sameFile, 2)
  // Nobody waits minutes to be told.
  if ((await lstat(out).catch(() => null)) !== null) throw new CommandError(repair.exists(cleanText(tildePath(out, home))), 1)
  const progress = startProgress(io.stderr, repair.reading(cleanText(file)))
  const { value, trouble } = await repairFile(path, {
    out,
    keepsImages: options.keepImages === true,
    progress: (done, size) => progress.say(repair.progress(progressBar(done, size), sizeText(done))),
  }).finally(progress.end)
  if (trouble !== undefined) throw new CommandError(repairTroubleText(trouble, cleanText(file), home, strings), 1)
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

/** `session.jsonl` becomes `session.repaired.jsonl`; what is packed is written unpacked. */
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

function repairTroubleText(
  trouble: RepairTrouble,
  file: string,
  home: string | null,
  { repair, session, trouble: troubleStrings }: Strings,
): string {
  if (trouble.kind === 'not-found') return repair.notFound(file)
  if (trouble.kind === 'store') return repair.store(trouble.agent)
  if (trouble.kind === 'exists') return repair.exists(cleanText(tildePath(trouble.path, home)))
  if (trouble.kind === 'not-written')
    return repair.notWritten(cleanText(tildePath(trouble.path, home)), session.reason(trouble.code))
  return troubleText(trouble, file, troubleStrings)
}
