import { withReportedLimit } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { Measurement } from '@plimsoll/core/session'
import type { Failure } from '@plimsoll/core/wire'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { AskContext } from '../agent.ts'
import type { BuiltRequest } from './build-request.ts'

/** Limits of a model learned from errors in one session. Null if unknown. */
export interface LearnedLimits {
  /** Tokens of a request with its answer. */
  readonly window: number | null
  /** Whether the window is a guess, after an error that names none. */
  readonly isGuessed: boolean
  readonly maxBytes: number | null
  readonly maxImages: number | null
  readonly maxOutput: number | null
  /** A rejected request with the estimate and the provider’s count; null once it counted a later one. */
  readonly refused: Measurement | null
}

const unlimited = { window: null, maxBytes: null, maxImages: null, maxOutput: null }
export const noLimits: LearnedLimits = { ...unlimited, isGuessed: false, refused: null }

/** The limits learned in a session, in this process or an earlier one, on any branch. */
export function learnedLimits(session: StoredSession, model: string): LearnedLimits {
  const heads = session.heads()
  const known = remembered.get(session) ?? { entries: 0, limits: new Map<string, LearnedLimits>() }
  for (const head of heads.slice(known.entries)) {
    if (head.type !== 'note' && (head.type !== 'usage' || known.limits.size === 0)) continue
    const entry = session.entry(head.id)
    if (entry?.type === 'note' && entry.code === limitNote) readNote(entry.data ?? {}, known.limits)
    // The count of an accepted request is the better measure.
    const request = entry?.type === 'usage' && usageTotal(entry.usage) > 0 ? session.entry(entry.request) : null
    const limits = request?.type === 'request' ? known.limits.get(request.model) : undefined
    if (request?.type === 'request' && limits !== undefined) known.limits.set(request.model, { ...limits, refused: null })
  }
  remembered.set(session, { entries: heads.length, limits: known.limits })
  return known.limits.get(model) ?? noLimits
}

/** Stores learned limits, so that they survive a restart. */
export async function learnLimits(session: OpenSession, model: string, change: Partial<LearnedLimits>): Promise<void> {
  const data = { model, ...learnedLimits(session, model), ...change }
  await session.append([{ type: 'note', code: limitNote, data }])
}

/** The smaller of configured and learned limits. */
export function withLearnedLimits(config: Config, { window, maxBytes, maxImages }: LearnedLimits): Config {
  if (window === null && maxBytes === null && maxImages === null) return config
  const { max_bytes, max_images } = config.request_limits
  return {
    ...config,
    context_window: Math.min(config.context_window, window ?? Number.POSITIVE_INFINITY),
    request_limits: { max_bytes: smaller(max_bytes, maxBytes), max_images: smaller(max_images, maxImages) },
  }
}

const limitNote = 'limits'

// Entries never change, so only new ones are read.
const remembered = new WeakMap<StoredSession, { readonly entries: number; readonly limits: Map<string, LearnedLimits> }>()

function readNote(data: Readonly<Record<string, unknown>>, limits: Map<string, LearnedLimits>): void {
  const { model, refused } = data
  if (typeof model !== 'string') return
  limits.set(model, {
    window: size(data['window'], 1),
    isGuessed: data['isGuessed'] === true,
    maxBytes: size(data['maxBytes'], 1),
    maxImages: size(data['maxImages'], 0),
    maxOutput: size(data['maxOutput'], 1),
    // Checked where loads are computed.
    refused: typeof refused === 'object' && refused !== null ? (refused as Measurement) : null,
  })
}

function size(value: unknown, min: number): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min ? value : null
}

function smaller(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** The window that the error names, else three quarters of the rejected request, and how the provider counts. */
export function limitsFrom({ model }: AskContext, { request, window }: BuiltRequest, failure: Failure): Partial<LearnedLimits> {
  const { tokens, estimate } = request.report.load
  const named = namedWindow(model.facts.model, failure)
  if (named === null) {
    const guess = Math.floor(tokens * guessedShare)
    return guess < minGuess || guess >= window ? {} : { window: guess, isGuessed: true, refused: null }
  }
  // An unknown count is at least more than the limit.
  const counted = failure.input ?? failure.requested ?? named + 1
  const input = Math.min(counted, estimate * maxFactor)
  const usage = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
  return { window: named, isGuessed: false, refused: { model: model.name, estimate, usage, last: request.last } }
}

const guessedShare = 0.75
/** No model in use has a smaller window. */
const minGuess = 4096
/** No tokenizer counts more than this many times the estimate. */
export const maxFactor = 4

/** The limit that an error names; null if it names none, or contradicts itself. */
function namedWindow(model: string, failure: Failure): number | null {
  const nothing = { model, window: null, inputLimit: null, outputLimit: null, hasPromptCache: null, source: null }
  // For this request, a limit per minute is a window too.
  const kind = failure.kind === 'tpm_single_request' ? 'overflow' : failure.kind
  return withReportedLimit(nothing, { ...failure, kind }).window
}
