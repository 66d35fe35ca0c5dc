import { callInput, type Message, type Part } from '@plimsoll/core'
import { countPart, estimator, overflowStrings } from '@plimsoll/core/text'
import type { Failure, FailureKind } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import type { Environment } from '../../model/server-access.ts'
import type { AgentError } from '../../shared/event.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { AgentErrorCode } from '../../shared/strings/english.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { AskContext } from '../agent.ts'
import type { BuiltRequest } from '../request/build-request.ts'

export interface ModelErrorDetails {
  readonly request: string
  readonly tried: readonly string[]
  readonly tries: number
  /** Milliseconds that the provider asks to wait, if it does. */
  readonly retryAfter: number | null
}

/** Describes an error that is not about the length of the conversation and cannot be recovered from. */
export async function modelError(
  { model, environment }: AskContext,
  error: ModelCallError,
  { request, tried, tries, retryAfter }: ModelErrorDetails,
): Promise<AgentError> {
  const { failure, status, isTransient } = error
  const other = isTransient ? 'MODEL_NOT_REACHED' : 'MODEL_REFUSED'
  const code = failure.kind === 'other' ? other : codes[failure.kind]
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

const codes: Readonly<Record<Exclude<FailureKind, 'other'>, AgentErrorCode>> = {
  overflow: 'CONTEXT_LENGTH_EXCEEDED',
  output_reservation: 'CONTEXT_LENGTH_EXCEEDED',
  tpm_single_request: 'CONTEXT_LENGTH_EXCEEDED',
  payload_bytes: 'REQUEST_TOO_LARGE',
  image_limit: 'IMAGES_REFUSED',
  orphan_tool: 'TOOL_PAIRS_REFUSED',
  rate_limit: 'RATE_LIMITED',
  auth: 'KEY_REFUSED',
}

/** Shown with the provider’s own message. */
const hasWords: ReadonlySet<AgentErrorCode> = new Set(['RATE_LIMITED', 'MODEL_NOT_REACHED', 'MODEL_REFUSED'])

/** Whether the address is not that of a model: a page, a redirection, or nothing there. */
function isElsewhere({ failure, status, message }: ModelCallError): boolean {
  if (failure.kind !== 'other') return false
  if (/ instead of an answer: |, which is not followed|<!doctype|<html/i.test(message)) return true
  return (status === 404 || status === 405) && !/model/i.test(message)
}

async function keyVariables(provider: string): Promise<string> {
  // Loads the libraries of all providers, which takes a while.
  const { providers } = await import('../../model/providers.ts')
  const row = providers.find(({ name }) => name === provider) ?? providers.find(({ name }) => name === 'openai')
  return row?.keys.join(' / ') ?? ''
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  const pieces = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', rest > 0 && hours === 0 ? `${rest} s` : '']
  return pieces.filter((piece) => piece !== '').join(' ') || '0 s'
}

/** Whether the conversation is too long and could not be made to fit. */
export function isOverflow({ code, details }: AgentError): boolean {
  return code === 'CONTEXT_LENGTH_EXCEEDED' && details['recovering'] !== true
}

/** A turn cannot continue, for the reason in `error`. */
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

/** A server’s message on one line of at most 300 characters, without any key that it repeats. */
export function safeWords(text: string, environment: Environment): string {
  let words = text.slice(0, 8000)
  for (const key of secretsIn(environment)) words = words.replaceAll(key, '***')
  // Half of the text read is more than is shown: a key that the first cut went through is in the other half.
  const line = redactSecrets(words).slice(0, 4000).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Values of variables that are named like a key. A short one may be an ordinary word. */
function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const secret = value?.trim() ?? ''
    return secret.length >= 6 && /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [secret] : []
  })
}

interface OverflowFacts {
  /** Null if the request was not sent, as are the fields below. */
  readonly failure: Failure | null
  readonly recovering: boolean
  readonly tried: readonly string[]
  readonly upstream: string | null
  readonly request: string | null
  readonly requestId: string | null
}

/** The error for a conversation that is too long, with everything a dialog needs. */
export function overflowError(context: AskContext, built: BuiltRequest, facts: OverflowFacts): AgentError {
  const { failure, recovering, tried, upstream, request, requestId } = facts
  const { load } = built.request.report
  const { requested, limit } = failure ?? { requested: load.tokens + built.maxOutputTokens, limit: built.window }
  return {
    code: 'CONTEXT_LENGTH_EXCEEDED',
    message: overflowStrings.message,
    suggestion: overflowStrings.suggestion,
    details: {
      requested,
      max: limit,
      recovering,
      kind: failure?.kind ?? 'overflow',
      provider: failure?.provider ?? context.model.provider,
      model: context.model.name,
      limit,
      actual: failure?.input ?? load.tokens,
      output: failure?.output ?? built.maxOutputTokens,
      overBy: requested === null || limit === null ? null : Math.max(0, requested - limit),
      biggest: biggestParts(built.request.messages, built.toolTokens),
      tried,
      retryUseful: recovering,
      upstream,
      request,
      requestId,
      ...(recovering ? {} : { choices: ['compress', 'new-session', 'other-model'] }),
    },
  }
}

interface BigPart {
  /** Such as `result of Read (src/app.ts)`. */
  readonly what: string
  readonly tokens: number
  /** Null for layers and tools. */
  readonly message: string | null
  readonly tool: string | null
}

export function biggestParts(messages: readonly Message[], toolTokens: number): readonly BigPart[] {
  const abouts = new Map<string, string>()
  const parts: BigPart[] = []
  for (const message of messages) {
    for (const part of message.parts) {
      // Complete prompts do not belong into an error: the first argument that is a text, shortened.
      const args: readonly unknown[] = part.type === 'tool-call' ? Object.values(callInput(part) ?? {}) : []
      const first = args.find((value): value is string => typeof value === 'string' && value !== '')
      if (part.type === 'tool-call') abouts.set(part.callId, shortened(first ?? ''))
      const isLayer = message.id.startsWith('layer:')
      parts.push({
        what: whatIs(message, part, abouts),
        tokens: countPart(part, estimator),
        message: isLayer ? null : message.id,
        tool: part.type === 'tool-call' || part.type === 'tool-result' ? part.tool : null,
      })
    }
  }
  if (toolTokens > 0) parts.push({ what: 'tool definitions', tokens: toolTokens, message: null, tool: null })
  return parts.sort((one, other) => other.tokens - one.tokens).slice(0, 3)
}

function whatIs({ role, summary }: Message, part: Part, abouts: ReadonlyMap<string, string>): string {
  switch (part.type) {
    case 'text':
      if (summary === true) return 'summary'
      return role === 'system' ? 'system prompt' : `${role} message`
    case 'reasoning':
      return 'reasoning'
    case 'media':
      return part.mediaType.slice(0, 60)
    case 'tool-call':
      return `call of ${shortened(part.tool)}`
    case 'tool-result': {
      const about = abouts.get(part.callId ?? '') ?? ''
      return `result of ${shortened(part.tool ?? 'a tool')}${about === '' ? '' : ` (${about})`}`
    }
  }
}

function shortened(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** A shorter answer is hardly useful. */
const minAnswer = 1024
/** The provider counts a little more than it says. */
const margin = 128

/** Tokens left for the answer; null if too few. `asked` is what was requested, `input` the estimate of the request. */
export function shorterAnswer(failure: Failure, asked: number, input: number): number | null {
  const { limit, requested } = failure
  const counted = failure.input ?? (requested !== null && requested > asked ? requested - asked : input)
  const room = limit === null ? 0 : limit - counted - margin
  // Missing or contradictory numbers only mean that it was too much.
  const next = limit === null || room >= asked ? Math.floor(asked / 2) : room
  return next < minAnswer ? null : next
}

/** The limit of the answer that a server names; null if its message is about something else. */
export function answerLimitIn(words: string, asked: number): number | null {
  const text = words.slice(0, 2000)
  if (!/max_(?:completion_|output_)?tokens|maxOutputTokens|maximum tokens|(?:completion|output) tokens/i.test(text)) return null
  // Skips the status, and numbers in names.
  const found = text.replace(/^HTTP \d{3}: /, '').match(/(?<![\w.-])\d{1,9}(?:,\d{3}){0,3}(?![\w-])/g) ?? []
  const numbers = found.map((number) => Number(number.replaceAll(',', '')))
  const below = numbers.filter((number) => number >= 256 && number < asked)
  return below.length === 0 ? null : Math.max(...below)
}
