import { expect } from 'vitest'
import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, ToolResultPart } from '../message.ts'
import type { Policy } from '../policy.ts'

/** A user message. */
export function user(id: string, text: string, at?: number): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }], ...(at === undefined ? {} : { at }) }
}

/** An assistant message with calls, each `[callId, tool, input]`. */
export function calls(id: string, ...list: readonly (readonly [callId: string, tool: string, input: unknown])[]): Message {
  return { id, role: 'assistant', parts: list.map(([callId, tool, input]) => ({ type: 'tool-call', callId, tool, input })) }
}

/** The result of a tool call. */
export function result(
  id: string,
  callId: string | null,
  text: string,
  extra: Partial<ToolResultPart> & { at?: number } = {},
): Message {
  const { at, ...rest } = extra
  const part: ToolResultPart = { type: 'tool-result', callId, tool: null, content: { type: 'text', text }, ...rest }
  return { id, role: 'tool', parts: [part], ...(at === undefined ? {} : { at }) }
}

/** A call and its result, as two messages `<id>c` and `<id>`. */
export function exchange(
  id: string,
  tool: string,
  input: unknown,
  text: string,
  extra: Partial<ToolResultPart> & { at?: number } = {},
): readonly Message[] {
  return [calls(`${id}c`, [`call-${id}`, tool, input]), result(id, `call-${id}`, text, extra)]
}

/** Freezes a value at all levels, so that a test fails if code changes it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}

/** Edits in the short form of the policy tests' tables: message id → new text, null if removed. */
export function outcome(edits: readonly Edit[]): Record<string, string | null> {
  return Object.fromEntries(
    edits.map((edit) => {
      if (edit.kind === 'fold') return [edit.first, edit.into === null ? null : textOf(edit.into)]
      if (edit.kind === 'insert') return [`after ${edit.after}`, textOf(edit.message)]
      return [edit.message, textOfPart(edit.with)]
    }),
  )
}

/** Plans on frozen messages and compares the outcome. */
export function expectEdits(
  policy: Policy,
  messages: readonly Message[],
  facts: Facts,
  expected: Record<string, string | null>,
): void {
  expect(outcome(policy.plan(deepFreeze(messages), facts))).toEqual(expected)
}

function textOf(message: Message): string {
  return message.parts.map(textOfPart).join('\n')
}

function textOfPart(part: Message['parts'][number]): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-result') return part.content.type === 'text' ? part.content.text : JSON.stringify(part.content)
  return JSON.stringify(part)
}
