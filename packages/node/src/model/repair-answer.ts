import { normaliseUsage } from '@plimsoll/core/bill'
import { isRecord, parseJson } from '@plimsoll/core/text'

type Fields = Readonly<Record<string, unknown>>

/** Repairs small mistakes in an answer of chat completions, or in a piece of one. Returns the same value if there are none. */
export function repairAnswer(value: Fields): Fields {
  const choices = choicesOf(value)
  if (choices === null) return value
  return withFields(value, {
    id: only(value['id'], 'string'),
    created: only(value['created'], 'number'),
    model: only(value['model'], 'string'),
    choices,
    usage: withTimes(usageOf(value['usage']), value),
    error: value['error'] ?? undefined,
  })
}

/** A complete answer as the only piece of a stream; null for other values. */
export function asPiece(value: unknown): Fields | null {
  if (!isRecord(value) || (value['error'] ?? null) !== null || !Array.isArray(value['choices'])) return null
  const choices = (value['choices'] as readonly unknown[]).flatMap((choice) => {
    if (!isRecord(choice) || !isRecord(choice['message'])) return []
    const { message, ...rest } = choice
    const calls: unknown = message['tool_calls']
    const numbered = Array.isArray(calls)
      ? { tool_calls: calls.map((call: unknown, index) => (isRecord(call) ? { ...call, index } : call)) }
      : {}
    return [{ ...rest, delta: { ...message, ...numbered } }]
  })
  return choices.length === 0 ? null : repairAnswer({ ...value, object: 'chat.completion.chunk', choices })
}

/** Some report usage without a list of choices. Other values are left to be rejected. */
function choicesOf({ choices, usage, object, error }: Fields): readonly unknown[] | null {
  if (Array.isArray(choices)) return mapped(choices, choiceOf)
  const isAnswer = isRecord(usage) || object === 'chat.completion.chunk'
  return (choices ?? null) === null && isAnswer && (error ?? null) === null ? [] : null
}

function choiceOf(choice: unknown): unknown {
  if (!isRecord(choice)) return choice
  const { delta, message, finish_reason: reason } = choice
  // Some servers send an empty reason in every piece.
  const isReason = typeof reason === 'string' && reason !== ''
  return withFields(choice, {
    delta: saidIn(delta),
    message: saidIn(message),
    finish_reason: isReason || reason === null ? reason : undefined,
  })
}

function saidIn(said: unknown): unknown {
  if (!isRecord(said)) return said === null ? null : undefined
  const { role, tool_calls: calls } = said
  return withFields(said, {
    role: role === 'assistant' || role === '' || role === null ? role : undefined,
    reasoning: only(said['reasoning'], 'string'),
    reasoning_content: only(said['reasoning_content'], 'string'),
    tool_calls: Array.isArray(calls) ? mapped(calls, callOf) : calls,
  })
}

function callOf(call: unknown): unknown {
  if (!isRecord(call)) return call
  const { index, id, function: called } = call
  return withFields(call, {
    index: typeof index === 'string' && /^\d{1,4}$/.test(index) ? Number(index) : index,
    id: typeof id === 'number' ? String(id) : id,
    function: isRecord(called) ? withFields(called, { arguments: argumentsOf(called['arguments']) }) : (called ?? {}),
  })
}

/** An object without fields is a placeholder before the pieces of a text. */
function argumentsOf(value: unknown): unknown {
  if (typeof value === 'string' || value === null || value === undefined) return value
  const text = JSON.stringify(value)
  return text === '{}' ? '' : text
}

function usageOf(usage: unknown): unknown {
  if (usage === null || usage === undefined) return usage
  if (!isRecord(usage)) return undefined
  const repaired = withFields(usage, {
    ...numbersOf(usage, ['prompt_tokens', 'completion_tokens', 'total_tokens']),
    prompt_tokens_details: detailsOf(usage['prompt_tokens_details'], ['cached_tokens']),
    completion_tokens_details: detailsOf(usage['completion_tokens_details'], completionDetails),
  })
  if (typeof repaired['prompt_tokens'] === 'number') return repaired
  // Without the size of the prompt it would count as zero.
  const { prompt_tokens: _none, ...others } = repaired
  const read = normaliseUsage(others)
  if (read === null) return undefined
  return {
    prompt_tokens: read.input + read.cacheRead + read.cacheWrite,
    completion_tokens: read.output,
    prompt_tokens_details: { cached_tokens: read.cacheRead },
  }
}

/** Servers of one's own report their times next to the usage, where the AI SDK does not look. */
function withTimes(usage: unknown, { timings, metrics }: Fields): unknown {
  if (!isRecord(usage)) return usage
  return withFields(usage, { ...(isRecord(timings) ? { timings } : {}), ...(isRecord(metrics) ? { metrics } : {}) })
}

const completionDetails = ['reasoning_tokens', 'accepted_prediction_tokens', 'rejected_prediction_tokens']

function detailsOf(details: unknown, names: readonly string[]): unknown {
  if (details === null || details === undefined) return details
  return isRecord(details) ? withFields(details, numbersOf(details, names)) : undefined
}

function numbersOf(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, numberOf(fields[name])]))
}

function numberOf(value: unknown): unknown {
  if (typeof value === 'string') return /^\s{0,5}\d{1,12}(?:\.0{1,6})?\s{0,5}$/.test(value) ? Number(value) : undefined
  return typeof value === 'number' || value === null ? value : undefined
}

function only(value: unknown, type: 'string' | 'number'): unknown {
  return value === null || typeof value === type ? value : undefined
}

/** The same record if these fields are unchanged, else a copy without those that are undefined. */
function withFields(record: Fields, fields: Fields): Fields {
  const names = Object.keys(fields)
  if (names.every((name) => record[name] === fields[name])) return record
  const copy: Record<string, unknown> = { ...record, ...fields }
  for (const name of names) if (copy[name] === undefined) delete copy[name]
  return copy
}

function mapped(items: readonly unknown[], repair: (item: unknown) => unknown): readonly unknown[] {
  const repaired = items.map(repair)
  return repaired.every((item, index) => item === items[index]) ? items : repaired
}

/** Also adds missing blank lines between events and a missing finish reason, and turns a complete answer into a piece. */
export function createEventRepairer() {
  const calls = new Map<unknown, string>()
  let hasText = false
  let hasReason = false
  let hasError = false
  let isOver = false
  /** Whether the lines since the last blank one are a complete event. */
  let isWhole = false
  const isJson = (text: string) => text.trim() === '' || parseJson(text) !== undefined
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
    const value = parseJson(text)
    if (!isRecord(value)) return text
    isWhole = true
    const given: readonly unknown[] = Array.isArray(value['choices']) ? value['choices'] : []
    const hasDelta = given.some((choice) => isRecord(choice) && isRecord(choice['delta']))
    const whole = hasText || calls.size > 0 || hasDelta ? null : asPiece(value)
    const repaired = whole ?? repairAnswer(value)
    if ((repaired['error'] ?? null) !== null) hasError = true
    const { choices } = repaired
    if (Array.isArray(choices)) look(choices[0])
    return repaired === value ? text : (writeJson(repaired) ?? text)
  }
  return {
    /** The repaired line without its end; the same text if it is correct. */
    line(text: string): string {
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
        if (!isCut) return `${before}${text}`
        const last = { choices: [{ index: 0, delta: {}, finish_reason: calls.size > 0 ? 'tool_calls' : 'stop' }] }
        return `\n${start}${JSON.stringify(last)}\n\n${text}`
      }
      const repaired = data(said)
      return repaired === said ? `${before}${text}` : `${before}${start}${repaired}${said.endsWith('\r') ? '\r' : ''}`
    },
    end: () => (isWhole ? '\n\n' : ''),
    /** Whether the server has reported the end, and the answer is complete. */
    isOver: () => isOver,
  }
}

/** Returns null for a value that is nested too deep. */
export function writeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0
}
