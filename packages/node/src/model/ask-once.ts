import { estimateTokens, normaliseUsage } from '@plimsoll/core'
import { chooseModel, keysIn } from './choose-model.ts'
import type { Environment } from './key.ts'
import type { CallableModel } from './local-model.ts'
import { describeFailure } from './model-failure.ts'
import type { Payment } from './used-tokens.ts'
import { withoutThoughts } from './without-thoughts.ts'

/** Puts one question to a model and gives its answer. Rejects with what went wrong in words, or with the signal's reason. */
export type Ask = (prompt: string, signal: AbortSignal) => Promise<string>

/** Which model is asked. */
export interface AskOptions extends Payment {
  /** Such as `deepseek/deepseek-chat`, or a model that is there already. */
  readonly model: string | CallableModel
  /** The address of a server that knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** Default: 4,096. */
  readonly maxOutputTokens?: number
}

/** A way to ask a model short questions, each apart from any conversation. Nothing is looked up before the first one. */
export function createAsk(options: AskOptions): Ask {
  const { model, url, environment = process.env, maxOutputTokens = 4096, onUsage, mayAsk } = options
  return async (prompt, signal) => {
    signal.throwIfAborted()
    const { APICallError, generateText } = await import('ai')
    const callable = typeof model === 'string' ? chooseModel(model, { url, environment, mostBytes }) : model
    const input = estimateTokens(prompt)
    if (mayAsk?.({ input, output: maxOutputTokens }) === false)
      throw new Error('asking the model could cost more than the session may')
    const estimated = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
    const start = performance.now()
    const tell = (reported: unknown) => {
      const usage = normaliseUsage(reported)
      const durationMs = Math.round(performance.now() - start)
      return onUsage?.({ usage: usage ?? estimated, isEstimated: usage === null, durationMs })
    }
    try {
      const { text, usage } = await generateText({
        model: callable,
        prompt,
        maxOutputTokens,
        maxRetries: 1,
        abortSignal: signal,
      })
      await tell(usage)
      return withoutThoughts(text)
    } catch (error) {
      // Whoever hangs up on a model pays for what it has read; whoever is refused, or reaches nobody, does not.
      if (signal.aborted || (APICallError.isInstance(error) && error.statusCode === 200)) await tell(null)
      signal.throwIfAborted()
      throw new Error(describeFailure(error, keysIn(environment)), { cause: error })
    }
  }
}

/** An answer to a short question is never longer, whatever a server sends. */
const mostBytes = 4 * 2 ** 20
