import type { Config } from '@plimsoll/core/policies'
import type { ApiProblem } from '../server-api.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest } from './inspection.ts'
import type { PackedInspection } from './pack-inspection.ts'

/** The policies and prices to compare, by the names of `plimsoll replay`. `raw` is always among the answers. */
export interface WhatIfQuestion {
  readonly policies: readonly string[]
  readonly prices: readonly string[]
  /** Prices of models that come before those of the configuration. Default: none. */
  readonly own?: Config['prices']
}

/** All names that can be asked for, in the order in which they are shown. */
export interface WhatIfChoices extends Omit<WhatIfQuestion, 'own'> {
  /** The policy sets that a session can be shown under. Default: none. */
  readonly under?: readonly string[]
}

/** The cost and loss of the same session under other policies and prices. */
export interface WhatIf {
  readonly prices: readonly string[]
  /** One for each policy set and price, `raw` first. */
  readonly rows: readonly WhatIfRow[]
  readonly requests: number
  /** Whether the simulated cache did what the provider's did in this session. */
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  /** Tokens added to every request for prompt and tool definitions, if the cache is simulated or nothing was reported. */
  readonly overhead: number
  /** Whether the session's own prices are known; if not, others are assumed. Default: they are. */
  readonly isPriced?: boolean
  /** Requests whose usage the provider reported. Default: unknown. */
  readonly reported?: number
}

/**
 * A line of an answer that takes long, if the client accepts `application/x-ndjson`: the share that is done, an answer with some of
 * its rows, an error, or at last the answer.
 */
export type AnswerLine<Answer> =
  | { readonly share: number }
  | { readonly soFar: Answer }
  | { readonly error: ApiProblem['error'] }
  | { readonly answer: Answer }

export interface WhatIfRow {
  readonly policies: string
  readonly price: string
  /** Dollars of all requests, and including the recall of everything that was needed later and not visible. */
  readonly bill: number
  readonly effective: number
  readonly parts: WhatIfParts
  readonly peak: number
  /** Shares of the later uses that were visible, and visible or recallable; null if there were none. */
  readonly inView: number | null
  readonly reachable: number | null
  readonly lost: number
  readonly recalls: number
  /** Tokens of each request, at most 400 of them, evenly picked, so that two sets can be drawn side by side. */
  readonly prompts: readonly number[]
}

/** Dollars by what they were paid for. */
export interface WhatIfParts {
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
  readonly recalls: number
  readonly keepAlive: number
}

/** The data of a page that needs no server. Texts are redacted unless the user asked for all of them. */
export interface EmbeddedInspection {
  readonly version: 1
  readonly locale: string | null
  readonly isRedacted: boolean
  readonly inspection: Inspection
  readonly messages: readonly InspectedMessage[]
  /** The views of the requests in order; only the latest if there are too many for a page. */
  readonly views: readonly EmbeddedView[]
  /** Messages that were sent in another form than in `messages`. */
  readonly pool: readonly SentRequest['messages'][number][]
  readonly edits: Readonly<Record<string, EditTexts>>
  readonly whatIf: WhatIf | null
  readonly blobs: Readonly<Record<string, string>>
  /** Default: nothing. */
  readonly left?: EmbeddedLeft
}

/** The same as written into the page. */
export interface WrittenInspection extends Omit<EmbeddedInspection, 'inspection'> {
  readonly inspection: PackedInspection
}

/** Content that was redacted from a page or did not fit into it. */
export interface EmbeddedLeft {
  readonly secrets: number
  readonly homes: number
  /** Texts with only their beginning and end in the page. */
  readonly texts: number
  readonly pictures: number
  /** Requests whose views are not in the page. */
  readonly requests: number
}

/**
 * One request's view as a difference to the one before it: `kept` messages from its beginning, then others. A number from the
 * count of `messages` on is a place in `pool`.
 */
export interface EmbeddedView {
  readonly id: string
  readonly model: string | null
  readonly isProven: boolean
  readonly kept: number
  readonly added: readonly number[]
}
