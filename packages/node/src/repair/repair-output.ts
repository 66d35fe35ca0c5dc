import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '../files/problem.ts'
import { withFile, writeAll, writeNewFile } from '../session/durable-file.ts'
import type { TakenImage } from './lift-images.ts'

/** Writes a copy and its images under temporary names until they are placed. */
export interface RepairOutput {
  readonly imageFolder: string
  /** Writes a new file that only its owner can read, and returns its path. Lines come without newlines. */
  readonly writeLines: (write: (putLine: (line: Buffer | string) => Promise<void>) => Promise<void>) => Promise<string>
  readonly keepImage: (image: TakenImage) => Promise<void>
  /** Moves a file and the images to their final paths, never over an existing file. Returns the file size. */
  readonly place: (file: string) => Promise<number>
  readonly images: () => { readonly folder: string; readonly count: number } | null
  /** Removes everything that was not placed. */
  readonly clear: () => Promise<void>
}

/** A file could not be written; the code is EEXIST if the name is taken. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  readonly path: string
  readonly code: string

  constructor(path: string, code: string) {
    super(`${path}: ${code}`)
    this.path = path
    this.code = code
  }
}

export function openRepairOutput(out: string): RepairOutput {
  const temporary: string[] = []
  const images = new Map<string, string>()
  const folder = `${out}.files`
  const newName = () => {
    const name = `${out}.${randomUUID()}.new`
    temporary.push(name)
    return name
  }
  return {
    imageFolder: basename(folder),
    async writeLines(write) {
      const path = newName()
      await writeGathered(path, write)
      return path
    },
    async keepImage({ file, bytes }) {
      if (images.has(file)) return
      const path = newName()
      await writing(path, writeNewFile(path, bytes()))
      images.set(file, path)
    },
    async place(file) {
      if (images.size > 0) await writing(folder, mkdir(folder, { mode: 0o700 }))
      for (const [name, path] of images) await writing(join(folder, name), linkOrCopy(path, join(folder, name)))
      const { size } = await stat(file)
      await writing(out, linkOrCopy(file, out))
      return size
    },
    images: () => (images.size === 0 ? null : { folder, count: images.size }),
    async clear() {
      for (const name of temporary) await rm(name, { force: true }).catch(() => undefined)
    },
  }
}

/** Lines are gathered, so that a million of them do not take a million writes. */
function writeGathered(path: string, write: Parameters<RepairOutput['writeLines']>[0]): Promise<void> {
  return withFile(writing(path, open(path, 'wx', 0o600)), async (handle) => {
    let waiting: Buffer[] = []
    let size = 0
    const flush = async () => {
      await writing(path, writeAll(handle, Buffer.concat(waiting)))
      waiting = []
      size = 0
    }
    await write(async (line) => {
      const bytes = typeof line === 'string' ? Buffer.from(line, 'utf8') : line
      waiting.push(bytes, newline)
      size += bytes.length + 1
      if (size > 1 << 20) await flush()
    })
    await flush()
    await writing(path, handle.sync())
  })
}

const newline = Buffer.from('\n')

/** Makes a second name, or copies where the file system has no second names. Neither replaces an existing file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

async function writing<Value>(path: string, done: Promise<Value>): Promise<Value> {
  try {
    return await done
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? 'EIO')
  }
}
