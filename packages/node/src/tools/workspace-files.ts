import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { estimateTokens } from '@plimsoll/core'
import { createFolderReader, walkFiles } from './read/folder-reader.ts'

const maxFiles = 20_000
const maxBytes = 200_000
/** Milliseconds after which the files are looked for again. */
const freshFor = 15_000

export type WorkspaceFiles = ReturnType<typeof createWorkspaceFiles>

/** Looks for files in the background and calls `changed` when there is more to show. */
export function createWorkspaceFiles(root: string, now: () => number, changed: () => void = () => undefined) {
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
        if (found.length >= maxFiles) break
      }
    } catch {}
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
    const counted = counting.get(path) ?? costOf(join(root, path))
    counting.set(path, counted)
    return counted
  }

  return {
    /** Those known so far; the first call starts to look for them. */
    list,
    async found() {
      if (list().length === 0) await looking
      return files
    },
    /** Null while unknown, or if it cannot be read. */
    tokens(path: string): number | null {
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

/** Estimated from the text, of a large file from its start. Null for binary files and those that cannot be read. */
async function costOf(file: string): Promise<number | null> {
  try {
    const handle = await open(file, 'r')
    try {
      const { size } = await handle.stat()
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(size, maxBytes)), 0)
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

/** How a file is written after `@`: in quotes if its name has more than letters, digits and the marks of paths. */
export function mentionText(path: string): string {
  return /^[a-zA-Z0-9/._-]+$/.test(path) ? `@${path} ` : `@"${path}" `
}

/** The names that a query may mean, best first: its letters in order, rather together, rather at the start of words. */
export function fuzzyFind(names: readonly string[], query: string, max: number): readonly string[] {
  if (query === '') return names.slice(0, max)
  const wanted = query.toLowerCase()
  const found = names.flatMap((name) => {
    const score = fuzzyScore(name, wanted)
    return score === null ? [] : [{ name, score }]
  })
  found.sort((one, other) => other.score - one.score || one.name.length - other.name.length || (one.name < other.name ? -1 : 1))
  return found.slice(0, max).map(({ name }) => name)
}

function fuzzyScore(name: string, wanted: string): number | null {
  const lower = name.toLowerCase()
  const base = lower.lastIndexOf('/') + 1
  const whole = lower.indexOf(wanted, base)
  if (whole >= 0) return 1000 - (whole - base) + (whole === base ? 100 : 0)
  const inside = lower.indexOf(wanted)
  if (inside >= 0) return 500 - Math.min(100, inside)
  let at = -1
  let score = 0
  for (const letter of wanted) {
    const next = lower.indexOf(letter, at + 1)
    if (next < 0) return null
    const isStart = next === 0 || /[/._\- ]/.test(lower[next - 1] ?? '')
    score += next === at + 1 ? 5 : isStart ? 4 : 1
    at = next
  }
  return score
}
