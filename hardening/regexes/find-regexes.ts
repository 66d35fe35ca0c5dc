import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

/** A regular expression of the sources: a literal, or one that a module builds when it is loaded. */
export interface FoundRegex {
  readonly place: string
  readonly source: string
  readonly flags: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** All literals of the packages, without tests; and the files that build others. */
export function findRegexes(): { readonly literals: readonly FoundRegex[]; readonly builders: readonly string[] } {
  const literals: FoundRegex[] = []
  const builders = new Set<string>()
  for (const name of ['core', 'node', 'web']) {
    const folder = join(root, 'packages', name, 'src')
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !/\.tsx?$/.test(path) || /\.test(?:-d)?\.|\/testing\//.test(path)) continue
      const text = readFileSync(path, 'utf8')
      const place = (start: number) => `${relative(root, path)}:${text.slice(0, start).split('\n').length}`
      visit(parseSync(path, text).program, (node) => {
        const { regex, callee, start } = node as Partial<RegexNode>
        if (regex !== undefined && regex !== null)
          literals.push({ place: place(start ?? 0), source: regex.pattern, flags: regex.flags })
        if (callee?.name === 'RegExp') builders.add(path)
      })
    }
  }
  return { literals, builders: [...builders] }
}

interface RegexNode {
  readonly start: number
  readonly regex: { readonly pattern: string; readonly flags: string } | null
  readonly callee: { readonly name?: string }
}

function visit(node: unknown, look: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) look(node)
  for (const value of Object.values(node)) visit(value, look)
}

/** Loads modules and returns the regular expressions that they build meanwhile. */
export async function builtBy(files: readonly string[]): Promise<readonly FoundRegex[]> {
  const found: FoundRegex[] = []
  const original = globalThis.RegExp
  let place = ''
  globalThis.RegExp = new Proxy(original, {
    construct(target, words: [string | RegExp, string?]) {
      const built = new target(...words)
      found.push({ place, source: built.source, flags: built.flags })
      return built
    },
  })
  try {
    for (const file of files) {
      place = relative(root, file)
      await import(file)
    }
  } finally {
    globalThis.RegExp = original
  }
  return found
}

/**
 * Whether every repetition has an upper limit and none of varying length is repeated itself, so that each place of a text costs at most a
 * fixed number of steps. `max` is the largest limit that counts as one.
 */
export function isBounded(source: string, max = 5000): boolean {
  const bare = source
    .replaceAll(/\\(?:[pP]\{[^}]{1,60}\}|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<\w{1,60}>|[^])/g, 'e')
    .replaceAll(/\[[^\]]{0,5000}\]/g, 'c')
    .replaceAll(/\(\?(?:[:=!]|<[=!]|<\w{1,60}>)/g, '(')
  const varies: boolean[] = [false]
  let hasVarying = false
  let isLazy = false
  for (const [all, least, comma, most] of bare.matchAll(/[()*+?]|\{(\d{1,9})(?:(,)(\d{0,9}))?\}|[^]/g)) {
    const isLimit = all.startsWith('{') && least !== undefined
    if (all === '*' || all === '+') return false
    if (all === '?' && !isLazy) varies[varies.length - 1] = true
    isLazy = isLimit
    if (all === '(') varies.push(false)
    else if (all === ')') {
      hasVarying = varies.pop() ?? false
      if (hasVarying) varies[varies.length - 1] = true
      continue
    } else if (isLimit) {
      const limit = Number(comma === undefined ? least : most || Number.POSITIVE_INFINITY)
      if (limit > max || (hasVarying && limit > 1)) return false
      if (comma !== undefined && limit > Number(least)) varies[varies.length - 1] = true
    }
    hasVarying = false
  }
  return true
}
