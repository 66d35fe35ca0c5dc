/** Where the parts of the timeline stand, from the top. */
export interface TimelinePlaces {
  /** Room for the numbers at the left. */
  readonly left: number
  /** What is left for the columns. */
  readonly width: number
  /** The rows of marks: where each begins. */
  readonly marks: Readonly<Record<TimelineMarkKind, number>>
  readonly tokens: ChartPlace
  readonly money: ChartPlace
  readonly cache: ChartPlace
  readonly height: number
}

/** What is marked above the columns, from the top. */
export type TimelineMarkKind = 'edits' | 'compactions' | 'breaks'

/** One chart: its title's place, and where it begins below it. A chart of nothing has its title only. */
export interface ChartPlace {
  readonly title: number
  readonly top: number
  readonly height: number
}

/** What there is to be drawn. */
export interface TimelineContents extends Readonly<Record<TimelineMarkKind, boolean>> {
  readonly money: boolean
  readonly usage: boolean
}

const titleRoom = 34
const markRoom = 16
const top = 10

/** The places in a picture so wide. What nothing is known of takes up no room. */
export function timelinePlaces(width: number, contents: TimelineContents): TimelinePlaces {
  const left = width < 520 ? 50 : 56
  const compactions = top + (contents.edits ? markRoom : 0)
  const breaks = compactions + (contents.compactions ? markRoom : 0)
  const tokens = placeBelow(breaks + (contents.breaks ? markRoom : 0), 200)
  const money = placeBelow(tokens.top + tokens.height, contents.money ? 64 : 0)
  const cache = placeBelow(money.top + money.height, contents.usage ? 48 : 0)
  return {
    left,
    width: Math.max(0, width - left - 6),
    marks: { edits: top, compactions, breaks },
    tokens,
    money,
    cache,
    height: cache.top + cache.height + 6,
  }
}

function placeBelow(end: number, height: number): ChartPlace {
  return { title: end + titleRoom - 13, top: height === 0 ? end + titleRoom - 8 : end + titleRoom, height }
}
