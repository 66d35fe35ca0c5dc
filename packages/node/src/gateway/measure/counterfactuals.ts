import { type Message, perItem } from '@plimsoll/core'
import type { Cost, Usage } from '@plimsoll/core/bill'
import { countMessage, estimator } from '@plimsoll/core/text'
import { canonicalPart } from '@plimsoll/core/wire'
import type { ShownRequest } from '../planner/decide-request.ts'
import { hashText } from '../planner/understand-request.ts'
import { contentKinds, kindsOfMessage } from './content-kinds.ts'
import { type Counterfactual, type CounterfactualRequest, createCounterfactual, type PromptBlock } from './counterfactual.ts'
import { createLearnedModels, type LearnedModels } from './kept-models.ts'

export type ComparedRequest = Pick<
  ShownRequest,
  'request' | 'tenant' | 'understood' | 'model' | 'before' | 'firstSeen' | 'view' | 'edits' | 'newEdits'
>

export type Counterfactuals = ReturnType<typeof createCounterfactuals>

export interface UntrimmedCost {
  readonly cost: Cost | null
  /** By how many dollars it may be off, because the provider never counted such content. */
  readonly doubt: number
}

interface CounterfactualsOptions {
  /** Facts about models, which are added to. Default: none. */
  readonly learned?: Pick<LearnedModels, 'of'>
  /** Blocks remembered for all conversations together. Default: 200,000. */
  readonly maxBlocks?: number
}

/**
 * Follows every conversation from its first request, so that sizes are measured before anything is trimmed. One that was forgotten, or
 * began before a restart, is rebuilt from what the store remembers of its last requests.
 */
export function createCounterfactuals({ learned = createLearnedModels(), maxBlocks = 200_000 }: CounterfactualsOptions = {}) {
  // By the chain of the last request: a conversation that branches continues with one cache, as at the provider.
  const followed = new Map<string, FollowedConversation>()
  let blocks = 0

  function take(decided: ComparedRequest): FollowedConversation {
    const { before, tenant } = decided
    const known = before === null ? undefined : followed.get(`${tenant} ${before.branch.chain}`)
    if (known !== undefined) return known
    const counterfactual = createCounterfactual(learned)
    let isTrimmed = false
    for (const request of before === null ? [] : requestsBefore(decided, before)) {
      counterfactual.note(request)
      isTrimmed ||= request.trimmed.some(({ id }, index) => request.untrimmed[index]?.id !== id)
    }
    return { counterfactual, isTrimmed, blocks: 0 }
  }

  function keep(key: string, conversation: FollowedConversation): void {
    blocks += conversation.blocks - (followed.get(key)?.blocks ?? 0)
    followed.delete(key)
    followed.set(key, conversation)
    for (const [oldest, { blocks: held }] of followed) {
      if (blocks <= maxBlocks || oldest === key) break
      followed.delete(oldest)
      blocks -= held
    }
  }

  return {
    /** The prompt of this request was sent again so that it stays cached. */
    kept({ tenant, understood }: Pick<ComparedRequest, 'tenant' | 'understood'>, at: number): void {
      followed.get(`${tenant} ${understood.chains.at(-1) ?? ''}`)?.counterfactual.kept(understood.model, at)
    },
    /** Takes a request that was accepted, and what it cost. Returns what it would have cost untrimmed. */
    note(
      decided: ComparedRequest,
      usage: Usage | null,
      paid: Cost | null,
      cacheLifetime: NonNullable<CounterfactualRequest['cacheLifetime']>,
    ): UntrimmedCost {
      const { understood, request, model, view, tenant, before, edits } = decided
      const conversation = take(decided)
      const { cost, doubt } = conversation.counterfactual.note({
        at: request.at,
        model: understood.model,
        price: model.price,
        usage,
        untrimmed: blocksOf(decided, understood.messages),
        trimmed: blocksOf(decided, view),
        breakpoints: marksIn(understood.messages, understood.leading),
        cacheLifetime,
      })
      const isTrimmed = conversation.isTrimmed || edits.length > 0
      const last = before === null ? null : `${tenant} ${before.branch.chain}`
      const key = `${tenant} ${understood.chains.at(-1) ?? ''}`
      // The same conversation, one request further. Its caches have it under both names, if it branches.
      if (last !== null && last !== key) {
        const shared = followed.get(last)
        if (shared !== undefined) {
          blocks -= shared.blocks
          followed.set(last, { ...shared, blocks: 0 })
        }
      }
      keep(key, { counterfactual: conversation.counterfactual, isTrimmed, blocks: 2 * understood.messages.length + 2 })
      // Until something is trimmed, both are the same to the last digit.
      return isTrimmed ? { cost, doubt } : { cost: paid, doubt: 0 }
    },
  }
}

interface FollowedConversation {
  readonly counterfactual: Counterfactual
  readonly isTrimmed: boolean
  readonly blocks: number
}

/** The last requests, as far as this one shows them: their messages are its first ones, and decisions about them still apply. */
function requestsBefore(
  decided: ComparedRequest,
  before: NonNullable<ComparedRequest['before']>,
): readonly CounterfactualRequest[] {
  const { understood, view, newEdits, model, firstSeen } = decided
  const { state, at } = before.branch
  const fresh = new Set(newEdits.map(({ message }) => message))
  const shown = view.map((message, index) => (fresh.has(message.id) ? (understood.messages[index] as Message) : message))
  const prefix = state.ledger.prefix ?? understood.prefix
  const untrimmed = blocksOf(decided, understood.messages.slice(0, before.last + 1), prefix)
  const trimmed = blocksOf(decided, shown.slice(0, before.last + 1), prefix)
  const price = state.model === understood.model ? model.price : null
  const kept = state.ledger.kept?.since === undefined || state.ledger.at === undefined ? {} : { keptAt: state.ledger.at }
  const measurements = (state.measurements ?? []).filter((measurement) => measurement.model === (state.model ?? ''))
  const requests = measurements.flatMap(({ last, estimate, usage }, index) => {
    const isLast = index === measurements.length - 1
    const place = isLast ? before.last : understood.messages.findIndex(({ id }) => id === last)
    if (place < 0 || place > before.last) return []
    const length = place + 2 - understood.leading
    const found = [trimmed, untrimmed].find((list) => tokensIn(list.slice(0, length)) === estimate)
    // An edit that replaced another one hides what went out before. The last prompt is what the cache has all the same.
    if (found === undefined && !isLast) return []
    const sent = (found ?? trimmed).slice(0, length)
    const time = isLast ? at : (firstSeen[place] ?? at)
    return [
      {
        ...(isLast ? kept : {}),
        at: time,
        usage: found === undefined ? null : usage,
        trimmed: sent,
        untrimmed: untrimmed.slice(0, length),
        last: place,
      },
    ]
  })
  const unmeasured = { ...kept, at, usage: null, trimmed, untrimmed, last: before.last }
  return (requests.length > 0 ? requests : [unmeasured]).map(({ last, ...request }) => ({
    ...request,
    isKnown: true,
    model: state.model,
    price,
    breakpoints: marksIn(understood.messages.slice(0, last + 1), understood.leading),
  }))
}

/** The blocks that clients usually mark for the cache besides the last one: the system prompt, and the end of the request before. */
function marksIn(messages: readonly Message[], leading: number): readonly number[] {
  let answer = messages.length - 1
  while (answer > leading && messages[answer]?.role !== 'assistant') answer -= 1
  while (answer > leading && messages[answer]?.role === 'assistant') answer -= 1
  const before = answer - leading + 1
  return before > 0 && before < messages.length - leading ? [0, before] : [0]
}

function tokensIn(blocks: readonly PromptBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0)
}

const kindsOf = perItem(kindsOfMessage)()

function blocksOf(
  { understood }: ComparedRequest,
  messages: readonly Message[],
  prefix = understood.prefix,
): readonly PromptBlock[] {
  const { overhead, leading } = understood
  const first = messages.slice(0, leading).reduce(
    ({ tokens, kinds }, message) => ({
      tokens: tokens + countMessage(message, estimator),
      kinds: kindsOf(message).map((amount, index) => amount + (kinds[index] as number)),
    }),
    { tokens: overhead, kinds: contentKinds.map((kind) => (kind === 'code' ? overhead : 0)) },
  )
  const blocks: PromptBlock[] = [{ id: prefix, ...first }]
  for (let index = leading; index < messages.length; index += 1) blocks.push(blockOf(messages[index] as Message))
  return blocks
}

// A replaced message is the same object in every request, and has the id of the original.
const blockOf = perItem(
  (message: Message): PromptBlock => ({
    id: `${message.id} ${hashText(message.parts.map(canonicalPart).join(' '))}`,
    tokens: countMessage(message, estimator),
    kinds: kindsOf(message),
  }),
)()
