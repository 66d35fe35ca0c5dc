import type { Edit, Message, Part, Policy } from '@plimsoll/core'
import { countImages, pairToolCalls } from '@plimsoll/core/policies'
import type { Failure } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import { type AskContext, notify, sizes } from '../agent.ts'
import { compactForRoom } from '../compaction/compact-session.ts'
import { type BuiltRequest, buildRequest } from '../request/build-request.ts'
import { type LearnedLimits, learnLimits, limitsFrom } from '../request/learned-limits.ts'
import { viewHandle } from '../request/record-request.ts'
import { answerLimitIn, modelError, overflowError, safeWords, shorterAnswer, TurnError } from './model-error.ts'

/** Each remedy is tried only once for an answer. */
export interface Remedies {
  readonly tried: Set<Remedy>
  policies: readonly Policy[] | null
  maxOutputTokens: number
}

export type Remedy = 'compress' | 'shorten-answer' | 'drop-media' | 'repair-pairs'

export interface Refused {
  readonly built: BuiltRequest
  readonly error: ModelCallError
  readonly request: string
}

/** Changes a rejected request according to the error. Throws `TurnError` if nothing helps. */
export async function recover(
  context: AskContext,
  refused: Refused,
  remedies: Remedies,
  signal: AbortSignal,
): Promise<BuiltRequest> {
  switch (refused.error.failure.kind) {
    case 'overflow':
    case 'tpm_single_request':
      return compress(context, refused, remedies, signal)
    case 'output_reservation':
      return (await shortenAnswer(context, refused, remedies)) ?? compress(context, refused, remedies, signal)
    case 'payload_bytes':
    case 'image_limit':
      return dropMedia(context, refused, remedies)
    case 'orphan_tool':
      return repairPairs(context, refused, remedies)
    case 'other':
      return (await obeyAnswerLimit(context, refused, remedies)) ?? give(context, refused, remedies)
    case 'rate_limit':
    case 'auth':
      return give(context, refused, remedies)
  }
}

/** Compacts and trims until the request fits the learned limits. Interfaces rely on the order of the events. */
async function compress(context: AskContext, refused: Refused, remedies: Remedies, signal: AbortSignal): Promise<BuiltRequest> {
  const { session, config, emit, model } = context
  const { built, error } = refused
  if (!config.overflow.auto_recover || remedies.tried.has('compress')) throw overflowed(context, refused, remedies, built)
  emitOverflow(context, refused, remedies, built, true)
  remedies.tried.add('compress')
  await learnLimits(session, model.name, limitsFrom(context, built, error.failure))
  const learned = await buildRequest(context, remedies.policies)
  const tokens = Math.max(learned.limits.refused?.usage.input ?? 0, built.request.report.load.tokens)
  await compactForRoom(context, learned, { kind: 'refused', tokens, usable: learned.usable }, signal)
  const rebuilt = await buildRequest(context, remedies.policies)
  const asked = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
  const isSmaller = rebuilt.request.report.load.estimate < built.request.report.load.estimate
  // The same request would be rejected again.
  if (rebuilt.isOverLine || !(isSmaller || rebuilt.maxOutputTokens < asked)) throw overflowed(context, refused, remedies, rebuilt)
  if (isSmaller) notify(emit, 'history_compressed', sizes(tokens, rebuilt.request.report.load.tokens))
  else notify(emit, 'answer_shortened', sizes(asked, rebuilt.maxOutputTokens))
  return rebuilt
}

/** Returns null if the answer cannot be shortened, or was before. */
async function shortenAnswer(context: AskContext, { built, error }: Refused, remedies: Remedies): Promise<BuiltRequest | null> {
  if (remedies.tried.has('shorten-answer')) return null
  remedies.tried.add('shorten-answer')
  const asked = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
  const shorter = shorterAnswer(error.failure, asked, built.request.report.load.high)
  if (shorter === null) return null
  const { window, isGuessed, refused } = limitsFrom(context, built, error.failure)
  if (isGuessed === false)
    await learnLimits(context.session, context.model.name, { window: window ?? null, isGuessed, refused: refused ?? null })
  remedies.maxOutputTokens = shorter
  notify(context.emit, 'answer_shortened', sizes(asked, shorter))
  return built
}

/** An unknown limit of the answer alone. Returns null if the error is about something else. */
async function obeyAnswerLimit(context: AskContext, { built, error }: Refused, remedies: Remedies): Promise<BuiltRequest | null> {
  const asked = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
  const max = error.status === 400 || error.status === 422 ? answerLimitIn(error.message, asked) : null
  if (max === null || remedies.tried.has('shorten-answer')) return null
  remedies.tried.add('shorten-answer')
  await learnLimits(context.session, context.model.name, { maxOutput: max })
  remedies.maxOutputTokens = max
  notify(context.emit, 'answer_shortened', sizes(asked, max))
  return built
}

async function dropMedia(context: AskContext, refused: Refused, remedies: Remedies): Promise<BuiltRequest> {
  const { built, error } = refused
  if (remedies.tried.has('drop-media')) return give(context, refused, remedies)
  remedies.tried.add('drop-media')
  await learnLimits(context.session, context.model.name, lessMedia(error.failure, error.message, built.request.messages))
  const rebuilt = await buildRequest(context, remedies.policies)
  // The same request would be rejected again.
  const isSame = viewHandle(rebuilt.request.messages) === viewHandle(built.request.messages)
  if (isSame || rebuilt.isOverLine) return give(context, refused, remedies)
  notify(context.emit, 'media_dropped', safeWords(error.message, context.environment))
  return rebuilt
}

/** Pairs first; if they are correct, the signatures of reasoning must be wrong. */
async function repairPairs(context: AskContext, refused: Refused, remedies: Remedies): Promise<BuiltRequest> {
  if (remedies.tried.has('repair-pairs')) return give(context, refused, remedies)
  remedies.tried.add('repair-pairs')
  const before = viewHandle(refused.built.request.messages)
  const others = context.policies.filter(({ name }) => name !== pairToolCalls.name)
  for (const repairs of [[pairToolCalls], [pairToolCalls, dropReasoning]]) {
    const policies = [...repairs, ...others]
    const rebuilt = await buildRequest(context, policies)
    if (viewHandle(rebuilt.request.messages) === before) continue
    remedies.policies = policies
    notify(context.emit, 'pairs_repaired', safeWords(refused.error.message, context.environment))
    return rebuilt
  }
  return give(context, refused, remedies)
}

async function give(context: AskContext, { error, request }: Refused, { tried }: Remedies): Promise<never> {
  const data = await modelError(context, error, { request, tried: [...tried], tries: 1, retryAfter: error.retryAfter })
  throw new TurnError(data, { isTold: false, cause: error })
}

function emitOverflow(context: AskContext, refused: Refused, { tried }: Remedies, built: BuiltRequest, recovering: boolean) {
  const { error, request } = refused
  const { failure, requestId } = error
  const upstream = safeWords(error.message, context.environment)
  const data = overflowError(context, built, { failure, recovering, tried: [...tried], upstream, request, requestId })
  context.emit({ type: 'error', data })
  return data
}

function overflowed(context: AskContext, refused: Refused, remedies: Remedies, built: BuiltRequest): TurnError {
  const data = emitOverflow(context, refused, remedies, built, false)
  return new TurnError(data, { isTold: true, cause: refused.error })
}

const name = 'drop-reasoning'
const why = 'the provider did not accept it'

/** Removes reasoning and signatures: they may come from another model, or belong to messages that are gone. */
export const dropReasoning: Policy = {
  name,
  plan: (messages) =>
    messages.flatMap((message) => {
      const made = edits.get(message) ?? makeEdit(message)
      edits.set(message, made)
      return made
    }),
}

const edits = new WeakMap<Message, readonly Edit[]>()

function makeEdit(message: Message): readonly Edit[] {
  const isSigned = message.parts.some((part) => {
    return part.type === 'reasoning' || ('providerOptions' in part && part.providerOptions !== undefined)
  })
  if (message.role !== 'assistant' || !isSigned) return []
  const spoken = message.parts.filter(({ type }) => type !== 'reasoning')
  // A message must not become empty; reasoning without its signature is plain text.
  const parts = (spoken.length === 0 ? message.parts : spoken).map(unsigned)
  const into: Message = { ...message, parts }
  return [{ id: `${name}:${message.id}`, policy: name, kind: 'fold', first: message.id, last: message.id, into, why }]
}

function unsigned(part: Part): Part {
  if (!('providerOptions' in part)) return part
  const { providerOptions: _, ...rest } = part
  return rest
}

/** The limit in the error, else half of the request's size, and no image at all if the size of one is the problem. */
export function lessMedia(failure: Failure, words: string, messages: readonly Message[]): Partial<LearnedLimits> {
  if (failure.kind === 'image_limit') {
    const images = countImages(messages)
    // Without images there is nothing to learn.
    return images === 0 ? {} : { maxImages: imagesAllowed(words, images) }
  }
  const sent = Buffer.byteLength(JSON.stringify(messages))
  // The request also has tools and settings.
  const named = failure.limit === null ? null : Math.floor(failure.limit * 0.9)
  return { maxBytes: named !== null && named < sent ? named : Math.max(minBytes, Math.floor(sent / 2)) }
}

/** No server in use takes less. */
const minBytes = 65_536

function imagesAllowed(words: string, sent: number): number {
  const text = words.slice(0, 2000)
  const named = /(?:at most|up to|maximum(?: of)?|limit(?: of|:)?|more than)\s{1,3}(\d{1,4})\s{1,3}image/i.exec(text)
  // A larger limit is not why it was rejected.
  if (named !== null && Number(named[1]) < sent) return Number(named[1])
  return isAboutOne.test(text) ? 0 : Math.floor(sent / 2)
}

/** One that is too large or not readable, or any at all: the error does not say which. */
const isAboutOne =
  /dimension|pixel|resolution|\bMB\b|bytes|too large|size|format|decode|corrupt|valid image|process (?:the |input )?image|(?:not|only) support|support image|unknown variant/i
