import type { Output } from '../command-io.ts'
import { cutToWidth } from './text-width.ts'

/** Something that takes a while. */
export interface Progress {
  /** Says what is being done now. */
  readonly say: (text: string) => void
  /** Takes away what stands on the terminal. */
  readonly end: () => void
}

/** How often a line on a terminal is written over, in milliseconds. */
const often = 200

/**
 * Tells somebody who waits what is going on, once it has taken longer than the output's patience: on a terminal one line that is written over
 * and goes away at the end, elsewhere a single line.
 */
export function startProgress(output: Output, first: string, milliseconds = output.patience ?? 1000): Progress {
  let text = first
  let shown: string | null = null
  let timer = setTimeout(show, milliseconds)
  timer.unref()
  return {
    say(next) {
      text = next
    },
    end() {
      clearTimeout(timer)
      if (shown !== null && output.isTerminal) output.write('\r\u001b[K')
    },
  }

  function show(): void {
    if (text !== shown) output.write(output.isTerminal ? `\r\u001b[K${inOneLine(text, output)}` : `${text}\n`)
    shown = text
    if (!output.isTerminal) return
    timer = setTimeout(show, Math.min(often, milliseconds))
    timer.unref()
  }
}

/** How much of something is done, as a bar: `██████░░░░ 60 %`. */
export function progressBar(done: number, all: number, columns = 20): string {
  const share = all > 0 ? Math.min(1, Math.max(0, done / all)) : 0
  const filled = Math.floor(share * columns)
  return `${'█'.repeat(filled)}${'░'.repeat(columns - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

/** A line that ran past the end would go on in the next, where nothing takes it away. */
function inOneLine(text: string, { columns }: Output): string {
  return columns === null ? text : cutToWidth(text, Math.max(1, columns - 1))
}
