import type { ToolProgress } from '@plimsoll/core'
import stripAnsi from 'strip-ansi'

/** Tells what a command writes while it runs, in few pieces and none too long. */
export interface OutputProgress {
  readonly write: (bytes: Buffer) => void
  /** Tells the rest at once. */
  readonly end: () => void
}

/** Pieces for people who watch: at most twenty a second, of each the end where it is too long to be read anyway. */
export function createOutputProgress(tell: (progress: ToolProgress) => void): OutputProgress {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (waiting === '') return
    const message = stripAnsi(waiting.slice(-longest)).replaceAll(unseen, '')
    waiting = ''
    if (message !== '') tell({ stage: 'output', message, progress: null })
  }
  return {
    write(bytes) {
      const text = bytes.toString('utf8', Math.max(0, bytes.length - longest))
      waiting = waiting.length + text.length > longest * 2 ? (waiting + text).slice(-longest) : waiting + text
      timer ??= setTimeout(flush, between)
    },
    end() {
      if (timer !== null) clearTimeout(timer)
      flush()
    },
  }
}

/** Milliseconds from one piece to the next. */
const between = 50
const longest = 8192

// What would act on a terminal; the ends of lines and what goes back to their beginning stay.
const unseen = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
