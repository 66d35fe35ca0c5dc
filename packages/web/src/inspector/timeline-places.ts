/** Where the parts of the timeline stand, from the top. */
export interface TimelinePlaces {
  /** Room for the numbers at the left. */
  readonly left: number
  /** What is left for the columns. */
  readonly width: number
  /** The rows of marks: where each begins. */
  readonly marks: { readonly edits: number; readonly compactions: number; readonly breaks: number }
  readonly tokens: ChartPlace
  readonly money: ChartPlace
  readonly cache: ChartPlace
  readonly height: number
}

/** One chart: its title's place, and where it begins below it. */
export interface ChartPlace {
  readonly title: number
  readonly top: number
  readonly height: number
}

const titleRoom = 34
const markRoom = 16

/** The places in a picture so wide. */
export function timelinePlaces(width: number): TimelinePlaces {
  const left = width < 520 ? 50 : 56
  const marksTop = 10
  const tokens = placeBelow(marksTop + 3 * markRoom, 200)
  const money = placeBelow(tokens.top + tokens.height, 64)
  const cache = placeBelow(money.top + money.height, 48)
  return {
    left,
    width: Math.max(0, width - left - 6),
    marks: { edits: marksTop, compactions: marksTop + markRoom, breaks: marksTop + 2 * markRoom },
    tokens,
    money,
    cache,
    height: cache.top + cache.height + 6,
  }
}

function placeBelow(end: number, height: number): ChartPlace {
  return { title: end + titleRoom - 13, top: end + titleRoom, height }
}
