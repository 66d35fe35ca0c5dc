import type { Facts } from '../facts.ts'
import { resultText } from '../message.ts'
import { aboutOf, type PlacedResult } from '../results/tool-results.ts'
import { oneLine } from '../text/one-line.ts'
import { shellCommands } from './shell-commands.ts'

/** What the work was done with, as far as calls and results show it. */
export interface StackAndEnvironment {
  readonly stack: readonly string[]
  readonly environment: readonly string[]
}

/** Languages by the files touched, programs by the commands run, versions where a command printed one; system, folder and variables. */
export function stackAndEnvironment(results: readonly PlacedResult[], facts: Facts): StackAndEnvironment {
  const languages = new Map<string, number>()
  const programs = new Map<string, number>()
  const versions = new Set<string>()
  const variables = new Set<string>()
  const shells = new Set<string>()
  for (const result of results) {
    for (const about of aboutOf(result)) {
      if (result.kind === 'terminal') readCommand(result, about, { programs, versions, variables })
      else if (result.kind === 'file-read' || result.kind === 'edit' || result.kind === 'write') {
        const language = languageOf.get(/\.(\w{1,8})$/.exec(about)?.[1]?.toLowerCase() ?? '')
        if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1)
      }
    }
    if (result.kind === 'terminal' && result.tool !== null) shells.add(result.tool)
  }
  return {
    stack: [
      ...(languages.size === 0 ? [] : [mostUsed(languages).join(', ')]),
      ...(programs.size === 0 ? [] : [`programs: ${mostUsed(programs).join(', ')}`]),
      ...first(versions, 8),
    ],
    environment: [
      ...(facts.platform === undefined ? [] : [`platform ${facts.platform}`]),
      ...(facts.root === undefined ? [] : [`folder ${facts.root}`]),
      ...(shells.size === 0 ? [] : [`commands run by ${first(shells, 5).join(', ')}`]),
      ...(variables.size === 0 ? [] : [`variables set: ${first(variables, 20).join(', ')}`]),
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
    // Names alone: values may be secret.
    const variable = program === 'export' ? /^[A-Za-z_]\w{0,60}(?==)/.exec(words[1] ?? '')?.[0] : undefined
    if (variable !== undefined) variables.add(variable)
    if (/^(?:--version|-V|version)$/.test(words[1] ?? '') && words.length === 2 && !result.isError) {
      const said = resultText(result.part).slice(0, 2000)
      const number = /\bv?\d{1,5}\.\d{1,5}[\w.+-]{0,30}/.exec(said)?.[0]
      if (number !== undefined) versions.add(oneLine(`${program} ${number}`, 80))
    }
  }
}

function mostUsed(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name]) => name)
}

function first(values: ReadonlySet<string>, most: number): readonly string[] {
  return [...values].slice(0, most)
}

const knownPrograms = new Set(
  (
    'npm npx pnpm yarn bun deno node tsc vite vitest jest python python3 pip uv poetry pytest tox ruff mypy cargo rustc go ' +
    'mvn gradle ./gradlew java javac dotnet make cmake ninja gcc g++ clang ruby bundle rails rake php composer swift ' +
    'docker docker-compose kubectl terraform psql sqlite3 redis-cli git gh'
  ).split(' '),
)

const languageOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TypeScript: 'ts tsx mts cts',
    JavaScript: 'js jsx mjs cjs',
    Python: 'py pyi ipynb',
    Rust: 'rs',
    Go: 'go',
    Java: 'java',
    Kotlin: 'kt kts',
    'C#': 'cs',
    C: 'c h',
    'C++': 'cc cpp cxx hpp hh',
    Ruby: 'rb',
    PHP: 'php',
    Swift: 'swift',
    Scala: 'scala',
    Shell: 'sh bash zsh',
    SQL: 'sql',
    HTML: 'html htm',
    CSS: 'css scss less',
    Vue: 'vue',
    Svelte: 'svelte',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
)
