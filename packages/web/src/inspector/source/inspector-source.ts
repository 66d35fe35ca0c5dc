import type { WhatIf, WhatIfChoices, WhatIfQuestion } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import type { InspectorTab } from '../../parts/routes.ts'

/** What each part of the inspector is given: `Timeline`, `Ledger`, `Diff`, `WhatIf`. */
export interface InspectorPartProps {
  readonly inspection: Inspection
  readonly source: InspectorSource
  /** Shows a message by its number. */
  readonly onOpenMessage: (message: number) => void
  /** The session was changed here: its inspection is to be asked for again. */
  readonly onChanged: () => void
  /** Goes to another part, which then begins with these requests. Without it there are no buttons that do. */
  readonly onOpenTab?: (tab: InspectorTab, focus: InspectorFocus | null) => void
  /** Shows the session as if a policy set had been in force. Without it there are no buttons that do. */
  readonly onUnder?: (policies: string | null) => void
  /** What was asked for by `onOpenTab`. */
  readonly focus?: InspectorFocus | null
}

/** Requests by their place in `inspection.requests`: the two of a comparison, the one whose edits are listed. */
export interface InspectorFocus {
  readonly requests: readonly number[]
}

/**
 * Where an inspector gets one session from: a server, or the page itself. Each rejects with an `Error` whose message is a sentence for
 * people.
 */
export interface InspectorSource {
  readonly inspection: (signal?: AbortSignal) => Promise<Inspection>
  /** Messages by number, from the first up to and without the last; fewer at the end. */
  readonly messages: (from: number, to: number, signal?: AbortSignal) => Promise<readonly InspectedMessage[]>
  readonly request: (id: string, signal?: AbortSignal) => Promise<SentRequest>
  readonly edit: (id: string, signal?: AbortSignal) => Promise<EditTexts>
  /** Null where nothing is stored that could be replayed. */
  readonly whatIf: (question: WhatIfQuestion, signal?: AbortSignal) => Promise<WhatIf>
  /** What `whatIf` can be asked for, by name. Without it, everything that `plimsoll replay` knows. */
  readonly whatIfChoices?: (signal?: AbortSignal) => Promise<WhatIfChoices>
  /** The bytes of a stored picture or result, as an address that a page may show. */
  readonly blob: (sha256: string, mediaType: string, signal?: AbortSignal) => Promise<string>
  /** Shows what an edit left out again, for good; null where the session cannot be changed here. */
  readonly restore: ((edit: string) => Promise<void>) | null
  /** Keeps a message whole, or lets it be trimmed again; null where the session cannot be changed here. */
  readonly pin: ((message: string, isPinned: boolean) => Promise<void>) | null
}
