import { applyEdits } from '@plimsoll/core'
import { patchText, patchValue } from '@plimsoll/core/wire'
import { anthropic } from '../../../../core/src/wire/dialects/anthropic.ts'
import { type ContextManagementInput, type ManagedContext, manageContext } from '../planner/context-management.ts'

/** A request in Anthropic's dialect, as far as these tests look at it. */
export interface ManagedRequest {
  readonly model: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[]
  readonly [field: string]: unknown
}

/** A step of a conversation: a tool use with its result, or a user message. Reasoning comes first. */
export interface Step {
  readonly tool?: string
  readonly text: string
  readonly reasoning?: string
}

/** A conversation out of steps; calls are numbered `c0`, `c1`, …. */
export function requestOf(
  steps: readonly Step[],
  management: unknown,
  rest: Readonly<Record<string, unknown>> = {},
): ManagedRequest {
  const messages = steps.flatMap(({ tool, text, reasoning }, index): ManagedRequest['messages'] => {
    const blocks = reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: `s${index}` }]
    if (tool === undefined) {
      const answer = { role: 'assistant' as const, content: [...blocks, { type: 'text', text: `answer ${index}` }] }
      return [{ role: 'user', content: text }, answer]
    }
    const call = { type: 'tool_use', id: `c${index}`, name: tool, input: { path: `${index}.txt` } }
    return [
      { role: 'assistant', content: [...blocks, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${index}`, content: text }] },
    ]
  })
  return {
    model: 'claude-sonnet-4-5',
    messages: [{ role: 'user', content: 'go on' }, ...messages],
    context_management: management,
    ...rest,
  }
}

/** The result of managing a request, with the request that then goes out, patched as a value and as a text. */
export function manage(
  request: ManagedRequest,
  options: Partial<ContextManagementInput> = {},
): { readonly managed: ManagedContext | null; readonly sent: ManagedRequest; readonly sentText: string } {
  const reading = anthropic.read(request)
  const managed = manageContext({ request, messages: reading.messages, inputTokens: 200_000, ...options })
  const patches = managed === null ? [] : [...reading.patches(applyEdits(reading.messages, managed.edits)), ...managed.patches]
  return {
    managed,
    sent: patchValue(request, patches) as ManagedRequest,
    sentText: patchText(JSON.stringify(request), patches),
  }
}

/** The content of each result of a request, and each call's arguments, by call id. */
export function usesOf({
  messages,
}: ManagedRequest): Readonly<Record<string, { readonly result?: unknown; readonly input?: unknown }>> {
  const uses: Record<string, { result?: unknown; input?: unknown }> = {}
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue
    for (const block of content as readonly Record<string, unknown>[]) {
      if (block['type'] === 'tool_use') uses[String(block['id'])] = { input: block['input'] }
      if (block['type'] === 'tool_result') {
        const use = uses[String(block['tool_use_id'])] ?? {}
        uses[String(block['tool_use_id'])] = { ...use, result: block['content'] }
      }
    }
  }
  return uses
}
