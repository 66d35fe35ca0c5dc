/** A stretch of text to replace; a null replacement leaves it as it is. The search goes on behind it either way. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly with: string | null
}

/** Replaces what a judge says of each match of a global pattern. The very same text where nothing is replaced. */
export function replaceSpans(text: string, pattern: RegExp, judge: (found: RegExpExecArray) => Replacement): string {
  const pieces: string[] = []
  let position = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { start, end, with: replacement } = judge(found)
    pattern.lastIndex = Math.max(end, found.index + 1)
    if (replacement === null) continue
    pieces.push(text.slice(position, start), replacement)
    position = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(position)
}

/** Where a run of characters ends that a sticky pattern matches in steps: one that swallows megabytes at once overflows the engine's stack. */
export function endOfRun(text: string, steps: RegExp, from: number): number {
  let end = from
  for (;;) {
    steps.lastIndex = end
    if (!steps.test(text) || steps.lastIndex === end) return end
    end = steps.lastIndex
  }
}
