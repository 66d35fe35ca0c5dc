import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { codeOf, type Outcome, type ReadProblem } from './problem.ts'
import { UnpackError, unpackBytes } from './unpack.ts'

/** The text and everything made of it fit into 2 GB. */
const maxText = 256_000_000

/** Reads a file as UTF-8 text, unpacked and without its byte order mark. Never throws. */
export async function readTextFile(path: string, limit: number = maxText): Promise<Outcome<string>> {
  try {
    const file = await open(path, 'r')
    try {
      if ((await file.stat()).isDirectory()) return { problem: { kind: 'is-folder' } }
      return await readText(file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 }), limit)
    } finally {
      await file.close()
    }
  } catch (error) {
    return { problem: problemFrom(error) }
  }
}

export async function readText(bytes: AsyncIterable<Uint8Array>, limit: number = maxText): Promise<Outcome<string>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of unpackBytes(bytes)) {
      size += chunk.byteLength
      // A device or a pipe may never end.
      if (size > limit) return { problem: { kind: 'too-large', limit } }
      chunks.push(chunk)
    }
  } catch (error) {
    return { problem: problemFrom(error) }
  }
  return decode(Buffer.concat(chunks, size))
}

function decode(buffer: Buffer): Outcome<string> {
  if (buffer.length === 0) return { problem: { kind: 'empty' } }
  if (!isUtf8(buffer)) {
    const utf16 = (buffer[0] === 0xff && buffer[1] === 0xfe) || (buffer[0] === 0xfe && buffer[1] === 0xff)
    return { problem: { kind: utf16 ? 'utf16' : 'not-utf8' } }
  }
  const text = buffer.toString('utf8')
  return { value: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text }
}

/** Throws errors again that are not about reading or unpacking. */
export function problemFrom(error: unknown): ReadProblem {
  if (error instanceof UnpackError)
    return error.kind === 'limit' ? { kind: 'too-large', limit: error.limit } : { kind: 'unreadable', code: error.message }
  const code = codeOf(error)
  if (code === null) throw error
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'not-found' }
  if (code === 'EISDIR') return { kind: 'is-folder' }
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'no-permission' }
  return { kind: 'unreadable', code }
}

/** The first bytes of a file, which may come in small pieces. */
export async function readUpTo(handle: FileHandle, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  while (size < limit) {
    const piece = Buffer.allocUnsafe(Math.min(1 << 20, limit - size))
    const { bytesRead } = await handle.read(piece, 0, piece.length, size)
    if (bytesRead === 0) break
    pieces.push(piece.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(pieces, size)
}

/** Whether a real path is in a folder, or is that folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
