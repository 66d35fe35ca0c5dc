import type { EditTexts, InspectedMessage, Inspection, SentRequest } from './inspection.ts'
import type { PackedInspection } from './pack-inspection.ts'

/** Which policies and prices are compared, by the names of `plimsoll replay`. `raw` is always among the answers. */
export interface WhatIfQuestion {
  readonly policies: readonly string[]
  readonly prices: readonly string[]
}

/** What can be asked for, by name, in the order in which it is shown. */
export interface WhatIfChoices extends WhatIfQuestion {
  /** The policy sets under which a session can be looked at as if they had been in force. Default: none. */
  readonly under?: readonly string[]
}

/** What the same session would have cost and kept under other policies and prices. */
export interface WhatIf {
  /** The price rows that were asked for, by name. */
  readonly prices: readonly string[]
  /** One for each policy set and price, `raw` first. */
  readonly rows: readonly WhatIfRow[]
  readonly requests: number
  /** Whether the simulated cache was seen to do what the provider's did in this session. */
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  /** Tokens that every request is taken to hold besides, for prompt and tool definitions: most logs have neither. */
  readonly overhead: number
}

/** One policy set at one price. */
export interface WhatIfRow {
  readonly policies: string
  readonly price: string
  /** Dollars of all requests, and with everything had back that was needed later and not in view. */
  readonly bill: number
  readonly effective: number
  readonly parts: WhatIfParts
  /** Tokens of the largest request. */
  readonly peak: number
  /** Of what was needed later: the share in view, and in view or to be had back; null where nothing was needed. */
  readonly inView: number | null
  readonly reachable: number | null
  readonly lost: number
  readonly recalls: number
  /** Tokens of each request, so that two sets can be drawn side by side; at most 400 of them, evenly picked. */
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

/** What a page that needs no server carries. Texts are without secrets unless that was asked for. */
export interface EmbeddedInspection {
  readonly version: 1
  readonly locale: string | null
  readonly isRedacted: boolean
  readonly inspection: Inspection
  readonly messages: readonly InspectedMessage[]
  /** The views of the requests in order, the latest where there are too many for a page. */
  readonly views: readonly EmbeddedView[]
  /** Messages that were sent and are not among `messages` as they were sent. */
  readonly pool: readonly SentRequest['messages'][number][]
  readonly edits: Readonly<Record<string, EditTexts>>
  readonly whatIf: WhatIf | null
  /** Pictures by their sha256, as data URLs. */
  readonly blobs: Readonly<Record<string, string>>
  /** What was taken out of the page or found no room in it. Default: nothing. */
  readonly left?: EmbeddedLeft
}

/** The same as it stands in the page. */
export interface WrittenInspection extends Omit<EmbeddedInspection, 'inspection'> {
  readonly inspection: PackedInspection
}

/** What was taken out of a page, or found no room in it. */
export interface EmbeddedLeft {
  /** Keys, tokens and passwords that were blanked. */
  readonly secrets: number
  /** Names of home folders that became `~`. */
  readonly homes: number
  /** Texts of which only the beginning and the end are in the page. */
  readonly texts: number
  readonly pictures: number
  /** Requests whose views are not in the page. */
  readonly requests: number
}

/**
 * One request's view, told by what differs from the one before it: it takes over so many messages from that one's beginning and goes
 * on with others. A number below the count of `messages` is one of those; what is above it is in `pool`.
 */
export interface EmbeddedView {
  readonly id: string
  readonly model: string | null
  readonly isProven: boolean
  readonly kept: number
  readonly added: readonly number[]
}
