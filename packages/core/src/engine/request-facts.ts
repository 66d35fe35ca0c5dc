import { cacheTermsOf, usualTerms } from '../bill/cache-terms-of.ts'
import { priceOf } from '../bill/prices.ts'
import { type Config, completeConfig, type PartialConfig } from '../config.ts'
import type { CacheTerms, Facts } from '../facts.ts'
import { isRecord, type Message } from '../message.ts'
import { modelFacts, withModelWindow, withOutputLimit } from '../models/model-facts.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText } from '../text/json.ts'
import { estimator } from '../tokens/count-tokens.ts'
import type { Reading } from '../wire/dialect.ts'
import { canonicalValue } from '../wire/identity.ts'

/** Facts that cannot be read from a request. They override what is read from it. */
export interface RequestFacts
  extends Pick<
    Facts,
    | 'root'
    | 'platform'
    | 'config'
    | 'tools'
    | 'tokens'
    | 'strings'
    | 'pins'
    | 'hides'
    | 'overhead'
    | 'cache'
    | 'prefix'
    | 'firstSeen'
    | 'writePrice'
  > {
  /** The time of the request in milliseconds. */
  readonly now: number
}

interface FactsInput {
  readonly request: unknown
  readonly reading: Reading
  /** Those of the reading, named by their content. */
  readonly messages: readonly Message[]
  readonly model: string | undefined
  /** When each message was first seen, in milliseconds. */
  readonly firstSeen: Readonly<Record<string, number>>
  readonly facts: RequestFacts
}

/** Facts of a request: the model's window and cache by its name, and what precedes the messages. */
export function requestFacts({ request, reading, messages, model, firstSeen, facts }: FactsInput): Facts {
  const { pins, hides, config, ...given } = facts
  const tools = isRecord(request) ? (request['tools'] ?? request['functions']) : undefined
  const start = messages.findIndex(({ role }) => role !== 'system')
  const system = messages.slice(0, start < 0 ? messages.length : start).map(({ id }) => id)
  return {
    overhead: tools === undefined ? 0 : (given.tokens ?? estimator).count(jsonText(tools)),
    prefix: textName(`${model ?? ''} ${system.join(' ')} ${canonicalValue(tools)}`),
    firstSeen: (id) => (Object.hasOwn(firstSeen, id) ? firstSeen[id] : undefined),
    ...pricesOf(model),
    ...given,
    config: configFor(model, config),
    ...(pins === undefined ? {} : { pins: located(pins, messages, reading) }),
    ...(hides === undefined ? {} : { hides: located(hides, messages, reading) }),
  }
}

function located(ids: readonly string[], messages: readonly Message[], reading: Reading): readonly string[] {
  const wanted = new Set(ids)
  return messages
    .filter((_, index) => wanted.has(reading.locate((reading.messages[index] as Message).id, 0).message))
    .map(({ id }) => id)
}

function configFor(model: string | undefined, config: PartialConfig | undefined): Config {
  const complete = completeConfig(config)
  if (model === undefined) return complete
  return config?.context_window === undefined
    ? withModelWindow(complete, modelFacts(model))
    : withOutputLimit(complete, modelFacts(model))
}

function termsOf(model: string | undefined): CacheTerms {
  if (model === undefined) return usualTerms
  const price = priceOf(model)
  if (modelFacts(model).hasPromptCache === false) return { read: 1, write: 1, lifetimeSeconds: null }
  return price === null ? usualTerms : cacheTermsOf(price)
}

/** The terms of a model's cache, and the price of writing to it, by its name. */
export function pricesOf(model: string | undefined): Pick<Facts, 'cache' | 'writePrice'> {
  const price = model === undefined ? null : priceOf(model)
  return { cache: termsOf(model), ...(price === null ? {} : { writePrice: price.cacheWrite }) }
}

/** Two hashes: one alone has so few bits that a collision could be constructed. */
export function textName(text: string): string {
  return `${handleOf(text)}${handleOf(`${text.length}:${text}`)}`
}
