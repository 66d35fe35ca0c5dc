import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { programOnPath } from '../../files/program-on-path.ts'
import type { Environment } from '../../model/server-access.ts'
import { createLineSplitter } from '../read/read-lines.ts'
import type { Search, SearchEvent, SearchRequest } from './search-report.ts'

/** The one in the package, else one on the path that the workspace does not bring; null if there is none. */
export async function findRipgrep(environment: Environment, root: string): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    if (existsSync(rgPath)) return rgPath
  } catch {
    // Not for this machine: that one is an optional part of the package.
  }
  return programOnPath('rg', environment, root)
}

/** Searches with ripgrep, which reads the same `.gitignore` files and no other settings. */
export function searchWithRipgrep(program: string): Search {
  return async function* search(request) {
    const [command, ...words] = withLittleMemory([program, ...argumentsFor(request)])
    const child = spawn(command, words, { cwd: request.root, stdio: ['ignore', 'pipe', 'pipe'], env: {} })
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', (code) => resolve(code))
    })
    // If too many files are open, not even its streams are there.
    if (child.pid === undefined) return yield notRun
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      if (complaint.length < maxComplaint) complaint += piece
    })
    const end = () => void child.kill('SIGKILL')
    request.signal.addEventListener('abort', end, { once: true })
    const over = new AbortController()
    let isStuck = false
    const look = async () => {
      isStuck = await hasBlockingIgnoreFile(request, over.signal)
      if (isStuck) end()
    }
    const timer = setTimeout(() => void look(), quickSearch)
    try {
      let tooLong = 0
      const splitter = createLineSplitter(maxLine, () => {
        tooLong += 1
      })
      yield* eventsOf(jsonLines(child.stdout, splitter), request)
      if (tooLong > 0) yield { kind: 'skipped', why: `${tooLong} matching lines that are too long` }
      const code = await ended
      request.signal.throwIfAborted()
      if (isStuck) yield { kind: 'problem', reason: 'a .gitignore is not a file', otherSyntax: true }
      else if (code === null) yield notRun
      else if (complaint.trim() !== '') {
        const reason = complaint.replaceAll(/^rg: /gm, '').replaceAll(/\s+/g, ' ').trim().slice(0, 500)
        yield { kind: 'problem', reason, ...(complaint.includes('--pcre2') ? { otherSyntax: true } : {}) }
      }
    } finally {
      clearTimeout(timer)
      over.abort()
      request.signal.removeEventListener('abort', end)
      end()
    }
  }
}

const notRun = { kind: 'problem', reason: 'ripgrep could not be run', otherSyntax: true } as const
const maxComplaint = 4000
const maxLine = 8_000_000
/** A search that takes more milliseconds may wait at a `.gitignore` that is a pipe: then one is looked for. */
const quickSearch = 1000
/** Lines of a file held back until its end is known to be text; longer files count as text. */
const maxWaiting = 2000
/** In kilobytes. */
const maxMemory = 1_000_000

/** It follows a `.gitignore` that is a link, also to an endless file, and would take all the memory there is. */
function withLittleMemory(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.platform !== 'linux') return command
  return ['/bin/sh', '-c', `ulimit -v ${maxMemory}; exec "$0" "$@"`, ...command]
}

function argumentsFor({ root, place, pattern, globs, ...request }: SearchRequest): readonly string[] {
  const hasRules = statSync(join(root, '.gitignore'), { throwIfNoEntry: false })?.isFile() === true
  return [
    ...['--no-config', '--json', '--sort=path', '--crlf', '--no-messages', '--no-mmap'],
    // Only the workspace's own `.gitignore` files count, and they count without a repository too.
    ...['--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent'],
    ...(place.shown !== '.' && hasRules ? ['--ignore-file=.gitignore'] : []),
    '--glob=!.git',
    // A pattern that matches a folder would make ripgrep open it whatever `.gitignore` says, so only those of files are passed on.
    ...globs.flatMap((glob) => (/\.[^/*.]+$/.test(glob) ? [`--glob=${glob}`] : [])),
    ...(request.ignoresCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...(request.isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(request.context > 0 ? [`--context=${request.context}`] : []),
    ...(request.isFirstEnough ? ['--max-count=1'] : []),
    ...[`--regexp=${pattern}`, '--', place.shown === '.' ? './' : `./${place.shown}`],
  ]
}

async function* jsonLines(bytes: AsyncIterable<Buffer>, splitter: ReturnType<typeof createLineSplitter>) {
  for await (const piece of bytes) for (const line of splitter.add(piece)) yield parseJson(line)
}

async function* eventsOf(lines: AsyncIterable<unknown>, { wants, reader, place }: SearchRequest) {
  let waiting: SearchEvent[] | null = []
  let isWanted = false
  for await (const line of lines) {
    if (!isRecord(line) || !isRecord(line['data'])) continue
    const { data } = line
    if (line['type'] === 'begin') {
      const path = pathOf(data)
      isWanted = wants(path) && (place.kind === 'file' || !(await reader.isIgnored(path, false)))
      waiting = []
    } else if (line['type'] === 'end') {
      // If a NUL came up, the file was binary after all.
      if (waiting !== null && data['binary_offset'] === null) yield* waiting
      waiting = []
    } else if (isWanted && (line['type'] === 'match' || line['type'] === 'context')) {
      const found = foundLines(line['type'], data)
      if (waiting === null) yield* found
      else for (const event of found) waiting.push(event)
      if (waiting !== null && waiting.length > maxWaiting) {
        yield* waiting
        waiting = null
      }
    }
  }
}

function foundLines(kind: 'match' | 'context', data: Readonly<Record<string, unknown>>): readonly SearchEvent[] {
  const [path, text, first] = [pathOf(data), textOf(data['lines']), data['line_number']]
  if (typeof first !== 'number') return []
  const submatch: unknown = Array.isArray(data['submatches']) ? data['submatches'][0] : null
  const start = isRecord(submatch) && typeof submatch['start'] === 'number' ? submatch['start'] : 0
  // ripgrep counts bytes.
  const column = start === 0 ? 0 : Buffer.from(text).subarray(0, start).toString('utf8').length
  const lines = text.replace(/\r?\n$/, '').split('\n')
  return lines.map((line, index) => {
    return { kind, path, line: first + index, text: line.replace(/\r$/, ''), column: index === 0 ? column : 0 }
  })
}

function pathOf(data: Readonly<Record<string, unknown>>): string {
  const path = textOf(data['path'])
  return (path.startsWith('./') ? path.slice(2) : path).replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
}

function textOf(value: unknown): string {
  if (!isRecord(value)) return ''
  if (typeof value['text'] === 'string') return value['text']
  return typeof value['bytes'] === 'string' ? Buffer.from(value['bytes'], 'base64').toString('utf8') : ''
}

/** Whether a `.gitignore` of a place, above or below it is a pipe or a device: opening it may block forever. Never rejects. */
async function hasBlockingIgnoreFile({ root, place, reader }: SearchRequest, signal: AbortSignal): Promise<boolean> {
  // Those above the workspace do not count, but ripgrep opens them all the same.
  for (let [path, folder] = [place.path, dirname(place.path)]; path !== folder; [path, folder] = [folder, dirname(folder)])
    if (await isBlocking(join(folder, '.gitignore'))) return true
  const folders = place.kind === 'folder' ? [place.shown] : []
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    for (const entry of await reader.read(folder).catch(() => [])) {
      if (entry.kind === 'folder' && !entry.isIgnored) folders.push(entry.path)
      else if (entry.name === '.gitignore' && entry.kind !== 'file' && (await isBlocking(join(root, entry.path)))) return true
    }
  }
  return false
}

async function isBlocking(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats !== null && !stats.isFile() && !stats.isDirectory()
}
