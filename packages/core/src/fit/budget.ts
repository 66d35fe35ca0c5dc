import { outputReserve } from '../config.ts'
import { configOf, type Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'
import { countImages, messageBytes, mostBytes } from './request-size.ts'

/** What a request may have at most. What sets no limit is infinite. */
export interface Budget {
  readonly tokens: number
  readonly bytes: number
  readonly images: number
}

/** What a request has. Bytes are counted only where they could matter, and are 0 elsewhere. */
export type RequestSize = Budget

/** Which of the three is exceeded. */
export type Excess = keyof Budget

/** The most a request may have: the window without what is kept free for the answer, and the provider's other limits. */
export function budgetOf(facts: Facts): Budget {
  const config = configOf(facts)
  const reserve = outputReserve(config)
  return {
    tokens: limitOf(config.context_window - (Number.isFinite(reserve) ? reserve : 0)),
    bytes: limitOf(config.request_limits.max_bytes),
    images: limitOf(config.request_limits.max_images),
  }
}

/** What a request is shrunk to once it exceeds its budget, so that it does not exceed it again at the next one. */
export function targetOf({ tokens, bytes, images }: Budget): Budget {
  return { tokens: Math.floor(tokens * 0.8), bytes: Math.floor(bytes * 0.8), images: Math.floor(images * 0.8) }
}

/** The size of a request with these messages. */
export function requestSize(messages: readonly Message[], facts: Facts): RequestSize {
  const budget = budgetOf(facts)
  return {
    tokens: createGauge(messages, facts)(countMessages(messages, facts.tokens ?? estimator)).tokens,
    bytes: countBytes(messages, budget),
    images: countImages(messages),
  }
}

/** The bytes of messages, or 0 where there is clearly room for them. */
export function countBytes(messages: readonly Message[], { bytes }: Budget): number {
  if (mostBytes(messages) <= bytes) return 0
  return messages.reduce((sum, message) => sum + messageBytes(message), 0)
}

/** What of a size exceeds a budget. */
export function excessOf(size: RequestSize, budget: Budget): readonly Excess[] {
  return (['tokens', 'bytes', 'images'] as const).filter((name) => size[name] > budget[name])
}

/** A configuration may hold anything: what is no number sets no limit. */
function limitOf(value: unknown): number {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.max(0, value) : Number.POSITIVE_INFINITY
}
