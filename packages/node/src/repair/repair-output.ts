import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '../files/trouble.ts'
import { writeAll } from '../session/durable-file.ts'
import type { TakenImage } from './lift-images.ts'

/** Where a copy and its pictures are written to. Until they are placed, they have names that nobody asks for. */
export interface RepairOutput {
  /** The name of the folder for pictures. */
  readonly pictureFolder: string
  /** A new file for lines that only its owner can read. */
  readonly openLines: () => Promise<LineOutput>
  readonly keepPicture: (image: TakenImage) => Promise<void>
  /** Puts a file and the pictures where they belong, at once and never over something that is there; the size of the file. */
  readonly place: (file: string) => Promise<number>
  /** The folder with pictures and how many there are; null where there are none. */
  readonly pictures: () => { readonly folder: string; readonly count: number } | null
  /** Takes away whatever was not placed. */
  readonly clear: () => Promise<void>
}

/** A file that is written line by line. */
export interface LineOutput {
  readonly path: string
  /** Takes a line without its end. */
  readonly write: (line: Buffer | string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Something could not be written: because there is something of that name, or for what the system says. */
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

/** Opens what is written beside a file of this name. Nothing is there before something is written. */
export function openRepairOutput(out: string): RepairOutput {
  const temporary: string[] = []
  const pictures = new Map<string, string>()
  const folder = `${out}.files`
  const newName = () => {
    const name = `${out}.${randomUUID()}.new`
    temporary.push(name)
    return name
  }
  return {
    pictureFolder: basename(folder),
    openLines: () => openLines(newName()),
    async keepPicture({ file, bytes }) {
      if (pictures.has(file)) return
      const path = newName()
      const handle = await writing(path, open(path, 'wx', 0o600))
      try {
        await writing(path, writeAll(handle, bytes()))
      } finally {
        await handle.close()
      }
      pictures.set(file, path)
    },
    async place(file) {
      if (pictures.size > 0) await writing(folder, mkdir(folder, { mode: 0o700 }))
      for (const [name, path] of pictures) await writing(join(folder, name), linkOrCopy(path, join(folder, name)))
      const { size } = await stat(file)
      await writing(out, linkOrCopy(file, out))
      return size
    },
    pictures: () => (pictures.size === 0 ? null : { folder, count: pictures.size }),
    async clear() {
      for (const name of temporary) await rm(name, { force: true }).catch(() => undefined)
    },
  }
}

/** Lines are gathered, so that a file of a million of them is no million writes. */
async function openLines(path: string): Promise<LineOutput> {
  const handle = await writing(path, open(path, 'wx', 0o600))
  let waiting: Buffer[] = []
  let size = 0
  const flush = async () => {
    await writing(path, writeAll(handle, Buffer.concat(waiting)))
    waiting = []
    size = 0
  }
  return {
    path,
    async write(line) {
      const bytes = typeof line === 'string' ? Buffer.from(line, 'utf8') : line
      waiting.push(bytes, newline)
      size += bytes.length + 1
      if (size > 1 << 20) await flush()
    },
    async close() {
      try {
        await flush()
        await writing(path, handle.sync())
      } finally {
        await handle.close()
      }
    },
  }
}

const newline = Buffer.from('\n')

/** A second name is made or not made; where there are no second names, a copy that refuses to replace. */
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
