import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core'
import { shares } from './shares.ts'

/** Where everything in the picture of a loaded hull lies, from top to bottom in its own units. */
export interface LoadLineLayout {
  /** From the keel upwards, each lying on the one before. */
  readonly bands: readonly LoadBand[]
  /** The top of what is loaded. */
  readonly waterline: number
  /** Window minus reserve. */
  readonly loadLine: number
  /** The full window. Above the top of the load where that is within the window. */
  readonly deck: number
  readonly keel: number
  /** Round numbers of tokens along the hull. */
  readonly draught: readonly { readonly tokens: number; readonly at: number }[]
  /** The numbers behind it. */
  readonly numbers: LoadNumbers
}

/** One category in the hull. */
export interface LoadBand {
  readonly category: WindowCategory
  readonly tokens: number
  readonly top: number
  readonly height: number
  /** The results by tool, from left to right as shares of the width that add up to 1; empty for other categories. */
  readonly compartments: readonly { readonly tool: string | null; readonly tokens: number; readonly share: number }[]
}

/** How much of a window is loaded, and how that stands to its load line. */
export interface LoadNumbers {
  readonly used: number
  readonly window: number
  readonly reserve: number
  readonly line: number
  /** What still fits below the load line. */
  readonly free: number
  /** What is above the load line, and above the window. */
  readonly overLine: number
  readonly overWindow: number
}

/** How large the picture is. */
export interface LoadLineSize {
  readonly top: number
  readonly bottom: number
  /** Nothing that is there is drawn thinner. Default 3. */
  readonly smallest?: number
  /** How many tools are told apart. Default 5. */
  readonly tools?: number
}

/** Lays out the hull of a window. Heights are in proportion to tokens, apart from bands too thin to be seen. */
export function layOutLoadLine(fill: WindowFill, { top, bottom, smallest = 3, tools = 5 }: LoadLineSize): LoadLineLayout {
  const numbers = loadNumbers(fill)
  const whole = Math.max(numbers.window, numbers.used, 1)
  const at = (tokens: number) => bottom - (tokens / whole) * (bottom - top)
  const waterline = at(numbers.used)
  const amounts = windowCategories.map((category) => amountOf(fill.categories[category]))
  const heights = shares(amounts, bottom - waterline, smallest)
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
    bands,
    waterline,
    loadLine: at(numbers.line),
    deck: at(numbers.window),
    keel: bottom,
    draught: draughtSteps(numbers.window).map((tokens) => ({ tokens, at: at(tokens) })),
    numbers,
  }
}

/** The numbers of a fill, made safe: none is below nothing, and the reserve is part of the window. */
export function loadNumbers({ tokens, window, reserve }: WindowFill): LoadNumbers {
  const used = amountOf(tokens)
  const size = amountOf(window)
  const kept = Math.min(amountOf(reserve), size)
  const line = size - kept
  return {
    used,
    window: size,
    reserve: kept,
    line,
    free: Math.max(0, line - used),
    overLine: Math.max(0, used - line),
    overWindow: Math.max(0, used - size),
  }
}

function compartmentsOf(results: WindowFill['results'], most: number): LoadBand['compartments'] {
  const named = results.slice(0, results.length > most ? most - 1 : most)
  const rest = results.slice(named.length).reduce((sum, { tokens }) => sum + amountOf(tokens), 0)
  const all: { readonly tool: string | null; readonly tokens: number }[] = named.map(({ tool, tokens }) => ({ tool, tokens }))
  if (rest > 0) all.push({ tool: null, tokens: rest })
  const widths = shares(
    all.map(({ tokens }) => tokens),
    1,
    0.02,
  )
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
