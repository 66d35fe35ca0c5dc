import { visibleText } from '../parts/safe-text.ts'

/** A line of what a call would do. */
export interface PreviewLine {
  /** As in a diff: added, taken away, where it is, or around it. */
  readonly kind: 'added' | 'removed' | 'place' | 'plain'
  readonly text: string
}

/** How much of a preview is shown. */
export interface PreviewLimits {
  readonly lines: number
  /** Of one line. */
  readonly characters: number
}

/** What of a preview is shown, and what is not. */
export interface Preview {
  readonly lines: readonly PreviewLine[]
  /** Lines behind those that are shown. */
  readonly hiddenLines: number
  /** Whether any of the lines that are shown was cut. */
  readonly isCut: boolean
}

/** The first lines of what a call would do, with everything in them visible that would not be: nothing can hide in what is allowed. */
export function previewLines(text: string, { lines: most, characters }: PreviewLimits): Preview {
  const lines: PreviewLine[] = []
  let isCut = false
  let start = 0
  while (start <= text.length && lines.length < most) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const isLong = end - start > characters
    isCut ||= isLong
    const line = visibleText(text.slice(start, isLong ? start + characters : end))
    lines.push({ kind: kindOf(line), text: isLong ? `${line}…` : line })
    start = end + 1
  }
  return { lines, hiddenLines: start > text.length ? 0 : countLines(text, start), isCut }
}

function kindOf(line: string): PreviewLine['kind'] {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}

function countLines(text: string, from: number): number {
  let count = 1
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
