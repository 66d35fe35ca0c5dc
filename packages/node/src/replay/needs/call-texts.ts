import { callInput, type Part, resultText, type ToolCallPart } from '@plimsoll/core'
import { type ToolKind, toolRules } from '@plimsoll/core/policies'

/** One text among the arguments of a call. */
export interface CallText {
  /** The name of the argument, of the innermost where they are nested; empty where the arguments are one plain text. */
  readonly key: string
  readonly text: string
}

/** The texts in the arguments of a call, as they are without the quotes of JSON. Read once for each part. */
export function callTexts(call: ToolCallPart): readonly CallText[] {
  const known = remembered.get(call)
  if (known !== undefined) return known
  const input = callInput(call)
  const found = input !== null ? textsIn(input) : typeof call.input === 'string' ? [{ key: '', text: call.input }] : []
  remembered.set(call, found)
  return found
}

/** All arguments of a call as one text, one under the other. */
function callText(call: ToolCallPart): string {
  const known = joined.get(call)
  if (known !== undefined) return known
  const whole = callTexts(call)
    .map(({ text }) => text)
    .join('\n')
  joined.set(call, whole)
  return whole
}

/** What a call does, by the table of tools. */
export function callKind(call: ToolCallPart): ToolKind {
  const rules = toolRules(call.tool)
  if (rules === null) return 'other'
  const input = rules.kindOf === undefined ? null : callInput(call)
  return input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
}

const remembered = new WeakMap<ToolCallPart, readonly CallText[]>()
const joined = new WeakMap<ToolCallPart, string>()

const deepest = 12
const mostValues = 5000

function textsIn(input: Readonly<Record<string, unknown>>): readonly CallText[] {
  const texts: CallText[] = []
  const queue: { readonly key: string; readonly value: unknown; readonly depth: number }[] = [{ key: '', value: input, depth: 0 }]
  for (let at = 0; at < queue.length; at += 1) {
    const { key, value, depth } = queue[at] as (typeof queue)[number]
    if (typeof value === 'string') texts.push({ key, text: value })
    else if (typeof value === 'number') texts.push({ key, text: String(value) })
    else if (typeof value === 'object' && value !== null && depth < deepest) {
      for (const [name, inner] of Object.entries(value)) {
        if (queue.length >= mostValues) break
        queue.push({ key: Array.isArray(value) ? key : name, value: inner, depth: depth + 1 })
      }
    }
  }
  return texts
}

/** What a part of a message says to whoever reads it; nothing for a picture. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return callText(part)
    case 'tool-result':
      return resultText(part)
    case 'media':
      return ''
  }
}
