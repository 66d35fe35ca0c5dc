import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { estimateTokens } from '@plimsoll/core'
import { createFolderReader, walkFiles } from './read/folder-reader.ts'

/** The files of the workspace that a mention may name. */
export interface WorkspaceFiles {
  /** Those known so far; the first call begins to look for them. */
  readonly list: () => readonly string[]
  /** Those there are, once they have been looked for. */
  readonly found: () => Promise<readonly string[]>
  /** What reading a file would take; null while that is not known yet, or where it cannot be read. */
  readonly tokens: (path: string) => number | null
  /** The same, once it is known. */
  readonly cost: (path: string) => Promise<number | null>
}

const mostFiles = 20_000
/** More of a file is not read to know its cost. */
const mostBytes = 200_000
/** The list is looked up again after so long. */
const freshFor = 15_000

/** Looks for files in the background and tells through `changed` when there is more to show. */
export function createWorkspaceFiles(root: string, now: () => number, changed: () => void = () => undefined): WorkspaceFiles {
  let files: readonly string[] = []
  let lookedAt: number | null = null
  let looking = Promise.resolve()
  const costs = new Map<string, number | null>()
  const counting = new Map<string, Promise<number | null>>()

  async function find(): Promise<void> {
    const found: string[] = []
    try {
      for await (const path of walkFiles(await createFolderReader(root, '.'), '.', new AbortController().signal)) {
        found.push(path)
        if (found.length >= mostFiles) break
      }
    } catch {
      // A folder that cannot be read has nothing to offer; the prompt works without.
    }
    files = found
    costs.clear()
    counting.clear()
    changed()
  }

  function list(): readonly string[] {
    if (lookedAt === null || now() - lookedAt > freshFor) {
      lookedAt = now()
      looking = find()
    }
    return files
  }

  function cost(path: string): Promise<number | null> {
    let counted = counting.get(path)
    if (counted === undefined) {
      counted = costOf(join(root, path))
      counting.set(path, counted)
    }
    return counted
  }

  return {
    list,
    async found() {
      // Once some are known, nobody waits for more of them.
      if (list().length === 0) await looking
      return files
    },
    tokens(path) {
      const known = costs.get(path)
      if (known !== undefined) return known
      costs.set(path, null)
      void cost(path).then((tokens) => {
        costs.set(path, tokens)
        if (tokens !== null) changed()
      })
      return null
    },
    cost,
  }
}

/** Estimated from the text, of a large file from its beginning. Null for what is no text or cannot be read. */
async function costOf(file: string): Promise<number | null> {
  try {
    const handle = await open(file, 'r')
    try {
      const { size } = await handle.stat()
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(size, mostBytes)), 0)
      const bytes = buffer.subarray(0, bytesRead)
      if (bytes.includes(0)) return null
      const tokens = estimateTokens(bytes.toString('utf8'))
      return bytesRead === 0 ? 0 : Math.round((tokens * size) / bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
