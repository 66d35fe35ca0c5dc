import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { RulesFile } from '../layers/assemble-layers.ts'
import type { ReadProblem } from './problem.ts'
import { isInside, problemFrom, readUpTo } from './read-text.ts'

export interface RulesOptions {
  readonly root: string
  /** In the order of their texts; case does not matter. */
  readonly names: readonly string[]
  /** Bytes of all files together. Default: 256 KB. */
  readonly limit?: number
}

export interface RulesReading {
  /** The same list as long as nothing changes. */
  readonly files: readonly RulesFile[]
  readonly troubles: readonly RulesProblem[]
}

/** A missing file is not a problem. */
export interface RulesProblem {
  readonly name: string
  readonly problem: ReadProblem | { readonly kind: 'not-a-name' | 'outside-root' | 'not-a-file' }
}

/**
 * Reads the rules of a project at every request. Files are small, so a hash detects changes even if time and size stay the same.
 * The given spelling of a name comes first, then lower case, then alphabetical order. Never throws; names that lead elsewhere,
 * links to the outside and anything but plain files are reported.
 */
export function createRulesReader({ root, names, limit = 256 * 1024 }: RulesOptions): { read: () => Promise<RulesReading> } {
  let known = new Map<string, KnownFile>()
  let latest: readonly RulesFile[] = []
  return {
    async read() {
      const found: KnownFile[] = []
      const troubles: RulesProblem[] = []
      let left = limit
      for (const name of names) {
        const outcome = await findFile(root, name, left, known)
        if (outcome.file !== null && !found.some(({ path }) => path === outcome.file?.path)) {
          found.push(outcome.file)
          left -= outcome.file.bytes
        }
        troubles.push(...outcome.troubles)
      }
      known = new Map(found.map((file) => [file.path, file]))
      const files = found.map(({ file }) => file)
      const same = files.length === latest.length && files.every((file, index) => file === latest[index])
      if (!same) latest = files
      return { files: latest, troubles }
    },
  }
}

interface KnownFile {
  readonly path: string
  readonly key: string
  readonly bytes: number
  readonly file: RulesFile
}

async function findFile(root: string, name: string, limit: number, known: ReadonlyMap<string, KnownFile>) {
  const troubles: RulesProblem[] = []
  if (/^\.{0,2}$|[/\\\0]/.test(name)) return { file: null, troubles: [{ name, problem: { kind: 'not-a-name' as const } }] }
  try {
    const folder = await realpath(root)
    for (const spelling of await spellings(folder, name)) {
      const outcome = await readRules(folder, spelling, limit, known)
      if ('file' in outcome) return { file: outcome.file, troubles }
      if (outcome.problem.kind !== 'not-found') troubles.push({ name: spelling, problem: outcome.problem })
    }
  } catch (error) {
    const problem = problemFrom(error)
    if (problem.kind !== 'not-found') troubles.push({ name, problem })
  }
  return { file: null, troubles }
}

async function spellings(folder: string, name: string): Promise<readonly string[]> {
  const lower = name.toLowerCase()
  const rank = (spelling: string) => (spelling === name ? 0 : spelling === lower ? 1 : 2)
  const found = (await readdir(folder)).filter((entry) => entry.toLowerCase() === lower)
  return found.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

async function readRules(
  folder: string,
  name: string,
  limit: number,
  known: ReadonlyMap<string, KnownFile>,
): Promise<{ readonly file: KnownFile } | { readonly problem: RulesProblem['problem'] }> {
  let file: FileHandle | null = null
  try {
    const path = await realpath(join(folder, name))
    if (path === folder || !isInside(folder, path)) return { problem: { kind: 'outside-root' } }
    // A pipe without a writer would never open, and the path has no links.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
    const state = await file.stat({ bigint: true })
    if (state.isDirectory()) return { problem: { kind: 'is-folder' } }
    if (!state.isFile()) return { problem: { kind: 'not-a-file' } }
    const bytes = await readUpTo(file, limit)
    const size = Number(state.size)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const key = `${state.mtimeNs} ${size} ${hash} ${name}`
    const before = known.get(path)
    if (before?.key === key) return { file: before }
    const whole = size > bytes.length ? wholeCharacters(bytes) : bytes
    if (!isUtf8(whole)) return { problem: { kind: 'not-utf8' } }
    const text = whole.toString('utf8').replace(/^\ufeff/, '')
    return { file: { path, key, bytes: bytes.length, file: { name, text, ...(size > bytes.length ? { cutFrom: size } : {}) } } }
  } catch (error) {
    return { problem: problemFrom(error) }
  } finally {
    await file?.close()
  }
}

/** Drops a character that the limit cut. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
