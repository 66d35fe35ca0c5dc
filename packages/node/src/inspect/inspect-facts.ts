import { type Price, type WindowFill, withModelWindow, withOutputLimit } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Trouble } from '../files/trouble.ts'
import { type ModelKnowledge, modelKnowledge, offlineProvider } from '../model/model-knowledge.ts'
import { offlineModelName } from '../model/offline/offline-model.ts'

/** What sessions are inspected with. Plain data, so that it can be handed to another thread. */
export interface InspectSettings {
  readonly config: Config
  /** Whether the user set `context_window`; else it is the model's, where that is known. */
  readonly isWindowSet: boolean
  /** The day whose prices hold, such as 2026-01-05. */
  readonly day: string
}

/** What is known of models by nothing but their names. */
export interface InspectFacts {
  readonly limitsOf: (model: string | null, config?: Config) => Pick<WindowFill, 'window' | 'reserve'>
  readonly priceOf: (model: string) => Price | null
}

/** Windows and prices by the names of models; each is looked up once. */
export function createInspectFacts({ config, isWindowSet, day }: InspectSettings): InspectFacts {
  const known = new Map<string, ModelKnowledge>()
  const knowledgeOf = (name: string): ModelKnowledge => {
    let found = known.get(name)
    if (found === undefined) {
      const slash = name.indexOf('/')
      const provider = name === offlineModelName ? offlineProvider : name.slice(0, Math.max(0, slash))
      found = modelKnowledge(name, { provider, model: name.slice(slash + 1), server: null }, config, day)
      // A log may name as many models as it likes.
      if (known.size < mostModels) known.set(name, found)
    }
    return found
  }
  return {
    limitsOf(model, given = config) {
      const { facts, isWindowSet: isModelSet } = knowledgeOf(model ?? '')
      const fitted = isWindowSet && !isModelSet ? withOutputLimit(given, facts) : withModelWindow(given, facts)
      return { window: fitted.context_window, reserve: outputReserve(fitted) }
    },
    priceOf: (model) => knowledgeOf(model).price,
  }
}

const mostModels = 1000

/** Why something about a session cannot be shown. */
export type InspectTrouble =
  | 'no-such-request'
  | 'no-such-edit'
  | 'no-such-session'
  | 'no-such-blob'
  | 'cannot-read'
  | 'cannot-replay'

/** Trouble with a session that somebody looks at; the message is its code. */
export class InspectError extends Error {
  override readonly name = 'InspectError'
  readonly code: InspectTrouble
  /** What was wrong with the file, where it was the file. */
  readonly trouble: Trouble | null

  constructor(code: InspectTrouble, trouble: Trouble | null = null, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.trouble = trouble
  }
}

/** Sentences for people, at most so many that somebody would read them; the last one says that there are more. */
export function troubleSentences(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= mostShown) return sentences
  return [...sentences.slice(0, mostShown), `… +${sentences.length - mostShown}`]
}

const mostShown = 100
