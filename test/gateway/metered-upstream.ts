import { hash } from 'node:crypto'
import type { CacheRules } from '@plimsoll/core/bill'
import { createPromptCache, type PromptCache } from '../../packages/node/src/replay/bill/prompt-cache.ts'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** A provider that counts tokens with its own tokenizer and caches prompts by its own rules. */
export interface MeteredProvider {
  readonly count: (text: string) => number
  /** Tokens that the provider adds to each prompt, to each part of it and for each image. */
  readonly hidden: number
  readonly frame: number
  readonly image: number
  readonly rules: (model: string) => CacheRules
}

/** How one credential is served. */
export interface MeteredClient {
  readonly provider: MeteredProvider
  /** Milliseconds. */
  readonly now: () => number
  /** Tokens of each answer. */
  readonly output: number
}

/** Starts an upstream that reports what each request took, in the API format it came in. */
export function startMeteredUpstream(clients: ReadonlyMap<string, MeteredClient>): Promise<FakeUpstream> {
  // Each credential and each model has its own cache.
  const caches = new Map<string, PromptCache>()
  const keys = new Map<string, number>()
  return startFakeUpstream(({ key, dialect, body, url }) => {
    const { provider, now, output } = clients.get(key) as MeteredClient
    const request = JSON.parse(body.toString()) as Fields
    const model = (request['model'] as string | undefined) ?? String(/models\/([^/:]+):/.exec(url)?.[1])
    const rules = provider.rules(model)
    let cache = caches.get(`${key} ${model}`)
    if (cache === undefined) {
      cache = createPromptCache(rules)
      caches.set(`${key} ${model}`, cache)
    }
    const pieces = piecesOf(dialect ?? 'openai-chat', request)
    const marks = pieces.flatMap(({ isMarked }, index) => (isMarked ? [index] : []))
    const { read, write, fresh } = cache.send({
      keys: pieces.map(({ value }) => numberOf(keys, hash('sha256', JSON.stringify(value)))),
      tokens: pieces.map(({ value }, index) => Math.round(tokensOf(value, provider)) + (index === 0 ? provider.hidden : 0)),
      breakpoints: rules.match === 'breakpoints' ? marks : [pieces.length - 1],
      at: now(),
    })
    // Most providers neither charge nor report what they write to the cache.
    const isCharged = rules.match === 'breakpoints' || rules.match === 'latest-breakpoints'
    const counted = { model, read, write: isCharged ? write : 0, fresh: isCharged ? fresh : fresh + write, output }
    return { status: 200, body: answers[dialect ?? 'openai-chat'](counted) }
  })
}

type Fields = Readonly<Record<string, unknown>>

interface Piece {
  readonly value: unknown
  readonly isMarked: boolean
}

/** A prompt in the pieces that a provider can cache. */
function piecesOf(dialect: WireDialect, request: Fields): readonly Piece[] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])
  const before = [request['tools'], ...list(request['system'] ?? request['systemInstruction']), ...list(request['instructions'])]
  const messages = list(request['messages'] ?? request['input'] ?? request['contents'])
  const after =
    dialect === 'anthropic'
      ? messages.flatMap((message) => {
          const { content } = message as Fields
          return list(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block))
        })
      : dialect === 'gemini'
        ? messages.flatMap((content) => list((content as Fields)['parts']))
        : messages
  return [...before, ...after]
    .filter((value) => value !== undefined)
    .map((value) => {
      if (typeof value !== 'object' || value === null) return { value, isMarked: false }
      const { cache_control: mark, ...rest } = value as Fields
      return { value: Array.isArray(value) ? value : rest, isMarked: mark !== undefined }
    })
}

/** Fields that cost no tokens. */
const silent = new Set(['id', 'type', 'role', 'tool_use_id', 'call_id', 'tool_call_id', 'status', 'media_type', 'signature'])

function tokensOf(value: unknown, provider: MeteredProvider): number {
  if (typeof value === 'string')
    return value.startsWith('data:image/') && value.length > 200_000 ? provider.image : provider.count(value)
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + tokensOf(item, provider), 0)
  const fields = value as Fields
  if (fields['type'] === 'image' || fields['type'] === 'image_url' || fields['type'] === 'input_image') return provider.image
  // Arguments are counted as the JSON text they are.
  if (fields['type'] === 'tool_use')
    return provider.frame + provider.count(String(fields['name'])) + provider.count(JSON.stringify(fields['input']))
  if ('inlineData' in fields) return provider.image
  if ('args' in fields)
    return provider.frame + provider.count(String(fields['name'])) + provider.count(JSON.stringify(fields['args']))
  let sum = provider.frame
  for (const [name, field] of Object.entries(fields)) if (!silent.has(name)) sum += tokensOf(field, provider)
  return sum
}

function numberOf(keys: Map<string, number>, key: string): number {
  const number = keys.get(key) ?? keys.size
  keys.set(key, number)
  return number
}

interface Counted {
  readonly model: string
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
}

/** Answers in each format. */
const answers: Readonly<Record<WireDialect, (counted: Counted) => unknown>> = {
  anthropic: ({ model, read, write, fresh, output }) => ({
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: 'Go on.' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: fresh,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
      output_tokens: output,
    },
  }),
  'openai-chat': ({ model, read, write, fresh, output }) => ({
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Go on.' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: read + write + fresh,
      completion_tokens: output,
      total_tokens: read + write + fresh + output,
      prompt_tokens_details: { cached_tokens: read, ...(write > 0 ? { cache_write_tokens: write } : {}) },
    },
  }),
  'openai-responses': ({ model, read, write, fresh, output }) => ({
    object: 'response',
    status: 'completed',
    model,
    output: [],
    usage: {
      input_tokens: read + write + fresh,
      input_tokens_details: { cached_tokens: read, ...(write > 0 ? { cache_write_tokens: write } : {}) },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: read + write + fresh + output,
    },
  }),
  gemini: ({ model, read, write, fresh, output }) => ({
    modelVersion: model,
    candidates: [{ content: { role: 'model', parts: [{ text: 'Go on.' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: read + write + fresh,
      // Missing if nothing was cached.
      ...(read > 0 ? { cachedContentTokenCount: read } : {}),
      candidatesTokenCount: output,
      totalTokenCount: read + write + fresh + output,
    },
  }),
}
