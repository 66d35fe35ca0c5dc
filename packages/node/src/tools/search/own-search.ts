import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ifPossible, thrownText } from '../../files/problem.ts'
import { walkFiles } from '../read/folder-reader.ts'
import { askWorker, inParallel } from '../work-limits.ts'
import { readRegularFile, tooLarge } from '../workspace.ts'
import type { SearchEvent, SearchRequest } from './search-report.ts'

/** Searches without ripgrep: slower, with the regular expressions of JavaScript, and not in very large files. */
export async function* searchFiles(request: SearchRequest): AsyncGenerator<SearchEvent, void> {
  const expression = expressionOf(request)
  if ('reason' in expression) return yield { kind: 'problem', reason: expression.reason }
  const maxMatches = request.isFirstEnough ? 1 : maxMatchesOfFile
  const matcher = createLineMatcher(expression, { isMultiline: request.isMultiline, maxMatches })
  const end = () => void matcher.close()
  request.signal.addEventListener('abort', end, { once: true })
  let passedOver = 0
  try {
    for await (const paths of batches(wantedFiles(request), batchSize)) {
      request.signal.throwIfAborted()
      const texts = await inParallel(paths, (path) => readText(request.root, path, maxOfMany))
      const found = await matcher.find(texts.map((text) => (typeof text === 'string' ? text : '')))
      for (const [index, path] of paths.entries()) {
        let [text, ranges] = [texts[index], found?.[index]]
        if (text === tooLarge) {
          // One at a time, so that only one of them is held.
          text = await readText(request.root, path, maxFile)
          ranges = typeof text === 'string' ? (await matcher.find([text]))?.[0] : []
        }
        request.signal.throwIfAborted()
        if (ranges === undefined) return yield { kind: 'problem', reason: tooSlow }
        if (text === tooLarge) passedOver += 1
        if (typeof text === 'string' && ranges.length > 0) yield* linesAround(path, text, ranges, request.context)
      }
    }
    if (passedOver > 0) yield { kind: 'skipped', why: `${passedOver} files of more than ${maxFile / 1_000_000} MB` }
  } finally {
    request.signal.removeEventListener('abort', end)
    await matcher.close()
  }
}

const batchSize = 64
const maxOfMany = 1_000_000
const maxFile = 16_000_000
const maxMatchesOfFile = 20_000
const tooSlow = 'the pattern takes too long and was ended; use one without nested repetition, or plain words'

interface Expression {
  readonly source: string
  readonly flags: string
}

function expressionOf({ pattern, ignoresCase, isMultiline }: SearchRequest): Expression | { readonly reason: string } {
  // Other dialects write flags at the start of the pattern.
  const [whole = '', letters = ''] = /^\(\?([ims]{1,3})\)/.exec(pattern) ?? []
  const source = pattern.slice(whole.length)
  const flags = [
    'g',
    ignoresCase || letters.includes('i') ? 'i' : '',
    isMultiline || letters.includes('m') ? 'm' : '',
    isMultiline || letters.includes('s') ? 's' : '',
    /\\[pP]\{/.test(source) ? 'u' : '',
  ].join('')
  try {
    return { source: new RegExp(source, flags).source, flags }
  } catch (error) {
    return { reason: thrownText(error) }
  }
}

async function* wantedFiles({ place, reader, signal, wants }: SearchRequest): AsyncGenerator<string, void> {
  if (place.kind === 'file') {
    if (wants(place.shown)) yield place.shown
    return
  }
  for await (const path of walkFiles(reader, place.shown, signal)) if (wants(path)) yield path
}

async function* batches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[], void> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

async function readText(root: string, path: string, limit: number): Promise<string | null | typeof tooLarge> {
  const bytes = await ifPossible(readRegularFile(join(root, path), limit), null)
  if (bytes === null || bytes === tooLarge) return bytes
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes)
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.includes(0) ? null : new TextDecoder().decode(bytes)
}

function* linesAround(path: string, text: string, ranges: readonly number[], context: number): Generator<SearchEvent, void> {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const starts: number[] = []
  let position = 0
  for (const line of lines) {
    starts.push(position)
    position += line.length + 1
  }
  const columns = matchedLines(starts, ranges)
  let next = 0
  for (const at of columns.keys()) {
    const event = (index: number): SearchEvent => {
      const column = columns.get(index)
      const shown = { path, line: index + 1, text: (lines[index] as string).replace(/\r$/, '') }
      return { kind: column === undefined ? 'context' : 'match', ...shown, column: column ?? 0 }
    }
    for (let index = Math.max(next, at - context); index < at; index += 1) yield event(index)
    yield event(at)
    next = at + 1
    // Context lines up to the next match, which yields itself.
    for (let after = 0; after < context && next < lines.length && !columns.has(next); after += 1) {
      yield event(next)
      next += 1
    }
  }
}

/** With the column of the first match in each line. */
function matchedLines(starts: readonly number[], ranges: readonly number[]): ReadonlyMap<number, number> {
  const columns = new Map<number, number>()
  let line = 0
  for (let index = 0; index < ranges.length; index += 2) {
    const [start, end] = [ranges[index] as number, ranges[index + 1] as number]
    while (line + 1 < starts.length && (starts[line + 1] as number) <= start) line += 1
    // An empty match at the very end is in no line.
    if (!columns.has(line)) columns.set(line, start - (starts[line] as number))
    for (let next = line + 1; next < starts.length && (starts[next] as number) < end; next += 1)
      if (!columns.has(next)) columns.set(next, 0)
  }
  return columns
}

interface MatcherOptions {
  readonly isMultiline: boolean
  readonly maxMatches: number
  readonly milliseconds?: number
}

/** A model's expression may run almost endlessly and cannot be interrupted from within, so it runs in its own thread, which is ended. */
export function createLineMatcher(expression: Expression, { milliseconds = 5000, ...options }: MatcherOptions) {
  const worker = new Worker(script, { eval: true, env: {}, workerData: { ...expression, ...options } })
  // An idle thread must not keep the process alive.
  worker.unref()
  let isOver = false
  let failure: Error | null = null
  worker.once('exit', () => {
    isOver = true
  })
  // A thread may fail to start while nothing waits for it, as when too many files are open.
  worker.on('error', (error) => {
    failure = error
  })
  return {
    /** Matches as start, end, start, end. Null after it took too long or was closed; then the matcher is unusable. */
    async find(texts: readonly string[]): Promise<readonly (readonly number[])[] | null> {
      if (failure !== null) throw failure
      if (isOver) return null
      const timer = setTimeout(() => void worker.terminate(), milliseconds)
      try {
        return (await askWorker(worker, texts)) as readonly (readonly number[])[] | null
      } finally {
        clearTimeout(timer)
      }
    },
    async close(): Promise<void> {
      await worker.terminate()
    },
  }
}

// Only our own code is run; the expression comes in as a value.
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { source, flags, isMultiline, maxMatches } = workerData
const expression = new RegExp(source, flags)

function wholeMatches(text) {
  const found = []
  expression.lastIndex = 0
  for (let match; found.length < maxMatches * 2 && (match = expression.exec(text)) !== null; ) {
    const end = match.index + match[0].length
    found.push(match.index, end)
    if (end === match.index) expression.lastIndex = end + 1
  }
  return found
}

function lineMatches(text) {
  const found = []
  for (let start = 0; start < text.length && found.length < maxMatches * 2; ) {
    const newline = text.indexOf('\\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)
    expression.lastIndex = 0
    const match = expression.exec(line)
    if (match !== null) found.push(start + match.index, start + match.index + match[0].length)
    start = end + 1
  }
  return found
}

parentPort.on('message', (texts) => parentPort.postMessage(texts.map(isMultiline ? wholeMatches : lineMatches)))
`
