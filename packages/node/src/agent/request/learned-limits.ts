import { withReportedLimit } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { Measurement, NewEntry } from '@plimsoll/core/session'
import type { Failure } from '@plimsoll/core/wire'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { AskContext } from '../ask-context.ts'
import type { BuiltRequest } from './build-request.ts'

/** What refusals have taught about a model in one session. Null for what nobody has named. */
export interface LearnedLimits {
  /** Tokens of a request and its answer together. */
  readonly window: number | null
  /** Whether the window was worked out from a refusal that names none. */
  readonly isGuessed: boolean
  readonly maxBytes: number | null
  readonly maxImages: number | null
  /** Tokens of one answer. */
  readonly maxOutput: number | null
  /** A request as it was estimated and as the provider counted it when it refused it; null once it counted a later one. */
  readonly refused: Measurement | null
}

/** What is known of a model that never refused anything. */
export const noLimits: LearnedLimits = {
  window: null,
  isGuessed: false,
  maxBytes: null,
  maxImages: null,
  maxOutput: null,
  refused: null,
}

/** What was learned about a model in a session, in this process or in an earlier one. What a branch has learned holds for all. */
export function learnedLimits(session: StoredSession, model: string): LearnedLimits {
  const heads = session.heads()
  const known = remembered.get(session) ?? { entries: 0, limits: new Map<string, LearnedLimits>() }
  for (const head of heads.slice(known.entries)) {
    if (head.type !== 'note' && (head.type !== 'usage' || known.limits.size === 0)) continue
    const entry = session.entry(head.id)
    if (entry?.type === 'note' && entry.code === limitNote) readNote(entry.data ?? {}, known.limits)
    if (entry?.type === 'usage' && usageTotal(entry.usage) > 0) forgetRefused(session, entry.request, known.limits)
  }
  remembered.set(session, { entries: heads.length, limits: known.limits })
  return known.limits.get(model) ?? noLimits
}

/** Writes down what a refusal has taught, so that the session knows it also after a restart. */
export async function learnLimits(session: OpenSession, model: string, change: Partial<LearnedLimits>): Promise<void> {
  const limits = { ...learnedLimits(session, model), ...change }
  const entry: NewEntry = { type: 'note', code: limitNote, data: { model, ...limits } }
  await session.append([entry])
}

/** The configuration within what was learned: the smaller of both, each time. */
export function withLearnedLimits(config: Config, { window, maxBytes, maxImages }: LearnedLimits): Config {
  if (window === null && maxBytes === null && maxImages === null) return config
  const { max_bytes, max_images } = config.request_limits
  return {
    ...config,
    context_window: Math.min(config.context_window, window ?? Number.POSITIVE_INFINITY),
    request_limits: { max_bytes: smaller(max_bytes, maxBytes), max_images: smaller(max_images, maxImages) },
  }
}

/** The code of the notes that hold what was learned. */
const limitNote = 'limits'

// Entries never change, and a long session has many; only those that are new are read.
const remembered = new WeakMap<StoredSession, { readonly entries: number; readonly limits: Map<string, LearnedLimits> }>()

/** A log may have been written by anybody. */
function readNote(data: Readonly<Record<string, unknown>>, limits: Map<string, LearnedLimits>): void {
  const { model, refused } = data
  if (typeof model !== 'string') return
  limits.set(model, {
    window: size(data['window'], 1),
    isGuessed: data['isGuessed'] === true,
    maxBytes: size(data['maxBytes'], 1),
    maxImages: size(data['maxImages'], 0),
    maxOutput: size(data['maxOutput'], 1),
    // What is wrong with it is found where loads are worked out.
    refused: typeof refused === 'object' && refused !== null ? (refused as Measurement) : null,
  })
}

/** Once the provider has counted a request that it took, that is the better measure. */
function forgetRefused(session: StoredSession, request: string, limits: Map<string, LearnedLimits>): void {
  const entry = session.entry(request)
  const known = entry?.type === 'request' ? limits.get(entry.model) : undefined
  if (entry?.type === 'request' && known !== undefined && known.refused !== null)
    limits.set(entry.model, { ...known, refused: null })
}

function size(value: unknown, least: number): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : null
}

function smaller(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/**
 * What a refusal of a request that is too long teaches: the window that it names, and how the provider counts. Where it names none,
 * three quarters of what was sent are taken for the window.
 */
export function limitsFrom({ model }: AskContext, { request, window }: BuiltRequest, failure: Failure): Partial<LearnedLimits> {
  const { tokens, estimate } = request.report.load
  const named = namedWindow(model.facts.model, failure)
  if (named === null) {
    const guess = Math.floor(tokens * guessedShare)
    return guess < leastGuess || guess >= window ? {} : { window: guess, isGuessed: true, refused: null }
  }
  // Of a count that is not told it is known that it is more than the limit.
  const counted = failure.input ?? failure.requested ?? named + 1
  const input = Math.min(counted, estimate * mostFactor)
  const usage = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
  return { window: named, isGuessed: false, refused: { model: model.name, estimate, usage, last: request.last } }
}

const guessedShare = 0.75
/** No model in use has a smaller window; a request that small was refused for something else. */
const leastGuess = 4096
/** No tokenizer counts more than so many times the estimate. */
export const mostFactor = 4

/** The limit that a refusal names, whatever was believed before; null where it names none, or contradicts itself. */
function namedWindow(model: string, failure: Failure): number | null {
  const nothing = { model, window: null, inputLimit: null, outputLimit: null, hasPromptCache: null, source: null }
  // What one request may have in a minute is a window too, as far as this request goes.
  const kind = failure.kind === 'tpm_single_request' ? 'overflow' : failure.kind
  return withReportedLimit(nothing, { ...failure, kind }).window
}
