import { BrokenLaw, type FuzzInput, type Target } from './target.ts'

/** Why an input is a find. */
export interface Failure {
  /** Tells one find from another: the law, or the error and where it was thrown. */
  readonly key: string
  readonly message: string
}

/** A text of this length that takes so long is no matter of a slow machine. */
const mostMilliseconds = 3000

/** Tries a target on an input; null where every law holds. */
export async function tryInput(target: Target, input: FuzzInput): Promise<Failure | null> {
  const started = performance.now()
  try {
    const answer = target.check(input)
    if (answer !== undefined) await answer
  } catch (error) {
    return failureOf(error)
  }
  if (Reflect.get({}, 'polluted') !== undefined) {
    Reflect.deleteProperty(Object.prototype, 'polluted')
    return { key: 'no prototype is changed', message: 'Object.prototype got a field' }
  }
  return performance.now() - started > mostMilliseconds ? { key: 'ends soon', message: 'took seconds' } : null
}

function failureOf(error: unknown): Failure {
  if (error instanceof BrokenLaw) return { key: error.message, message: error.message }
  if (!(error instanceof Error)) return { key: 'throws errors only', message: typeof error }
  const frame = error.stack?.split('\n').find((line) => /packages\/|hardening\/fuzz\/t/.test(line))
  const place = /((?:packages|hardening)\/[^:)]+:\d+)/.exec(frame ?? '')?.[1] ?? 'nowhere'
  // A stack that is full ends anywhere.
  const where = error instanceof RangeError && error.message.includes('call stack') ? 'a full stack' : place
  return { key: `${error.name} at ${where}`, message: `${error.name}: ${error.message.slice(0, 300)} (${place})` }
}
