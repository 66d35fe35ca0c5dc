import type { Output } from '../command-io.ts'
import { cutToWidth } from './text-width.ts'

export interface Progress {
  readonly say: (text: string) => void
  readonly end: () => void
}

/** In milliseconds. */
const often = 200

/**
 * Shows progress once it has taken longer than the output's patience: on a terminal one line that is overwritten and removed at
 * the end, elsewhere a single line.
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

/** `██████░░░░ 60 %`. */
export function progressBar(done: number, all: number, columns = 20): string {
  const share = all > 0 ? Math.min(1, Math.max(0, done / all)) : 0
  const filled = Math.floor(share * columns)
  return `${'█'.repeat(filled)}${'░'.repeat(columns - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

/** A longer line would continue in the next, which is never removed. */
function inOneLine(text: string, { columns }: Output): string {
  return columns === null ? text : cutToWidth(text, Math.max(1, columns - 1))
}
