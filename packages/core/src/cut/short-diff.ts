import { countLines } from '../text/code-points.ts'
import type { CutLimit } from './cut.ts'

/**
 * Shorter and shorter versions of a unified diff: whole hunks under the headers of their files, first and last ones longest, and
 * a last line that says how many lines are gone. A file that loses all its hunks loses its header with them.
 */
export function* shortDiff(text: string, limit: CutLimit): Generator<string> {
  const hunks = readHunks(text)
  if (hunks.length < 2) return
  for (let keep = hunks.length - 1; keep >= 1; keep = Math.floor(keep * 0.8)) {
    const head = Math.ceil(keep / 2)
    const kept = [...hunks.slice(0, head), ...hunks.slice(hunks.length - (keep - head))]
    const pieces = kept.map((hunk, index) => (kept[index - 1]?.header === hunk.header ? hunk.text : hunk.header.text + hunk.text))
    const shown = pieces.join('')
    yield `${shown}${limit.strings.cutByLines(countLines(text) - countLines(shown))}\n`
  }
}

interface Hunk {
  /** The lines above the file's first hunk; one object for all hunks of a file. */
  readonly header: { readonly text: string }
  readonly text: string
}

const hunkHeader = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

/** The hunks of a diff; none when the counts in a hunk's header and its lines do not agree. */
function readHunks(text: string): readonly Hunk[] {
  const lines = linesOf(text)
  const hunks: Hunk[] = []
  let header: { text: string } = { text: '' }
  let headerIsOpen = true
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as string
    const counts = hunkHeader.exec(line)
    if (counts === null) {
      if (!headerIsOpen) header = { text: '' }
      headerIsOpen = true
      header.text += line
      index += 1
      continue
    }
    const end = endOfHunk(lines, index + 1, Number(counts[1] ?? 1), Number(counts[2] ?? 1))
    // The hunks behind the first one of a file have the header that was looked at with it.
    if (end === null || (headerIsOpen && !header.text.includes('+++ '))) return []
    hunks.push({ header, text: lines.slice(index, end).join('') })
    headerIsOpen = false
    index = end
  }
  return hunks
}

function endOfHunk(lines: readonly string[], start: number, before: number, after: number): number | null {
  let [old, fresh, index] = [before, after, start]
  for (; old > 0 || fresh > 0; index += 1) {
    const mark = lines[index]?.[0]
    if (mark === undefined) return null
    if (mark === '-') old -= 1
    else if (mark === '+') fresh -= 1
    else if (mark === ' ' || mark === '\n') [old, fresh] = [old - 1, fresh - 1]
    else if (mark !== '\\') return null
    if (old < 0 || fresh < 0) return null
  }
  while (lines[index]?.startsWith('\\')) index += 1
  return index
}

/** Each line with its newline. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => `${line}\n`)
  return text.endsWith('\n') ? lines.slice(0, -1) : lines
}
