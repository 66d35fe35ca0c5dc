import { codecs, estimateTokens } from '@plimsoll/core'
import { summaryPrompt } from '@plimsoll/core/compaction'
import { countMessages, estimator } from '@plimsoll/core/text'
import { stringsFor } from '../../strings/strings-for.ts'
import type { CallOptions } from '../model-prompt.ts'
import type { CallableModel } from '../providers.ts'
import type { StreamPart } from '../stream-answer.ts'
import { type OfflineAnswer, offlineTurn } from './offline-turn.ts'

export const offlineModelName = 'offline'
export const offlineWindow = 200_000

/**
 * The built-in model: deterministic, without a network, and not a language model. It follows plain commands in the user's latest
 * message with the tools it is offered, reports their outcome, and explains itself otherwise. `window` is the number of tokens of
 * prompt and answer above which it rejects a request, as a provider would. Default: never.
 */
export function createOfflineModel({ window }: { readonly window?: number } = {}): CallableModel {
  const answer = async (options: CallOptions): Promise<Answered> => {
    options.abortSignal?.throwIfAborted()
    const { messages } = codecs['ai-sdk'].read({ messages: options.prompt })
    const input = countMessages(messages, estimator) + estimateTokens(JSON.stringify(options.tools ?? []))
    if (window !== undefined) await refuseOver(window, input, options)
    // The request for a summary follows the complete conversation, whose commands do not apply then.
    const asked = messages.filter(({ role }) => role === 'system' || role === 'user').flatMap(({ parts }) => parts)
    const isSummary = asked.some((part) => part.type === 'text' && part.text.startsWith(summaryPrompt))
    const offered = options.toolChoice?.type === 'none' ? [] : (options.tools ?? []).map(({ name }) => name)
    const said: OfflineAnswer = isSummary
      ? { reasoning: '', text: stringsFor(null).offlineModel.noSummaries, calls: [] }
      : offlineTurn(messages, new Set(offered))
    const finishReason: Generated['finishReason'] =
      said.calls.length > 0 ? { unified: 'tool-calls', raw: 'tool_calls' } : { unified: 'stop', raw: 'stop' }
    return { said, usage: usageOf(input, said), finishReason }
  }
  return {
    specificationVersion: 'v4',
    provider: 'plimsoll',
    modelId: offlineModelName,
    supportedUrls: {},
    async doGenerate(options) {
      const { said, usage, finishReason } = await answer(options)
      return { content: contentOf(said), usage, finishReason, warnings: [] }
    },
    async doStream(options) {
      const answered = await answer(options)
      return { stream: ReadableStream.from(streamed(answered, options.abortSignal)) }
    },
  }
}

type Generated = Awaited<ReturnType<CallableModel['doGenerate']>>
type Answered = Pick<Generated, 'usage' | 'finishReason'> & { readonly said: OfflineAnswer }

/** Fails like a provider, so that everything that handles such an error can be tested without one. */
async function refuseOver(window: number, input: number, { maxOutputTokens = 0 }: CallOptions): Promise<void> {
  const requested = input + maxOutputTokens
  if (requested <= window) return
  const message = `This model's maximum context length is ${window} tokens. However, you requested ${requested} tokens (${input} in the messages, ${maxOutputTokens} in the completion). Please reduce the length of the messages or completion.`
  const error = { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' }
  const { APICallError } = await import('ai')
  throw new APICallError({
    message,
    url: 'offline:',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify({ error }),
    isRetryable: false,
  })
}

function usageOf(input: number, { reasoning, text, calls }: OfflineAnswer): Generated['usage'] {
  const thought = estimateTokens(reasoning)
  const spoken = calls.reduce(
    (sum, { tool, input: given }) => sum + estimateTokens(tool) + estimateTokens(JSON.stringify(given)),
    estimateTokens(text),
  )
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: thought + spoken, text: spoken, reasoning: thought },
  }
}

function contentOf({ reasoning, text, calls }: OfflineAnswer): Generated['content'] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, tool, input }) => {
      return { type: 'tool-call' as const, toolCallId: id, toolName: tool, input: JSON.stringify(input) }
    }),
  ]
}

function* streamed({ said, usage, finishReason }: Answered, signal: AbortSignal | undefined): Generator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', modelId: offlineModelName }
  for (const kind of ['reasoning', 'text'] as const) {
    const text = kind === 'reasoning' ? said.reasoning : said.text
    if (text === '') continue
    yield { type: `${kind}-start`, id: kind }
    for (const delta of piecesOf(text)) {
      signal?.throwIfAborted()
      yield { type: `${kind}-delta`, id: kind, delta }
    }
    yield { type: `${kind}-end`, id: kind }
  }
  for (const { id, tool, input } of said.calls) {
    signal?.throwIfAborted()
    const written = JSON.stringify(input)
    yield { type: 'tool-input-start', id, toolName: tool }
    for (const delta of piecesOf(written)) yield { type: 'tool-input-delta', id, delta }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: tool, input: written }
  }
  yield { type: 'finish', usage, finishReason }
}

/** A few pieces, none of which ends inside a character. */
function piecesOf(text: string): readonly string[] {
  const max = Math.max(24, Math.ceil(text.length / 40))
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + max)
    if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? '') && to < text.length) to += 1
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}
