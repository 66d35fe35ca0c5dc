import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'

/** The positions of everything in the drawing of a loaded hull, from top to bottom in its own units. */
export type LoadLineLayout = Readonly<ReturnType<typeof layOutLoadLine>>

/** One category in the hull. */
export interface LoadBand {
  readonly category: WindowCategory
  readonly tokens: number
  readonly top: number
  readonly height: number
  /** The results by tool, from left to right as shares of the width that add up to 1; empty for other categories. */
  readonly compartments: readonly { readonly tool: string | null; readonly tokens: number; readonly share: number }[]
}

interface LoadLineSize {
  readonly top: number
  readonly bottom: number
  /** The tokens of the whole height at least, so that two hulls can be compared. Default: as many as it needs. */
  readonly scale?: number
  /** How many tools are shown separately. Default 5. */
  readonly tools?: number
}

/** Lays out the hull of a window. Heights are in proportion to tokens, also those of bands too thin to be seen: the table has them. */
export function layOutLoadLine(fill: WindowFill, { top, bottom, scale = 0, tools = 5 }: LoadLineSize) {
  const numbers = loadNumbers(fill)
  const whole = Math.max(numbers.window, numbers.used, scale, 1)
  const at = (tokens: number) => bottom - (tokens / whole) * (bottom - top)
  const waterline = at(numbers.used)
  const amounts = windowCategories.map((category) => amountOf(fill.categories[category]))
  const heights = shares(amounts, bottom - waterline)
  const bands: LoadBand[] = []
  let lower = bottom
  for (const [index, category] of windowCategories.entries()) {
    const height = heights[index] as number
    if (height === 0) continue
    lower -= height
    const compartments = category === 'results' ? compartmentsOf(fill.results, tools) : []
    bands.push({ category, tokens: amounts[index] as number, top: lower, height, compartments })
  }
  return {
    /** From the keel upwards, each on the one before. */
    bands: bands as readonly LoadBand[],
    waterline,
    /** Window minus reserve. */
    loadLine: at(numbers.line),
    /** The full window. */
    deck: at(numbers.window),
    keel: bottom,
    /** Round numbers of tokens along the hull. */
    draught: draughtSteps(numbers.window).map((tokens) => ({ tokens, at: at(tokens) })),
    numbers,
  }
}

/** How much of a window is loaded, and what is free below or above its load line and the window. No number is below 0. */
export function loadNumbers({ tokens, window: size, reserve: kept }: WindowFill) {
  const used = amountOf(tokens)
  const window = amountOf(size)
  const reserve = Math.min(amountOf(kept), window)
  const line = window - reserve
  const [free, overLine, overWindow] = [line - used, used - line, used - window].map(amountOf) as [number, number, number]
  return { used, window, reserve, line, free, overLine, overWindow }
}

function compartmentsOf(results: WindowFill['results'], max: number): LoadBand['compartments'] {
  const named = results.slice(0, results.length > max ? max - 1 : max)
  const rest = results.slice(named.length).reduce((sum, { tokens }) => sum + amountOf(tokens), 0)
  const all: { readonly tool: string | null; readonly tokens: number }[] = named.map(({ tool, tokens }) => ({ tool, tokens }))
  if (rest > 0) all.push({ tool: null, tokens: rest })
  const amounts = all.map(({ tokens }) => tokens)
  const widths = shares(amounts, 1)
  return all.map((one, index) => ({ ...one, share: widths[index] as number }))
}

/** At most six steps of 1, 2 or 5 times a power of ten, from the first one above nothing to the window. */
function draughtSteps(window: number): readonly number[] {
  if (window < 6) return []
  const power = 10 ** Math.floor(Math.log10(window / 5))
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => window / size <= 6) ?? window
  return Array.from({ length: Math.floor(window / step) }, (_, index) => (index + 1) * step)
}

function amountOf(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0
}

/** Divides a length among amounts in proportion, so that all of it is used. Amounts that are not numbers, or below 0, get nothing. */
export function shares(amounts: readonly number[], length: number): readonly number[] {
  const usable = amounts.map(amountOf)
  const sum = usable.reduce((total, amount) => total + amount, 0)
  return usable.map((amount) => (sum > 0 && length > 0 ? (amount / sum) * length : 0))
}

/** Moves labels apart that would cover each other, each as little as is needed, none below `lowest`. In the order they were given. */
export function spreadLabels(places: readonly number[], apart: number, lowest: number): readonly number[] {
  const order = places.map((_, index) => index).sort((one, other) => (places[one] as number) - (places[other] as number))
  const spread = places.map((place) => Math.min(place, lowest))
  for (let at = 1; at < order.length; at += 1) {
    const upper = order[at - 1] as number
    const lower = order[at] as number
    const lack = apart - ((spread[lower] as number) - (spread[upper] as number))
    if (lack > 0) spread[lower] = (spread[lower] as number) + lack
  }
  let floor = lowest
  for (const index of order.toReversed()) {
    const place = Math.min(spread[index] as number, floor)
    spread[index] = place
    floor = place - apart
  }
  return spread
}

/** The position of a hull in its drawing. */
export interface HullBox {
  readonly left: number
  readonly right: number
  readonly deck: number
  readonly keel: number
}

/** The outline of a hull from its deck down: a rounded stern to the left, a raked bow to the right. */
export function hullPath({ left, right, deck, keel }: HullBox): string {
  const depth = keel - deck
  const turn = Math.min(26, depth / 3)
  const rake = rakeOf({ left, right })
  return [
    `M${left} ${deck}`,
    `V${keel - turn}`,
    `Q${left} ${keel} ${left + turn} ${keel}`,
    `H${right - rake}`,
    `C${right - rake * 0.42} ${keel} ${right - rake * 0.42} ${deck + depth * 0.4} ${right} ${deck}`,
    'Z',
  ].join('')
}

/** The paths of the raised bow, and of the bridge with its funnel at the stern. */
export function upperWorks({ left, right, deck }: HullBox) {
  const rake = rakeOf({ left, right })
  const small = right - left < 260 ? 0.75 : 1
  const across = 62 * small
  const up = 22 * small
  const start = left + 8
  return {
    bow: `M${right} ${deck}l7 -11h${-(rake * 0.75 + 7)}l${-9} 11Z`,
    bridge: [
      `M${start} ${deck}v${-up}h${across}v${up}Z`,
      `M${start + across * 0.42} ${deck - up}v${-up * 0.8}h${across * 0.5}v${up * 0.8}Z`,
      `M${start + across * 0.1} ${deck - up}v${-up * 1.05}h${across * 0.18}v${up * 1.05}Z`,
    ].join(''),
    windows: [0.5, 0.64, 0.78].map((at) => `M${start + across * at} ${deck - up * 1.42}h${across * 0.07}`).join(''),
  }
}

/** The room for cargo on deck, between the bridge and the bow. */
export function deckSpace({ left, right }: Pick<HullBox, 'left' | 'right'>) {
  const small = right - left < 260 ? 0.75 : 1
  return { left: left + 8 + 62 * small + 8, right: right - rakeOf({ left, right }) * 0.75 - 18 }
}

/** The surface of the water along a width, in gentle waves, and everything below it. */
export function waterPath(width: number, level: number, bottom: number) {
  const surface = `M0 ${level}${'q7 -4 14 0t14 0'.repeat(Math.ceil(width / 28))}`
  return { surface, body: `${surface}V${bottom}H0Z` }
}

function rakeOf({ left, right }: Pick<HullBox, 'left' | 'right'>): number {
  return Math.min(84, (right - left) * 0.18)
}
