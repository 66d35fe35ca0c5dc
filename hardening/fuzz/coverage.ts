import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { countersName, instrument } from './instrument.ts'

/** The counters of the instrumented modules. */
export interface Coverage {
  /** One counter for each branch of all loaded modules. */
  readonly counters: Uint32Array
  /** Resets all counters. */
  readonly reset: () => void
  /** The branches of files whose path starts with one of these prefixes, and the strings in them. */
  readonly of: (covers: readonly string[]) => CoveredFiles
}

/** The counters of some files, as ranges, and the strings in those files. */
export interface CoveredFiles {
  readonly ranges: readonly (readonly [from: number, to: number])[]
  readonly branches: number
  readonly words: readonly string[]
}

const root = new URL('../../', import.meta.url)
const maxBranches = 1 << 17

/** Instruments every source of the project that is imported from now on. Loads the sources, not the build. */
export function countBranches(): Coverage {
  const counters = new Uint32Array(maxBranches)
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
      if (next > maxBranches) throw new Error('more branches than there are counters')
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
