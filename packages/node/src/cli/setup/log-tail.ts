import { open } from 'node:fs/promises'

/** The last lines of a log. */
export interface LogTail {
  readonly lines: readonly string[]
  /** Whether they are all of it. */
  readonly isWhole: boolean
  readonly bytes: number
}

/** Reads at most so many bytes from the end of a file, cut to whole lines; null where it cannot be read. */
export async function readTail(path: string, most: number): Promise<LogTail | null> {
  try {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      const start = Math.max(0, size - most)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
      const text = buffer.toString('utf8', 0, bytesRead)
      const lines = text.split('\n')
      // The first one is only the end of a line.
      return { lines: (start === 0 ? lines : lines.slice(1)).filter((line) => line !== ''), isWhole: start === 0, bytes: size }
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
