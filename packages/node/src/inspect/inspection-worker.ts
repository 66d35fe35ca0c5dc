import { parentPort, workerData } from 'node:worker_threads'
import { type ReadProblem, thrownText } from '../files/problem.ts'
import { SessionError, type SessionProblem } from '../session/session-error.ts'
import { InspectError, type InspectProblem, type InspectSettings } from './inspect-facts.ts'
import { createInspector, type InspectAnswer, type InspectQuestion, type InspectTarget } from './inspector.ts'

// Sessions are read in another thread: one of 100 MB takes a second, in which the server could not answer.

export interface WorkerQuestion {
  readonly number: number
  readonly target: InspectTarget
  readonly question: InspectQuestion
  readonly pack: boolean
}

export type WorkerAnswer = { readonly number: number } & (
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'answer'; readonly answer: InspectAnswer }
  | { readonly kind: 'problem'; readonly problem: WorkerProblem }
)

export type WorkerProblem =
  | { readonly kind: 'inspect'; readonly code: InspectProblem; readonly problem: ReadProblem | null }
  | { readonly kind: 'session'; readonly problem: SessionProblem }
  | { readonly kind: 'defect'; readonly message: string }

const inspector = createInspector(workerData as InspectSettings)

parentPort?.on('message', (asked: WorkerQuestion) => void work(asked))

async function work({ number, target, question, pack }: WorkerQuestion): Promise<void> {
  try {
    const answer = await inspector.ask(target, question, { pack, progress: (share) => progress(number, share) })
    say({ number, kind: 'answer', answer }, answer.bytes.buffer)
  } catch (error) {
    say({ number, kind: 'problem', problem: problemFrom(error) })
  }
}

/** Messages more often than a screen is drawn would only take time. */
const often = 100
let lastSaid = 0

function progress(number: number, share: number): void {
  const now = performance.now()
  if (now - lastSaid < often) return
  lastSaid = now
  say({ number, kind: 'progress', share })
}

function problemFrom(error: unknown): WorkerProblem {
  if (error instanceof InspectError) return { kind: 'inspect', code: error.code, problem: error.problem }
  if (error instanceof SessionError) return { kind: 'session', problem: error.problem }
  return { kind: 'defect', message: thrownText(error) }
}

function say(answer: WorkerAnswer, moved?: ArrayBuffer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(answer, moved === undefined ? [] : [moved])
}
