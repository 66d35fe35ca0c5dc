import { createContext, type ReactNode, useContext, useState } from 'react'
import type { LiveState } from '../../../node/src/shared/server-api.ts'

interface ChatContextValue {
  readonly session: string
  readonly isBusy: boolean
  /** The error that the last turn ended with, where it can be gone on with; null elsewhere. */
  readonly retryable: string | null
  /** The call that waits for the user; null where none does. */
  readonly permission: LiveState['permission']
  /** Goes back to before a message of the user. */
  readonly rewind: (message: string) => void
  /** Goes on in a session of its own, with everything before a message. */
  readonly fork: (message: string) => void
  /** Goes on with a turn that was cut off. */
  readonly resume: () => void
  /** What is unfolded by hand, or folded, by key: a row that comes back into sight looks as it was left. */
  readonly unfolded: Map<string, boolean>
}

export const ChatContext = createContext<ChatContextValue | null>(null)

/** What everything in a conversation works with. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext)
  if (value === null) throw new Error('useChat is called outside of a chat')
  return value
}

interface FoldProps {
  /** Names it in the conversation, so that it stays as it was left. */
  readonly id: string
  readonly summary: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly className?: string
  /** Made only once it is unfolded. */
  readonly children: () => ReactNode
}

/** Something that is folded under one line until somebody wants to see it. */
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
