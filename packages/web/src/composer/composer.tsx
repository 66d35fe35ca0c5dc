import type { LiveState } from '@plimsoll/core'

/** What the field at the end of a chat works with. It asks for completions, and does the commands of its menu, by itself. */
export interface ComposerProps {
  /** The id of the session. */
  readonly session: string
  readonly live: LiveState
  /** What the user said in this session as far as it is known, oldest first. */
  readonly history: readonly string[]
  /** Says something, or queues it where the agent is busy. Where it rejects, the text comes back and the error is shown. */
  readonly onSubmit: (text: string) => Promise<unknown>
  /** Stops what runs; gives what was queued, which comes back into the field. */
  readonly onCancel: () => Promise<readonly string[]>
  /** A text to put into the field, such as after a rewind: a new object each time. */
  readonly fill?: { readonly text: string } | null
}

/** The field at the end of a chat, to say something in. */
export function Composer(_props: ComposerProps) {
  return null
}
