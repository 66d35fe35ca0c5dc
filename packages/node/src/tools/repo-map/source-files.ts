import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { findSymbols, type SourceSymbol } from './find-symbols.ts'
import type { Language } from './languages.ts'

/** What is known of a source file. */
export interface SourceFile {
  /** From the workspace's folder, with `/`. */
  readonly path: string
  readonly symbols: readonly SourceSymbol[]
  /** How often each name is used in it. */
  readonly uses: ReadonlyMap<string, number>
}

/**
 * Reads a source file, or gives null for one that has no place in a map: too big, generated, no text, or gone. What was read once
 * is remembered for as long as the file's time and size stay.
 */
export async function readSource(root: string, path: string, language: Language): Promise<SourceFile | null> {
  const full = join(root, path)
  try {
    const { mtimeMs, size } = await lstat(full)
    const known = cache.get(full)
    if (known !== undefined && known.mtimeMs === mtimeMs && known.size === size) return withPath(known.source, path)
    const text = await readText(full)
    const source = text === null ? null : await parse(path, text, language)
    remember(full, { mtimeMs, size, source })
    return source
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

interface Known {
  readonly mtimeMs: number
  readonly size: number
  readonly source: SourceFile | null
}

const cache = new Map<string, Known>()
const names = new Map<string, string>()
const mostRemembered = 20_000
const biggestFile = 512 * 1024
const widestLine = 300

function remember(full: string, known: Known): void {
  if (cache.size >= mostRemembered) {
    cache.clear()
    names.clear()
  }
  cache.set(full, known)
}

function withPath(source: SourceFile | null, path: string): SourceFile | null {
  return source === null || source.path === path ? source : { ...source, path }
}

/** The text of a file, or null where it is none or too big. A link or a pipe in its place is neither followed nor waited for. */
async function readText(full: string): Promise<string | null> {
  const handle = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await handle.stat()
    return stats.isFile() && stats.size <= biggestFile ? await handle.readFile('utf8') : null
  } finally {
    await handle.close()
  }
}

async function parse(path: string, text: string, language: Language): Promise<SourceFile | null> {
  if (/[.-]min\.[cm]?js$/i.test(path) || isGenerated(text)) return null
  return { path, symbols: await findSymbols(text, language), uses: usesIn(text) }
}

/** Nobody reads what a program wrote or squeezed. */
function isGenerated(text: string): boolean {
  if (text.includes('\0')) return true
  if (/@generated|\bdo not edit\b|\bautomatically generated\b|\bcode generated\b/i.test(text.slice(0, 1000))) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return text.length / lines > widestLine
}

/** Lines that are nothing but a comment use no names. */
function usesIn(text: string): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\/|\/?\*|#\s|--\s|;)/.test(line)) continue
    for (const word of line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,99}/gu) ?? []) {
      const count = uses.get(word)
      uses.set(count === undefined ? kept(word) : word, (count ?? 0) + 1)
    }
  }
  return uses
}

/** One string for each word, whatever number of files it is in, and none that keeps a whole text in memory. */
function kept(word: string): string {
  let known = names.get(word)
  if (known === undefined) {
    known = Buffer.from(word).toString()
    names.set(known, known)
  }
  return known
}
