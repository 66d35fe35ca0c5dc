/** A secret in a text, not empty. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** What is only known to be random; any other kind says more. */
export const randomKind = 'random'

/** Spans in order, those that overlap as one, named after the one that was found first. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans
  const rankOf = ({ kind }: Span, index: number) => index + (kind === randomKind ? spans.length : 0)
  const ranked = spans
    .map((span, index) => ({ ...span, rank: rankOf(span, index) }))
    .toSorted((a, b) => a.start - b.start || a.rank - b.rank)
  const merged: (typeof ranked)[number][] = []
  for (const span of ranked) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else {
      const named = span.rank < last.rank ? span : last
      merged[merged.length - 1] = { ...named, start: last.start, end: Math.max(last.end, span.end) }
    }
  }
  return merged
}

/** The text with `[REDACTED:kind]` for each span; the same text if there is none. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let position = 0
  for (const { start, end, kind } of spans) {
    pieces.push(text.slice(position, start), `[REDACTED:${kind}]`)
    position = end
  }
  return pieces.join('') + text.slice(position)
}

/**
 * A part of a text in which matches begin, with what stands around it. A long text has nearly every hint somewhere; a window has few, so that
 * few patterns have to be tried.
 */
export interface Window {
  readonly text: string
  /** Where its text begins, and where matches may begin: from, but not at `to`. */
  readonly offset: number
  readonly from: number
  readonly to: number
}

/** All of a text, without the windows that need no look. */
export function windowsOf(text: string, isWorthALook: (window: Window) => boolean = () => true): readonly Window[] {
  const windows: Window[] = []
  for (let from = 0; from < text.length; from += windowLength) {
    const offset = Math.max(0, from - lookedBehind)
    const to = Math.min(text.length, from + windowLength)
    const window = { text: text.slice(offset, to + lookedAhead), offset, from, to }
    if (isWorthALook(window)) windows.push(window)
  }
  return windows
}

const windowLength = 8192
/** More than any pattern looks at around the beginning of a match. The secret itself may be longer. */
const [lookedBehind, lookedAhead] = [1536, 1024]

export type Judge = (found: RegExpExecArray, at: number) => Span & { readonly isSecret: boolean }
export type SearchWindow = (window: Window, pattern: RegExp, judge: Judge) => readonly Span[]

/**
 * What the judge makes of each match of global patterns, in one window of a text after the other; places are those of the whole text. What was
 * looked at for a pattern is not looked at again, also in later windows, or it would take more than linear time.
 */
export function createSearch(): SearchWindow {
  const ends = new Map<RegExp, number>()
  return ({ text, offset, from, to }, pattern, judge) => {
    const spans: Span[] = []
    let at = Math.max(from, ends.get(pattern) ?? 0)
    while (at < to) {
      pattern.lastIndex = at - offset
      const found = pattern.exec(text)
      const place = found === null ? to : found.index + offset
      if (found === null || place >= to) break
      const { start, end, kind, isSecret } = judge(found, place)
      if (isSecret && end > start) spans.push({ start, end, kind })
      at = Math.max(end, place + 1)
    }
    ends.set(pattern, at)
    return spans
  }
}

/** Matches a run of characters in steps, because a pattern that takes megabytes at once overflows the engine's stack. */
export function endOfRun(text: string, steps: RegExp, from: number): number {
  let end = from
  for (;;) {
    steps.lastIndex = end
    if (!steps.test(text) || steps.lastIndex === end) return end
    end = steps.lastIndex
  }
}
