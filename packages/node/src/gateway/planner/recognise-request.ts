import { handleOf, type Message, perList } from '@plimsoll/core'
import { isThought, type TrimMode } from '@plimsoll/core/policies'
import type { Finding } from '../../store/gateway-record.ts'
import { type GatewayStore, type Recognised, type RecogniseQuestion, StoreError } from '../../store/gateway-store.ts'
import type { RelayedRequest } from '../planner.ts'
import { type DecisionsAbout, decisionKeys, decisionsAbout } from './gateway-edits.ts'
import { type GatewayPart, gatewayParts, isCommonCallId } from './gateway-parts.ts'
import type { KnownDecisions } from './known-decisions.ts'
import type { KnownMessages, RecentBranches } from './known-messages.ts'
import type { BodyReader } from './read-body.ts'
import { hashText, understandRequest } from './understand-request.ts'

export interface RecogniseContext {
  readonly store: GatewayStore
  readonly reader: BodyReader
  readonly recent: RecentBranches
  readonly known: KnownMessages
  readonly decided: KnownDecisions
  readonly settings: { readonly holdout: number }
  /** The owner of a credential. Rejects with `StoreError`. */
  readonly tenantOf: (credential: string | null) => Promise<string>
}

export type RecognisedRequest = Exclude<Awaited<ReturnType<typeof recogniseRequest>>, Finding>

export const storeUnavailable: Finding = { code: 'store-unavailable', count: 1 }

/** Reads a request and asks the store about it. A finding says why it could not be read. */
export async function recogniseRequest(
  request: RelayedRequest,
  { store, reader, recent, known, decided, settings, tenantOf }: RecogniseContext,
) {
  const tenant = await unlessUnavailable(tenantOf(request.credential))
  if (tenant === null) return storeUnavailable
  const understood = understandRequest(request, tenant, reader)
  if ('code' in understood) return understood
  const { chains, messages, doubt } = understood
  const isOut = request.mode !== 'observe' && isHeldOut(`${chains[0] ?? ''} ${request.session ?? ''}`, settings.holdout, hashText)
  const mode: TrimMode = isOut ? 'observe' : request.mode
  // Nothing is changed if there is any doubt.
  const trimming: TrimMode = doubt === null ? mode : 'observe'
  const parts = trimming === 'observe' ? [] : gatewayParts(messages, hashText)
  const isIdle = request.kind === 'count'
  const near = nearest(recent, tenant, chains)
  const seen = known.find(tenant, messages)
  const unknown = messages.flatMap(({ id }, index) => (seen[index] === null ? [id] : []))
  const ask = (asked: readonly GatewayPart[], after: number | null): Promise<Recognised> => {
    const question: RecogniseQuestion = {
      // The store is asked only about what follows the request that is known here.
      chains: near === null ? chains : chains.slice(near.place + 1),
      messages: unknown,
      parts: decisionKeys(asked, trimming),
      at: request.at,
      isIdle,
      decidedAfter: after,
      notesLater: true,
    }
    const isEmpty = question.chains.length + unknown.length + parts.length === 0
    return isEmpty ? Promise.resolve(nothingKnown) : store.recognise(tenant, question)
  }
  const found = await unlessUnavailable(askAboutParts(parts, { tenant, mode: trimming, isIdle }, decided, ask))
  if (found !== null && !isIdle)
    for (const [index, id] of unknown.entries()) known.note(tenant, id, found.firstSeen[index] ?? request.at)
  const { branch, firstSeen, about } = found ?? { ...nothingKnown, about: decisionsAbout([]) }
  const asked = firstSeen.values()
  const recognised = {
    branch: branch === null ? near : { ...branch, place: branch.place + (near === null ? 0 : near.place + 1) },
    firstSeen: timesInOrder(
      messages,
      seen.map((time) => time ?? asked.next().value ?? request.at),
    ),
    about,
    damaged: found?.damaged ?? 0,
  }
  const compactedAt = findCompaction(messages, recognised.firstSeen, understood.leading + (recognised.branch?.place ?? -1) + 1)
  const isUnavailable = found === null
  return { tenant, understood, isHeldOut: isOut, mode, trimming, parts, recognised, compactedAt, isUnavailable }
}

type FoundRequest = Recognised & { readonly about: DecisionsAbout }

/** Asks only about parts that are not known, and for the decisions of others since then. */
async function askAboutParts(
  parts: readonly GatewayPart[],
  { tenant, mode, isIdle }: { readonly tenant: string; readonly mode: TrimMode; readonly isIdle: boolean },
  decided: KnownDecisions,
  ask: (asked: readonly GatewayPart[], after: number | null) => Promise<Recognised>,
): Promise<FoundRequest> {
  const asked = decided.unknown(tenant, parts, mode)
  const after = decided.until(tenant)
  const found = await ask(asked, after)
  // A count is not a use: the store must hear of the parts again.
  const isNoted = decided.note(tenant, isIdle ? [] : asked, mode, after, found)
  if (asked.length === parts.length) return { ...found, about: decisionsAbout(found.decisions) }
  // All at once: other requests may change what is known before this one goes on.
  const known = isNoted ? decided.about(tenant, asked, decisionsAbout(found.decisions), parts, mode) : null
  if (known !== null) return { ...found, about: (_part, index) => known[index] ?? [] }
  const all = await ask(parts, null)
  decided.note(tenant, isIdle ? [] : parts, mode, null, all)
  return { ...all, about: decisionsAbout(all.decisions) }
}

/** Null if the store cannot be reached; any other error is a bug and is thrown. */
export async function unlessUnavailable<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof StoreError) return null
    throw error
  }
}

const nothingKnown: Recognised = { branch: null, firstSeen: [], decisions: [] }

/** A result is never older than its call, even if another conversation had a call with the same id. */
function timesInOrder(messages: readonly Message[], firstSeen: readonly number[]): readonly number[] {
  let latest = 0
  const common = answeringCommonCalls(messages)
  return firstSeen.map((at, index) => {
    const time = common[index] === true ? Math.max(at, latest) : at
    if (messages[index]?.role !== 'system') latest = Math.max(latest, time)
    return time
  })
}

const answeringCommonCalls = perList({
  start: (): boolean[] => [],
  add(common, { role, parts }: Message) {
    common.push(role === 'tool' && parts.some((part) => part.type === 'tool-result' && isCommonCallId(part.callId)))
  },
  finish: (common): readonly boolean[] => common,
})()

/**
 * Where a client has compacted the conversation, or null: from the first message that does not continue an earlier request, if an answer after it is older
 * than one of the messages before that answer. If answers before that place stayed, a client may have changed a message in between, which is its own affair.
 */
function findCompaction(messages: readonly Message[], firstSeen: readonly number[], from: number): string | null {
  if (messages.slice(0, from).some(({ role }) => role === 'assistant')) return null
  let latest = Number.NEGATIVE_INFINITY
  for (let index = from; index < messages.length; index += 1) {
    const at = firstSeen[index] as number
    if (at < latest && hasOwnName(messages[index] as Message)) return messages[from]?.id ?? null
    latest = Math.max(latest, at)
  }
  return null
}

/** Whether no other conversation has the same message by chance: it has a thought, or a call with a random id. */
function hasOwnName({ role, parts }: Message): boolean {
  return (
    role === 'assistant' && parts.some((part) => isThought(part) || (part.type === 'tool-call' && !isCommonCallId(part.callId)))
  )
}

/** The longest prefix that the planner remembers: its last records may not have reached the store yet. */
function nearest(recent: RecentBranches, tenant: string, chains: readonly string[]): Recognised['branch'] {
  for (let place = chains.length - 1; place >= 0; place -= 1) {
    const branch = recent.find(tenant, chains[place] as string)
    if (branch !== null) return { place, branch }
  }
  return null
}

/** The same conversation always gets the same answer, and one that is in a share is in every larger one. The hash is hexadecimal. */
export function isHeldOut(conversation: string, share: number, hash: (text: string) => string = handleOf): boolean {
  if (!(share > 0)) return false
  const place = Number.parseInt(hash(`hold-out ${conversation}`).slice(-8), 16)
  return place / 0x1_0000_0000 < share
}
