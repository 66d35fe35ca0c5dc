import { pathInFolder } from '../../compaction/changed-files.ts'
import { shellCommands } from '../../compaction/shell-commands.ts'

export interface CommandLook {
  /** Whether it prints files or changes as they are, searches or lists, or does anything else. */
  readonly does: 'read' | 'search' | 'other'
  readonly reads: readonly FileLines[]
}

export interface FileLines {
  readonly path: string
  readonly range: LineRange | null
}

/** Whether a command line prints files, as `cat`, `sed -n`, `nl`, `head`, `tail`, `git show` and `git diff` do, and which. */
export function commandReads(line: string): CommandLook {
  if (line.length > maxLineLength) return nothing
  const printed: (readonly FileLines[])[] = []
  let folder = ''
  for (const command of shellCommands(line)) {
    const [program = '', ...words] = command.words
    const name = program.slice(program.lastIndexOf('/') + 1)
    if (name === 'cd') folder = pathInFolder(folder, words[0] ?? '~')
    else if (!quiet.has(name)) {
      const look = command.outputs.some(({ path }) => path !== '/dev/null' && path !== '1') ? null : lookOf(name, words)
      if (look === null) return printed.length === 0 && isSearch(name, words) ? search : nothing
      if (look.isPiped) {
        // At the end of a pipe it passes on some of what the command before it printed.
        const piped = printed.pop()
        if (piped === undefined || piped.length === 0) return nothing
        printed.push(narrowed(piped, look.range))
      } else printed.push(look.files.map((path) => ({ path: pathInFolder(folder, path), range: look.range })))
    }
  }
  return printed.length === 0 ? nothing : { does: 'read', reads: printed.flat() }
}

/** What is in the output of a command line: parts of files to the letter, lines found by a search, or anything else. */
export function commandPrints(line: string): 'files' | 'matches' | 'other' {
  if (line.length > maxLineLength) return 'files'
  let found: 'matches' | 'other' = 'other'
  for (const { words } of shellCommands(line)) {
    const [program = '', ...rest] = words
    const name = program.slice(program.lastIndexOf('/') + 1)
    if (lookOf(name, rest)?.isPiped === false) return 'files'
    if (isSearch(name, rest)) found = 'matches'
  }
  return found
}

const nothing: CommandLook = { does: 'other', reads: [] }
const search: CommandLook = { does: 'search', reads: [] }
const maxLineLength = 20_000
const quiet: ReadonlySet<string> = new Set(['echo', 'printf', 'true', 'set', ':'])
const searches: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'find', 'fd', 'ls', 'tree'])
const gitSearches: readonly (string | undefined)[] = ['grep', 'ls-files']

function isSearch(name: string, words: readonly string[]): boolean {
  return searches.has(name) || (name === 'git' && gitSearches.includes(gitAction(words)))
}

function gitAction(words: readonly string[]): string | undefined {
  return words.find((word) => !word.startsWith('-'))
}

function lookOf(name: string, words: readonly string[]): (Operands & { readonly isPiped: boolean }) | null {
  if (name === 'git') {
    const action = gitAction(words)
    const isDiff = (action === 'show' || action === 'diff') && !words.some((word) => summaries.test(word))
    return isDiff ? { files: [], range: null, isPiped: false } : null
  }
  if (!readers.has(name)) return null
  const operands = name === 'sed' ? sedOperands(words) : operandsOf(name, words)
  return operands === null ? null : { ...operands, isPiped: operands.files.length === 0 }
}

/** Options with which git names changed files and shows none of their text. */
const summaries = /^--(?:stat|name-only|name-status|shortstat|numstat|dirstat|summary)(?:=|$)/

const readers: ReadonlySet<string> = new Set(['cat', 'nl', 'sed', 'head', 'tail', 'bat', 'less', 'more'])

interface Operands {
  readonly files: readonly string[]
  readonly range: LineRange | null
}

function operandsOf(name: string, words: readonly string[]): Operands {
  const isEnd = name === 'head' || name === 'tail'
  const files: string[] = []
  let range = isEnd ? endRange(name, '10') : allLines
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string
    const count = isEnd ? /^(?:-n?|--lines=)(\+?\d{1,9})$/.exec(word)?.[1] : undefined
    if (count !== undefined) range = endRange(name, count)
    else if (isEnd && (word === '-n' || word === '-c')) {
      index += 1
      range = word === '-n' ? endRange(name, words[index] ?? '') : null
    } else if (!word.startsWith('-')) {
      if (word !== '') files.push(word)
    } else if (narrows(name, word)) range = null
  }
  return { files, range }
}

function narrows(name: string, option: string): boolean {
  if (name === 'bat') return /^(?:-r|--line-range|--diff)/.test(option)
  return (name === 'head' || name === 'tail') && !/^-[qv]$/.test(option)
}

function endRange(name: string, count: string): LineRange | null {
  if (!/^\+?\d{1,9}$/.test(count)) return null
  const number = Number(count)
  if (name === 'head') return number < 1 ? null : { first: 1, last: number }
  return count.startsWith('+') ? { first: Math.max(1, number), last: Number.POSITIVE_INFINITY } : null
}

function sedOperands(words: readonly string[]): Operands | null {
  const isQuiet = words.some((word) => /^-(?:[a-zA-Z]{0,5}n|-quiet|-silent)/.test(word))
  if (!isQuiet || words.some((word) => /^-(?:[a-zA-Z]{0,5}i|-in-place)/.test(word))) return null
  const [script = '', ...files] = words.filter((word) => word !== '' && !word.startsWith('-'))
  const found = /^(\d{1,9})(?:,(\d{1,9}|\$))?p;?$/.exec(script)
  if (found === null) return { files, range: null }
  const first = Math.max(1, Number(found[1]))
  const last = found[2] === '$' ? Number.POSITIVE_INFINITY : Number(found[2] ?? first)
  return { files, range: last < first ? null : { first, last } }
}

/** With several files in a row, which lines come through is unknown. */
function narrowed(piped: readonly FileLines[], range: LineRange | null): readonly FileLines[] {
  return piped.map(({ path, range: whole }) => ({ path, range: piped.length === 1 ? narrow(whole, range) : null }))
}

function narrow(whole: LineRange | null, range: LineRange | null): LineRange | null {
  if (whole === null || range === null) return null
  const first = whole.first + range.first - 1
  const last = Math.min(whole.last, whole.first + range.last - 1)
  return last < first ? null : { first, last }
}

/** Lines of a file, counted from 1, both inclusive. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export const allLines: LineRange = { first: 1, last: Number.POSITIVE_INFINITY }

/** Whether one range contains another. An unknown range is contained only in all lines. */
export function coversRange(newer: LineRange | null, older: LineRange | null): boolean {
  if (newer === null) return false
  if (newer.first <= 1 && newer.last === Number.POSITIVE_INFINITY) return true
  return older !== null && newer.first <= older.first && newer.last >= older.last
}

/** The lines that the arguments of a read ask for, in any spelling that agents use. */
export function rangeAsked(input: Readonly<Record<string, unknown>>): LineRange | null {
  // Pages of a document are compared like lines.
  const list = input['view_range'] ?? input['line_range'] ?? input['lines'] ?? input['pages']
  if (Array.isArray(list)) return rangeOf(numberIn(list[0]), list[1] === -1 ? Number.POSITIVE_INFINITY : numberIn(list[1]))
  if (typeof list === 'string') return writtenRange(list)
  if (list !== undefined && list !== null) return null
  const first = firstNumber(input, ['start_line', 'startLine', 'line_start', 'start', 'offset', 'start_line_one_indexed'])
  const last = firstNumber(input, ['end_line', 'endLine', 'line_end', 'end', 'end_line_one_indexed'])
  const count = firstNumber(input, ['limit', 'line_count', 'num_lines', 'max_lines'])
  const from = first || 1
  return rangeOf(from, last ?? from + (count ?? Number.POSITIVE_INFINITY) - 1)
}

/** Some tools count from 0. Negative numbers count from the end, whose place is unknown. */
function rangeOf(first: number | undefined, last: number | undefined): LineRange | null {
  if (first === undefined || last === undefined || first < 0) return null
  const from = Math.max(1, first)
  return last < from ? null : { first: from, last }
}

function writtenRange(text: string): LineRange | null {
  const found = /^\s{0,9}(\d{1,9})\s{0,3}[-,:]\s{0,3}(\d{1,9})\s{0,9}$/.exec(text)
  return found === null ? null : rangeOf(Number(found[1]), Number(found[2]))
}

function firstNumber(input: Readonly<Record<string, unknown>>, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = numberIn(input[key])
    if (value !== undefined) return value
  }
  return undefined
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.floor(number) : undefined
}
