import {
  applyEdits,
  buildView,
  type Codec,
  checkView,
  codecs,
  createConversation,
  createTrimmer,
  type Edit,
  estimateTokens,
  type Facts,
  type Message,
  type Part,
  type PartialConfig,
  type Policy,
  type PreparedRequest,
  type Report,
  type RequestConversation,
  specPolicies,
  type Timing,
  type ToolResultPart,
  trimMessages,
} from '@plimsoll/core'
import type { Ledger, Problem } from '@plimsoll/core/policies'
import * as spec from '@plimsoll/core/spec'
import { expectTypeOf, test } from 'vitest'
import { plimsollHooks } from '../packages/node/src/cli/hook/agent-sdk.ts'

test('a view comes with its edits, its report and the ledger', () => {
  expectTypeOf(buildView).parameter(0).toHaveProperty('policies').toEqualTypeOf<readonly Policy[]>()
  expectTypeOf(buildView).returns.toMatchObjectType<{
    readonly view: readonly Message[]
    readonly edits: readonly Edit[]
    readonly decided: readonly Edit[]
    readonly report: Report
    readonly ledger: Ledger
    readonly released: () => number
  }>()
  expectTypeOf<readonly Policy[]>().toEqualTypeOf(specPolicies)
  expectTypeOf(applyEdits).toEqualTypeOf<(messages: readonly Message[], edits: readonly Edit[]) => readonly Message[]>()
  expectTypeOf(checkView).returns.toEqualTypeOf<readonly Problem[]>()
})

test('timing is a name or a custom function', () => {
  type Given = NonNullable<Parameters<typeof buildView>[0]['timing']>
  expectTypeOf<Given>().toEqualTypeOf<'immediate' | 'economic' | 'auto' | Timing>()
  expectTypeOf<'later'>().not.toExtend<Given>()
})

test('messages and parts are read-only and discriminated by type', () => {
  expectTypeOf<Part['type']>().toEqualTypeOf<'text' | 'reasoning' | 'media' | 'tool-call' | 'tool-result'>()
  expectTypeOf<Extract<Part, { type: 'tool-result' }>>().toEqualTypeOf<ToolResultPart>()
  expectTypeOf<Message['role']>().toEqualTypeOf<'system' | 'user' | 'assistant' | 'tool'>()
  expectTypeOf<Edit['kind']>().toEqualTypeOf<'replace' | 'fold' | 'insert'>()
  expectTypeOf<Message[]>().toExtend<readonly Message[]>()
  expectTypeOf<{ id: string; role: 'user'; parts: [] }>().toExtend<Message>()
  expectTypeOf<{ id: string; role: 'user'; parts: []; at: undefined }>().not.toExtend<Message>()
})

test('a trimmed request has the type of its input', () => {
  const { next } = createConversation({ codec: codecs.anthropic, policies: specPolicies })
  expectTypeOf(createTrimmer({ codec: codecs.anthropic, policies: specPolicies })).toEqualTypeOf<RequestConversation>()
  const request = { model: 'any', messages: [{ role: 'user' as const, content: 'Go.' }] }
  expectTypeOf(next(request, { now: 0 })).toEqualTypeOf<PreparedRequest<typeof request>>()
  expectTypeOf(next(request, { now: 0 }).request).toEqualTypeOf<typeof request>()
  expectTypeOf(next<string[]>)
    .parameter(1)
    .toHaveProperty('now')
    .toEqualTypeOf<number>()
})

test('a conversation has next, accepted and state', () => {
  const conversation = createConversation({ policies: specPolicies })
  expectTypeOf(conversation.next).parameters.toEqualTypeOf<[readonly Message[], Facts]>()
  expectTypeOf(conversation.next).returns.toExtend<{ readonly messages: readonly Message[]; readonly report: Report }>()
})

test('trimMessages keeps the caller’s message type and needs a clock', () => {
  interface Mine {
    readonly role: string
    readonly content: string
    readonly timestamp: number
  }
  expectTypeOf(trimMessages<Mine>).returns.toEqualTypeOf<{ readonly messages: readonly Mine[]; readonly report: Report }>()
  expectTypeOf<Parameters<typeof trimMessages>[1]>().toHaveProperty('now').toEqualTypeOf<number>()
  expectTypeOf<{ root: string }>().not.toExtend<Parameters<typeof trimMessages>[1]>()
  expectTypeOf<{ repeated_reads: { keep_latest: 3 } }>().toExtend<PartialConfig>()
  expectTypeOf<{ repeated_reads: { keep_latest: 'three' } }>().not.toExtend<PartialConfig>()
})

test('all other exports have their documented types', () => {
  expectTypeOf(estimateTokens).toBeCallableWith('text')
  expectTypeOf<keyof typeof codecs>().toEqualTypeOf<'openai-chat' | 'anthropic' | 'ai-sdk' | 'openai-responses' | 'gemini'>()
  expectTypeOf(codecs.anthropic).toEqualTypeOf<Codec>()
  expectTypeOf(spec.truncateToolResult).toEqualTypeOf<(content: string, maxChars?: number) => string>()
  expectTypeOf(spec.formatToolResultForModel).returns.toEqualTypeOf<string>()
})

test('the hooks are what the Claude Agent SDK takes', () => {
  // From its types.
  type Output =
    | { hookEventName: 'PreToolUse'; permissionDecision?: 'allow' }
    | { hookEventName: 'PostToolUse'; updatedToolOutput?: unknown }
  type Answer =
    | { async: true; asyncTimeout?: number }
    | { continue?: boolean; decision?: 'approve' | 'block'; hookSpecificOutput?: Output }
  type Hook = (input: { hook_event_name: string }, id: string | undefined, options: { signal: AbortSignal }) => Promise<Answer>
  type Matcher = { matcher?: string; hooks: Hook[]; timeout?: number }
  expectTypeOf(plimsollHooks).returns.toExtend<Partial<Record<'PreToolUse' | 'PostToolUse', Matcher[]>>>()
})
