import { cutText } from '../cut/cut-text.ts'
import { findTriggers, ranks, salienceOf } from '../cut/salient.ts'
import type { Facts } from '../facts.ts'
import { resultText } from '../message.ts'
import { aboutOf, isError, type PlacedResult } from '../results/tool-results.ts'
import { oneLine } from '../text/labels.ts'
import { wholeCharacters } from '../text/lines.ts'
import { pathKey } from '../text/paths.ts'
import { terminalText } from '../text/terminal-text.ts'
import { shellCommands } from './shell-commands.ts'

/** A failure after which the same tool never succeeded on the same subject. */
export interface UnresolvedError {
  readonly about: string
  readonly line: string
}

/** Failures in `results` that were not resolved in them or in `later`, one per subject, in order. */
export function unresolvedErrors(
  results: readonly PlacedResult[],
  later: readonly PlacedResult[],
  facts: Facts,
): readonly UnresolvedError[] {
  const failures = new Map<string, PlacedResult>()
  const take = (result: PlacedResult, counts: boolean) => {
    const key = thingOf(result, facts)
    // Reinsert, to keep the order of the latest failures.
    failures.delete(key)
    if (hasFailed(result) && counts && !foundNothing(result)) failures.set(key, result)
  }
  for (const result of results) take(result, true)
  for (const result of later) take(result, false)
  return [...failures.values()].map((result) => ({
    about: oneLine(aboutOf(result)[0] ?? result.tool ?? 'tool', 120),
    line: oneLine(failureLine(resultText(result.part)), 240),
  }))
}

/** A command that succeeded and wrote warnings to stderr leaves nothing to resolve. */
function hasFailed({ part, kind, rules, isError: counts }: PlacedResult): boolean {
  return counts && isError(part, { kind, rules, stderrIsError: false })
}

/** Equal for a command repeated with other flags, and for all spellings of a path. */
function thingOf(result: PlacedResult, facts: Facts): string {
  const [about = ''] = aboutOf(result)
  if (result.kind === 'terminal') return `terminal ${programOf(about)}`
  const kind = result.kind === 'write' ? 'edit' : result.kind
  return `${kind === 'other' ? result.tool : kind} ${isOfFiles(result) ? pathKey(about, facts.root, facts.platform) : about}`
}

function isOfFiles({ kind }: PlacedResult): boolean {
  return kind === 'file-read' || kind === 'edit' || kind === 'write'
}

/** A search or comparison reports by its exit code that nothing was found; that is not a failure. */
function foundNothing(result: PlacedResult): boolean {
  if (result.kind !== 'terminal') return false
  const said = resultText(result.part)
  const words = said.length > 500 ? null : (said.toLowerCase().match(/[a-z_]+|\d+/g) ?? [])
  if (words === null || !words.every((word) => wordsOfAnExit.has(word))) return false
  const [program = '', action = ''] = shellCommands((aboutOf(result)[0] ?? '').slice(0, 4000)).at(-1)?.words ?? []
  return searches.has(program) || (program === 'git' && (action === 'grep' || action === 'diff'))
}

const searches = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'diff', 'cmp', 'test', '[', 'which', 'pgrep'])

const wordsOfAnExit = new Set(
  'command process tool exited exit failed finished with an code status returned return error stdout stderr output exitcode exit_code interrupted false null none no 1'.split(
    ' ',
  ),
)

function programOf(command: string): string {
  const near = command.slice(0, 500).replace(/^(?:\s{0,9}cd \S{1,200}\s{0,9}(?:&&|;)){1,3}/, '')
  const words = near.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-') && !/^\w{1,60}=/.test(word))
  return words.slice(0, 3).join(' ')
}

function failureLine(text: string): string {
  const ends = { end: maxTextLength / 4, start: text.length - (maxTextLength * 3) / 4 }
  const near = text.length > maxTextLength ? cutText(text, ends, () => '\n') : text
  let last = ''
  for (const raw of near.split('\n')) {
    const line = terminalText(raw.length > 2000 ? raw.slice(0, 2000) : raw).trim()
    if (line === '') continue
    if (salienceOf(line)?.rank === ranks.failure) return line
    last = line
  }
  return last
}

const maxTextLength = 40_000

/** Languages by files touched, programs by commands run, printed versions; platform, folder and variables. */
export function stackAndEnvironment(
  results: readonly PlacedResult[],
  facts: Facts,
): { readonly stack: readonly string[]; readonly environment: readonly string[] } {
  const languages = new Map<string, number>()
  const seen: Seen = { programs: new Map(), versions: new Set(), variables: new Set() }
  const shells = new Set<string>()
  for (const result of results) {
    for (const about of aboutOf(result)) {
      if (result.kind === 'terminal') readCommand(result, about, seen)
      else if (isOfFiles(result)) {
        const language = languageOf.get(/\.(\w{1,8})$/.exec(about)?.[1]?.toLowerCase() ?? '')
        if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1)
      }
    }
    if (result.kind === 'terminal' && result.tool !== null) shells.add(result.tool)
  }
  const said = (head: string, values: readonly string[]) => (values.length === 0 ? [] : [`${head}${values.join(', ')}`])
  return {
    stack: [...said('', topNames(languages)), ...said('programs: ', topNames(seen.programs)), ...first(seen.versions, 8)],
    environment: [
      ...(facts.platform === undefined ? [] : [`platform ${facts.platform}`]),
      ...(facts.root === undefined ? [] : [`folder ${facts.root}`]),
      ...said('commands run by ', first(shells, 5)),
      ...said('variables set: ', first(seen.variables, 20)),
    ],
  }
}

interface Seen {
  readonly programs: Map<string, number>
  readonly versions: Set<string>
  readonly variables: Set<string>
}

function readCommand(result: PlacedResult, line: string, { programs, versions, variables }: Seen): void {
  for (const { words } of shellCommands(line.slice(0, 4000))) {
    const [program = ''] = words
    if (knownPrograms.has(program)) programs.set(program, (programs.get(program) ?? 0) + 1)
    // Names only: values may be secret.
    const variable = program === 'export' ? /^[A-Za-z_]\w{0,60}(?==)/.exec(words[1] ?? '')?.[0] : undefined
    if (variable !== undefined) variables.add(variable)
    if (/^(?:--version|-V|version)$/.test(words[1] ?? '') && words.length === 2 && !result.isError) {
      const said = resultText(result.part).slice(0, 2000)
      const number = /\bv?\d{1,5}\.\d{1,5}[\w.+-]{0,30}/.exec(said)?.[0]
      if (number !== undefined) versions.add(oneLine(`${program} ${number}`, 80))
    }
  }
}

function topNames(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name]) => name)
}

function first(values: ReadonlySet<string>, max: number): readonly string[] {
  return [...values].slice(0, max)
}

const knownPrograms = new Set(
  (
    'npm npx pnpm yarn bun deno node tsc vite vitest jest python python3 pip uv poetry pytest tox ruff mypy cargo rustc go ' +
    'mvn gradle ./gradlew java javac dotnet make cmake ninja gcc g++ clang ruby bundle rails rake php composer swift ' +
    'docker docker-compose kubectl terraform psql sqlite3 redis-cli git gh'
  ).split(' '),
)

const languageOf: ReadonlyMap<string, string> = new Map(
  (
    'TypeScript ts tsx mts cts|JavaScript js jsx mjs cjs|Python py pyi ipynb|Rust rs|Go go|Java java|Kotlin kt kts|C# cs|C c h|' +
    'C++ cc cpp cxx hpp hh|Ruby rb|PHP php|Swift swift|Scala scala|Shell sh bash zsh|SQL sql|HTML html htm|CSS css scss less|' +
    'Vue vue|Svelte svelte'
  )
    .split('|')
    .flatMap((row) => {
      const [language = '', ...endings] = row.split(' ')
      return endings.map((ending) => [ending, language] as const)
    }),
)

/** The latest distinct lines before `end` that report a failure or belong to one, in order. */
export function failureLines(text: string, end: number, max: number): readonly string[] {
  const next = findTriggers(text)
  const found = new Set<string>()
  let lineEnd = -1
  for (let at = next(0); at !== -1 && at < end; ) {
    if (lineEnd < at) lineEnd = text.indexOf('\n', at)
    if (lineEnd === -1) lineEnd = text.length
    // In a very long line only the surroundings of the trigger are examined.
    const before = Math.max(0, at - 200)
    const start = before + text.slice(before, at).lastIndexOf('\n') + 1
    const near = Math.min(lineEnd, at + 600)
    const line = oneLine(terminalText(wholeCharacters(text, start, near)), 300)
    const salience = salienceOf(line)
    if (salience !== null && salience.rank <= ranks.detail) {
      found.delete(line)
      found.add(line)
    }
    at = next(Math.max(near, at + 1))
  }
  return [...found].slice(-max)
}
