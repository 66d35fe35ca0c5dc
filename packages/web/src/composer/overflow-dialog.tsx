import type { AgentError, ModelInfo } from '@plimsoll/core'

/** An overflow that waits for the user, in which session, and with which model; does what is chosen by itself. */
export interface OverflowDialogProps {
  readonly session: string
  readonly error: AgentError
  readonly model: ModelInfo
}

/** Says why a conversation is too long and what can be done about it. Once closed, one line stays that opens it again. */
export function OverflowDialog(_props: OverflowDialogProps) {
  return null
}
