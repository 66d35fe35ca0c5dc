import { terminalText } from '../text/terminal-text.ts'
import type { Scanner } from './scan.ts'

/** Takes a text in pieces and passes on what a terminal would show of it, a run of equal lines as one with a count. */
export interface Collapser {
  readonly write: (text: string) => void
  readonly end: () => void
}

/** A collapser in front of a scanner, which is told how many lines each written one stands for. */
export function createCollapser(scanner: Pick<Scanner, 'write' | 'fold'>): Collapser {
  let pending = ''
  let run: { readonly text: string; count: number } | null = null
  let inLongLine = false

  function passLine(line: string): void {
    const text = terminalText(line)
    if (run !== null && run.text === text) {
      run.count += 1
      return
    }
    passRun()
    run = { text, count: 1 }
  }

  function passRun(): void {
    if (run === null) return
    const { text, count } = run
    run = null
    const folded = `${text} (x${count})\n`
    if (folded.length < count * (text.length + 1)) {
      scanner.write(folded)
      scanner.fold(count - 1)
    } else {
      scanner.write(`${text}\n`.repeat(count))
    }
  }

  /** A line too long to hold is passed on in pieces and never folded. */
  function passPiece(piece: string): void {
    passRun()
    scanner.write(terminalText(piece))
  }

  return {
    write(text) {
      pending = pending === '' ? text : pending + text
      let start = 0
      for (;;) {
        const newline = pending.indexOf('\n', start)
        const end = newline === -1 ? pending.length : newline
        while (end - start > longestLine) {
          passPiece(pending.slice(start, start + longestLine))
          inLongLine = true
          start += longestLine
        }
        if (newline === -1) break
        if (inLongLine) passPiece(pending.slice(start, newline + 1))
        else passLine(pending.slice(start, end))
        inLongLine = false
        start = newline + 1
      }
      pending = pending.slice(start)
    },
    end() {
      if (inLongLine) {
        passPiece(pending)
      } else if (pending === '') {
        passRun()
      } else {
        // The last line has no newline of its own, so it is not one more of the run before it.
        passRun()
        scanner.write(terminalText(pending))
      }
    },
  }
}

const longestLine = 65_536
