import { firstCharacters, firstLines, lastCharacters, lastLinesLength, wholeCharacters } from '../text/lines.ts'

/** How much a cut keeps of a text at its two ends. */
export interface Ends {
  readonly head: number
  /** Default: 0. */
  readonly tail?: number
  /** Units are those of UTF-16; no half of a character is kept. `whole lines` are units, up to a line end if that costs less than half. */
  readonly in: 'characters' | 'lines' | 'units' | 'whole lines'
}

/** A text in three pieces: what is kept, and what is not. */
export interface Gap {
  readonly head: string
  readonly middle: string
  readonly tail: string
}

/**
 * Cuts the middle out of a text and puts what `gap` writes in its place. Every cut of a text goes through here or through `endsOf`;
 * callers decide how much stays, by places or by a measure, and how the gap is marked.
 */
export function cutText(
  text: string,
  keep: Ends | { readonly end: number; readonly start: number },
  gap: (gap: Gap) => string,
): string {
  const { head, tail } = 'end' in keep ? { head: text.slice(0, keep.end), tail: text.slice(keep.start) } : endsOf(text, keep)
  const start = Math.max(head.length, text.length - tail.length)
  const end = text.slice(start)
  return head + gap({ head, middle: text.slice(head.length, start), tail: end }) + end
}

/** The two ends of a text, or of one that is too long to be held. */
export function endsOf(
  text: string | { readonly prefix: string; readonly suffix: string },
  { head, tail = 0, in: unit }: Ends,
): Omit<Gap, 'middle'> {
  const { prefix, suffix } = typeof text === 'string' ? { prefix: text, suffix: text } : text
  switch (unit) {
    case 'characters':
      return { head: firstCharacters(prefix, head), tail: lastCharacters(suffix, tail) }
    case 'lines':
      return { head: firstLines(prefix, head), tail: suffix.slice(suffix.length - lastLinesLength(suffix, tail)) }
    case 'units':
      return { head: wholeCharacters(prefix, 0, head), tail: wholeCharacters(suffix, suffix.length - tail, suffix.length) }
    case 'whole lines': {
      const end = prefix.lastIndexOf('\n', head - 1) + 1
      const from = suffix.length - tail
      const start = suffix.indexOf('\n', from - 1) + 1
      return {
        head: end * 2 > head ? prefix.slice(0, end) : wholeCharacters(prefix, 0, head),
        tail:
          start > 0 && (suffix.length - start) * 2 > tail ? suffix.slice(start) : wholeCharacters(suffix, from, suffix.length),
      }
    }
  }
}
