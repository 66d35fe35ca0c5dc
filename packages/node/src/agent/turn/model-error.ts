import type { FailureKind } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import type { Environment } from '../../model/server-access.ts'
import type { AgentError } from '../../shared/event.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { AgentErrorCode } from '../../shared/strings/english.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { AskContext } from '../ask-context.ts'

/** What is known besides the error itself. */
export interface ModelErrorDetails {
  /** The id of the request's entry. */
  readonly request: string
  /** What was tried to save it. */
  readonly tried: readonly string[]
  /** How often the same request was sent. */
  readonly tries: number
  /** Milliseconds after which the provider may be asked again, where it says so. */
  readonly retryAfter: number | null
}

/** What a person is told of a refusal that is not about the length of the conversation, and cannot be mended here. */
export async function modelError(
  { model, environment }: AskContext,
  error: ModelCallError,
  { request, tried, tries, retryAfter }: ModelErrorDetails,
): Promise<AgentError> {
  const { failure, status, isTransient } = error
  const code = codeOf(failure.kind, isTransient)
  const upstream = safeWords(error.message, environment)
  const about = code === 'KEY_REFUSED' ? await keyVariables(model.provider) : hasWords.has(code) ? upstream : ''
  const facts = { tries, wait: retryAfter === null ? '' : duration(retryAfter), isElsewhere: isElsewhere(error) }
  const strings = stringsFor('en').agentErrors[code]
  return {
    code,
    message: strings.message(about, facts),
    suggestion: strings.suggestion(about, facts),
    details: {
      about,
      ...facts,
      kind: failure.kind,
      provider: failure.provider ?? model.provider,
      model: model.name,
      status,
      limit: failure.limit,
      actual: failure.requested,
      tried,
      retryUseful: isTransient,
      retryAfter,
      upstream,
      request,
      requestId: error.requestId,
    },
  }
}

function codeOf(kind: FailureKind, isTransient: boolean): AgentErrorCode {
  switch (kind) {
    case 'overflow':
    case 'output_reservation':
    case 'tpm_single_request':
      return 'CONTEXT_LENGTH_EXCEEDED'
    case 'payload_bytes':
      return 'REQUEST_TOO_LARGE'
    case 'image_limit':
      return 'IMAGES_REFUSED'
    case 'orphan_tool':
      return 'TOOL_PAIRS_REFUSED'
    case 'rate_limit':
      return 'RATE_LIMITED'
    case 'auth':
      return 'KEY_REFUSED'
    case 'other':
      return isTransient ? 'MODEL_NOT_REACHED' : 'MODEL_REFUSED'
  }
}

/** What is told in the provider's own words too. */
const hasWords: ReadonlySet<AgentErrorCode> = new Set(['RATE_LIMITED', 'MODEL_NOT_REACHED', 'MODEL_REFUSED'])

/** Whether what answered is no model's server, or not at this address: a page, a redirection, or nothing there. */
function isElsewhere({ failure, status, message }: ModelCallError): boolean {
  if (failure.kind !== 'other') return false
  if (/ in place of an answer: |, which is not followed|<!doctype|<html/i.test(message)) return true
  return (status === 404 || status === 405) && !/model/i.test(message)
}

/** The variables that a provider's key may be in. */
async function keyVariables(provider: string): Promise<string> {
  // The libraries of all providers come with it, which takes a while.
  const { providers } = await import('../../model/providers.ts')
  const row = providers.find(({ name }) => name === provider) ?? providers.find(({ name }) => name === 'openai')
  return row?.keys.join(' / ') ?? ''
}

/** Such as `3 min 20 s`. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  const pieces = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', rest > 0 && hours === 0 ? `${rest} s` : '']
  return pieces.filter((piece) => piece !== '').join(' ') || '0 s'
}

/** Whether an error means that the conversation is too long and could not be made to fit. */
export function isOverflow({ code, details }: AgentError): boolean {
  return code === 'CONTEXT_LENGTH_EXCEEDED' && details['recovering'] !== true
}

/** A turn cannot go on. What happened, and what can be done about it, is in `error`. */
export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly error: AgentError
  /** Whether the `error` event was emitted already. */
  readonly isTold: boolean

  constructor(error: AgentError, { isTold, cause }: { readonly isTold: boolean; readonly cause?: unknown }) {
    super(error.message, { cause })
    this.error = error
    this.isTold = isTold
  }
}

/** What a server said, as one line of at most 300 characters, without any key that it repeats. */
export function safeWords(text: string, environment: Environment): string {
  let words = text.slice(0, 8000)
  for (const key of secretsIn(environment)) words = words.replaceAll(key, '***')
  // Half of what was read is more than is shown: a key that the first cut went through is in the other half.
  const line = redactSecrets(words).slice(0, 4000).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Whatever a variable calls a key. A short one is a word that may stand anywhere. */
function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const secret = value?.trim() ?? ''
    return secret.length >= 6 && /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [secret] : []
  })
}
