import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { builtBy, type FoundRegex, findRegexes, isBounded } from './find-regexes.ts'

const file = new URL('./safe.json', import.meta.url)

/** Neither safe by a checker nor limited by their form; why they are all the same. */
const looked: readonly { readonly start: string; readonly why: string }[] = [
  { start: '^(?:(?:Chunk ID: ', why: 'runs on 24,000 characters at most' },
  { start: '(?:^|\\n)(?:(?:(?:Error|Signal|Background PIDs): ', why: 'runs on 24,000 characters at most' },
  {
    start: '[A-Za-z0-9+/_=-]{40,}',
    why: 'nothing follows the run, so no run is read twice for one place, and a shorter one ends after 40',
  },
]

export interface CheckedRegexes {
  readonly count: number
  readonly bounded: number
  /** Found safe by recheck, now or earlier. */
  readonly safe: number
  readonly unsafe: readonly { readonly regex: FoundRegex; readonly why: string }[]
}

/**
 * Checks all regular expressions of the sources. What recheck once found safe is proven, and is not checked again: under load it may not
 * be able to decide. With `isKept`, the list of these is written.
 */
export async function checkRegexes(isKept: boolean): Promise<CheckedRegexes> {
  const { literals, builders } = findRegexes()
  const found = new Map<string, FoundRegex>()
  for (const regex of [...literals, ...(await builtBy(builders))]) found.set(keyOf(regex), regex)
  const known = new Set(JSON.parse(readFileSync(file, 'utf8')) as readonly string[])
  const safe: string[] = []
  const unsafe: { regex: FoundRegex; why: string }[] = []
  let bounded = 0
  for (const [key, regex] of found) {
    if (isBounded(regex.source) || looked.some(({ start }) => regex.source.startsWith(start))) {
      bounded += 1
      continue
    }
    const why = known.has(key) ? null : problemOf(regex)
    if (why === null) safe.push(key)
    else unsafe.push({ regex, why })
  }
  if (isKept) writeFileSync(file, `${JSON.stringify(safe.toSorted(), null, 2)}\n`)
  return { count: found.size, bounded, safe: safe.length, unsafe }
}

function keyOf({ source, flags }: FoundRegex): string {
  return createHash('sha256').update(`${flags} ${source}`).digest('hex').slice(0, 16)
}

function problemOf({ source, flags }: FoundRegex): string | null {
  const found = checkSync(source, flags, { timeout: 10_000 })
  if (found.status === 'safe') return null
  return found.status === 'unknown' ? 'undecided' : found.complexity.summary
}
