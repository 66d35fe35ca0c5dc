/** What a cut says of itself when it kept salient lines: which lines of the original are shown around it, and how to get the rest. */
export interface Notice {
  /** Lines shown before and after the cut, first and last of each: whole ones, or the first and the last line where none is whole. */
  readonly shown: readonly [readonly [first: number, last: number], readonly [first: number, last: number]]
  /** How many lines the original has. */
  readonly lines: number
  /** The original's handle. */
  readonly handle: string
}

/** The notice as a line of text, in the one form that `readNotice` reads. */
export function writeNotice({ shown: [head, tail], handle }: Notice): string {
  return `[shown ${head[0]}-${head[1]}, ${tail[0]}-${tail[1]}; recall ${handle}]`
}

/**
 * The notice in a text that was cut, or null. What a tool prints can look like a notice, so one counts only when as many lines
 * follow it as it says, or one more of which the beginning is gone; a forged one that passes can do no more than name a wrong original.
 */
export function readNotice(text: string): Notice | null {
  noticeLine.lastIndex = 0
  for (
    let tries = 0, found = noticeLine.exec(text);
    found !== null && tries < mostTries;
    tries += 1, found = noticeLine.exec(text)
  ) {
    const notice = noticeOf(found)
    const [first, last] = notice?.shown[1] ?? [0, 0]
    const partial = linesAfter(text, noticeLine.lastIndex + 1) - (last - first + 1)
    if (notice !== null && (partial === 0 || partial === 1)) return notice
  }
  return null
}

/** The notice that stands exactly at `index`, with the place where it ends, unproven. */
export function noticeAt(text: string, index: number): { readonly notice: Notice; readonly end: number } | null {
  noticeHere.lastIndex = index
  const found = noticeHere.exec(text)
  const notice = found === null ? null : noticeOf(found)
  return notice === null ? null : { notice, end: noticeHere.lastIndex }
}

const form = '\\[shown 1-(\\d{1,12}), (\\d{1,12})-(\\d{1,12}); recall ([0-9a-f]{12})\\]'
const noticeLine = new RegExp(`^${form}$`, 'gm')
const noticeHere = new RegExp(`${form}\\n`, 'y')
const mostTries = 16

function noticeOf(found: RegExpExecArray): Notice | null {
  const [, a, b, n, handle] = found
  const [last, first, lines] = [Number(a), Number(b), Number(n)]
  if (last < 1 || first < last || lines < first || handle === undefined) return null
  return { shown: [[1, last], [first, lines]], lines, handle } // biome-ignore format: two ranges, one line
}

function linesAfter(text: string, start: number): number {
  let lines = 0
  for (let at = start; at < text.length; lines += 1) {
    const newline = text.indexOf('\n', at)
    at = newline === -1 ? text.length : newline + 1
  }
  return lines
}
