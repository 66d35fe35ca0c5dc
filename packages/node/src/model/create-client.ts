import { withReportedLimit } from '@plimsoll/core'
import type { ModelFacts } from '@plimsoll/core/bill'
import type { Config, ReasoningLevel } from '@plimsoll/core/policies'
import { type FindWatch, recordWire, type Watch } from './bounded-fetch.ts'
import { callFailure } from './call-failure.ts'
import { type FoundModel, findModel, keysIn } from './choose-model.ts'
import { AnswerProblem, type ModelAnswer, type ModelClient, type ModelDelta, type ModelRequest } from './model-client.ts'
import { modelKnowledge, offlineProvider } from './model-knowledge.ts'
import { thinking } from './model-prompt.ts'
import { createOfflineModel, offlineModelName } from './offline/offline-model.ts'
import type { ChooseModelOptions } from './providers.ts'
import { streamAnswer } from './stream-answer.ts'
import { createStepDeltas } from './text-deltas.ts'
import { seedOf, textAnswer, textRequest, toolRequest } from './tool-request.ts'

export interface ModelClientOptions extends PatienceOptions, Pick<ChooseModelOptions, 'url' | 'environment' | 'fetch'> {
  /** `provider/model`, a model alone, or `offline`. */
  readonly name: string
  readonly config: Config
  /** Default: as configured, else the provider decides. */
  readonly reasoning?: ReasoningLevel | undefined
  /** Tokens of window that its server reports; the configuration takes precedence. */
  readonly serverWindow?: number | undefined
  readonly now?: () => number
}

/** Throws `ModelChoiceError` when something is missing to call the model. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { name, config, environment = process.env, now = Date.now } = options
  const watches = new WeakMap<AbortSignal, Watch>()
  const found = open(options, (signal) => (signal === null ? undefined : watches.get(signal)))
  const known = modelKnowledge(name, found, config, new Date(now()).toISOString().slice(0, 10))
  const reasoning = options.reasoning ?? known.reasoning
  const window = known.isWindowSet ? undefined : options.serverWindow
  // The input limit in the catalogue belongs to another window.
  let facts: ModelFacts = window === undefined ? known.facts : { ...known.facts, window, inputLimit: null, source: 'reported' }
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
      const onLiveDelta = (delta: ModelDelta) => {
        if (!signal.aborted) onDelta(delta)
      }
      let isComplete = false
      try {
        const ask = known.usesText ? askInText : askWithTools
        const answer = await Promise.race([ask({ request, found, reasoning, signal, onDelta: onLiveDelta }), aborted(signal)])
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

/** Opened once, because its library takes as long for that as for a short answer. */
function open({ name, url, environment = process.env, config, fetch }: ModelClientOptions, watch: FindWatch): FoundModel {
  if (name !== offlineModelName || url !== undefined) return findModel(name, { url, environment, fetch, watch })
  const window = config.models[offlineModelName]?.window
  const callable = createOfflineModel(window === undefined ? {} : { window })
  return { provider: offlineProvider, model: offlineModelName, callable, server: null }
}

interface Question {
  readonly request: ModelRequest
  readonly found: FoundModel
  readonly reasoning: ReasoningLevel | null
  readonly signal: AbortSignal
  readonly onDelta: (delta: ModelDelta) => void
}

async function askWithTools({ request, found, reasoning, signal, onDelta }: Question): Promise<ModelAnswer> {
  const { stream } = await found.callable.doStream({ ...toolRequest(request, found, reasoning), abortSignal: signal })
  return streamAnswer(stream, { provider: found.provider, onDelta, seed: seedOf(request.messages) })
}

async function askInText({ request, found, reasoning, signal, onDelta }: Question): Promise<ModelAnswer> {
  const thoughts = thinking(reasoning, found.callable, request.maxOutputTokens)
  const { stream } = await found.callable.doStream({ ...textRequest(request), ...thoughts, abortSignal: signal })
  const seed = seedOf(request.messages)
  const steps = createStepDeltas(onDelta)
  const tell = (delta: ModelDelta) => (delta.type === 'text' ? steps.write(delta.text) : onDelta(delta))
  const answer = await streamAnswer(stream, { provider: found.provider, onDelta: tell, seed })
  steps.end()
  return textAnswer(answer, seed)
}

/** Rejects when the signal fires, even if the library ignores it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

interface PatienceOptions {
  /** How long a stream may pause. Default: 120. */
  readonly idleSeconds?: number
  /** How long the first byte may take; a local model reads a long prompt for minutes. Default: 300. */
  readonly firstSeconds?: number
}

/** Aborts a call that sends nothing: `signal` fires with an `AnswerProblem`, and when the call has ended. */
function createPatience({ idleSeconds = 120, firstSeconds = 300 }: PatienceOptions) {
  const controller = new AbortController()
  const giveUp = (seconds: number) => () =>
    controller.abort(new AnswerProblem('stalled', `the server sent nothing for ${seconds} seconds`))
  let timer = setTimeout(giveUp(firstSeconds), firstSeconds * 1000)
  let isIdleTimer = false
  let hasEnded = false
  return {
    signal: controller.signal,
    sign: () => {
      if (hasEnded) return
      if (isIdleTimer) return void timer.refresh()
      clearTimeout(timer)
      isIdleTimer = true
      timer = setTimeout(giveUp(idleSeconds), idleSeconds * 1000)
    },
    /** After a complete answer, gives the server a moment to end the connection, so that it can be reused. */
    end: (isComplete: boolean) => {
      hasEnded = true
      clearTimeout(timer)
      if (isComplete) setTimeout(() => controller.abort(), 1000).unref()
      else controller.abort()
    },
  }
}
