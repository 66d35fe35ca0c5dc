import { type Edit, type Facts, type Message, type Policy, resultText } from '@plimsoll/core'

/** A call and its answer, as two messages `<id>c` and `<id>`. */
export function toolRound(
  id: string,
  text: string,
  more: { readonly tool?: string; readonly at?: number } = {},
): readonly Message[] {
  const { tool = 'Bash', at } = more
  const time = at === undefined ? {} : { at }
  return [
    { id: `${id}c`, role: 'assistant', parts: [{ type: 'tool-call', callId: id, tool, input: { command: id } }], ...time },
    { id, role: 'tool', parts: [{ type: 'tool-result', callId: id, tool, content: { type: 'text', text } }], ...time },
  ]
}

/** This many rounds, from `r0`, each with the same answer. */
export function toolRounds(count: number, text = 'some output', from = 0): readonly Message[] {
  return Array.from({ length: count }, (_, index) => toolRound(`r${from + index}`, text)).flat()
}

/** A user message. */
export function typed(id: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text: id }] }
}

/** The ids of the results that edits replace. */
export function replacedBy(edits: readonly Edit[]): readonly string[] {
  return edits.flatMap((edit) => (edit.kind === 'replace' ? [edit.message] : []))
}

/** Plans the request after one with these active edits. */
export function planAfter(
  policy: Policy,
  messages: readonly Message[],
  active: readonly Edit[],
  facts: Facts = {},
): readonly Edit[] {
  return policy.plan(messages, { ...facts, inForce: active })
}

/** The texts of all results of a view, by message. */
export function resultTexts(view: readonly Message[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    view.flatMap(({ id, parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [[id, resultText(part)]] : []))),
  )
}
