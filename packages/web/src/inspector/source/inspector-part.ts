import type { Inspection } from '@plimsoll/core'
import type { InspectorTab } from '../../parts/routes.ts'
import type { InspectorSource } from './inspector-source.ts'

/** What a part of the inspector is given: `Timeline`, `Ledger`, `Diff`, `WhatIf`. */
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
