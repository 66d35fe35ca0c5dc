import { isRecord } from '@plimsoll/core'
import { asPiece, mendAnswer } from './mend-answer.ts'

/** Mends a stream of events line by line. */
export interface EventMender {
  /** What stands in place of a line, without the mark that ends it; the very same text where it is as it should be. */
  readonly line: (text: string) => string
  /** What is missing at the end of the stream, if anything. */
  readonly end: () => string
  /** Whether the server has said that nothing follows, and the answer is whole. */
  readonly isOver: () => boolean
}

/**
 * Mends the events of one answer: what `mendAnswer` mends, the blank line between two events, the reason for the end of an answer
 * that the server says is over, and a whole answer in place of pieces.
 */
export function createEventMender(): EventMender {
  const calls = new Map<unknown, string>()
  let hasText = false
  let hasReason = false
  let hasError = false
  let isOver = false
  /** Whether the lines since the last blank one are a whole event. */
  let isWhole = false
  const isComplete = () => !hasError && (hasText || calls.size > 0) && [...calls.values()].every(isJson)
  const look = (choice: unknown) => {
    if (!isRecord(choice)) return
    if (typeof choice['finish_reason'] === 'string') hasReason = true
    const { delta } = choice
    if (!isRecord(delta)) return
    const { content, refusal, tool_calls: made } = delta
    if (isText(content) || isText(refusal)) hasText = true
    for (const call of Array.isArray(made) ? (made as readonly unknown[]) : []) {
      if (!isRecord(call) || !isRecord(call['function'])) continue
      const { name, arguments: piece } = call['function']
      const key = call['index'] ?? (isText(name) ? calls.size : calls.size - 1)
      calls.set(key, `${calls.get(key) ?? ''}${typeof piece === 'string' ? piece : ''}`)
    }
  }
  const data = (text: string): string => {
    const value = parsed(text)
    if (!isRecord(value)) return text
    isWhole = true
    const whole = hasText || calls.size > 0 || hasDelta(value) ? null : asPiece(value)
    const mended = whole ?? mendAnswer(value)
    if ((mended['error'] ?? null) !== null) hasError = true
    const { choices } = mended
    if (Array.isArray(choices)) look(choices[0])
    if (mended === value) return text
    try {
      return JSON.stringify(mended)
    } catch {
      // Nested too deep to be written again.
      return text
    }
  }
  return {
    line(text) {
      const start = /^data:[ \t]?/.exec(text)?.[0]
      if (start === undefined) {
        if (text.trim() === '') isWhole = false
        return text
      }
      const before = isWhole ? '\n' : ''
      const said = text.slice(start.length)
      isWhole = false
      if (said.trim() === '[DONE]') {
        isWhole = true
        const isCut = !hasReason && isComplete()
        if (isCut) hasReason = true
        isOver = hasReason && !hasError
        return isCut ? `\n${start}${lastPiece(calls.size > 0)}\n\n${text}` : `${before}${text}`
      }
      const mended = data(said)
      return mended === said ? `${before}${text}` : `${before}${start}${mended}${said.endsWith('\r') ? '\r' : ''}`
    },
    end: () => (isWhole ? '\n\n' : ''),
    isOver: () => isOver,
  }
}

function lastPiece(hasCalls: boolean): string {
  return JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: hasCalls ? 'tool_calls' : 'stop' }] })
}

/** Whether it is a piece as it should be, whatever else it holds. */
function hasDelta({ choices }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(choices) && choices.some((choice) => isRecord(choice) && isRecord(choice['delta']))
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0
}

function isJson(text: string): boolean {
  return text.trim() === '' || parsed(text) !== undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
