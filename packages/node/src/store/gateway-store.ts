import { createHash, createHmac } from 'node:crypto'
import type { ConversationState, Message } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import type { Decision, DecisionKey, GatewayConversation, GatewayMessage, GatewayRequest } from './gateway-record.ts'

/**
 * The memory that gateways share. Everything belongs to a tenant, and no call reaches what belongs to another. Everything a call has
 * acknowledged survives a crash. Rejects with `StoreError` if the store cannot be reached or is full; then nothing was written.
 */
export interface GatewayStore {
  /** The key with which credentials become tenants; made once, the same for all gateways of the store. At least 32 bytes. */
  readonly secret: () => Promise<Uint8Array>
  /** Everything that is known about a request's messages, in one step. Notes when messages were first seen, unless asked not to. */
  readonly recognise: (tenant: string, question: RecogniseQuestion) => Promise<Recognised>
  /**
   * Writes decisions down with the originals they hide. If another gateway was first, its decision holds. Returns those that hold, in order.
   * They survive the end of a process at once, and a loss of power some milliseconds later.
   */
  readonly claim: (tenant: string, claims: readonly Claim[]) => Promise<readonly Decision[]>
  readonly record: (tenant: string, record: StoredRequest) => Promise<void>
  /**
   * Writes down several requests in one step: all or nothing. Survives the end of a process; if the power fails, the last moments may be
   * missing. Absent if one by one is as fast.
   */
  readonly recordAll?: (records: readonly TenantRecord[]) => Promise<void>

  /** Facts that gateways learned about models, as last stored; null if none. Has no tenant, so it must hold nothing of any conversation. */
  readonly learned: () => Promise<unknown>
  /** Replaces it by any JSON. Does not expire. */
  readonly keepLearned: (learned: unknown) => Promise<void>

  readonly tenants: () => Promise<readonly string[]>
  /** The latest first. */
  readonly conversations: (tenant: string, options?: { readonly limit?: number }) => Promise<readonly GatewayConversation[]>
  /** Requests in order; messages in the order they were first seen. Null if there is no such conversation. */
  readonly conversation: (tenant: string, id: string) => Promise<StoredConversation | null>
  /** The originals whose handle starts with this, at most twenty. Rejects with `damaged` if none of those that were stored can be read. */
  readonly originals: (tenant: string, handle: string) => Promise<readonly StoredOriginal[]>
  /** The originals of a conversation, oldest first. */
  readonly originalsOf: (tenant: string, conversation: string) => Promise<readonly StoredOriginal[]>
  /** The decisions made in a conversation with what they hide, oldest first. */
  readonly claimsOf: (tenant: string, conversation: string) => Promise<readonly Claim[]>
  /** The texts of messages; those that were not kept are missing. */
  readonly texts: (tenant: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Message>>

  /** Deletes what was last used before this time: decisions, originals, texts, requests. Returns how many rows are gone. */
  readonly expire: (before: number) => Promise<number>
  /** Resolves while the store answers. */
  readonly check: () => Promise<void>
  /** Writes something and deletes it. Rejects with `StoreError` if nothing can be written. */
  readonly tryWrite: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface RecogniseQuestion {
  /** Hashes of the conversation's prefixes, each one message longer. The longest that an earlier request ended with is its branch. */
  readonly chains: readonly string[]
  readonly messages: readonly string[]
  readonly parts: readonly DecisionKey[]
  readonly at: number
  /** Whether the request is only counted, so that nothing is written. */
  readonly isIdle: boolean
  /** Asks for all decisions of the tenant after this number as well, and for the number of the newest; null asks for that number only. Default: neither. */
  readonly decidedAfter?: number | null
  /** Whether what is new may be noted right after the answer, so that a request need not wait for it. Default: before. */
  readonly notesLater?: boolean
}

export interface Recognised {
  /** The longest known prefix, with its place in the chains asked about; null for a new conversation. */
  readonly branch: { readonly place: number; readonly branch: Branch } | null
  /** When each message was first seen, in order: now for new ones. */
  readonly firstSeen: readonly number[]
  readonly decisions: readonly Decision[]
  /** How many rows were damaged, and not used. Default: none. */
  readonly damaged?: number
  /** Why it was not noted what is new, here or in an earlier question that noted it later: everything was found, and nothing could be written. */
  readonly unwritten?: StoreError
  /** Absent if it was not asked for, or the store does not number its decisions: then it has to be asked about every part each time. */
  readonly decided?: {
    /** The number of the newest decision of any tenant. */
    readonly until: number
    /** The decisions that were asked for by number, oldest first; null if they are too many, or the numbers started again. */
    readonly later: readonly Decision[] | null
  }
}

/** The state of a conversation as a gateway stores it. Its edits are not repeated: they are found by the parts they are about. */
export interface BranchState extends ConversationState {
  readonly request?: string
  /** Parts of which that request showed less than was decided, by `message.part`, and the level it showed: 0 for none. */
  readonly behind?: Readonly<Record<string, number>>
  /** Decisions made up to then, in milliseconds, were shown. Default: the time of the request. */
  readonly shownUntil?: number
  /** How many parts that request showed by a decision, and in which mode: if fewer are found later, some were lost. */
  readonly decided?: { readonly mode: TrimMode; readonly parts: number }
  /** Decisions made up to then were not shown, because the store could not be asked. Default: all were. */
  readonly wholeUntil?: number
  /** How often prompts of the conversation were sent again so that they stay cached, and what that cost. Default: never. */
  readonly keptAlive?: { readonly times: number; readonly dollars: number }
}

/** The state of a conversation after a request. */
export interface Branch {
  readonly conversation: string
  /** The hash of all messages of its last request. */
  readonly chain: string
  readonly requests: number
  readonly state: BranchState
  readonly at: number
}

export interface Claim {
  readonly decision: Decision
  readonly original: StoredOriginal
}

export interface StoredOriginal {
  /** The name by which users and models recall it. */
  readonly handle: string
  /** The hash of the text that the handle names: two texts can be made to have one handle, and not one hash. Older rows have none. */
  readonly sha256?: string
  readonly conversation: string
  /** The message as the client sent it, and the call that it answers, if known. */
  readonly message: Message
  readonly call: Message | null
  readonly at: number
}

export interface StoredRequest {
  readonly request: GatewayRequest
  readonly label: string | null
  /** Messages that the conversation had not shown before. */
  readonly messages: readonly GatewayMessage[]
  /** The same messages with their texts, if those are to be kept. */
  readonly texts: readonly Message[]
  /** Null if the upstream did not accept the request. */
  readonly branch: Branch | null
}

export interface TenantRecord {
  readonly tenant: string
  readonly record: StoredRequest
}

export interface StoredConversation {
  readonly conversation: GatewayConversation
  readonly requests: readonly GatewayRequest[]
  readonly messages: readonly GatewayMessage[]
  /** How many rows are damaged, and missing here. Default: none. */
  readonly damaged?: number
}

/** A store that cannot be used. The message says what was tried and what to do, without addresses or passwords. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: 'unreachable' | 'full' | 'newer' | 'broken' | 'damaged'

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The owner of a request: a keyed hash of its credential's hash, so that nothing in a store leads back to a key. */
export function tenantOf(secret: Uint8Array, hashed: string | null): string {
  return createHmac('sha256', secret)
    .update(hashed ?? '')
    .digest('base64url')
}

/** The hash by which a credential is known outside of its request. */
export function credentialHash(credential: string): string {
  return createHash('sha256').update(credential).digest('hex')
}

/** Milliseconds until the time of last use is renewed: expiry counts in days, and renewing costs a write. */
export const touchAfter = 3_600_000
/** Conversations that are listed by default. */
export const listedConversations = 1000
/** Originals that the beginning of a handle finds at most. */
export const foundOriginals = 20
/** Rows that one step of expiry deletes, so that others do not wait long for it. */
export const expiryBatch = 500
/**
 * A conversation can be continued from any of its last requests, this many; of older ones from every sixteenth. Each holds the whole
 * state, so keeping all would grow with the square of their number.
 */
export const keptBranches = 16

export function isStale(used: number, now: number): boolean {
  return used < now - touchAfter
}

export function newerSchema(found: number, known: number): StoreError {
  return new StoreError(
    'newer',
    `The store was written by a newer Plimsoll (schema ${found}; this version knows ${known}). Update Plimsoll, or use another store.`,
  )
}

/** The name of this user's store in the gateway's folder, unless another is configured. */
export const storeFile = 'store.sqlite'

/** Whether it is a database that several machines may share. */
export function isSharedStore(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location)
}
