import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { escapedPieces } from '@plimsoll/core/text'
import { removeLeftovers, temporaryFolder } from '../../files/make-folder.ts'
import { codeOf } from '../../files/problem.ts'
import { programOnPath } from '../../files/program-on-path.ts'
import { writeAll } from '../../session/durable-file.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, type Output } from '../command-io.ts'
import { cleanText } from './text.ts'

/**
 * Writes a file that only its owner can read, in full or not at all, and returns its size. Throws `CommandError` if it exists and
 * may not be replaced, if something else has that name, or if it cannot be written.
 */
export async function writeOut(
  path: string,
  pieces: Iterable<string>,
  isForced: boolean,
  { sessionCommands, session }: Strings,
): Promise<number> {
  await checkOut(path, isForced, sessionCommands)
  const name = cleanText(path)
  removeLeftovers(dirname(path), /\.(\d+)\.[0-9a-f-]{36}\.new$/)
  const temporary = `${path}.${process.pid}.${randomUUID()}.new`
  try {
    const size = await writePieces(temporary, pieces)
    if (isForced) await rename(temporary, path)
    else await place(temporary, path)
    return size
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    if (code === 'EEXIST') throw new CommandError(sessionCommands.fileExists(name), 1)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError(sessionCommands.noFolder(name), 1)
    throw new CommandError(sessionCommands.cannotWrite(name, session.reason(code)), 1)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/** Throws as `writeOut` would, before the work starts, which can take minutes. */
export async function checkOut(path: string, isForced: boolean, strings: Strings['sessionCommands']): Promise<void> {
  const name = cleanText(path)
  // The target of a link counts: a device, a pipe or a folder must never be replaced.
  if ((await stat(path).catch(() => null))?.isFile() === false) throw new CommandError(strings.notAFile(name), 1)
  if (!isForced && (await lstat(path).catch(() => null)) !== null) throw new CommandError(strings.fileExists(name), 1)
  if ((await stat(dirname(path)).catch(() => null))?.isDirectory() !== true) throw new CommandError(strings.noFolder(name), 1)
}

async function writePieces(path: string, pieces: Iterable<string>): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, 'utf8')
      await writeAll(handle, bytes)
      size += bytes.byteLength
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return size
}

/** A hard link never replaces a file; without hard links, a copy that refuses to. */
async function place(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/**
 * Writes a value as one line of JSON, in pieces that cannot act on a terminal. Throws `CommandError`, naming the value, if it is
 * too large for one line.
 */
export function jsonLine(value: unknown, name: string, { problem }: Strings): Iterable<string> {
  try {
    return escapedLine(JSON.stringify(value))
  } catch (error) {
    // Plain data can only fail by being longer than a string can be.
    if (error instanceof RangeError) throw new CommandError(problem.tooLargeToPrint(name), 1)
    throw error
  }
}

export function writeJson(value: unknown, name: string, strings: Strings, output: Output): void {
  for (const piece of jsonLine(value, name, strings)) output.write(piece)
}

/** Escapes everything in a line that could act on a terminal. */
export function* escapedLine(text: string): Generator<string, void> {
  yield* escapedPieces(text)
  yield '\n'
}

/**
 * Opens an address in the user's browser, through a file that only the user can read, because everyone on the machine sees command
 * lines. Returns a function that removes the file; null if no browser could be started.
 */
export async function openPage(address: string, io: OpenIo): Promise<(() => Promise<void>) | null> {
  const folder = await temporaryFolder('open')
  const file = join(folder, 'plimsoll.html')
  const quoted = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${quoted}"><title>Plimsoll</title>\n`
  await writeFile(file, page, { mode: 0o600 })
  const remove = () => rm(folder, { recursive: true, force: true })
  if (await openFile(file, io)) return remove
  await remove()
  return null
}

type OpenIo = Pick<CommandIo, 'platform' | 'environment' | 'folder'>

/** Opens a file with the system's program for it. Returns whether one could be started. */
export async function openFile(file: string, { platform, environment, folder }: OpenIo): Promise<boolean> {
  const [command = 'xdg-open', ...args] = openers[platform] ?? []
  const program = await programOnPath(command, environment, folder)
  if (program === null) return false
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

const openers: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }
