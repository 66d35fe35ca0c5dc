import { ranks, salienceOf } from '../cut/salient.ts'
import type { Facts } from '../facts.ts'
import { resultText } from '../message.ts'
import { aboutOf, type PlacedResult } from '../results/tool-results.ts'
import { oneLine } from '../text/one-line.ts'
import { pathKey } from '../text/paths.ts'
import { terminalText } from '../text/terminal-text.ts'
import { shellCommands } from './shell-commands.ts'

/** A failure after which the same tool never succeeded about the same thing. */
export interface UnresolvedError {
  /** The path, command or tool it is about. */
  readonly about: string
  /** The line that says what failed. */
  readonly line: string
}

/** The failures among `results` that nothing later has put right, each about another thing, in order. Later results count, too. */
export function unresolvedErrors(
  results: readonly PlacedResult[],
  later: readonly PlacedResult[],
  facts: Facts,
): readonly UnresolvedError[] {
  const failures = new Map<string, PlacedResult>()
  const take = (result: PlacedResult, counts: boolean) => {
    const key = thingOf(result, facts)
    // Anew each time, so that the order is that of the latest failures.
    failures.delete(key)
    if (result.isError && counts && !foundNothing(result)) failures.set(key, result)
  }
  for (const result of results) take(result, true)
  // A failure in the kept rounds is there to be read.
  for (const result of later) take(result, false)
  return [...failures.values()].map((result) => ({
    about: oneLine(aboutOf(result)[0] ?? result.tool ?? 'tool', 120),
    line: oneLine(failureLine(resultText(result.part)), 240),
  }))
}

/** The same for a command and its repetition with other flags, and for all ways to spell a path. */
function thingOf(result: PlacedResult, facts: Facts): string {
  const [about = ''] = aboutOf(result)
  if (result.kind === 'terminal') return `terminal ${programOf(about)}`
  const paths = result.kind === 'file-read' || result.kind === 'edit' || result.kind === 'write'
  const kind = result.kind === 'write' ? 'edit' : result.kind
  return `${kind === 'other' ? result.tool : kind} ${paths ? pathKey(about, facts.root, facts.platform) : about}`
}

/** A search or a comparison says by its exit code that there was nothing to find, which is an answer. */
function foundNothing(result: PlacedResult): boolean {
  if (result.kind !== 'terminal') return false
  const said = resultText(result.part)
  const words = said.length > 500 ? null : (said.toLowerCase().match(/[a-z_]+|\d+/g) ?? [])
  if (words === null || !words.every((word) => wordsOfAnExit.has(word))) return false
  const [program = '', action = ''] = shellCommands((aboutOf(result)[0] ?? '').slice(0, 4000)).at(-1)?.words ?? []
  return searches.has(program) || (program === 'git' && (action === 'grep' || action === 'diff'))
}

const searches = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'diff', 'cmp', 'test', '[', 'which', 'pgrep'])

/** All that is said when a program ended with 1 and had nothing to say. */
const wordsOfAnExit = new Set(
  'command process tool exited exit failed finished with an code status returned return error stdout stderr output exitcode exit_code interrupted false null none no 1'.split(
    ' ',
  ),
)

/** The first words of a command, without the change of folder before it. */
function programOf(command: string): string {
  const near = command.slice(0, 500).replace(/^(?:\s{0,9}cd \S{1,200}\s{0,9}(?:&&|;)){1,3}/, '')
  return near
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-') && !/^\w{1,60}=/.test(word))
    .slice(0, 3)
    .join(' ')
}

/** The line that says most plainly what went wrong; else the last one with anything on it. */
function failureLine(text: string): string {
  const near = text.length > longestText ? `${text.slice(0, longestText / 4)}\n${text.slice(-(longestText * 3) / 4)}` : text
  let last = ''
  for (const raw of near.split('\n')) {
    const line = terminalText(raw.length > 2000 ? raw.slice(0, 2000) : raw).trim()
    if (line === '') continue
    const salience = salienceOf(line)
    if (salience?.rank === ranks.failure) return line
    last = line
  }
  return last
}

const longestText = 40_000
