import { pathInFolder } from '../compaction/path-in-folder.ts'
import { type ShellCommand, shellCommands } from '../compaction/shell-commands.ts'
import { allLines, type LineRange } from './line-range.ts'

/** What a command line does that only looks at something. */
export interface CommandLook {
  /** Whether it prints files or changes as they are, searches or lists, or does anything else. */
  readonly does: 'read' | 'search' | 'other'
  /** The files it prints, with the lines. */
  readonly reads: readonly FileLines[]
}

/** A file, as it was spelled, and which lines of it. */
export interface FileLines {
  readonly path: string
  readonly range: LineRange | null
}

/** Says whether a command line prints files, such as `cat`, `sed -n`, `nl`, `head`, `tail`, `git show` and `git diff` do, and which. */
export function commandReads(line: string): CommandLook {
  if (line.length > longestLine) return nothing
  const reads: FileLines[] = []
  let folder = ''
  let isRead = false
  for (const command of shellCommands(line)) {
    const [program = '', ...words] = command.words
    const name = program.slice(program.lastIndexOf('/') + 1)
    if (name === 'cd') folder = pathInFolder(folder, words[0] ?? '')
    else if (!quiet.has(name)) {
      const look = lookOf(name, words, command, reads.at(-1))
      if (look === null) return isRead ? nothing : { does: isSearch(name, words) ? 'search' : 'other', reads: [] }
      if (look.narrowed !== undefined) reads[reads.length - 1] = look.narrowed
      for (const { path, range } of look.files) reads.push({ path: pathInFolder(folder, path), range })
      isRead = true
    }
  }
  return isRead ? { does: 'read', reads } : nothing
}

const nothing: CommandLook = { does: 'other', reads: [] }
const longestLine = 20_000
const quiet: ReadonlySet<string> = new Set(['echo', 'printf', 'true', 'set', ':'])
const searches: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'find', 'fd', 'ls', 'tree'])

function isSearch(name: string, words: readonly string[]): boolean {
  return searches.has(name) || (name === 'git' && ['grep', 'ls-files'].includes(words[0] ?? ''))
}

interface Look {
  readonly files: readonly FileLines[]
  /** What the command before it printed, where this one lets through only some of it. */
  readonly narrowed?: FileLines
}

/** What one command prints; null where it does something else. */
function lookOf(name: string, words: readonly string[], { outputs }: ShellCommand, piped: FileLines | undefined): Look | null {
  if (outputs.some(({ path }) => path !== '/dev/null' && path !== '1')) return null
  if (name === 'git') {
    const action = words.find((word) => !word.startsWith('-'))
    return action === 'show' || action === 'diff' ? { files: [] } : null
  }
  if (!readers.has(name)) return null
  const { files, range } = operandsOf(name, words)
  if (range === 'none') return null
  if (files.length > 0) return { files: files.map((path) => ({ path, range })) }
  // At the end of a pipe it narrows what the command before it printed.
  if (piped === undefined) return null
  return { files: [], narrowed: { path: piped.path, range: narrow(piped.range, range) } }
}

const readers: ReadonlySet<string> = new Set(['cat', 'nl', 'sed', 'head', 'tail', 'bat', 'less', 'more'])

interface Operands {
  readonly files: readonly string[]
  /** `none` where the command does not print files. */
  readonly range: LineRange | null | 'none'
}

function operandsOf(name: string, words: readonly string[]): Operands {
  if (name === 'sed') return sedOperands(words)
  const isEnd = name === 'head' || name === 'tail'
  const files: string[] = []
  let count: string | undefined = isEnd ? '10' : undefined
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string
    if (isEnd && (word === '-n' || word === '-c')) {
      count = word === '-n' ? words[index + 1] : 'x'
      index += 1
    } else if (isEnd && /^-n?\+?\d{1,9}$/.test(word)) count = word.replace(/^-n?/, '')
    else if (word !== '' && !word.startsWith('-')) files.push(word)
  }
  return { files, range: count === undefined ? allLines : endRange(name, count) }
}

function endRange(name: string, count: string): LineRange | null {
  const number = Number(count.replace('+', ''))
  if (!/^\+?\d{1,9}$/.test(count)) return null
  if (name === 'head') return number < 1 ? null : { first: 1, last: number }
  return count.startsWith('+') ? { first: Math.max(1, number), last: Number.POSITIVE_INFINITY } : null
}

function sedOperands(words: readonly string[]): Operands {
  if (!words.some((word) => /^-[a-zA-Z]{0,5}n/.test(word)) || words.some((word) => /^-[a-zA-Z]{0,5}i/.test(word)))
    return { files: [], range: 'none' }
  const [script = '', ...files] = words.filter((word) => word !== '' && !word.startsWith('-'))
  const found = /^(\d{1,9})(?:,(\d{1,9}|\$))?p;?$/.exec(script)
  if (found === null) return { files, range: null }
  const first = Math.max(1, Number(found[1]))
  const last = found[2] === '$' ? Number.POSITIVE_INFINITY : Number(found[2] ?? first)
  return { files, range: last < first ? null : { first, last } }
}

function narrow(whole: LineRange | null, range: LineRange | null | 'none'): LineRange | null {
  if (whole === null || range === null || range === 'none') return null
  const first = whole.first + range.first - 1
  const last = Math.min(whole.last, whole.first + range.last - 1)
  return last < first ? null : { first, last }
}
