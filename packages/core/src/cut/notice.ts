/** What a cut says of itself when it kept salient lines: which lines of the original are shown around it, and how to get the rest. */
export interface Notice {
  /** Lines shown before and after the cut, first and last of each: whole ones, or the first and the last line where none is whole. */
  readonly shown: readonly [readonly [first: number, last: number], readonly [first: number, last: number]]
  /** How many lines the original has. */
  readonly lines: number
  /** The original's handle. */
  readonly handle: string
}

/** The notice as a line of text, in the one form that `noticeAt` reads. */
export function writeNotice({ shown: [head, tail], handle }: Notice): string {
  return `[shown ${head[0]}-${head[1]}, ${tail[0]}-${tail[1]}; recall ${handle}]`
}

/** The notice that stands exactly at `index`, with the place where it ends, unproven. */
export function noticeAt(text: string, index: number): { readonly notice: Notice; readonly end: number } | null {
  noticeHere.lastIndex = index
  const found = noticeHere.exec(text)
  const notice = found === null ? null : noticeOf(found)
  return notice === null ? null : { notice, end: noticeHere.lastIndex }
}

const noticeHere = /\[shown 1-(\d{1,12}), (\d{1,12})-(\d{1,12}); recall ([0-9a-f]{12})\]\n/y

function noticeOf(found: RegExpExecArray): Notice | null {
  const [, a, b, n, handle] = found
  const [last, first, lines] = [Number(a), Number(b), Number(n)]
  if (last < 1 || first < last || lines < first || handle === undefined) return null
  return { shown: [[1, last], [first, lines]], lines, handle } // biome-ignore format: two ranges, one line
}
