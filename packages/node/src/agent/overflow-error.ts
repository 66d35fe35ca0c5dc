import { overflowStrings } from '@plimsoll/core/text'
import type { Failure } from '@plimsoll/core/wire'
import type { AgentError } from '../shared/event.ts'
import type { AskContext } from './ask-context.ts'
import { biggestParts } from './biggest-parts.ts'
import type { BuiltRequest } from './build-request.ts'

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
