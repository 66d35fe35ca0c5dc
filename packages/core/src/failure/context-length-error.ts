import { isRecord } from '../message.ts'
import { parseJson } from '../text/json.ts'
import { classifyFailure, type FailureInput } from './classify-failure.ts'

/** A request longer than the model accepts. Sizes the provider did not report are null. */
export class ContextLengthExceededError extends Error {
  override readonly name = 'ContextLengthExceededError'
  /** Identifies the error across package copies. */
  readonly code = 'CONTEXT_LENGTH_EXCEEDED'
  readonly requestedTokens: number | null
  readonly maxTokens: number | null
  readonly provider: string

  constructor(
    requestedTokens: number | null,
    maxTokens: number | null,
    provider: string,
    options?: { readonly cause?: unknown },
  ) {
    super('上下文长度超出限制', options)
    this.requestedTokens = requestedTokens
    this.maxTokens = maxTokens
    this.provider = provider
  }
}

/** Whether an error is a `ContextLengthExceededError`, even from another copy of this package. */
export function isContextLengthExceeded(error: unknown): error is ContextLengthExceededError {
  if (error instanceof ContextLengthExceededError) return true
  return (
    error instanceof Error && error.name === 'ContextLengthExceededError' && 'requestedTokens' in error && 'maxTokens' in error
  )
}

/**
 * Converts an error of a provider call to a `ContextLengthExceededError` if the request was too long, else to the provider's
 * message in one line. Reads `response` or `statusCode`, `responseBody` and `responseHeaders`; without them returns the same
 * error.
 */
export function providerError(error: unknown, provider: string): unknown {
  const answer = answerOf(error)
  if (answer === null) return error
  const { kind, limit, requested } = classifyFailure(answer)
  if (kind === 'overflow' || kind === 'output_reservation')
    return new ContextLengthExceededError(requested, limit, provider, { cause: error })
  return new Error(`${names[provider] ?? provider} API error: ${answer.status ?? 'no status'} - ${json(answer.body)}`, {
    cause: error,
  })
}

const names: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  azure: 'Azure OpenAI',
  bedrock: 'Bedrock',
  deepseek: 'DeepSeek',
  gemini: 'Gemini',
  google: 'Google',
  ollama: 'Ollama',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
}

function answerOf(error: unknown): FailureInput | null {
  if (!isRecord(error)) return null
  const { response, statusCode, responseBody, responseHeaders } = error
  if (isRecord(response)) return { status: statusOf(response['status']), body: response['data'], headers: response['headers'] }
  const status = statusOf(statusCode)
  if (status === null) return null
  return {
    status,
    body: typeof responseBody === 'string' ? (parseJson(responseBody) ?? responseBody) : responseBody,
    headers: responseHeaders,
  }
}

function statusOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

const maxAnswerLength = 10_000

function json(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? 'null'
    return text.length > maxAnswerLength ? `${text.slice(0, maxAnswerLength)}…` : text
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}
