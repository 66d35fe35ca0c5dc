import { type ReactNode, useState } from 'react'
import type { LiveState } from '../../../node/src/shared/server-api.ts'
import { requiredContext } from '../parts/required-context.ts'

interface ChatContextValue {
  readonly session: string
  readonly isBusy: boolean
  /** The key of the error that the last turn ended with, if it can be resumed; else null. */
  readonly retryable: string | null
  readonly permission: LiveState['permission']
  readonly rewind: (message: string) => void
  /** Asks which file changes after a message to undo. */
  readonly undoFiles: (message: string) => void
  /** Continues in a new session, with everything before a message. */
  readonly fork: (message: string) => void
  readonly resume: () => void
  /** Rows that the user has expanded or collapsed, by key, kept while they are out of sight. */
  readonly unfolded: Map<string, boolean>
}

/** The chat that a component is in. */
export const [ChatContext, useChat] = requiredContext<ChatContextValue>('a chat')

interface FoldProps {
  readonly id: string
  readonly summary: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly className?: string
  /** Rendered on first expand. */
  readonly children: () => ReactNode
}

/** Content that is collapsed to one line until the user expands it. */
export function Fold({ id, summary, isOpenAtFirst = false, className, children }: FoldProps) {
  const { unfolded } = useChat()
  const [chosen, choose] = useState(() => unfolded.get(id))
  const isOpen = chosen ?? isOpenAtFirst
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget
        if (open === isOpen) return
        unfolded.set(id, open)
        choose(open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  )
}
