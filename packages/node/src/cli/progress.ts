import type { Output } from './command-io.ts'

/** Something that takes a while. */
export interface Progress {
  /** Says what is being done now. */
  readonly say: (text: string) => void
  /** Takes away what stands on the terminal. */
  readonly end: () => void
}

/**
 * Tells somebody who waits what is going on, once it has taken longer than a second: on a terminal one line that is written over
 * and goes away at the end, elsewhere a single line.
 */
export function startProgress(output: Output, first: string, milliseconds = 1000): Progress {
  let text = first
  let shown: string | null = null
  const show = () => {
    if (text === shown || (shown !== null && !output.isTerminal)) return
    shown = text
    output.write(output.isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
  }
  const timer = setInterval(show, milliseconds)
  timer.unref()
  return {
    say(next) {
      text = next
    },
    end() {
      clearInterval(timer)
      if (shown !== null && output.isTerminal) output.write('\r\u001b[K')
    },
  }
}
