import { chooseModel, keysIn } from './choose-model.ts'
import type { Environment } from './key.ts'
import type { CallableModel } from './local-model.ts'
import { describeFailure } from './model-failure.ts'
import { withoutThoughts } from './without-thoughts.ts'

/** Puts one question to a model and gives its answer. Rejects with what went wrong in words, or with the signal's reason. */
export type Ask = (prompt: string, signal: AbortSignal) => Promise<string>

/** Which model is asked. */
export interface AskOptions {
  /** Such as `deepseek/deepseek-chat`, or a model that is there already. */
  readonly model: string | CallableModel
  /** The address of a server that knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** Default: 4,096. */
  readonly maxOutputTokens?: number
  /** Told what an answer took, as the model's library reports it, so that it can be charged. */
  readonly onUsage?: (usage: unknown) => void
}

/** A way to ask a model short questions, each apart from any conversation. Nothing is looked up before the first one. */
export function createAsk(options: AskOptions): Ask {
  const { model, url, environment = process.env, maxOutputTokens = 4096, onUsage } = options
  return async (prompt, signal) => {
    signal.throwIfAborted()
    const { generateText } = await import('ai')
    const callable = typeof model === 'string' ? chooseModel(model, { url, environment, mostBytes }) : model
    try {
      const { text, usage } = await generateText({
        model: callable,
        prompt,
        maxOutputTokens,
        maxRetries: 1,
        abortSignal: signal,
      })
      onUsage?.(usage)
      return withoutThoughts(text)
    } catch (error) {
      signal.throwIfAborted()
      throw new Error(describeFailure(error, keysIn(environment)), { cause: error })
    }
  }
}

/** An answer to a short question is never longer, whatever a server sends. */
const mostBytes = 4 * 2 ** 20
