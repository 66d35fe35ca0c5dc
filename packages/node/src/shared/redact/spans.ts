/** A secret in a text, not empty. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Spans in order, those that overlap as one, named after the one that was found first. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans
  const ranked = spans.map((span, rank) => ({ ...span, rank })).toSorted((a, b) => a.start - b.start || a.rank - b.rank)
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

/** What the judge makes of each match of a global pattern. The search continues after the span that was judged. */
export function judgedSpans(
  text: string,
  pattern: RegExp,
  judge: (found: RegExpExecArray) => Span & { readonly isSecret: boolean },
): readonly Span[] {
  const spans: Span[] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { start, end, kind, isSecret } = judge(found)
    // What was looked at is not looked at again, or it would take more than linear time.
    const next = Math.max(end, found.index + 1)
    if (isSecret && end > start) spans.push({ start, end, kind })
    pattern.lastIndex = next
  }
  return spans
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
