import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { countersName, instrument } from './instrument.ts'

/** What the instrumented modules counted. */
export interface Coverage {
  /** One counter for each branch of everything that was loaded. */
  readonly counters: Uint32Array
  /** Sets all of them back to nothing. */
  readonly reset: () => void
  /** The branches of files whose path begins in one of these ways, and the strings that stand in them. */
  readonly of: (covers: readonly string[]) => CoveredFiles
}

/** The counters of some files, as ranges, and the words of those files. */
export interface CoveredFiles {
  readonly ranges: readonly (readonly [from: number, to: number])[]
  readonly branches: number
  readonly words: readonly string[]
}

const root = new URL('../../', import.meta.url)
const mostBranches = 1 << 17

/** Has every source of the project that is imported from now on counted. The sources themselves are loaded, not what was built of them. */
export function countBranches(): Coverage {
  const counters = new Uint32Array(mostBranches)
  Reflect.set(globalThis, countersName, counters)
  const files: { readonly path: string; readonly from: number; readonly to: number; readonly words: readonly string[] }[] = []
  let next = 0
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const source = /^@plimsoll\/core(?:\/(\w+))?$/.exec(specifier)
      if (source === null) return nextResolve(specifier, context)
      return { url: new URL(`packages/core/src/${source[1] ?? 'index'}.ts`, root).href, shortCircuit: true }
    },
    load(url, context, nextLoad) {
      const path = url.startsWith(root.href) ? url.slice(root.href.length) : ''
      if (!isCounted(path)) return nextLoad(url, context)
      const { code, branches, words } = instrument(path, readFileSync(fileURLToPath(url), 'utf8'), next)
      files.push({ path, from: next, to: next + branches, words })
      next += branches
      if (next > mostBranches) throw new Error('more branches than there are counters')
      return { format: 'module-typescript', source: code, shortCircuit: true }
    },
  })
  return {
    counters,
    reset: () => counters.fill(0, 0, next),
    of: (covers) => {
      const chosen = files.filter(({ path }) => covers.some((start) => path.startsWith(start)))
      return {
        ranges: chosen.map(({ from, to }) => [from, to] as const),
        branches: chosen.reduce((sum, { from, to }) => sum + to - from, 0),
        words: [...new Set(chosen.flatMap((file) => file.words))],
      }
    },
  }
}

function isCounted(path: string): boolean {
  return /^(?:packages\/(?:core|node)\/src|hardening\/fuzz\/testing)\/.*\.ts$/.test(path)
}
