import { createHash, createHmac } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { ConversationState, Message } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { sessionsFolder } from '../session/session-folder.ts'
import type { Decision, DecisionKey, GatewayConversation, GatewayMessage, GatewayRequest } from './gateway-record.ts'

/**
 * What gateways remember together. Everything belongs to a tenant, and no call reaches what belongs to another. What a call has
 * acknowledged survives a crash. Rejects with `StoreError` where the store cannot be reached or is full; then nothing was written.
 */
export interface GatewayStore {
  /** The key with which credentials become tenants; made once, the same for all gateways of the store. At least 32 bytes. */
  readonly secret: () => Promise<Uint8Array>
  /** Everything that is known about a request's messages, in one step. Remembers when messages were first seen, unless asked not to. */
  readonly recognise: (tenant: string, question: RecogniseQuestion) => Promise<Recognised>
  /**
   * Writes decisions down with the originals they hide, or finds that somebody else already has: the first one holds. Comes back in the
   * order asked, each the one that holds.
   */
  readonly claim: (tenant: string, claims: readonly Claim[]) => Promise<readonly Decision[]>
  /** Writes down what became of a request: itself, its new messages, and where its conversation stands now. */
  readonly record: (tenant: string, record: StoredRequest) => Promise<void>
  /**
   * Writes down what became of several requests in one step: all of it or nothing. Survives the end of a process; where the power fails,
   * the last moments may be missing. Not there where one by one is as fast.
   */
  readonly recordAll?: (records: readonly TenantRecord[]) => Promise<void>

  /**
   * What gateways have learned about models, as it was last kept; null if nothing was. Belongs to no tenant, so it must hold nothing of
   * any conversation.
   */
  readonly learned: () => Promise<unknown>
  /** Keeps what was learned, any JSON, instead of what was kept before. Does not expire. */
  readonly keepLearned: (learned: unknown) => Promise<void>

  readonly tenants: () => Promise<readonly string[]>
  /** The latest first. */
  readonly conversations: (tenant: string, options?: { readonly limit?: number }) => Promise<readonly GatewayConversation[]>
  /** Requests in order; messages in the order they were first seen. Null where there is no such conversation. */
  readonly conversation: (tenant: string, id: string) => Promise<StoredConversation | null>
  /** The originals whose handle begins so, at most twenty. */
  readonly originals: (tenant: string, handle: string) => Promise<readonly StoredOriginal[]>
  /** The originals of a conversation, oldest first. */
  readonly originalsOf: (tenant: string, conversation: string) => Promise<readonly StoredOriginal[]>
  /** The decisions made in a conversation with what they hide, oldest first: what an inspector shows as before and after. */
  readonly claimsOf: (tenant: string, conversation: string) => Promise<readonly Claim[]>
  /** The texts of messages, where they were kept; those that were not are missing. */
  readonly texts: (tenant: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Message>>

  /** Forgets what was last used before this time: decisions, originals, texts, requests. How many rows went. */
  readonly expire: (before: number) => Promise<number>
  /** Resolves while the store answers. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a gateway asks about a request. */
export interface RecogniseQuestion {
  /**
   * Hashes of the beginnings of the conversation, each one message longer; the longest that a request ended with before tells where the
   * conversation stands.
   */
  readonly chains: readonly string[]
  /** The ids of its messages, in order. */
  readonly messages: readonly string[]
  /** The parts that may have been decided about. */
  readonly parts: readonly DecisionKey[]
  readonly at: number
  /** Whether nothing is to be written: the question is about a request that is only counted. */
  readonly isIdle: boolean
}

/** What is known about a request's messages. */
export interface Recognised {
  /** The longest known beginning, with its place in the chains asked about; null where this is a new conversation. */
  readonly branch: { readonly place: number; readonly branch: Branch } | null
  /** When each message was first seen, in order: now for those that are new. */
  readonly firstSeen: readonly number[]
  readonly decisions: readonly Decision[]
}

/** What a conversation carries on, as a gateway stores it. Its edits are not repeated: they are found by the parts they are about. */
export interface BranchState extends ConversationState {
  /** The id of the request that it stands for. */
  readonly request?: string
  /** Parts of which that request showed less than was decided about them, by `message.part`, and which level: 0 for none. */
  readonly behind?: Readonly<Record<string, number>>
  /** Decisions made up to then, in milliseconds, were shown. Default: the time of the request. */
  readonly shownUntil?: number
  /** How many parts that request showed by a decision, and in which mode: fewer that are found later were lost. */
  readonly decided?: { readonly mode: TrimMode; readonly parts: number }
  /** Decisions made up to then were not shown, because the store could not be asked. Default: all were. */
  readonly wholeUntil?: number
}

/** Where a conversation stands after a request. */
export interface Branch {
  readonly conversation: string
  /** The hash of all messages of its last request. */
  readonly chain: string
  /** How many requests it had. */
  readonly requests: number
  readonly state: BranchState
  readonly at: number
}

/** A decision with what it hides. */
export interface Claim {
  readonly decision: Decision
  readonly original: StoredOriginal
}

/** What a decision hides. */
export interface StoredOriginal {
  /** What people and models ask for it by. */
  readonly handle: string
  readonly conversation: string
  /** The message as the client sent it, and the call that it answers, if it is known. */
  readonly message: Message
  readonly call: Message | null
  readonly at: number
}

/** What is written down of one request. */
export interface StoredRequest {
  readonly request: GatewayRequest
  /** A label that the client gave the conversation. */
  readonly label: string | null
  /** Messages that the conversation had not shown before. */
  readonly messages: readonly GatewayMessage[]
  /** The same messages with their texts, where those are to be kept. */
  readonly texts: readonly Message[]
  /** Where the conversation stands now; null where the upstream did not accept the request. */
  readonly branch: Branch | null
}

/** What is written down of one request, and for whom. */
export interface TenantRecord {
  readonly tenant: string
  readonly record: StoredRequest
}

/** A conversation with everything that is written down about it. */
export interface StoredConversation {
  readonly conversation: GatewayConversation
  readonly requests: readonly GatewayRequest[]
  readonly messages: readonly GatewayMessage[]
}

/** A store that cannot be used. The message says what was tried and what to do, without addresses or passwords. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: 'unreachable' | 'full' | 'newer' | 'broken'

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** To whom a request belongs: a keyed hash of its credential's hash, so that a store never holds anything that leads back to a key. */
export function tenantOf(secret: Uint8Array, hashed: string | null): string {
  return createHmac('sha256', secret)
    .update(hashed ?? '')
    .digest('base64url')
}

/** The hash by which a credential is known outside of the request that it came with. */
export function credentialHash(credential: string): string {
  return createHash('sha256').update(credential).digest('hex')
}

/** How old the note of a last use may be before it is renewed: expiry counts in days, and renewing costs a write. */
export const touchAfter = 3_600_000

/** How many conversations are listed where nobody asks for fewer. */
export const listedConversations = 1000

/** How many originals one beginning of a handle may find. */
export const foundOriginals = 20

/** How many rows one step of expiry takes away, so that nobody waits long for it. */
export const expiryBatch = 500

/**
 * How many of a conversation's last requests can be gone on from exactly; of older ones every sixteenth. Each holds the whole state, so
 * keeping all would grow with the square of their number.
 */
export const keptBranches = 16

/** Whether a time of last use is due to be renewed. */
export function isStale(used: number, now: number): boolean {
  return used < now - touchAfter
}

/** What is said of a store that a newer Plimsoll has changed. */
export function newerSchema(found: number, known: number): StoreError {
  return new StoreError(
    'newer',
    `The store was changed by a newer Plimsoll (its schema is ${found}, this one knows ${known}). Update Plimsoll here, or use another store.`,
  )
}

/** The folder of what gateways keep on this machine. Throws `SessionError` where there is no home. */
export function gatewayFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return join(dirname(sessionsFolder(environment)), 'gateway')
}

/** Where gateways of this user remember things: as it is configured, else in a file in the state folder. */
export function storeLocation(configured: string | null, environment: Readonly<Record<string, string | undefined>>): string {
  return configured ?? join(gatewayFolder(environment), 'store.sqlite')
}

/** Whether it is a database that several machines may share. */
export function isSharedStore(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location)
}
