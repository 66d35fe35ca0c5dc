import type { Usage } from '@plimsoll/core/bill'
import type { Config, TrimMode } from '@plimsoll/core/policies'
import { noTrims, type Trims } from '../files/trim-log.ts'
import type { Finding, WireDialect } from '../store/gateway-record.ts'

export interface PlannerSettings {
  readonly config: Config
  /** Whether the user set `context_window`; else it is the model's, if known. */
  readonly isWindowSet: boolean
  /** Whether the texts of all messages are kept, and not only of hidden ones. */
  readonly keepText: boolean
  /** The share of conversations that are left untouched for comparison, from 0 to 1. */
  readonly holdout: number
  /** How a model recalls what it does not see: by a handle, or from a file in this folder, which the replaced text names. */
  readonly recall: 'handle' | { readonly file: string }
  /** Days until unused records are deleted by the planner's thread; null keeps everything. Default: null. */
  readonly keepDays?: number | null
  /** Whether measurements have the log records of what was trimmed. Default: no. */
  readonly isLogged?: boolean
  /** Whether prompts are sent again in pauses so that they stay cached. Default: no. */
  readonly keepsCacheAlive?: boolean
}

/** Decides about requests and remembers them. It may run in another thread. */
export interface Planner {
  /** Says what to change in a request. Never rejects: if it cannot tell, nothing changes, and a finding says why. */
  readonly plan: (request: RelayedRequest) => Promise<Plan>
  readonly observe: (request: RelayedRequest) => void
  /** Reports how a request ended that was planned or observed. */
  readonly answered: (outcome: RequestOutcome) => void
  readonly onMeasured: (listener: (measured: Measured) => void) => void
  /** Says which prompts are to be sent again; `answered` takes their answers. Default: never. */
  readonly onKeepAlive?: (listener: (note: KeepAliveNote) => void) => void
  /** Resolves while its store answers; rejects with `StoreError`. */
  readonly check: () => Promise<void>
  /** Records what is left. Waits no longer than this, if it is given, for a plan that takes long. */
  readonly close: (withinMs?: number) => Promise<void>
}

export interface RelayedRequest {
  readonly id: string
  readonly dialect: WireDialect
  /** `count` asks for the tokens of the same request, `compact` for a summary of it: nothing is recorded for these. */
  readonly kind: 'generate' | 'count' | 'compact'
  readonly model: string | null
  /** A hash of its credential, or null. The credential itself never leaves the relay. */
  readonly credential: string | null
  readonly mode: TrimMode
  /** The session's label from the headers, cut to 200 characters. */
  readonly session: string | null
  /** Whether the upstream does `context_management` itself. */
  readonly isManagedUpstream: boolean
  readonly at: number
  /** When the relay stops waiting for a plan, by the machine's clock: a later decision would never be sent. Default: never. */
  readonly until?: number
  readonly body: Uint8Array
  /** Whether these bytes may be transferred to another thread. Default: no. */
  readonly isBodyFree?: boolean
  /** Whether it is recorded even if nothing in it changes. Default: yes. */
  readonly isMeasured?: boolean
}

export interface Plan {
  /** Ranges of the body's bytes with their replacements, ascending and apart. None: the original bytes go out. */
  readonly splices: readonly Splice[]
  /** For the answer's headers; null if not counted. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  readonly rules: readonly string[]
  /** How many tokens at its beginning are the same as in the request before. */
  readonly prefixKept: number | null
  readonly findings: readonly Finding[]
  /** The client's `context_management`, as the answer has to report it; null if it did not ask, or the upstream reports it. */
  readonly appliedEdits: readonly AppliedEdit[] | null
  /** A summary that the answer has to begin with. Default: none. */
  readonly told?: ToldSummary
  /** The answer, if the upstream does not have to be asked. Default: it has to. */
  readonly answer?: OwnAnswer
  /** Whether the planner does not need the outcome. Default: it does. */
  readonly isForgotten?: boolean
}

/** About the request with this id: it is to be sent again under the name `as`, or if that is null, it never will be. */
export interface KeepAliveNote {
  readonly id: string
  readonly as: string | null
}

export interface Splice {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** A summary that a client asked for, as a block or an item of an answer. */
export interface ToldSummary {
  readonly dialect: 'anthropic' | 'openai-responses'
  readonly item: Readonly<Record<string, unknown>>
}

/** The whole of an answer with status 200. */
export interface OwnAnswer {
  readonly contentType: string
  readonly text: string
}

/** An edit as in Anthropic's answers. */
export interface AppliedEdit {
  readonly type: string
  readonly [field: string]: string | number
}

export interface RequestOutcome {
  readonly id: string
  readonly status: number | null
  readonly end: 'complete' | 'client-gone' | 'upstream-failed'
  readonly firstByteMilliseconds: number | null
  readonly wholeMilliseconds: number
  readonly answer: AnswerBytes | null
  /** Whether the original bytes went out because the plan came too late or did not fit. Default: no. */
  readonly isPlanDropped?: boolean
}

/** The bytes of an answer that the relay kept: the beginning, and the end if it was longer. */
export interface AnswerBytes {
  readonly contentType: string
  readonly contentEncoding: string
  readonly head: Uint8Array
  /** Null if `head` is all of it. */
  readonly tail: Uint8Array | null
}

/** Conversations whose last body is remembered, the bytes of these bodies, and the memory of all objects of the planner's threads. */
export interface Remembered {
  readonly conversations: number
  readonly bytes: number
  readonly heapBytes: number
}

export interface Measured {
  readonly id: string
  readonly dialect: WireDialect
  readonly model: string | null
  readonly mode: TrimMode
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly removed: Readonly<Record<string, number>>
  /** The rules that changed cached content. */
  readonly breaks: readonly string[]
  readonly trims: Trims
  readonly answeredModel?: string | null
  readonly usage: Usage | null
  readonly dollars: number | null
  readonly untrimmedDollars: number | null
  /** The kind of failure by which the provider refused the request as too long, or null. */
  readonly overflow: string | null
  readonly findings: readonly Finding[]
  readonly plannedMilliseconds: number
  /** Whether it is a prompt that the gateway sent again so that it stays cached. Default: no. */
  readonly isKeptAlive?: true
}

export const emptyPlan: Plan = {
  splices: [],
  tokensBefore: null,
  tokensAfter: null,
  rules: [],
  prefixKept: null,
  findings: [],
  appliedEdits: null,
}

/** The measurements of a request that nothing is known of. */
export const emptyMeasured: Omit<Measured, 'id' | 'dialect' | 'model' | 'mode'> = {
  tokensBefore: 0,
  tokensAfter: 0,
  removed: {},
  breaks: [],
  trims: noTrims,
  usage: null,
  dollars: null,
  untrimmedDollars: null,
  overflow: null,
  findings: [],
  plannedMilliseconds: 0,
}

/** The kinds of failure by which a provider refuses a request as too long. */
export const overflowKinds = ['overflow', 'output_reservation', 'tpm_single_request', 'payload_bytes', 'image_limit'] as const
