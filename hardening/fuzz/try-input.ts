import { BrokenLaw, type FuzzInput, type Target } from './target.ts'

/** Why an input is a find. */
export interface Failure {
  /** Tells one find from another: the law, or the error and where it was thrown. */
  readonly key: string
  readonly message: string
}

/** A text of this length that takes so long, and so long again, is no matter of a busy machine. */
const mostMilliseconds = 4000

/** Tries a target on an input; null where every law holds. */
export async function tryInput(target: Target, input: FuzzInput): Promise<Failure | null> {
  const first = await tryOnce(target, input)
  if (first.failure !== null || first.milliseconds < mostMilliseconds) return first.failure
  const again = await tryOnce(target, input)
  return again.milliseconds < mostMilliseconds ? again.failure : { key: 'ends soon', message: 'took seconds' }
}

async function tryOnce(
  target: Target,
  input: FuzzInput,
): Promise<{ readonly failure: Failure | null; readonly milliseconds: number }> {
  const started = performance.now()
  let failure: Failure | null = null
  try {
    const answer = target.check(input)
    if (answer !== undefined) await answer
  } catch (error) {
    failure = failureOf(error)
  }
  const milliseconds = performance.now() - started
  if (Reflect.get({}, 'polluted') !== undefined) {
    Reflect.deleteProperty(Object.prototype, 'polluted')
    failure = { key: 'no prototype is changed', message: 'Object.prototype got a field' }
  }
  return { failure, milliseconds }
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
