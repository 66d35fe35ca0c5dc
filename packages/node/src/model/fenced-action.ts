/** What a model writes from an action in a code fence on. */
export interface FencedAction {
  /**
   * Takes what comes next. `example` where something is said behind the fence, from `rest` on; `step` where a step follows, which
   * makes the action one too; null while nobody knows, and `rest` has to be taken again with what follows it.
   */
  readonly take: (text: string, isLast: boolean) => { readonly verdict: 'example' | 'step' | null; readonly rest: string }
  /** All that was taken before `rest`. */
  readonly text: () => string
}

/** Begins with the line of the action. */
export function createFencedAction(): FencedAction {
  let taken = ''
  /** The beginning of a line in the fence. */
  let head = ''
  let isBehind = false
  return {
    take(text, isLast) {
      let start = 0
      while (start < text.length) {
        const newline = text.indexOf('\n', start)
        const end = newline < 0 ? text.length : newline + 1
        if (isBehind) {
          const line = text.slice(start, Math.min(end, start + longestHead))
          const isKnown = newline >= 0 || isLast || line.length === longestHead
          if (!isKnown) return { verdict: null, rest: text.slice(start) }
          if (line.trim() !== '') return { verdict: stepStart.test(line) ? 'step' : 'example', rest: text.slice(start) }
        } else {
          head += text.slice(start, Math.min(end, start + longestHead - head.length))
          if (newline >= 0) {
            isBehind = fence.test(head)
            head = ''
          }
        }
        taken += text.slice(start, end)
        start = end
      }
      return { verdict: null, rest: '' }
    },
    text: () => taken,
  }
}

/** No label of a step is longer. */
const longestHead = 80
const fence = /^[ \t]*(?:`{3}|~{3})/
const stepStart =
  /^[ \t]*(?:\*{0,2}(?:thought|action|observation)\*{0,2}[ \t]*[:：]|\[(?:user|assistant|tool|system|summary)\](?= |$))/im
