import type { ModelDelta } from './model-client.ts'

/**
 * Reports the thought of a step as it is written, without its label, and the answer of `Finish`, but not the syntax of actions
 * nor any text after them. A line is held back only while it may still become a label, and an action in a code fence until more
 * text follows it: then it was an example.
 */
export function createStepDeltas(onDelta: (delta: ModelDelta) => void) {
  let type: ModelDelta['type'] = 'text'
  let held = ''
  let isLineStart = true
  let isFirst = true
  let isSilent = false
  let answer: ReturnType<typeof createAnswerReader> | null = null
  let isInFence = false
  let fenced: FencedAction | null = null
  const tell = (text: string) => {
    if (text !== '') onDelta({ type, text })
  }
  const line = (text: string) => {
    tell(isFirst ? text.trimStart() : text)
    if (text.trim() !== '') isFirst = false
  }
  /** Looks at the start of a line; returns false while more of it is needed. */
  const begin = (isLast: boolean): boolean => {
    if (!isLast && (mayBecomeLabel.test(held) || mayGoOn.test(held) || mayBecomeFence.test(held))) return false
    if (fenceStart.test(held)) isInFence = !isInFence
    const label = labels.exec(held)
    const kind = label?.[1]?.toLowerCase()
    if (kind === 'thought') {
      if (isFirst) type = 'reasoning'
      held = held.slice(label?.[0].length)
    } else if (kind === 'action') {
      if (!isLast && mayBecomeFinish.test(held)) return false
      const finish = finishStart.exec(held)
      if (finish === null && isInFence) {
        fenced = createFencedAction()
        return true
      }
      isSilent = true
      if (finish !== null) {
        type = 'text'
        answer = createAnswerReader(tell)
        held = held.slice(finish[0].length)
      }
    }
    isLineStart = false
    return true
  }
  const flow = (isLast: boolean) => {
    while (held !== '') {
      if (answer !== null) {
        answer(held)
        held = ''
      } else if (fenced !== null) {
        const { verdict, rest } = fenced.take(held, isLast)
        held = rest
        if (verdict === null) {
          if (rest !== '') return
          continue
        }
        isSilent = verdict === 'step'
        if (!isSilent) line(fenced.text())
        fenced = null
        isInFence = false
        isLineStart = true
      } else if (isSilent) {
        held = ''
      } else if (isLineStart) {
        if (!begin(isLast)) return
      } else {
        const end = held.indexOf('\n')
        line(end < 0 ? held : held.slice(0, end + 1))
        isLineStart = end >= 0
        held = end < 0 ? '' : held.slice(end + 1)
      }
    }
  }
  return {
    write(text: string) {
      held += text
      flow(false)
    },
    end: () => flow(true),
  }
}

const labels = /^[ \t]*(?:\[assistant\][ \t]?)?\*{0,2}(thought|action)\*{0,2}[ \t]*[:：]\*{0,2}[ \t]?/i
const finishStart = /^[^\n]{0,40}[:：]\*{0,2}[ \t]*finish[ \t]*\[/i

const fenceStart = /^[ \t]*(?:`{3}|~{3})/
const mayBecomeFence = /^[ \t]{0,8}(?:`{1,2}|~{1,2})$/

/** The start of a line that may still become a label. */
const mayBecomeLabel =
  /^[ \t]{0,8}(?:\[[a-z]{0,9}(?:\][ \t]?)?)?\*{0,2}(?:t(?:h(?:o(?:u(?:g(?:ht?)?)?)?)?)?|a(?:c(?:t(?:i(?:on?)?)?)?)?)?\*{0,2}[ \t]{0,8}$/i
const mayGoOn = /^[ \t]{0,8}(?:\[assistant\][ \t]?)?\*{0,2}(?:thought|action)\*{0,2}[ \t]{0,8}[:：]\*{0,2}$/i
const mayBecomeFinish = /^[^\n]{0,40}[:：]\*{0,2}[ \t]{0,8}(?:f(?:i(?:n(?:i(?:sh?)?)?)?)?)?[ \t]{0,8}$/i

/** Reports an answer up to its closing bracket. Decodes an answer that is written as a JSON string. */
function createAnswerReader(tell: (text: string) => void): (text: string) => void {
  let depth = 1
  let isQuoted: boolean | null = null
  let escape = ''
  return (text) => {
    let shown = ''
    for (const character of text) {
      if (depth === 0) break
      if (isQuoted === null) {
        if (character.trim() === '') continue
        isQuoted = character === '"'
        if (isQuoted) continue
      }
      if (isQuoted) {
        if (escape !== '' || character === '\\') {
          escape += character
          const said = unescape(escape)
          if (said === null) continue
          shown += said
          escape = ''
        } else if (character === '"') depth = 0
        else shown += character
        continue
      }
      if (character === '[') depth += 1
      else if (character === ']') depth -= 1
      if (depth > 0) shown += character
    }
    tell(shown)
  }
}

function unescape(escape: string): string | null {
  const needed = escape.startsWith('\\u') ? 6 : 2
  if (escape.length < needed) return null
  try {
    return JSON.parse(`"${escape}"`) as string
  } catch {
    return escape
  }
}

interface FencedAction {
  /**
   * Takes the next text. `example` if more text follows the fence, from `rest` on; `step` if a step follows, which makes the
   * action one too; null while undecided, and `rest` has to be taken again with the text that follows it.
   */
  readonly take: (text: string, isLast: boolean) => { readonly verdict: 'example' | 'step' | null; readonly rest: string }
  readonly text: () => string
}

function createFencedAction(): FencedAction {
  let taken = ''
  let head = ''
  let isBehind = false
  return {
    take(text, isLast) {
      let start = 0
      while (start < text.length) {
        const newline = text.indexOf('\n', start)
        const end = newline < 0 ? text.length : newline + 1
        if (isBehind) {
          const line = text.slice(start, Math.min(end, start + maxHeadLength))
          const isKnown = newline >= 0 || isLast || line.length === maxHeadLength
          if (!isKnown) return { verdict: null, rest: text.slice(start) }
          if (line.trim() !== '') return { verdict: stepStart.test(line) ? 'step' : 'example', rest: text.slice(start) }
        } else {
          head += text.slice(start, Math.min(end, start + maxHeadLength - head.length))
          if (newline >= 0) {
            isBehind = fenceStart.test(head)
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

const maxHeadLength = 80
const stepStart =
  /^[ \t]*(?:\*{0,2}(?:thought|action|observation)\*{0,2}[ \t]*[:：]|\[(?:user|assistant|tool|system|summary)\](?= |$))/im
