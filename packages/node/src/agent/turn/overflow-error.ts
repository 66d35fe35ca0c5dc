import { callInput, type Message, type Part, type ToolCallPart } from '@plimsoll/core'
import { countPart, estimator, overflowStrings } from '@plimsoll/core/text'
import type { Failure } from '@plimsoll/core/wire'
import type { AgentError } from '../../shared/event.ts'
import type { AskContext } from '../ask-context.ts'
import type { BuiltRequest } from '../request/build-request.ts'

/** What is known of a conversation that is too long. */
export interface OverflowFacts {
  /** How the provider refused it; null where it was not even sent. */
  readonly failure: Failure | null
  readonly recovering: boolean
  /** What was tried to make it shorter. */
  readonly tried: readonly string[]
  /** The server's own words, safe to be shown; null where nobody was asked. */
  readonly upstream: string | null
  /** The id of the request's entry, and the provider's own; null where it was not sent. */
  readonly request: string | null
  readonly requestId: string | null
}

/** What a person can do about a conversation that is too long. */
const overflowChoices = ['compress', 'new-session', 'other-model'] as const

/**
 * What is said of a conversation that is too long for the model, with everything a dialog needs: how much was asked for and allowed,
 * the three biggest parts, what was tried, and what can be done.
 */
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
      ...(recovering ? {} : { choices: overflowChoices }),
    },
  }
}

/** A part of a request, and how much of the window it takes. */
interface BigPart {
  /** In a few words, such as `result of Read (src/app.ts)`. */
  readonly what: string
  readonly tokens: number
  /** Null for what stands around the conversation. */
  readonly message: string | null
  readonly tool: string | null
}

/** The three parts of a request that take up most of the window, the largest first. */
export function biggestParts(messages: readonly Message[], toolTokens: number): readonly BigPart[] {
  const abouts = new Map<string, string>()
  const parts: BigPart[] = []
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call') abouts.set(part.callId, aboutOf(part))
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
    case 'tool-result':
      return `result of ${shortened(part.tool ?? 'a tool')}${inBrackets(abouts.get(part.callId ?? '') ?? '')}`
  }
}

/** What a call is about: the first of its arguments that is a short text. Whole prompts do not belong into an error. */
function aboutOf(call: ToolCallPart): string {
  const first = Object.values(callInput(call) ?? {}).find((value): value is string => typeof value === 'string' && value !== '')
  return first === undefined ? '' : shortened(first)
}

function shortened(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`
}

/** An answer with fewer tokens is hardly of use. */
const leastAnswer = 1024
/** The provider counts a little more than it says. */
const margin = 128

/**
 * Tokens left for the answer when input and answer together were too much; null where that is hardly of use and the input has to
 * give way. `asked` is what was asked for, `input` what the request was estimated at.
 */
export function shorterAnswer(failure: Failure, asked: number, input: number): number | null {
  const { limit, requested } = failure
  const counted = failure.input ?? (requested !== null && requested > asked ? requested - asked : input)
  const room = limit === null ? 0 : limit - counted - margin
  // Numbers that contradict the refusal, or none, say only that it was too much.
  const next = limit === null || room >= asked ? Math.floor(asked / 2) : room
  return next < leastAnswer ? null : next
}

/** The limit of the answer that a server names when it refuses a longer one; null where its words are about something else. */
export function answerLimitIn(words: string, asked: number): number | null {
  const text = words.slice(0, 2000)
  if (!/max_(?:completion_|output_)?tokens|maxOutputTokens|maximum tokens|(?:completion|output) tokens/i.test(text)) return null
  // Neither the status before the words nor what belongs to a name is a size.
  const numbers = [...text.replace(/^HTTP \d{3}: /, '').matchAll(/(?<![\w.-])\d{1,9}(?:,\d{3}){0,3}(?![\w-])/g)].map(([number]) =>
    Number(number.replaceAll(',', '')),
  )
  const below = numbers.filter((number) => number >= 256 && number < asked)
  return below.length === 0 ? null : Math.max(...below)
}
