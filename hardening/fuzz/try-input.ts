import { BrokenLaw, type FuzzInput, type Target } from './target.ts'

/** How an input fails. */
export interface Failure {
  /** Identifies a find: the law, or the error and where it was thrown. */
  readonly key: string
  readonly message: string
}

/** An input that takes this long twice is slow itself; a busy machine would not explain it. */
const maxMilliseconds = 4000

/** Runs a target on an input; null if every law holds. */
export async function tryInput(target: Target, input: FuzzInput): Promise<Failure | null> {
  const first = await tryOnce(target, input)
  if (first.failure !== null || first.milliseconds < maxMilliseconds) return first.failure
  const again = await tryOnce(target, input)
  return again.milliseconds < maxMilliseconds ? again.failure : { key: 'ends soon', message: 'took seconds' }
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
  // A stack overflow may end in any function.
  const where = error instanceof RangeError && error.message.includes('call stack') ? 'a stack overflow' : place
  return { key: `${error.name} at ${where}`, message: `${error.name}: ${error.message.slice(0, 300)} (${place})` }
}
