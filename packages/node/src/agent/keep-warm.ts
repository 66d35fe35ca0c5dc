import type { Agent } from './agent.ts'

/** Runs something after so many milliseconds, unless the function it gives is called before. */
export type Timer = (milliseconds: number, run: () => void) => () => void

/** Keeps the provider from forgetting the conversation while the person thinks. */
export interface KeepWarm {
  /** Nobody asks anything: from now on the last prompt is sent again whenever that is due. */
  readonly rest: () => void
  /** Somebody does. Resolves once nothing is being sent any more. */
  readonly stop: () => Promise<void>
}

/** Watches over the pauses of a chat. What is sent, how often and for how much is the agent's to decide. */
export function createKeepWarm(agent: () => Agent, now: () => number, timer: Timer = realTimer): KeepWarm {
  let cancel: () => void = () => undefined
  let controller = new AbortController()
  let running = Promise.resolve()

  function rest(): void {
    cancel()
    const due = agent().keepAliveDue()
    if (due !== null) cancel = timer(Math.max(0, due - now()), send)
  }

  function send(): void {
    controller = new AbortController()
    const { signal } = controller
    running = agent()
      .keepAlive(signal)
      .then((isKept) => {
        if (isKept && !signal.aborted) rest()
      })
  }

  return {
    rest,
    async stop() {
      cancel()
      controller.abort()
      await running
    },
  }
}

/** A process that has nothing else to do ends all the same. */
const realTimer: Timer = (milliseconds, run) => {
  const timeout = setTimeout(run, milliseconds)
  timeout.unref()
  return () => clearTimeout(timeout)
}
