import { codecs, estimateTokens, type Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import type { TrimMode } from '@plimsoll/core/policies'
import { patchText, writeRequest } from '@plimsoll/core/wire'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import type { VariedConversation } from '../laws/variants.ts'
import { openGatewayDoor } from './gateway-door.ts'
import { createLibraryHost, type Keeping } from './library-host.ts'
import { noteReached, type Reached } from './reached.ts'

/** A request that two entry points sent differently. */
export interface Difference {
  readonly conversation: string
  /** The number of the request, from 0. */
  readonly request: number
  readonly between: string
  readonly was: string
  readonly is: string
}

/** How a conversation is sent. */
export interface GatewayRun {
  readonly dialect: WireDialect
  readonly mode: TrimMode
  /** How many gateways take turns. */
  readonly gateways: number
  /** Unless this is `in memory`, gateways are restarted before each request too. */
  readonly keeping: Keeping
  /** Whether the model thinks aloud before each answer. Default: no. */
  readonly hasThoughts?: boolean
  readonly reached: Reached
}

/** Sends a conversation through the library and through gateways, and compares the bytes that the provider gets. */
export async function compareWithGateway(
  { name, requests }: VariedConversation,
  { dialect, mode, gateways, keeping, hasThoughts = false, reached }: GatewayRun,
): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  const door = await openGatewayDoor({ dialect, mode, gateways })
  const library = createLibraryHost(codecs[dialect], mode, keeping)
  const usageOf = createUsage()
  let at = 0
  let last: SentLists | null = null
  try {
    for (const [number, request] of requests.entries()) {
      at = request.at > at ? request.at : at + 20_000
      const model = request.model ?? defaultModels[dialect]
      const body = bodyOf(dialect, request.messages, { model, hasThoughts })
      const text = JSON.stringify(body)
      if (keeping !== 'in memory') await door.restart()
      const prepared = library.next(body, at, model)
      const usage = request.isAccepted === false ? null : usageOf(text, model, at)
      const { arrived, answer, measured } = await door.send({ text, model, at, usage })

      const expected = mode === 'observe' ? text : patchText(text, prepared.patches)
      const found = (between: string, was: string, is: string) => {
        if (was !== is) differences.push({ conversation: name, request: number, between, ...around(was, is) })
      }
      found('library and gateway', expected, arrived)
      const sent = { given: listOf(dialect, body), arrived: listOf(dialect, JSON.parse(arrived)) }
      const isChanged = last === null ? null : changesSent(last, sent)
      if (isChanged !== null) found('changed and announced by the gateway', String(isChanged), String(measured.breaks.length > 0))
      found('patches and request', patchText(text, prepared.patches), JSON.stringify(prepared.request))
      noteReached(reached, prepared.report, text, arrived)
      if (usage === null) continue
      library.accepted(answer)
      last = sent
    }
    return differences
  } finally {
    await door.close()
  }
}

/** The messages of a request as text, as sent by the client and as received. */
interface SentLists {
  readonly given: readonly string[]
  readonly arrived: readonly string[]
}

function listOf(dialect: WireDialect, body: unknown): readonly string[] {
  const list = (body as Readonly<Record<string, readonly unknown[]>>)[listNames[dialect]] ?? []
  return list.map((message) => JSON.stringify(message))
}

const listNames = { anthropic: 'messages', 'openai-chat': 'messages', 'openai-responses': 'input', gemini: 'contents' } as const

/** Whether a request changes sent content; null if the client itself changed it. */
function changesSent(before: SentLists, now: SentLists): boolean | null {
  if (!before.given.every((message, index) => message === now.given[index])) return null
  return !before.arrived.every((message, index) => message === now.arrived[index])
}

/** The model of requests that name none. */
const defaultModels: Readonly<Record<WireDialect, string>> = {
  anthropic: 'claude-opus-4-5',
  'openai-chat': 'gpt-5.4',
  'openai-responses': 'gpt-5.4',
  gemini: 'gemini-3-pro-preview',
}

/** A request as a client writes it. */
export function bodyOf(
  dialect: WireDialect,
  messages: readonly Message[],
  { model, hasThoughts }: { readonly model: string; readonly hasThoughts: boolean },
): Readonly<Record<string, unknown>> {
  const body = { ...writeRequest(dialect, messages, { model, system: 'Work on it.', isShared: true }), tools: tools[dialect] }
  return hasThoughts ? withThoughts(body) : body
}

/** Signatures of reasoning are only valid for their provider, so logs do not contain them. */
function withThoughts(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]
  return {
    ...body,
    messages: messages.map((message, index) =>
      message.role !== 'assistant' || !Array.isArray(message.content)
        ? message
        : {
            ...message,
            content: [
              {
                type: 'thinking',
                thinking: `${index}: ${'Look at the settings first. '.repeat(20)}`,
                signature: `signed-${index}`,
              },
              ...(message.content as readonly unknown[]),
            ],
          },
    ),
  }
}

const tools = {
  anthropic: [{ name: 'Read', input_schema: { type: 'object' } }],
  'openai-chat': [{ type: 'function', function: { name: 'Read', parameters: { type: 'object' } } }],
  'openai-responses': [{ type: 'function', name: 'Read', parameters: { type: 'object' } }],
  gemini: [{ functionDeclarations: [{ name: 'Read' }] }],
}

/** The usage of a provider that caches nearly everything for five minutes, per model. */
export function createUsage(): (text: string, model: string, at: number) => Usage {
  const last = new Map<string, number>()
  return (text, model, at) => {
    const tokens = estimateTokens(text)
    const read = at - (last.get(model) ?? Number.NEGATIVE_INFINITY) > 300_000 ? 0 : Math.floor(tokens * 0.9)
    last.set(model, at)
    return { input: tokens - read, cacheRead: read, cacheWrite: 0, output: 40 }
  }
}

/** Two texts where they start to differ. */
export function around(was: string, is: string): { readonly was: string; readonly is: string } {
  let at = 0
  while (at < was.length && was[at] === is[at]) at += 1
  const from = Math.max(0, at - 100)
  return { was: was.slice(from, at + 160), is: is.slice(from, at + 160) }
}
