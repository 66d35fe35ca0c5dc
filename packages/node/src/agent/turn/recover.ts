import type { Edit, Message, Part, Policy } from '@plimsoll/core'
import { countImages, pairToolCalls } from '@plimsoll/core/policies'
import type { Failure } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import { type AskContext, notify, sizes } from '../ask-context.ts'
import { compactForRoom } from '../compaction/compact-for-room.ts'
import { type BuiltRequest, buildRequest } from '../request/build-request.ts'
import { type LearnedLimits, learnLimits, limitsFrom } from '../request/learned-limits.ts'
import { viewHandle } from '../request/record-request.ts'
import { modelError, safeWords, TurnError } from './model-error.ts'
import { answerLimitIn, overflowError, shorterAnswer } from './overflow-error.ts'

/** What has been tried for one answer of the model. Each remedy is tried once, so that nothing goes round in circles. */
export interface Remedies {
  readonly tried: Set<Remedy>
  /** In place of the context's. */
  policies: readonly Policy[] | null
  /** Tokens that the answer may have at most. */
  maxOutputTokens: number
}

/** What can be done about a refusal. */
export type Remedy = 'compress' | 'shorten-answer' | 'drop-media' | 'repair-pairs'

/** A request that was refused. */
export interface Refused {
  readonly built: BuiltRequest
  readonly error: ModelCallError
  /** The id of the request's entry. */
  readonly request: string
}

/** The request to send in place of one that was refused, mended by what the refusal is about. Throws `TurnError` where nothing helps. */
export async function recover(
  context: AskContext,
  refused: Refused,
  remedies: Remedies,
  signal: AbortSignal,
): Promise<BuiltRequest> {
  const { error } = refused
  switch (error.failure.kind) {
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

/** Folds and trims until the request fits what the refusal has taught, and says so in the order interfaces rely on. */
async function compress(context: AskContext, refused: Refused, remedies: Remedies, signal: AbortSignal): Promise<BuiltRequest> {
  const { session, config, emit, model } = context
  const { built, error } = refused
  if (!config.overflow.auto_recover || remedies.tried.has('compress')) throw overflowed(context, refused, remedies, built)
  emit({ type: 'error', data: describeOverflow(context, refused, remedies, { built, recovering: true }) })
  remedies.tried.add('compress')
  await learnLimits(session, model.name, limitsFrom(context, built, error.failure))
  const learned = await buildRequest(context, options(remedies))
  const tokens = Math.max(learned.limits.refused?.usage.input ?? 0, built.request.report.load.tokens)
  await compactForRoom(context, learned, { kind: 'refused', tokens, usable: learned.usable }, signal)
  const mended = await buildRequest(context, options(remedies))
  const asked = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
  const isSmaller = mended.request.report.load.estimate < built.request.report.load.estimate
  // Where neither became smaller, the same request would only be refused again.
  if (mended.isOverLine || !(isSmaller || mended.maxOutputTokens < asked)) throw overflowed(context, refused, remedies, mended)
  if (isSmaller) notify(emit, 'history_compressed', sizes(tokens, mended.request.report.load.tokens))
  else notify(emit, 'answer_shortened', sizes(asked, mended.maxOutputTokens))
  return mended
}

/** Null where the answer cannot be made shorter, or was already. */
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

/** A limit of the answer alone, which nobody knew. Null where the refusal is about something else. */
async function obeyAnswerLimit(context: AskContext, { built, error }: Refused, remedies: Remedies): Promise<BuiltRequest | null> {
  const asked = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
  const most = error.status === 400 || error.status === 422 ? answerLimitIn(error.message, asked) : null
  if (most === null || remedies.tried.has('shorten-answer')) return null
  remedies.tried.add('shorten-answer')
  await learnLimits(context.session, context.model.name, { maxOutput: most })
  remedies.maxOutputTokens = most
  notify(context.emit, 'answer_shortened', sizes(asked, most))
  return built
}

async function dropMedia(context: AskContext, refused: Refused, remedies: Remedies): Promise<BuiltRequest> {
  const { built, error } = refused
  if (remedies.tried.has('drop-media')) return give(context, refused, remedies)
  remedies.tried.add('drop-media')
  await learnLimits(context.session, context.model.name, lessMedia(error.failure, error.message, built.request.messages))
  const mended = await buildRequest(context, options(remedies))
  // Where nothing could be left out, the same request would only be refused again.
  const isSame = viewHandle(mended.request.messages) === viewHandle(built.request.messages)
  if (isSame || mended.isOverLine) return give(context, refused, remedies)
  notify(context.emit, 'media_dropped', safeWords(error.message, context.environment))
  return mended
}

/** Pairs first; where they are right already, the signatures of thoughts must be what is wrong. */
async function repairPairs(context: AskContext, refused: Refused, remedies: Remedies): Promise<BuiltRequest> {
  if (remedies.tried.has('repair-pairs')) return give(context, refused, remedies)
  remedies.tried.add('repair-pairs')
  const before = viewHandle(refused.built.request.messages)
  const others = context.policies.filter(({ name }) => name !== pairToolCalls.name)
  for (const policies of [
    [pairToolCalls, ...others],
    [pairToolCalls, dropReasoning, ...others],
  ]) {
    const mended = await buildRequest(context, { policies })
    if (viewHandle(mended.request.messages) === before) continue
    remedies.policies = policies
    notify(context.emit, 'pairs_repaired', safeWords(refused.error.message, context.environment))
    return mended
  }
  return give(context, refused, remedies)
}

function options({ policies }: Remedies) {
  return policies === null ? {} : { policies }
}

async function give(context: AskContext, { error, request }: Refused, { tried }: Remedies): Promise<never> {
  const data = await modelError(context, error, { request, tried: [...tried], tries: 1, retryAfter: error.retryAfter })
  throw new TurnError(data, { isTold: false, cause: error })
}

interface Told {
  readonly built: BuiltRequest
  readonly recovering: boolean
}

function describeOverflow(context: AskContext, { error, request }: Refused, { tried }: Remedies, { built, recovering }: Told) {
  return overflowError(context, built, {
    failure: error.failure,
    recovering,
    tried: [...tried],
    upstream: safeWords(error.message, context.environment),
    request,
    requestId: error.requestId,
  })
}

/** Tells that the conversation cannot be saved as it is, with what can be done. */
function overflowed(context: AskContext, refused: Refused, remedies: Remedies, built: BuiltRequest): TurnError {
  const data = describeOverflow(context, refused, remedies, { built, recovering: false })
  context.emit({ type: 'error', data })
  return new TurnError(data, { isTold: true, cause: refused.error })
}

const name = 'drop-reasoning'
const why = 'the provider did not accept it'

/**
 * Leaves out what models thought, and the signatures that providers put on it and on calls. For a request that was refused because
 * they do not fit: they may come from another model, or stand beside what is no longer there. What was said and done stays.
 */
export const dropReasoning: Policy = {
  name,
  plan: (messages) => messages.flatMap(editOf),
}

function editOf(message: Message): readonly Edit[] {
  const known = edits.get(message)
  if (known !== undefined) return known
  const made = makeEdit(message)
  edits.set(message, made)
  return made
}

const edits = new WeakMap<Message, readonly Edit[]>()

function makeEdit(message: Message): readonly Edit[] {
  if (message.role !== 'assistant' || !message.parts.some(isSigned)) return []
  const spoken = message.parts.filter(({ type }) => type !== 'reasoning')
  // A message must not become empty; without its signature a thought is only a text.
  const parts = (spoken.length === 0 ? message.parts : spoken).map(unsigned)
  const into: Message = { ...message, parts }
  return [{ id: `${name}:${message.id}`, policy: name, kind: 'fold', first: message.id, last: message.id, into, why }]
}

function isSigned(part: Part): boolean {
  return part.type === 'reasoning' || ('providerOptions' in part && part.providerOptions !== undefined)
}

function unsigned(part: Part): Part {
  if (!('providerOptions' in part)) return part
  const { providerOptions: _, ...rest } = part
  return rest
}

/**
 * What a request may have after a provider refused its bytes or its pictures: what the refusal names, else half of what was sent, and
 * no picture at all where the size of one is the trouble.
 */
export function lessMedia(failure: Failure, words: string, messages: readonly Message[]): Partial<LearnedLimits> {
  if (failure.kind === 'image_limit') {
    const images = countImages(messages)
    // Who refuses pictures where there are none teaches nothing.
    return images === 0 ? {} : { maxImages: imagesAllowed(words, images) }
  }
  const sent = Buffer.byteLength(JSON.stringify(messages))
  // Around the messages stand tools and settings.
  const named = failure.limit === null ? null : Math.floor(failure.limit * 0.9)
  return { maxBytes: named !== null && named < sent ? named : Math.max(leastBytes, Math.floor(sent / 2)) }
}

/** No server in use takes less. */
const leastBytes = 65_536

function imagesAllowed(words: string, sent: number): number {
  const told = /(?:at most|up to|maximum(?: of)?|limit(?: of|:)?|more than)\s{1,3}(\d{1,4})\s{1,3}image/i.exec(
    words.slice(0, 2000),
  )
  // More than were sent was not what it refused.
  if (told !== null && Number(told[1]) < sent) return Number(told[1])
  if (isAboutOne.test(words.slice(0, 2000))) return 0
  return Math.floor(sent / 2)
}

/** One that is too large or cannot be read, or any at all: which of them it is, nobody says. */
const isAboutOne =
  /dimension|pixel|resolution|\bMB\b|bytes|too large|size|format|decode|corrupt|valid image|process (?:the |input )?image|(?:not|only) support|support image|unknown variant/i
