import { firstCharacters, firstLines, lastCharacters, lastLinesLength, wholeCharacters } from '../text/lines.ts'

export interface Ends {
  readonly head: number
  readonly tail?: number
  /** Units are UTF-16 and never split a character. `whole lines`: units, rounded to a line end if that costs less than half. */
  readonly in: 'characters' | 'lines' | 'units' | 'whole lines'
}

export interface Gap {
  readonly head: string
  readonly middle: string
  readonly tail: string
}

/** Replaces the middle of a text with what `gap` returns. Every cut of a text goes through here or through `endsOf`. */
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
      const isWholeHead = end * 2 > head || (head - end < minPart && prefix.includes('\n'))
      const isWholeTail = start > 0 && ((suffix.length - start) * 2 > tail || start - from < minPart)
      return {
        head: isWholeHead ? prefix.slice(0, end) : wholeCharacters(prefix, 0, head),
        tail: isWholeTail ? suffix.slice(start) : wholeCharacters(suffix, from, suffix.length),
      }
    }
  }
}

/** A smaller part of a line says nothing. */
const minPart = 80
