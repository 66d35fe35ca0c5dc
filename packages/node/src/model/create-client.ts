import { type Config, type ModelFacts, type ReasoningLevel, withReportedLimit } from '@plimsoll/core'
import { type FindWatch, recordWire, type Watch } from './bounded-fetch.ts'
import { callFailure } from './call-failure.ts'
import { type FoundModel, findModel, keysIn } from './choose-model.ts'
import type { ModelAnswer, ModelClient, ModelDelta, ModelRequest } from './model-client.ts'
import { AnswerProblem } from './model-failure.ts'
import { modelKnowledge, offlineProvider } from './model-knowledge.ts'
import { thinking } from './model-prompt.ts'
import { createOfflineModel, offlineModelName } from './offline/offline-model.ts'
import type { Environment } from './server-access.ts'
import { streamAnswer } from './stream-answer.ts'
import { createStepDeltas } from './text-deltas.ts'
import { textAnswer, textRequest } from './text-protocol.ts'
import { seedOf, toolRequest } from './tool-request.ts'

/** Which model to talk to, and how. */
export interface ModelClientOptions extends PatienceOptions {
  /** As the user names it: `provider/model`, a model alone, or `offline`. */
  readonly name: string
  /** The address of a server that knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  readonly config: Config
  /** How much the model thinks before it answers. Default: as the configuration says, else what its provider does by itself. */
  readonly reasoning?: ReasoningLevel | undefined
  /** Tokens of window that its server tells; what the configuration says counts more. Default: nobody asked it. */
  readonly serverWindow?: number | undefined
  /** How servers are asked. Default: the built-in function. */
  readonly fetch?: typeof fetch | undefined
  /** The time in milliseconds. Default: the clock. */
  readonly now?: () => number
}

/** A client for the model of that name. Throws `ModelChoiceError` when something is missing to call it. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { name, config, environment = process.env, now = Date.now } = options
  // What is seen of one call is never another's.
  const watches = new WeakMap<AbortSignal, Watch>()
  const found = open(options, (signal) => (signal === null ? undefined : watches.get(signal)))
  const known = modelKnowledge(name, found, config, new Date(now()).toISOString().slice(0, 10))
  const reasoning = options.reasoning ?? known.reasoning
  let facts: ModelFacts = known.isWindowSet ? known.facts : withServerWindow(known.facts, options.serverWindow)
  const { provider, model } = found
  return {
    name,
    model,
    provider,
    get facts() {
      return facts
    },
    price: known.price,
    cacheTerms: known.cacheTerms,
    usesText: known.usesText,
    reasoning,
    async call(request, onDelta) {
      request.signal.throwIfAborted()
      const patience = createPatience(options)
      const wire = recordWire(patience.sign)
      const signal = AbortSignal.any([request.signal, patience.signal])
      watches.set(signal, wire.watch)
      const tell = (delta: ModelDelta) => {
        if (!signal.aborted) onDelta(delta)
      }
      let isComplete = false
      try {
        const ask = known.usesText ? askInText : askWithTools
        const answer = await Promise.race([ask(request, found, reasoning, signal, tell), brokenOff(signal)])
        isComplete = true
        return answer
      } catch (error) {
        request.signal.throwIfAborted()
        const failed = callFailure({ error, wire, secrets: keysIn(environment), now: now() })
        facts = withReportedLimit(facts, failed.failure)
        throw failed
      } finally {
        patience.end(isComplete)
      }
    },
  }
}

/** The model itself, made once: its library takes as long for that as for a short answer. */
function open({ name, url, environment = process.env, config, fetch }: ModelClientOptions, watch: FindWatch): FoundModel {
  if (name !== offlineModelName || url !== undefined) return findModel(name, { url, environment, fetch, watch })
  const window = config.models[offlineModelName]?.window
  const callable = createOfflineModel(window === undefined ? {} : { window })
  return { provider: offlineProvider, model: offlineModelName, callable, server: null }
}

/** A limit of the input belongs to the window that it was told with. */
function withServerWindow(facts: ModelFacts, window: number | undefined): ModelFacts {
  return window === undefined ? facts : { ...facts, window, inputLimit: null, source: 'reported' }
}

type Tell = (delta: ModelDelta) => void

type Put = (
  request: ModelRequest,
  found: FoundModel,
  reasoning: ReasoningLevel | null,
  signal: AbortSignal,
  onDelta: Tell,
) => Promise<ModelAnswer>

const askWithTools: Put = async (request, found, reasoning, signal, onDelta) => {
  const { stream } = await found.callable.doStream({ ...toolRequest(request, found, reasoning), abortSignal: signal })
  return streamAnswer(stream, { provider: found.provider, onDelta, seed: seedOf(request.messages) })
}

const askInText: Put = async (request, found, reasoning, signal, onDelta) => {
  const { stream } = await found.callable.doStream({
    ...textRequest(request),
    ...thinking(reasoning, found.callable, request.maxOutputTokens),
    abortSignal: signal,
  })
  const seed = seedOf(request.messages)
  const steps = createStepDeltas(onDelta)
  const tell: Tell = (delta) => (delta.type === 'text' ? steps.write(delta.text) : onDelta(delta))
  const answer = await streamAnswer(stream, { provider: found.provider, onDelta: tell, seed })
  steps.end()
  return textAnswer(answer, seed)
}

/** Rejects when the signal fires, also where whoever was given it does not listen. */
function brokenOff(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

/** How long is waited. */
interface PatienceOptions {
  /** How long a stream may stand still. Default: 120. */
  readonly idleSeconds?: number
  /** How long the first byte may take; a local model reads a long prompt for minutes. Default: 300. */
  readonly firstSeconds?: number
}

/** Watches over one call, and ends it when it stands still. */
interface Patience {
  /** Fires when patience is over, with an `AnswerProblem`, and when the call has ended. */
  readonly signal: AbortSignal
  /** Something arrived. */
  readonly sign: () => void
  /** Nobody waits any longer. An answer that is complete leaves the connection a moment to be ended by the server, and used again. */
  readonly end: (isComplete: boolean) => void
}

/** Begins to wait. */
function createPatience({ idleSeconds = 120, firstSeconds = 300 }: PatienceOptions): Patience {
  const controller = new AbortController()
  const giveUp = (seconds: number) => () =>
    controller.abort(new AnswerProblem('stalled', `the server sent nothing for ${seconds} seconds`))
  let timer = setTimeout(giveUp(firstSeconds), firstSeconds * 1000)
  let isIdleTimer = false
  let hasEnded = false
  return {
    signal: controller.signal,
    sign() {
      if (hasEnded) return
      if (isIdleTimer) {
        timer.refresh()
        return
      }
      clearTimeout(timer)
      isIdleTimer = true
      timer = setTimeout(giveUp(idleSeconds), idleSeconds * 1000)
    },
    end(isComplete) {
      hasEnded = true
      clearTimeout(timer)
      if (isComplete) setTimeout(() => controller.abort(), politeness).unref()
      else controller.abort()
    },
  }
}

/** Milliseconds between the end of an answer and the end of its connection. */
const politeness = 1000
