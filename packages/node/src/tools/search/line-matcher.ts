import { Worker } from 'node:worker_threads'

/** A regular expression of JavaScript. */
export interface Expression {
  readonly source: string
  readonly flags: string
}

/** Finds an expression in texts, beside the thread everything else runs in. */
export interface LineMatcher {
  /**
   * For each text where the matches begin and end, one after the other: start, end, start, end. Null when it took too long or was
   * closed meanwhile; after that the matcher is of no more use.
   */
  readonly find: (texts: readonly string[]) => Promise<readonly (readonly number[])[] | null>
  readonly close: () => Promise<void>
}

/** How a matcher looks. */
export interface MatcherOptions {
  /** Whether a match may go over several lines. */
  readonly isMultiline: boolean
  /** The most matches of one text that are told. */
  readonly mostMatches: number
  /** Default: 5,000. */
  readonly milliseconds?: number
}

/**
 * A matcher for an expression that somebody else wrote. It may need longer than the universe is old and cannot be interrupted from
 * within, so it runs in a thread of its own, which is ended.
 */
export function createLineMatcher(expression: Expression, { milliseconds = 5000, ...options }: MatcherOptions): LineMatcher {
  const worker = new Worker(script, { eval: true, env: {}, workerData: { ...expression, ...options } })
  // An idle thread must not keep the process alive.
  worker.unref()
  let isOver = false
  let failure: Error | null = null
  worker.once('exit', () => {
    isOver = true
  })
  // A thread may fail to start while nobody waits for it, as where there are too many open files.
  worker.on('error', (error) => {
    failure = error
  })
  return {
    async find(texts) {
      if (failure !== null) throw failure
      if (isOver) return null
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void worker.terminate(), milliseconds)
        const onMessage = (found: readonly (readonly number[])[]) => settle(() => resolve(found))
        const onExit = () => settle(() => resolve(null))
        const onError = (error: Error) => settle(() => reject(error))
        function settle(finish: () => void): void {
          clearTimeout(timer)
          worker.off('message', onMessage).off('exit', onExit).off('error', onError)
          finish()
        }
        worker.on('message', onMessage).on('exit', onExit).on('error', onError)
        worker.postMessage(texts, [])
      })
    },
    async close() {
      await worker.terminate()
    },
  }
}

// Only our own words are run; the expression comes in as a value.
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { source, flags, isMultiline, mostMatches } = workerData
const expression = new RegExp(source, flags)

function wholeMatches(text) {
  const found = []
  expression.lastIndex = 0
  for (let match; found.length < mostMatches * 2 && (match = expression.exec(text)) !== null; ) {
    const end = match.index + match[0].length
    found.push(match.index, end)
    if (end === match.index) expression.lastIndex = end + 1
  }
  return found
}

function lineMatches(text) {
  const found = []
  for (let start = 0; start < text.length && found.length < mostMatches * 2; ) {
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
