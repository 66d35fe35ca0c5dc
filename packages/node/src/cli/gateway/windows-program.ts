import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { CommandIo } from '../command-io.ts'

/**
 * What to start for a program on Windows, where agents from npm are batch files, which Node does not run: the script or program that the batch file would
 * start with the same arguments. No shell reads them. Null if no folder of `PATH` has it: Node would look in the current folder before these, which may be a
 * cloned repository.
 */
export function windowsProgram(
  program: string,
  { environment, folder }: Pick<CommandIo, 'environment' | 'folder'>,
): readonly [program: string, ...args: readonly string[]] | null {
  const variable = (name: string) => Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
  const folders = /[/\\]/.test(program) ? [folder] : variable('PATH').split(';').map(unquoted).filter(isAbsolute)
  const endings = (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';').map((ending) => ending.toLowerCase())
  const names = endings.some((ending) => program.toLowerCase().endsWith(ending)) ? [program] : endings.map((end) => program + end)
  const found = folders.flatMap((place) => names.map((name) => resolve(place, name))).find(isFile)
  if (found === undefined) return null
  const [, place, script] = /\.(?:cmd|bat)$/i.test(found) ? (npmBatch.exec(readFileSync(found, 'utf8')) ?? []) : []
  if (place === undefined) return [found]
  const target = join(found, '..', ...place.split('\\'))
  return script === undefined ? [target] : [process.execPath, target]
}

/** The line of a batch file of npm or pnpm that starts something next to it, with all arguments. */
const npmBatch = /"%~?dp0%?\\([^"%\r\n]{1,1000}?(?:(\.[cm]?js)|\.exe))"\s{1,10}%\*/

/** Users quote folders with a semicolon. */
function unquoted(folder: string): string {
  return folder.replace(/^"(.*)"$/, '$1')
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
