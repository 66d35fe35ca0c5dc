import { AnswerProblem } from './answer-problem.ts'

/** How long is waited. */
export interface PatienceOptions {
  /** How long a stream may stand still. Default: 120. */
  readonly idleSeconds?: number
  /** How long the first byte may take; a local model reads a long prompt for minutes. Default: 300. */
  readonly firstSeconds?: number
}

/** Watches over one call, and ends it when it stands still. */
export interface Patience {
  /** Fires when patience is over, with an `AnswerProblem`, and when the call has ended. */
  readonly signal: AbortSignal
  /** Something arrived. */
  readonly sign: () => void
  /** Nobody waits any longer. An answer that is complete leaves the connection a moment to be ended by the server, and used again. */
  readonly end: (isComplete: boolean) => void
}

/** Begins to wait. */
export function createPatience({ idleSeconds = 120, firstSeconds = 300 }: PatienceOptions): Patience {
  const controller = new AbortController()
  const giveUp = (seconds: number) => () =>
    controller.abort(new AnswerProblem('stalled', `the server sent nothing for ${seconds} seconds`))
  let timer = setTimeout(giveUp(firstSeconds), firstSeconds * 1000)
  let isIdleTimer = false
  let hasEnded = false
  return {
    signal: controller.signal,
    sign() {
      if (hasEnded) return
      if (isIdleTimer) {
        timer.refresh()
        return
      }
      clearTimeout(timer)
      isIdleTimer = true
      timer = setTimeout(giveUp(idleSeconds), idleSeconds * 1000)
    },
    end(isComplete) {
      hasEnded = true
      clearTimeout(timer)
      if (isComplete) setTimeout(() => controller.abort(), politeness).unref()
      else controller.abort()
    },
  }
}

/** Milliseconds between the end of an answer and the end of its connection. */
const politeness = 1000
