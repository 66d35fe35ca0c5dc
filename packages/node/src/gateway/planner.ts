import type { Usage } from '@plimsoll/core/bill'
import type { Config, TrimMode } from '@plimsoll/core/policies'
import type { Finding, WireDialect } from '../store/gateway-record.ts'

/** What a planner goes by. Plain data, so that it can be handed to another thread. */
export interface PlannerSettings {
  /** Complete. */
  readonly config: Config
  /** Whether somebody set `context_window`; else it is the model's, where that is known. */
  readonly isWindowSet: boolean
  /** Whether the texts of messages are kept, and not only what is hidden from view. */
  readonly keepText: boolean
  /** The share of conversations that are left untouched, from 0 to 1, so that there is something to compare with. */
  readonly holdout: number
  /** How a model gets back what it does not see: by a handle, or from a file in this folder, which the replaced text names. */
  readonly recall: 'handle' | { readonly file: string }
  /** After how many days what nobody used is forgotten; null keeps everything. A planner's thread sees to it. Default: null. */
  readonly keepDays?: number | null
}

/** What decides about requests and remembers them. The relay hands it bytes and does what it says; it may live in another thread. */
export interface Planner {
  /**
   * Says what of a request is to change. Never rejects: where it cannot say, nothing is to change, and a finding tells why. The relay
   * waits for it only so long.
   */
  readonly plan: (request: RelayedRequest) => Promise<Plan>
  /** Takes note of a request that goes out as it came, without an answer. */
  readonly observe: (request: RelayedRequest) => void
  /** Tells what became of a request that was planned or observed. */
  readonly answered: (outcome: RequestOutcome) => void
  /** Tells what was measured, request by request, as soon as it is known. */
  readonly onMeasured: (listener: (measured: Measured) => void) => void
  /** Resolves while its store answers; rejects with `StoreError`. */
  readonly check: () => Promise<void>
  /** Finishes what it was told, and lets go of everything. */
  readonly close: () => Promise<void>
}

/** A request as the relay hands it over. */
export interface RelayedRequest {
  readonly id: string
  readonly dialect: WireDialect
  /** `count` asks how many tokens the same request would have: nothing is written down for it. */
  readonly kind: 'generate' | 'count'
  /** Where the address names the model, as Gemini's does. */
  readonly model: string | null
  /** A hash of the credential that came with it; null where none did. The credential itself never leaves the relay. */
  readonly credential: string | null
  readonly mode: TrimMode
  /** A label for its session out of the headers, cut to 200 characters. */
  readonly session: string | null
  /** Whether the upstream does `context_management` by itself. */
  readonly isManagedUpstream: boolean
  readonly at: number
  /** When the relay stops waiting for a plan, by the machine's clock; what is decided later would never be sent. Default: never. */
  readonly until?: number
  /** The body, unpacked. */
  readonly body: Uint8Array
  /** Whether nobody else needs these bytes, so that they may be given to another thread. Default: no. */
  readonly isBodyFree?: boolean
  /** Whether it is written down although nothing of it is shown differently. Default: yes. */
  readonly isMeasured?: boolean
}

/** What is to change in a request. */
export interface Plan {
  /** Ranges of the body's bytes, ascending, apart from one another, with what stands there instead. None: the original bytes go out. */
  readonly splices: readonly Splice[]
  /** What the answer's headers tell; null where nobody counted. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  /** The rules that took effect. */
  readonly rules: readonly string[]
  /** How many tokens at its beginning are what the request before it had. */
  readonly prefixKept: number | null
  readonly findings: readonly Finding[]
  /** What the client asked for with `context_management`, as the answer has to tell it; null where it did not ask, or the upstream tells it. */
  readonly appliedEdits: readonly AppliedEdit[] | null
  /** Whether the planner has no use for what becomes of the request. Default: it has. */
  readonly isForgotten?: boolean
}

/** Bytes from `start` up to `end` that become others. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** An edit as Anthropic's answers tell it. */
export interface AppliedEdit {
  readonly type: string
  readonly [field: string]: string | number
}

/** What became of a request. */
export interface RequestOutcome {
  readonly id: string
  /** Null where the upstream never answered. */
  readonly status: number | null
  readonly end: 'complete' | 'client-gone' | 'upstream-failed'
  readonly firstByteMilliseconds: number | null
  readonly wholeMilliseconds: number
  readonly answer: AnswerBytes | null
  /** Whether the original bytes went out although a plan may have said otherwise: it came too late, or did not fit. Default: no. */
  readonly isPlanDropped?: boolean
}

/** The answer's bytes, as far as the relay kept them: the beginning, and the end where it was longer. */
export interface AnswerBytes {
  readonly contentType: string
  readonly contentEncoding: string
  readonly head: Uint8Array
  /** Null where `head` is all of it. */
  readonly tail: Uint8Array | null
}

/** What was measured about one request; the same numbers that are written down. */
export interface Measured {
  readonly id: string
  readonly dialect: WireDialect
  readonly model: string | null
  readonly mode: TrimMode
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Tokens taken away, by rule. */
  readonly removed: Readonly<Record<string, number>>
  /** The rules that changed what the provider had cached. */
  readonly breaks: readonly string[]
  /** The model that the answer names. */
  readonly answeredModel?: string | null
  readonly usage: Usage | null
  readonly dollars: number | null
  readonly untrimmedDollars: number | null
  /** The kind of failure that said the request was too long; null where none did. */
  readonly overflow: string | null
  readonly findings: readonly Finding[]
  readonly plannedMilliseconds: number
}

/** A plan that changes nothing, and says nothing. */
export const emptyPlan: Plan = {
  splices: [],
  tokensBefore: null,
  tokensAfter: null,
  rules: [],
  prefixKept: null,
  findings: [],
  appliedEdits: null,
}
