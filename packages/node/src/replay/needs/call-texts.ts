import { callInput, type Part, resultText, type ToolCallPart } from '@plimsoll/core'
import { type ToolKind, toolRules } from '@plimsoll/core/policies'
import { getOrMake } from '../../shared/get-or-make.ts'

interface CallText {
  /** The name of the innermost argument; empty if the arguments are one plain text. */
  readonly key: string
  readonly text: string
}

/** The texts in the arguments of a call, without the quotes of JSON. Read once for each part. */
export function callTexts(call: ToolCallPart): readonly CallText[] {
  return getOrMake(remembered, call, () => {
    const input = callInput(call)
    return input !== null ? textsIn(input) : typeof call.input === 'string' ? [{ key: '', text: call.input }] : []
  })
}

export function callKind(call: ToolCallPart): ToolKind {
  const rules = toolRules(call.tool)
  if (rules === null) return 'other'
  const input = rules.kindOf === undefined ? null : callInput(call)
  return input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
}

const remembered = new WeakMap<ToolCallPart, readonly CallText[]>()
const joined = new WeakMap<ToolCallPart, string>()

const maxDepth = 12
const maxValues = 5000

function textsIn(input: Readonly<Record<string, unknown>>): readonly CallText[] {
  const texts: CallText[] = []
  const queue: { readonly key: string; readonly value: unknown; readonly depth: number }[] = [{ key: '', value: input, depth: 0 }]
  for (let at = 0; at < queue.length; at += 1) {
    const { key, value, depth } = queue[at] as (typeof queue)[number]
    if (typeof value === 'string') texts.push({ key, text: value })
    else if (typeof value === 'number') texts.push({ key, text: String(value) })
    else if (typeof value === 'object' && value !== null && depth < maxDepth) {
      for (const [name, inner] of Object.entries(value)) {
        if (queue.length >= maxValues) break
        queue.push({ key: Array.isArray(value) ? key : name, value: inner, depth: depth + 1 })
      }
    }
  }
  return texts
}

/** The text of a part; empty for an image. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return getOrMake(joined, part, () =>
        callTexts(part)
          .map(({ text }) => text)
          .join('\n'),
      )
    case 'tool-result':
      return resultText(part)
    case 'media':
      return ''
  }
}
